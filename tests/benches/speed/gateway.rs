//! The gateway under measurement: the real binary in a process of its own. It must be stopped on
//! every way out.

use crate::load;
use crate::server::Server;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::process::Command;

/// An account that pays.
#[derive(Debug, Clone)]
pub(crate) struct Payer {
    /// The value of its `Authorization` header.
    pub(crate) authorization: String,
}

/// A gateway with its data, running or stopped.
#[derive(Debug)]
pub(crate) struct Gateway {
    binary: PathBuf,
    pub(crate) data: PathBuf,
    server: Option<Server>,
    pub(crate) payers: Vec<Payer>,
}

/// The release build of this workspace.
pub(crate) fn built_binary() -> Result<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("no workspace")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(workspace.join("target"), Into::into);
    let binary = target.join("release").join("manilla");
    if !binary.is_file() {
        bail!("no release build; run `cargo build --release` first, or `cargo xtask bench`");
    }
    Ok(binary)
}

impl Gateway {
    /// Starts on fresh data with so many accounts.
    pub(crate) async fn start(binary: &Path, folder: &Path, accounts: usize) -> Result<Self> {
        let mut gateway = Self {
            binary: binary.to_owned(),
            data: folder.join("data"),
            server: None,
            payers: Vec::new(),
        };
        for number in 1..=accounts {
            gateway.payers.push(gateway.open_account(number)?);
        }
        gateway.restart().await?;
        Ok(gateway)
    }

    /// Starts again on the same data; how long it took to the first answered request.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    pub(crate) async fn restart(&mut self) -> Result<Duration> {
        let started = Instant::now();
        let mut command = Command::new(&self.binary);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&self.data)
            .envs(tests::process::UNHINDERED);
        let server = Server::start(&mut command, &self.data.join("ca.pem")).await?;
        let payer = self.payers.first().context("no account")?;
        load::ask(&server, &load::get(payer, "/account/balance")).await?;
        self.server = Some(server);
        Ok(started.elapsed())
    }

    /// The process; it must be running.
    pub(crate) fn server(&self) -> Result<&Server> {
        self.server.as_ref().context("the gateway is not running")
    }

    /// Asks it to stop and waits until it has.
    pub(crate) async fn stop(&mut self) -> Result<()> {
        let Some(mut server) = self.server.take() else {
            return Ok(());
        };
        let id = server.process.id().context("it has ended already")?;
        let asked = Command::new("kill")
            .args(["-TERM", &id.to_string()])
            .status()
            .await?;
        if !asked.success() || !server.process.wait().await?.success() {
            bail!("the gateway did not stop in order");
        }
        Ok(())
    }

    /// Resident memory now.
    pub(crate) fn resident_kib(&self) -> Result<u64> {
        let id = self.server()?.process.id().context("it has ended")?;
        let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line
            .and_then(|line| line.split_whitespace().next())
            .context("no VmRSS")?;
        Ok(kib.parse()?)
    }

    /// Whether the books are right after all that.
    pub(crate) fn audit(&self) -> Result<&'static str> {
        let audit = std::process::Command::new(&self.binary)
            .args(["audit", "--data"])
            .arg(&self.data)
            .output()?;
        Ok(if audit.status.success() {
            "clean"
        } else {
            "BROKEN"
        })
    }

    fn open_account(&self, number: usize) -> Result<Payer> {
        let output = std::process::Command::new(&self.binary)
            .args([
                "account",
                "create",
                "--balance",
                "1000000000.00",
                "--json",
                "--name",
            ])
            .arg(format!("Payer {number}"))
            .arg("--data")
            .arg(&self.data)
            .output()?;
        if !output.status.success() {
            bail!("no account: {}", String::from_utf8_lossy(&output.stderr));
        }
        let account: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let field = |name: &str| {
            account
                .get(name)
                .and_then(|v| v.as_str())
                .context("no field")
        };
        let credentials = format!("{}:{}", field("mrcIdentity")?, field("mrcAPIKey")?);
        Ok(Payer {
            authorization: format!("Basic {}", base64(credentials.as_bytes())),
        })
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
