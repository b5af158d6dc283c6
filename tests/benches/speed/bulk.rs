//! Payouts of bulk transfers, beside as many that are asked for one at a time, and what they do to
//! those who pay meanwhile. It must measure both in the same round.

use crate::accounts::BenchAccount;
use crate::bench::{Common, SpeedBench};
use crate::figures::ms;
use crate::gateway::BenchGateway;
use crate::load::{get, payment, post, send};
use crate::server::BenchServer;
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Context, Result, bail, ensure};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tests::orders::{GTBANK, account_number};

/// Payouts of each bulk transfer: the most that there may be.
const PAYOUTS: u64 = 1_000;

/// How often a report is asked for.
const ASKED_EVERY: Duration = Duration::from_millis(10);

#[derive(Debug, clap::Args)]
pub(crate) struct BenchBulkOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections single payouts, and the payments of others, come over
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many accounts there are
    #[arg(long, default_value_t = 1000)]
    accounts: usize,
    /// The load of the others: part of the most the gateway can do, in percent
    #[arg(long, default_value_t = 30)]
    percent: u32,
}

pub(crate) async fn measure(options: &BenchBulkOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut sheet = bench.sheet();
    for store in &options.common.store {
        let name = store.to_string();
        let gateway = bench.gateway(&name, *store, options.accounts).await?;
        let payers = gateway.payers.clone();
        let load = bench.load(&gateway, options.connections);
        let most = load.run(move |number| payment(&payers, number)).await?;
        let rate = most.per_second * f64::from(options.percent) / 100.0;
        let runs = AtomicU64::new(1);
        for _ in 0..options.common.rounds {
            rates((&bench, options), (&gateway, &runs), &mut sheet).await?;
            others((&bench, options), (&gateway, &runs, rate), &mut sheet).await?;
        }
        gateway.audit()?;
        sheet.note(format!("audit, {store}: clean"));
    }
    sheet.print(bench.form());
    Ok(())
}

/// One account pays a thousand people with one request, and as many with requests of their own.
async fn rates(
    (bench, options): (&SpeedBench, &BenchBulkOptions),
    (gateway, runs): (&BenchGateway, &AtomicU64),
    sheet: &mut Sheet,
) -> Result<()> {
    let store = gateway.books.store();
    let payer = gateway.payers.first().context("no account")?;
    let number = account_number(GTBANK.1, "9999");
    let (one, to) = (payer.clone(), number.clone());
    let load = bench.load(gateway, options.connections);
    let singles = load.run(move |n| {
        let body = payout(&format!("single-{n}"), &to);
        Some(post(&one, "/transfer/bank/payout", &body))
    });
    let singles = singles.await?;
    ensure!(singles.other == 0, "{} payouts were refused", singles.other);
    let name = format!("single payouts of one account, {store}");
    let singles = SheetValue::new(name, singles.per_second, "payouts/s");
    sheet.add(&singles);
    let (accepted, completed) = run((gateway.server()?, payer), (runs, &number)).await?;
    let rate = PAYOUTS as f64 / completed.as_secs_f64();
    let name = format!("payouts of a bulk transfer of {PAYOUTS}, {store}");
    sheet.add(&SheetValue::new(name, rate, "payouts/s").over(&singles));
    let name = format!("a bulk transfer is accepted, {store}");
    sheet.add(&SheetValue::new(name, ms(accepted), "ms"));
    Ok(())
}

/// Payments of the other accounts at a pace, alone and beside one bulk transfer after the other.
async fn others(
    (bench, options): (&SpeedBench, &BenchBulkOptions),
    (gateway, runs, rate): (&BenchGateway, &AtomicU64, f64),
    sheet: &mut Sheet,
) -> Result<()> {
    let store = gateway.books.store();
    let payer = gateway.payers.first().context("no account")?;
    let pay = async || {
        let payers = gateway.payers.get(1..).unwrap_or_default().to_vec();
        let load = bench.load(gateway, options.connections);
        let paid = load.run_paced(rate, move |number| payment(&payers, number));
        let paid = paid.await?;
        ensure!(paid.other == 0, "{} payments were refused", paid.other);
        Ok(paid)
    };
    let alone = SheetValue::new(
        format!("p99 of others alone, {store}"),
        ms(pay().await?.p99),
        "ms",
    );
    sheet.add(&alone);
    let number = account_number(GTBANK.1, "9999");
    let server = gateway.server()?;
    let one_after_the_other = async {
        loop {
            if let Err(error) = run((server, payer), (runs, &number)).await {
                break error;
            }
        }
    };
    let beside = tokio::select! {
        beside = pay() => beside?,
        error = one_after_the_other => return Err(error),
    };
    let name = format!("p99 of others beside bulk transfers, {store}");
    sheet.add(&SheetValue::new(name, ms(beside.p99), "ms").over(&alone));
    // The last one is sent to its end, so that the next round begins as this one did.
    tokio::time::sleep(bench.time()).await;
    Ok(())
}

fn payout(reference: &str, number: &str) -> String {
    format!(
        "{{\"mrcReference\":\"{reference}\",\"bankIdentifier\":\"{}\",\
         \"accountNumber\":\"{number}\",\"txnAmount\":\"100.00\",\"txnNarration\":\"Pay\"}}",
        GTBANK.0
    )
}

/// Sends one bulk transfer and waits for its end: how long it took until it was accepted, and until
/// all of it was final.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
async fn run(
    (server, payer): (&BenchServer, &BenchAccount),
    (runs, number): (&AtomicU64, &str),
) -> Result<(Duration, Duration)> {
    let run = runs.fetch_add(1, Ordering::Relaxed);
    let items = (0..PAYOUTS).map(|n| payout(&format!("bulk-{run}-{n}"), number));
    let items = items.collect::<Vec<_>>().join(",");
    let body = format!("{{\"mrcReference\":\"bulk-{run}\",\"items\":[{items}]}}");
    let request = post(payer, "/transfer/bulk", &body);
    let started = Instant::now();
    let (status, answer) = send(server, &request).await?;
    ensure!(status == 202, "it was answered {status}: {answer}");
    let accepted = started.elapsed();
    let report = format!("/transfer/bulk/transaction?mrcReference=bulk-{run}&length=1");
    let report = get(payer, &report);
    loop {
        let (status, answer) = send(server, &report).await?;
        ensure!(status == 200, "the report was answered {status}: {answer}");
        if answer.contains("\"batStatus\":\"Completed\"") {
            let all = format!("\"successful\":{PAYOUTS}");
            if !answer.contains(&all) {
                bail!("not all were made: {answer}");
            }
            return Ok((accepted, started.elapsed()));
        }
        tokio::time::sleep(ASKED_EVERY).await;
    }
}
