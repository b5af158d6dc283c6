//! Payments through a provider in a process of its own beside the sandbox within the gateway, and
//! payments while a provider's callbacks come in. Both sides are measured in the same rounds.

use crate::bench::{Common, SpeedBench};
use crate::figures::Measured;
use crate::gateway::BenchGateway;
use crate::load::{self, BenchLoad, payment};
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tests::sandbox_process;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Callbacks per second: as many as a busy provider sends, and far more than are taken.
const CALLBACKS: [u32; 2] = [500, 10_000];

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
        for _ in 0..options.common.rounds {
            let alone = pay((&bench, options), &within).await?;
            let name = format!("payments, the sandbox within, {store}");
            let alone = SheetValue::new(name, alone.per_second, "payments/s");
            sheet.add(&alone);
            let apart = pay((&bench, options), &far).await?;
            let name = format!("payments, a provider process, {store}");
            sheet.add(&SheetValue::new(name, apart.per_second, "payments/s").over(&alone));
            for rate in CALLBACKS {
                beside_callbacks((&bench, options), (&within, rate), (&alone, &mut sheet)).await?;
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

/// Payments while callbacks about attempts that do not exist come in: each is looked up, and those
/// beyond the limit of a provider are refused.
async fn beside_callbacks(
    (bench, options): (&SpeedBench, &BenchProvidersOptions),
    (gateway, rate): (&BenchGateway, u32),
    (alone, sheet): (&SheetValue, &mut Sheet),
) -> Result<()> {
    let load = BenchLoad {
        // Longer than the payments, which end this.
        time: bench.time() * 100,
        ..bench.load(gateway, CALLBACK_CONNECTIONS)
    };
    let sending = load.run_paced(f64::from(rate), |number| Some(callback(number)));
    let paid = tokio::select! {
        paid = pay((bench, options), gateway) => paid?,
        ended = sending => bail!("the callbacks ended early: {ended:?}"),
    };
    let store = gateway.books.store();
    let name = format!("payments beside {rate} callbacks/s, {store}");
    sheet.add(&SheetValue::new(name, paid.per_second, "payments/s").over(alone));
    Ok(())
}

/// What an aggregator posts about a transaction.
fn callback(number: u64) -> String {
    let request = format!("202611250000{number:024}");
    let body =
        format!("{{\"type\":\"transaction-update\",\"data\":{{\"requestId\":\"{request}\"}}}}");
    format!(
        "POST /provider/{CALLING}/callback HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// The account whose provider sends callbacks. Nothing is routed to it, and nothing listens there.
const CALLING: &str = "calling";

/// The settings of that account.
const CALLING_ACCOUNT: &str = "\
[provider.calling]
adapter = \"vtpass\"
environment = \"test\"
url = \"https://127.0.0.1:9/api/\"
api_key = \"benchmark\"
secret_key = \"SK_benchmark\"
phone = \"2348031234567\"

[[route]]
product = \"airtime\"
provider = \"sandbox\"
";

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
            _process: process,
        })
    }

    fn settings(&self) -> String {
        sandbox_process::account(&self.url, &self.keys, &["airtime"])
    }
}
