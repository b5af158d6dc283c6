//! How clients reach a server. It must not start or stop one.

use crate::USER;
use crate::home::without_settings;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How to reach a server.
#[derive(Debug, Clone)]
pub(crate) struct ClusterServer {
    pub(crate) programs: PathBuf,
    pub(crate) port: u16,
}

impl ClusterServer {
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    /// Says where the server is, in the way all clients of PostgreSQL understand.
    pub(crate) fn signal(&self, command: &mut Command) {
        command
            .env("PGHOST", "127.0.0.1")
            .env("PGPORT", self.port.to_string())
            .env("PGUSER", USER)
            .env("PGDATABASE", "postgres");
    }

    pub(crate) fn client(&self, name: &str) -> Command {
        let mut command = without_settings(self.programs.join(name));
        self.signal(&mut command);
        command
    }

    pub(crate) fn psql(&self, database: &str, sql: &str) -> String {
        let said = self.try_psql(database, sql);
        said.unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// What the SQL prints, or what the server says against it.
    pub(crate) fn try_psql(&self, database: &str, sql: &str) -> Result<String, String> {
        let mut psql = self.client("psql");
        psql.args(["--no-psqlrc", "--quiet", "--no-align", "--tuples-only"])
            .args(["--set", "ON_ERROR_STOP=1", "--file", "-", "--dbname"])
            .arg(database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = psql.spawn().expect("psql can be started");
        let mut input = child.stdin.take().expect("stdin is piped");
        // It may have hung up, which its own message explains better.
        let _ = input.write_all(sql.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("psql ends");
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        Err(format!("{}\nin {sql}", text(&output.stderr)))
    }
}

/// Runs a program to its end, which must be a good one.
pub(crate) fn run(mut command: Command) {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}
