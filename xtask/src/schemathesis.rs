//! Requests made up from the OpenAPI document, sent to the program itself: every answer must be one
//! the document describes, and none a failure of ours. It must not reach anything but this machine.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::process::Run;
use crate::repo::Repo;

/// The release that is installed from the Python package index.
const VERSION: &str = "4.32.5";

/// How many requests are made up per operation unless told otherwise: some ten seconds in all.
const EXAMPLES: &str = "20";

/// What is checked. Left out are the two checks that hold the document responsible for every value
/// that is refused: a document cannot say which references were used before or which numbers a
/// country has, and unknown attributes are ignored on purpose.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,\
                      unsupported_method,ignored_auth";

/// Nobody is kept from asking, nothing is waited for, and no server of the DNS is asked.
const SETTINGS: [&str; 9] = [
    "lookup.dns=off",
    "limits.payments_per_minute=1000000",
    "limits.payments_at_once=1000000",
    "limits.reads_per_minute=1000000",
    "limits.lookups_per_minute=1000000",
    "limits.failed_logins_per_minute=1000000",
    "payment.answer_window_ms=1000",
    "sandbox.latency_min_ms=0",
    "sandbox.latency_max_ms=0",
];

#[derive(Args, Debug)]
pub(crate) struct Options {
    /// How many requests are made up per operation
    #[arg(long, default_value = EXAMPLES)]
    examples: u32,
    /// Begin from this number, to repeat a run
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            examples: EXAMPLES.parse().unwrap_or(1),
            seed: 1,
        }
    }
}

pub(crate) fn run(repo: &Repo, options: &Options) -> Result<()> {
    let tool = ensure(repo)?;
    Run::cargo(["build", "--locked", "--package", "app"]).stream(repo.root())?;
    let program = repo.target()?.join("debug/manilla");
    let folder = tempfile::tempdir().context("no folder for the program's data")?;
    let server = Server::start(&program, &folder.path().join("data"))?;
    let (examples, seed) = (options.examples.to_string(), options.seed.to_string());
    let login = format!("{}:{}", server.identity, server.key);
    let document = repo.root().join("docs/openapi.json");
    let document = document.to_string_lossy();
    let arguments = [
        "run",
        &document,
        "--url",
        &server.url,
        "--tls-verify",
        "false",
        "--auth",
        &login,
        "--checks",
        CHECKS,
        "--max-examples",
        &examples,
        "--seed",
        &seed,
        "--continue-on-failure",
        "--no-color",
    ];
    // It keeps notes in the folder it runs in.
    let notes = tool.parent().unwrap_or(repo.root());
    Run::new(&tool.to_string_lossy(), arguments).stream(notes)
}

/// Installs the tool into the target folder unless it is there.
fn ensure(repo: &Repo) -> Result<PathBuf> {
    let home = repo.target()?.join(format!("schemathesis-{VERSION}"));
    let tool = home.join("bin/schemathesis");
    if !tool.is_file() {
        println!("schemathesis {VERSION} is missing and will be installed");
        let folder = home.to_string_lossy();
        let needed = "python3 with its venv module is needed, such as Debian's python3-venv";
        Run::new("python3", ["-m", "venv", &folder])
            .stream(repo.root())
            .context(needed)?;
        let package = format!("schemathesis=={VERSION}");
        let install = [
            "install",
            "--quiet",
            "--disable-pip-version-check",
            &package,
        ];
        Run::new(&home.join("bin/pip").to_string_lossy(), install).stream(repo.root())?;
    }
    Ok(tool)
}

/// The program at work, with an account to ask as; it ends with this value.
struct Server {
    child: Child,
    url: String,
    identity: String,
    key: String,
}

impl Server {
    fn start(program: &Path, data: &Path) -> Result<Self> {
        let program = program.to_string_lossy();
        let folder = data.parent().context("the data folder is in none")?;
        let passphrase = folder.join("passphrase");
        std::fs::write(&passphrase, "known to every reader")?;
        let key = folder.join("operator.key");
        let (passphrase, key) = (passphrase.to_string_lossy(), key.to_string_lossy());
        let passphrase = format!("operator.passphrase_file={passphrase}");
        let data = data.to_string_lossy();
        let operator = [
            "--operator-key",
            &key,
            "--set",
            &passphrase,
            "--data",
            &data,
        ];
        let first = ["operator", "add", "--name", "examples"];
        Run::new(&program, first.into_iter().chain(operator)).capture(Path::new("."))?;
        let account = ["account", "create", "--name", "Examples", "--json"];
        let funds = ["--balance", "1000000000.00"];
        let create = account.into_iter().chain(funds).chain(operator);
        let created = Run::new(&program, create).capture(Path::new("."))?;
        let created: serde_json::Value = serde_json::from_str(&created)?;
        let field = |name: &str| created.get(name)?.as_str().map(str::to_owned);
        let identity = field("mrcIdentity").context("the account has no identity")?;
        let key = field("mrcAPIKey").context("the account has no key")?;
        let serve = ["serve", "--data", &data, "--listen", "127.0.0.1:0"];
        let quiet = ["--log-level", "error"];
        let settings = SETTINGS.iter().flat_map(|setting| ["--set", setting]);
        let mut child = Command::new(&*program)
            .args(serve.into_iter().chain(quiet).chain(settings))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("the program could not be started")?;
        let url = ready(&mut child);
        let mut server = Self {
            child,
            url: String::new(),
            identity,
            key,
        };
        server.url = url?;
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do about it here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
