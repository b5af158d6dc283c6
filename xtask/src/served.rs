//! The program at work for checks that ask it from outside, with an account to ask as. It must not
//! be reached from another machine, nor leave anything behind.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::private_file;
use crate::process::Run;
use crate::repo::Repo;

/// The data folder, and the file with the passphrase of the operator's key beside it.
const DATA: &str = "data";
const PASSPHRASE: &str = "passphrase";

/// The program, from `start` until this value ends.
pub(crate) struct ServedGateway {
    child: Child,
    folder: TempDir,
    pub(crate) url: String,
    pub(crate) identity: String,
    pub(crate) key: String,
    /// The serial number of an approved sender of the account.
    pub(crate) sender: String,
}

impl ServedGateway {
    /// Builds the program and starts it with settings such as `lookup.dns=off`.
    pub(crate) fn start(repo: &Repo, settings: &[&str]) -> Result<Self> {
        Run::cargo(["build", "--locked", "--package", "app"]).stream(repo.root())?;
        let program = repo.target()?.join("debug/manilla");
        let folder = tempfile::tempdir().context("no folder for the program's data")?;
        private_file::write(folder.path().join(PASSPHRASE), "known to every reader")?;
        let operator = ["operator", "add", "--name", "examples"];
        answer(&program, folder.path(), operator.into_iter())?;
        let funds = ["--name", "Examples", "--balance", "1000000000.00"];
        let create = ["account", "create"].into_iter().chain(funds);
        let account = answer(&program, folder.path(), create)?;
        let (identity, key) = (
            field(&account, "mrcIdentity")?,
            field(&account, "mrcAPIKey")?,
        );
        let add = ["sender", "add", "--name", "Examples", "--approved"];
        let add = add.into_iter().chain(["--identity", &identity]);
        let sender = field(&answer(&program, folder.path(), add)?, "serial")?;
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let mut child = Command::new(&program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log-level", "error"])
            .args(settings)
            .arg("--data")
            .arg(folder.path().join(DATA))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("the program could not be started")?;
        let url = ready(&mut child);
        let mut served = Self {
            child,
            folder,
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
        self.folder.path().join(DATA).join("ca.pem")
    }
}

impl Drop for ServedGateway {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do about it here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a command of the program answers, signed by an operator.
fn answer<'a>(
    program: &Path,
    folder: &Path,
    command: impl Iterator<Item = &'a str>,
) -> Result<Value> {
    let within = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (data, key) = (within(DATA), within("operator.key"));
    let passphrase = format!("operator.passphrase_file={}", within(PASSPHRASE));
    let operator = ["--operator-key", &key, "--set", &passphrase];
    let command: Vec<&str> = command.collect();
    let arguments = command
        .into_iter()
        .chain(["--json", "--data", &data])
        .chain(operator);
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
