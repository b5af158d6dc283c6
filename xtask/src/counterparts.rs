//! Clients of providers that others wrote, used against the servers that the tests take for those
//! providers: an adapter and its server that were written by one hand could agree on what no
//! provider says. It must not reach a provider.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::packages;
use crate::process::Run;
use crate::repo::Repo;

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

pub(crate) fn run(repo: &Repo) -> Result<()> {
    COUNTERPARTS.iter().try_for_each(|it| it.run(repo))
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
        let build = ["build", "--locked", "--package", self.adapter];
        let build = build.into_iter().chain(["--example", self.server]);
        Run::cargo(build).stream(repo.root())?;
        let server = repo.target()?.join("debug/examples").join(self.server);
        let server = ServedExample::start(&server)?;
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
