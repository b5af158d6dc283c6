//! Clients of providers that others wrote, used against the servers that the tests take for those
//! providers: an adapter and its server that were written by one hand could agree on what no
//! provider says. A client of VTpass buys through the program itself as well. It must not reach a
//! provider.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::packages;
use crate::process::Run;
use crate::programs::Program;
use crate::repo::Repo;
use crate::served::ServedGateway;

/// A client and the server it uses.
struct Counterpart {
    /// The crate of the adapter, which has the server as an example.
    adapter: &'static str,
    server: &'static str,
    language: Language,
    package: &'static str,
    /// Uses the client, below the crate; its first argument is where the server is.
    script: &'static str,
}

enum Language {
    Python,
    /// The second argument of a script is the folder with the packages.
    JavaScript,
}

const COUNTERPARTS: [Counterpart; 2] = [
    Counterpart {
        adapter: "provider-paystack",
        server: "fake_paystack",
        language: Language::Python,
        package: "pypaystack2==3.4.0",
        script: "tests/counterparts/with_pypaystack2.py",
    },
    Counterpart {
        adapter: "provider-dtone",
        server: "fake_dtone",
        language: Language::JavaScript,
        package: "@dtone/dvs@1.3.0",
        script: "tests/counterparts/with_dvs.mjs",
    },
];

/// The client of VTpass, and the framework it is for.
const VTPASS: [&str; 2] = ["django-vtpass==1.0.0", "Django==5.2.19"];

/// Uses it, below the crate that translates its requests.
const VTPASS_SCRIPT: &str = "crates/compat-vtpass/tests/counterparts/with_django_vtpass.py";

/// Requests in VTpass's shape are served, no server of the DNS is asked, and what is not known
/// within two seconds is pending.
const VTPASS_SETTINGS: [&str; 5] = [
    "server.vtpass=true",
    "lookup.dns=off",
    "limits.lookups_per_minute=1000",
    "payment.answer_window_ms=2000",
    "sandbox.pending_delay_ms=1000",
];

pub(crate) fn run(repo: &Repo) -> Result<()> {
    COUNTERPARTS.iter().try_for_each(|it| it.run(repo))?;
    buy_through_the_program(repo)
}

/// Lets a client of VTpass buy through the program.
fn buy_through_the_program(repo: &Repo) -> Result<()> {
    let home = repo.target()?.join("counterparts/compat-vtpass");
    packages::python(repo, &home, &VTPASS)?;
    let served = ServedGateway::start(repo, &VTPASS_SETTINGS)?;
    let python = home.join("bin/python");
    let script = repo.root().join(VTPASS_SCRIPT);
    Run::new(&python.to_string_lossy(), [&*script.to_string_lossy()])
        .variable("MANILLA_URL", &*served.url)
        .variable("MANILLA_IDENTITY", &*served.identity)
        .variable("MANILLA_KEY", &*served.key)
        .variable("MANILLA_CA", served.authority().to_string_lossy())
        .stream(repo.root())
}

impl Counterpart {
    fn run(&self, repo: &Repo) -> Result<()> {
        let home = repo.target()?.join("counterparts").join(self.adapter);
        let script = repo.root().join("crates").join(self.adapter);
        let script = script.join(self.script).to_string_lossy().into_owned();
        let program = match self.language {
            Language::Python => {
                packages::python(repo, &home, &[self.package])?;
                home.join("bin/python").to_string_lossy().into_owned()
            }
            Language::JavaScript => {
                packages::javascript(&home, &[self.package])?;
                "node".to_owned()
            }
        };
        let server = ServedExample::start(&Program::Example(self.server).build(repo)?)?;
        let home = home.to_string_lossy();
        Run::new(&program, [&*script, &*server.url, &*home]).stream(repo.root())
    }
}

/// A server, until this value ends.
struct ServedExample {
    child: Child,
    url: String,
}

impl ServedExample {
    /// Starts it on a free port, which it writes in a line.
    fn start(program: &std::path::Path) -> Result<Self> {
        let mut child = Command::new(program)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("the server could not be started")?;
        let output = child.stdout.take();
        let mut served = Self {
            child,
            url: String::new(),
        };
        let output = output.context("the server has no output")?;
        let mut port = String::new();
        BufReader::new(output).read_line(&mut port)?;
        let Ok(port) = port.trim().parse::<u16>() else {
            bail!("the server ended before it said its port");
        };
        served.url = format!("http://127.0.0.1:{port}");
        Ok(served)
    }
}

impl Drop for ServedExample {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do about it here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
