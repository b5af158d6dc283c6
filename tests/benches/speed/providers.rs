//! Payments through a provider in a process of its own beside the sandbox within the gateway, and
//! payments while a provider's callbacks come in. Both sides are measured in the same rounds.

use crate::bench::{Common, SpeedBench};
use crate::callbacks::{CALLING_ACCOUNT, OPEN_SETTINGS, OpenAttempts, of_nothing};
use crate::figures::Measured;
use crate::gateway::BenchGateway;
use crate::load::{self, BenchLoad, payment};
use crate::sheet::SheetValue;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tests::sandbox_process;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Connections that callbacks come over.
const CALLBACK_CONNECTIONS: usize = 32;

/// How long the gateway may take to read what a provider offers.
const CAPABILITIES_WITHIN: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Args)]
pub(crate) struct BenchProvidersOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections pay at a time
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many accounts pay
    #[arg(long, default_value_t = 1000)]
    accounts: usize,
    /// Callbacks per second: as many as a busy provider sends, and far more than are taken
    #[arg(long, value_delimiter = ',', default_value = "500,10000")]
    callbacks: Vec<u32>,
}

pub(crate) async fn measure(options: &BenchProvidersOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut sheet = bench.sheet();
    for store in &options.common.store {
        let process = SandboxServer::start(&bench, &store.to_string()).await?;
        let far = format!("{store}-far");
        let books = (*store, options.accounts);
        let mut within = bench
            .gateway_with(CALLING_ACCOUNT, &store.to_string(), books)
            .await?;
        let mut far = bench.gateway_with(&process.settings(), &far, books).await?;
        await_capabilities(&far).await?;
        let open = OpenAttempts::buy((&bench, &far), &process.folder).await?;
        for _ in 0..options.common.rounds {
            let alone = pay((&bench, options), &within).await?;
            let name = format!("payments, the sandbox within, {store}");
            let alone = SheetValue::new(name, alone.per_second, "payments/s");
            sheet.add(&alone);
            let apart = pay((&bench, options), &far).await?;
            let name = format!("payments, a provider process, {store}");
            let apart = SheetValue::new(name, apart.per_second, "payments/s").over(&alone);
            sheet.add(&apart);
            for &rate in &options.callbacks {
                let (gateway, callbacks) = (
                    &within,
                    BesideCallbacks {
                        rate,
                        about: "nothing",
                    },
                );
                let beside = callbacks.pay((&bench, options), gateway, |n| Some(of_nothing(n)));
                sheet.add(&beside.await?.over(&alone));
                let (gateway, callbacks) = (
                    &far,
                    BesideCallbacks {
                        rate,
                        about: "open attempts",
                    },
                );
                let open = open.clone();
                let beside = callbacks.pay((&bench, options), gateway, move |n| open.callback(n));
                sheet.add(&beside.await?.over(&apart));
            }
        }
        for gateway in [&mut within, &mut far] {
            gateway.stop().await?;
            gateway.audit()?;
        }
        sheet.note(format!("audit, {store}: clean"));
    }
    sheet.print(bench.form());
    Ok(())
}

async fn pay(
    (bench, options): (&SpeedBench, &BenchProvidersOptions),
    gateway: &BenchGateway,
) -> Result<Measured> {
    let payers = gateway.payers.clone();
    let load = bench.load(gateway, options.connections);
    let paid = load.run(move |number| payment(&payers, number)).await?;
    if paid.other > 0 {
        bail!("{} payments were refused", paid.other);
    }
    Ok(paid)
}

/// Payments while callbacks come in.
#[derive(Debug, Clone, Copy)]
struct BesideCallbacks {
    /// So many in a second.
    rate: u32,
    /// What they are about.
    about: &'static str,
}

impl BesideCallbacks {
    /// Pays while they come; those beyond the limit of a provider are refused.
    async fn pay<F>(
        self,
        (bench, options): (&SpeedBench, &BenchProvidersOptions),
        gateway: &BenchGateway,
        callback: F,
    ) -> Result<SheetValue>
    where
        F: Fn(u64) -> Option<String> + Clone + Send + 'static,
    {
        let load = BenchLoad {
            // Longer than the payments, which end this.
            time: bench.time() * 100,
            ..bench.load(gateway, CALLBACK_CONNECTIONS)
        };
        let sending = load.run_paced(f64::from(self.rate), callback);
        let paid = tokio::select! {
            paid = pay((bench, options), gateway) => paid?,
            ended = sending => bail!("the callbacks ended early: {ended:?}"),
        };
        let (rate, about, store) = (self.rate, self.about, gateway.books.store());
        let name = format!("payments beside {rate} callbacks/s about {about}, {store}");
        Ok(SheetValue::new(name, paid.per_second, "payments/s"))
    }
}

/// Waits until payments are delivered.
async fn await_capabilities(gateway: &BenchGateway) -> Result<()> {
    let server = gateway.server()?;
    let tried = async {
        for number in 0.. {
            let pay = payment(&gateway.payers, u64::MAX - number).context("no account")?;
            if load::send(server, &pay).await?.0 == 200 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(CAPABILITIES_WITHIN, tried).await?
}

/// `manilla provider serve-sandbox` of the measured build.
struct SandboxServer {
    url: String,
    keys: PathBuf,
    /// Where its files are.
    folder: PathBuf,
    /// It ends with this.
    _process: Child,
}

impl SandboxServer {
    async fn start(bench: &SpeedBench, name: &str) -> Result<Self> {
        let folder = bench.folder().join(format!("{name}-provider"));
        std::fs::create_dir(&folder)?;
        let keys = sandbox_process::keys(&folder);
        std::fs::write(&keys, sandbox_process::KEYS)?;
        let mut process = Command::new(bench.binary())
            .args(["provider", "serve-sandbox", "--listen", "127.0.0.1:0"])
            .arg("--data")
            .arg(sandbox_process::data(&folder))
            .arg("--secret-file")
            .arg(&keys)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let output = process.stdout.take().context("no output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let line = line.context("the provider ended before it was ready")?;
        let url = line.strip_prefix("ready ").context("the provider failed")?;
        Ok(Self {
            url: url.trim().to_owned(),
            keys,
            folder,
            _process: process,
        })
    }

    fn settings(&self) -> String {
        let account = sandbox_process::account(&self.url, &self.keys, &["airtime"]);
        format!("{OPEN_SETTINGS}{account}")
    }
}
