//! One PostgreSQL server with its data: started, stopped, killed and started again. It must not
//! give up durability: `fsync`, `full_page_writes` and `synchronous_commit` stay as PostgreSQL has
//! them.

use crate::USER;
use crate::database::TestDatabase;
use crate::home::{Home, without_settings};
use crate::options::ClusterOptions;
use crate::{port, programs, shared};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Settings of every cluster. Only tests and the benchmark connect, over TCP: the path of a Unix
/// socket is limited to 107 bytes, and a temporary folder may exceed it.
const DEFAULTS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
log_min_duration_statement = '1s'
log_line_prefix = '%m [%p] %d '
timezone = 'UTC'
";

/// How many ports are tried: another process may take one between our look and the server's.
const PORTS_TRIED: usize = 20;

/// How to reach a server.
#[derive(Debug, Clone)]
pub(crate) struct ClusterServer {
    pub(crate) programs: PathBuf,
    pub(crate) port: u16,
}

/// A PostgreSQL server. It is stopped and its data removed when this is dropped, and soon after
/// this process ends if it never is.
#[derive(Debug)]
pub struct Cluster {
    pub(crate) server: ClusterServer,
    pub(crate) home: Home,
}

impl Cluster {
    /// Starts a server of its own, with no data.
    ///
    /// # Panics
    /// Where PostgreSQL is not installed, saying what to install.
    #[must_use]
    pub fn private(options: &ClusterOptions) -> Self {
        Self::at(Home::somewhere(), options)
    }

    /// The server that all test processes of this user share. The first process starts it; it
    /// stops a few seconds after the last process that used it has ended.
    ///
    /// # Panics
    /// Where PostgreSQL is not installed, saying what to install.
    #[must_use]
    pub fn shared() -> &'static Self {
        shared::cluster()
    }

    /// Starts a server in a new folder.
    pub(crate) fn at(home: Home, options: &ClusterOptions) -> Self {
        let cluster = Self::without_data(home);
        cluster.make_data();
        cluster.set(DEFAULTS);
        cluster.apply(options);
        cluster.start_anywhere()
    }

    /// A cluster that has a place, but nothing in it.
    pub(crate) fn without_data(home: Home) -> Self {
        let server = ClusterServer {
            programs: programs::folder(),
            port: 0,
        };
        Self { server, home }
    }

    fn make_data(&self) {
        let mut initdb = self.tool("initdb");
        initdb
            .args(["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"])
            .args(["--username", USER, "--pgdata"])
            .arg(self.data_dir());
        run(initdb);
    }

    /// Adds what a test asked for to the settings.
    pub(crate) fn apply(&self, options: &ClusterOptions) {
        self.set(&options.text());
        if let Some(tls) = &options.tls {
            self.keep_secret("server.crt", &tls.certificate);
            self.keep_secret("server.key", &tls.key);
            self.set("ssl = on\n");
        }
    }

    /// Adds lines to `postgresql.conf`; they count from the next start on.
    pub(crate) fn set(&self, lines: &str) {
        let file = self.data_dir().join("postgresql.conf");
        let opened = std::fs::File::options().append(true).open(file);
        let written = opened.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.expect("the settings can be written");
    }

    /// Writes a file only the server can read: PostgreSQL refuses a key others may read.
    fn keep_secret(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        let file = self.data_dir().join(name);
        std::fs::write(&file, text).expect("a file in the server's folder");
        let secret = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&file, secret).expect("permissions of our own file");
        self.home.user.own(&file);
    }

    /// Starts on a free port.
    pub(crate) fn start_anywhere(mut self) -> Self {
        for _ in 0..PORTS_TRIED {
            self.server.port = port::free();
            if self.try_start() {
                return self;
            }
        }
        panic!("PostgreSQL does not start; its log:\n{}", self.log());
    }

    /// Starts it again, on the port it had, and waits until it takes connections.
    pub fn start(&self) {
        assert!(
            self.try_start(),
            "PostgreSQL does not start; its log:\n{}",
            self.log()
        );
    }

    fn try_start(&self) -> bool {
        let mut start = self.control(&["start", "--wait"]);
        let port = self.server.port;
        start
            .arg("--log")
            .arg(self.home.place("log"))
            .args(["--options", &format!("-p {port}")]);
        let status = start.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.expect("pg_ctl can be started").success()
    }

    /// Stops it in order, with a checkpoint. Open connections are closed.
    pub fn stop_fast(&self) {
        run(self.control(&["stop", "--wait", "--mode=fast"]));
    }

    /// Stops it on the spot, as a crash would; the next start recovers from its log.
    pub fn stop_immediate(&self) {
        run(self.control(&["stop", "--wait", "--mode=immediate"]));
    }

    /// `pg_ctl` on this server.
    pub(crate) fn control(&self, arguments: &[&str]) -> Command {
        let mut command = self.tool("pg_ctl");
        command.args(arguments).arg("--pgdata").arg(self.data_dir());
        command
    }

    /// The port of 127.0.0.1 it listens at, the same as long as it exists.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.server.port
    }

    /// How a client connects to one of its databases.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        self.server.url(database)
    }

    /// Creates an empty database with a unique name.
    #[must_use]
    pub fn database(&self) -> TestDatabase {
        TestDatabase::create(&self.server)
    }

    /// Runs SQL in a database and returns what it prints, one row a line, columns parted by `|`.
    /// Each statement commits by itself.
    ///
    /// # Panics
    /// With the message of the first statement that fails.
    #[must_use]
    pub fn psql(&self, database: &str, sql: &str) -> String {
        self.server.psql(database, sql)
    }

    /// A PostgreSQL client program, such as `pgbench`, that connects to this server by default
    /// and runs as the current user.
    #[must_use]
    pub fn client(&self, name: &str) -> Command {
        self.server.client(name)
    }

    /// A program of PostgreSQL that works on the files of a server, such as `pg_basebackup` or
    /// `pg_controldata`, and runs as the server does.
    #[must_use]
    pub fn program(&self, name: &str) -> Command {
        let mut command = self.tool(name);
        self.server.signal(&mut command);
        command
    }

    /// A program that works on the files alone: there is no server yet, or it does not matter.
    fn tool(&self, name: &str) -> Command {
        self.home.as_server(self.server.programs.join(name))
    }

    /// Where its files are. They belong to the user it runs as.
    #[must_use]
    pub fn data_dir(&self) -> PathBuf {
        self.home.data()
    }

    /// What it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        let log = std::fs::read(self.home.place("log")).unwrap_or_default();
        String::from_utf8_lossy(&log).into_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The data is discarded, so nothing is flushed. The server may be stopped already.
        let _ = self
            .control(&["stop", "--wait", "--mode=immediate"])
            .output();
        self.home.remove();
    }
}

impl ClusterServer {
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    /// Says where the server is, in the way all clients of PostgreSQL understand.
    fn signal(&self, command: &mut Command) {
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

/// Copies a folder with its files' owners and permissions.
pub(crate) fn copy(home: &Home, from: &Path, to: &Path) {
    let mut copy = home.as_server("cp");
    copy.arg("-Rp").arg(from).arg(to);
    run(copy);
}
