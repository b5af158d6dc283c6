//! Events delivered per second, beside the client alone; and how long healthy endpoints wait while
//! one of them never answers. It must count what arrived, not what was sent.

mod receiver;

use crate::bench::{Bench, Common};
use crate::books::Store;
use crate::figures::ms;
use crate::gateway::Gateway;
use crate::load::{Load, payment, post, send};
use crate::sheet::{Sheet, Value};
use anyhow::{Context, Result, bail};
use receiver::Receiver;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// Endpoints of one account: as many as it may have.
const OF_ACCOUNT: usize = 20;

/// How many connections pay: enough to share commits.
const PAYING: usize = 64;

/// Far longer than any of it takes.
const WITHIN: Duration = Duration::from_mins(30);

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
    /// How many endpoints, at most 20 of them of one account
    #[arg(long, default_value_t = 100)]
    endpoints: usize,
    /// How many events are delivered as fast as possible, and again beside an endpoint that hangs
    #[arg(long, default_value_t = 20_000)]
    events: usize,
    /// How many events per second are delivered while the wait for them is measured
    #[arg(long, default_value_t = 1000)]
    rate: usize,
}

pub(crate) async fn measure(options: &Options) -> Result<()> {
    let bench = Bench::prepare(&options.common)?;
    let mut sheet = bench.sheet();
    for store in &options.common.store {
        let mut run = Run::prepare(&bench, options, *store).await?;
        for _ in 0..options.common.rounds {
            run.round(&mut sheet).await?;
        }
        let (_, peak) = run.gateway.server()?.resident_mib()?;
        let name = format!("resident memory, peak, {store}");
        sheet.add(&Value::new(name, peak, "MiB"));
        run.gateway.stop().await?;
        run.gateway.audit()?;
        sheet.note(format!("audit, {store}: clean"));
    }
    sheet.print(bench.form());
    Ok(())
}

/// A gateway whose accounts have endpoints at a receiver.
struct Run<'a> {
    bench: &'a Bench,
    options: &'a Options,
    store: Store,
    gateway: Gateway,
    receiver: Receiver,
    numbers: Arc<AtomicU64>,
}

impl<'a> Run<'a> {
    async fn prepare(bench: &'a Bench, options: &'a Options, store: Store) -> Result<Self> {
        let accounts = options.endpoints.div_ceil(OF_ACCOUNT);
        let mut gateway = bench.gateway(&store.to_string(), store, accounts).await?;
        gateway.stop().await?;
        let authority = gateway.data.join("ca.pem");
        let settings = format!(
            "[webhook]\nallow_loopback = true\nauthorities = \"{}\"\n",
            authority.display()
        );
        std::fs::write(gateway.data.join("manilla.toml"), settings)?;
        gateway.restart().await?;
        let receiver = Receiver::start(&gateway.data).await?;
        let run = Self {
            bench,
            options,
            store,
            gateway,
            receiver,
            numbers: Arc::new(AtomicU64::new(1)),
        };
        for place in 0..options.endpoints {
            run.endpoint(place % accounts, &run.receiver.url(place))
                .await?;
        }
        Ok(run)
    }

    /// Makes an endpoint of an account; its number.
    async fn endpoint(&self, account: usize, url: &str) -> Result<u64> {
        let body = format!("{{\"whkUrl\":\"{url}\",\"whkEvents\":\"transaction.successful\"}}");
        let answer = self.post(account, "/webhook/endpoint", &body).await?;
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        let id = answer
            .get("whkIdentifier")
            .and_then(serde_json::Value::as_u64);
        id.context("the endpoint has no number")
    }

    async fn post(&self, account: usize, target: &str, body: &str) -> Result<String> {
        let payer = self.gateway.payers.get(account).context("no account")?;
        let (status, answer) = send(self.gateway.server()?, &post(payer, target, body)).await?;
        if !(200..300).contains(&status) {
            bail!("{target} was answered {status}: {answer}");
        }
        Ok(answer)
    }

    async fn round(&mut self, sheet: &mut Sheet) -> Result<()> {
        let store = self.store;
        let bare = self.receiver.bare(self.bench.time()).await?;
        let bare = Value::new(format!("the client alone, {store}"), bare, "posts/s");
        sheet.add(&bare);

        let all = self.deliver(None).await?;
        let name = format!("deliveries, {store}");
        sheet.add(&Value::new(name, all.per_second, "deliveries/s").over(&bare));

        let paced = Some(self.options.rate as f64);
        let alone = self.deliver(paced).await?;
        let name = format!("p99 from event to arrival, {store}");
        let alone = Value::new(name, ms(alone.p99), "ms");
        sheet.add(&alone);

        let account = 0;
        let victim = self.receiver.url(0);
        let id = self
            .replaced(account, &victim, &self.receiver.hanging())
            .await?;
        let beside = self.deliver(paced).await?;
        let name = format!("p99 from event to arrival beside one that hangs, {store}");
        sheet.add(&Value::new(name, ms(beside.p99), "ms").over(&alone));
        self.remove(account, id).await?;
        self.endpoint(account, &victim).await?;
        Ok(())
    }

    /// Replaces an endpoint of an account by another address; its number.
    async fn replaced(&self, account: usize, old: &str, new: &str) -> Result<u64> {
        let payer = self.gateway.payers.get(account).context("no account")?;
        let list = crate::load::get(payer, "/webhook/endpoint");
        let list = crate::load::ask(self.gateway.server()?, &list).await?;
        let list: serde_json::Value = serde_json::from_str(&list)?;
        let all = list.get("endpoints").and_then(serde_json::Value::as_array);
        let found = all.context("no endpoints")?.iter().find_map(|endpoint| {
            let same = endpoint.get("whkUrl")?.as_str()? == old;
            same.then(|| endpoint.get("whkIdentifier")?.as_u64())
                .flatten()
        });
        self.remove(account, found.context("the endpoint is not there")?)
            .await?;
        self.endpoint(account, new).await
    }

    async fn remove(&self, account: usize, id: u64) -> Result<()> {
        let body = format!("{{\"whkIdentifier\":{id}}}");
        self.post(account, "/webhook/delete", &body).await.map(drop)
    }

    /// Pays until there are enough events, as fast as possible or so many events per second, and
    /// waits until all of them have arrived at healthy endpoints.
    async fn deliver(&self, rate: Option<f64>) -> Result<receiver::Arrived> {
        let accounts = self.gateway.payers.len();
        let each = self.options.endpoints / accounts;
        let payments = u64::try_from(self.options.events / each.max(1))?;
        let first = self.numbers.load(std::sync::atomic::Ordering::Relaxed);
        let payers = self.gateway.payers.clone();
        let pay = move |number: u64| {
            let payment = || payment(&payers, number);
            (number < first + payments).then(payment).flatten()
        };
        Bench::settle();
        self.receiver.begin();
        let load = Load {
            servers: self.gateway.servers(),
            connections: PAYING,
            time: WITHIN,
            numbers: Arc::clone(&self.numbers),
        };
        let paid = match rate {
            None => load.run(pay).await?,
            Some(rate) => load.run_paced(rate / each as f64, pay).await?,
        };
        if paid.other > 0 {
            bail!("{} payments were refused", paid.other);
        }
        self.numbers
            .store(first + payments, std::sync::atomic::Ordering::Relaxed);
        // Accounts take turns, so those with an endpoint that hangs are known beforehand.
        let healthy = self.receiver.healthy_of(payments, accounts, each);
        self.receiver.arrived(healthy, WITHIN).await
    }
}
