//! The program at work for checks that ask it from outside, with an account to ask as. It must not
//! be reached from another machine, nor leave anything behind.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::process::Run;
use crate::repo::Repo;

/// The program, from `start` until this value ends.
pub(crate) struct Served {
    child: Child,
    data: TempDir,
    pub(crate) url: String,
    pub(crate) identity: String,
    pub(crate) key: String,
    /// The serial number of an approved sender of the account.
    pub(crate) sender: String,
}

impl Served {
    /// Builds the program and starts it with settings such as `lookup.dns=off`.
    pub(crate) fn start(repo: &Repo, settings: &[&str]) -> Result<Self> {
        Run::cargo(["build", "--locked", "--package", "app"]).stream(repo.root())?;
        let program = repo.target()?.join("debug/manilla");
        let data = tempfile::tempdir().context("no folder for the program's data")?;
        let funds = ["--name", "Examples", "--balance", "1000000000.00"];
        let create = ["account", "create"].into_iter().chain(funds);
        let account = answer(&program, data.path(), create)?;
        let (identity, key) = (
            field(&account, "mrcIdentity")?,
            field(&account, "mrcAPIKey")?,
        );
        let add = ["sender", "add", "--name", "Examples", "--approved"];
        let add = add.into_iter().chain(["--identity", &identity]);
        let sender = field(&answer(&program, data.path(), add)?, "serial")?;
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let mut child = Command::new(&program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log-level", "error"])
            .args(settings)
            .arg("--data")
            .arg(data.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("the program could not be started")?;
        let url = ready(&mut child);
        let mut served = Self {
            child,
            data,
            url: String::new(),
            identity,
            key,
            sender,
        };
        served.url = url?;
        Ok(served)
    }

    /// The certificate of the authority that signed the program's.
    pub(crate) fn authority(&self) -> PathBuf {
        self.data.path().join("ca.pem")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do about it here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a command of the program answers.
fn answer<'a>(
    program: &Path,
    data: &'a Path,
    command: impl Iterator<Item = &'a str>,
) -> Result<Value> {
    let data = data.to_str().context("the folder's name is not UTF-8")?;
    let arguments = command.chain(["--json", "--data", data]);
    let run = Run::new(&program.to_string_lossy(), arguments);
    Ok(serde_json::from_str(&run.capture(Path::new("."))?)?)
}

fn field(answer: &Value, name: &str) -> Result<String> {
    let text = answer.get(name).and_then(Value::as_str);
    let text = text.with_context(|| format!("the answer has no {name}"))?;
    Ok(text.to_owned())
}

/// Waits for the line that says where the program answers.
fn ready(child: &mut Child) -> Result<String> {
    let output = child.stdout.take().context("the program has no output")?;
    for line in BufReader::new(output).lines() {
        if let Some(url) = line?.strip_prefix("ready ") {
            return Ok(url.to_owned());
        }
    }
    bail!("the program ended before it was ready")
}
