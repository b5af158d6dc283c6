//! The gateway under measurement: the real binary, one process or several over the same books. It
//! must be stopped on every way out.

use crate::accounts::{BenchAccount, First};
use crate::books::{BenchDatabase, BenchStore};
use crate::load;
use crate::server::BenchServer;
use anyhow::{Context, Result, bail};
use postgres_cluster::Cluster;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tests::operators::{self, ALPHA};
use tokio::process::Command;

/// What an account has: it never runs out, and a thousand of them can be added up.
const BALANCE: &str = "10000000000.00";

/// A gateway with its data, running or stopped.
#[derive(Debug)]
pub(crate) struct BenchGateway {
    binary: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) books: BenchDatabase,
    servers: Vec<BenchServer>,
    pub(crate) payers: Vec<BenchAccount>,
    limits: Limits,
}

/// The limits of accounts in its next start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limits {
    /// None is reached.
    Lifted,
    /// Those an operator has who sets none.
    Usual,
}

/// The build of the `dist` profile.
pub(crate) fn built_binary() -> Result<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("no workspace")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(workspace.join("target"), Into::into);
    let binary = target.join("dist").join("manilla");
    if !binary.is_file() {
        bail!(
            "no build to measure; run `cargo build --profile dist -p app`, or `cargo xtask bench`"
        );
    }
    Ok(binary)
}

/// Where a gateway is set up.
#[derive(Debug)]
pub(crate) struct GatewaySite<'a> {
    pub(crate) binary: &'a Path,
    /// What its configuration file holds; nothing where there is none.
    pub(crate) settings: &'a str,
    /// A folder that does not exist yet.
    pub(crate) data: PathBuf,
    /// The server of its books, unless they are in its folder.
    pub(crate) cluster: Option<&'a Cluster>,
}

impl BenchGateway {
    /// Sets up fresh books with so many accounts, and starts one server.
    pub(crate) async fn start(site: GatewaySite<'_>, accounts: usize) -> Result<Self> {
        let mut gateway = Self::set_up(site)?;
        let first = gateway.open_account()?;
        first.copy((&gateway.books, &gateway.data), accounts)?;
        gateway.authenticate_copies()?;
        gateway.payers = first.payers(accounts);
        gateway.restart().await?;
        Ok(gateway)
    }

    fn set_up(site: GatewaySite<'_>) -> Result<Self> {
        let books = site.cluster.map_or_else(
            || BenchDatabase::File(site.data.join("manilla.db")),
            |cluster| BenchDatabase::Database(cluster.database()),
        );
        let folder = site.data.parent().context("the data folder is in none")?;
        if !folder.join("passphrase").exists() {
            operators::install(folder);
        }
        if !site.settings.is_empty() {
            DirBuilder::new().mode(0o700).create(&site.data)?;
            // Settings may hold a secret.
            tests::secret::write(site.data.join("manilla.toml"), site.settings);
        }
        let gateway = Self {
            binary: site.binary.to_owned(),
            data: site.data,
            books,
            servers: Vec::new(),
            payers: Vec::new(),
            limits: Limits::Lifted,
        };
        match gateway.books.store() {
            BenchStore::Sqlite => {}
            BenchStore::Postgres => drop(gateway.said(&["migrate"])?),
        }
        Ok(gateway)
    }

    /// Starts again on the same data; how long it took to the first answered request.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    pub(crate) async fn restart(&mut self) -> Result<Duration> {
        let started = Instant::now();
        let command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        let mut command = Command::from(command);
        let server = BenchServer::start(&mut command, &self.data.join("ca.pem")).await?;
        let payer = self.payers.first().context("no account")?;
        load::ask(&server, &load::get(payer, "/account/balance")).await?;
        self.servers.push(server);
        Ok(started.elapsed())
    }

    /// Stops, and starts again with the limits of an operator who sets none.
    pub(crate) async fn restart_with_limits(&mut self) -> Result<()> {
        self.stop().await?;
        self.limits = Limits::Usual;
        self.restart().await?;
        Ok(())
    }

    /// The one process, or the first of several; it must be running.
    pub(crate) fn server(&self) -> Result<&BenchServer> {
        self.servers.first().context("the gateway is not running")
    }

    /// All its processes.
    pub(crate) fn servers(&self) -> Vec<&BenchServer> {
        self.servers.iter().collect()
    }

    /// Asks all processes to stop and waits until they have.
    pub(crate) async fn stop(&mut self) -> Result<()> {
        for server in self.servers.drain(..) {
            server.stop().await?;
        }
        Ok(())
    }

    /// Fails unless the books are right after all that: fast and wrong is no figure. Accounts that
    /// were copied were opened by no operator, which is what I20 says.
    pub(crate) fn audit(&self) -> Result<()> {
        let audited = self.command(&["audit", "--json"]).output()?;
        let audited: serde_json::Value = serde_json::from_slice(&audited.stdout)?;
        let checks = audited.get("checks").and_then(|it| it.as_array());
        let is = |check: &serde_json::Value, field: &str, word: &str| {
            check.get(field).and_then(|it| it.as_str()) == Some(word)
        };
        let broken = checks.context("no checks")?.iter();
        let mut broken = broken.filter(|it| is(it, "status", "broken"));
        match broken.find(|it| !is(it, "invariant", "I20")) {
            Some(broken) => bail!("the books are NOT right: {broken}"),
            None => Ok(()),
        }
    }

    /// Gives rows that were copied by SQL their authentication codes. A build of before there were
    /// codes has no such command, and needs none.
    pub(crate) fn authenticate_copies(&self) -> Result<()> {
        let authenticate = [
            "key-ring",
            "authenticate",
            "--altered",
            "--reason",
            "copies",
        ];
        let known = self
            .command(&["key-ring", "authenticate", "--help"])
            .output()?;
        if known.status.success() {
            self.said(&authenticate)?;
        }
        Ok(())
    }

    fn open_account(&self) -> Result<First> {
        self.said(&["operator", "add", "--name", ALPHA.name])?;
        let create = [
            "account",
            "create",
            "--name",
            "Bench",
            "--balance",
            BALANCE,
            "--json",
        ];
        let account: serde_json::Value = serde_json::from_str(&self.said(&create)?)?;
        let field = |name: &str| {
            let value = account.get(name).and_then(|value| value.as_str());
            value.map(str::to_owned).context("no field")
        };
        Ok(First {
            identity: field("mrcIdentity")?,
            key: field("mrcAPIKey")?,
        })
    }

    /// What a command of the gateway prints; it must end well.
    pub(crate) fn said(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command(arguments).output()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if !output.status.success() {
            let (said, complained) = (text(&output.stdout), text(&output.stderr));
            bail!("manilla {}: {said}{complained}", arguments.join(" "));
        }
        Ok(text(&output.stdout))
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(&self.binary);
        command.args(arguments).arg("--data").arg(&self.data);
        if let Some(folder) = self.data.parent() {
            command.envs(ALPHA.environment(folder));
        }
        let settings = tests::process::UNHINDERED.into_iter();
        let is_limit = |(name, _): &(&str, &str)| name.starts_with("MANILLA_LIMITS_");
        match self.limits {
            Limits::Lifted => command.envs(settings),
            Limits::Usual => command.envs(settings.filter(|setting| !is_limit(setting))),
        };
        match &self.books {
            BenchDatabase::File(_) => command.env_remove("MANILLA_DATABASE"),
            BenchDatabase::Database(database) => command.env("MANILLA_DATABASE", database.url()),
        };
        command
    }
}
