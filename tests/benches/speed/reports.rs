//! A file of a report of many transactions of one account: rows a second, and the memory of the
//! gateway meanwhile. The transactions are copies of a real one, one a millisecond.

use crate::accounts::BenchAccount;
use crate::bench::{Common, SpeedBench};
use crate::books::BenchStore;
use crate::gateway::BenchGateway;
use crate::load::{self, payment};
use crate::sheet::SheetValue;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::time::{Duration, Instant};
use tests::merchant::today;

#[derive(Debug, clap::Args)]
pub(crate) struct BenchReportsOptions {
    #[command(flatten)]
    common: Common,
    /// How many transactions the report is of
    #[arg(long, default_value_t = 5_000_000)]
    rows: usize,
}

/// How often it is looked how far the file is.
const POLL: Duration = Duration::from_millis(200);

pub(crate) async fn measure(options: &BenchReportsOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut sheet = bench.sheet();
    for store in &options.common.store {
        let name = format!("reports-{store}");
        let mut gateway = bench.gateway(&name, *store, 1).await?;
        fill(&mut gateway, options.rows).await?;
        for value in written(&gateway, options.rows).await? {
            sheet.add(&value);
        }
        gateway.stop().await?;
    }
    sheet.print(bench.form());
    Ok(())
}

/// Has the gateway buy once, and copies that.
async fn fill(gateway: &mut BenchGateway, rows: usize) -> Result<()> {
    let first = gateway.payers.first().context("no account")?.clone();
    let request = payment(&[first], 0).context("no payment")?;
    load::ask(gateway.server()?, &request).await?;
    gateway.stop().await?;
    let sql = match gateway.books.store() {
        BenchStore::Sqlite => include_str!("stored/sqlite.sql"),
        BenchStore::Postgres => include_str!("stored/postgres.sql"),
    };
    let sql = sql
        .replace("{each}", &rows.to_string())
        .replace("m.opened_at,", "m.opened_at - c.nth - 1,");
    gateway.books.run(&sql)?;
    gateway.restart().await.map(|_| ())
}

/// The figures of one file.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
async fn written(gateway: &BenchGateway, rows: usize) -> Result<[SheetValue; 3]> {
    let payer = gateway.payers.first().context("no account")?;
    let (server, store) = (gateway.server()?, gateway.books.store());
    let (idle, _) = server.resident_mib()?;
    let begun = Instant::now();
    let target = format!("/reporting/transactions/all?{}&format=csv", period()?);
    let (status, body) = load::send(server, &load::get(payer, &target)).await?;
    if status != 200 && status != 202 {
        bail!("it was answered {status}: {body}");
    }
    let mut run: Value = serde_json::from_str(&body)?;
    let mut quarter = None;
    while field(&run, "repStatus")? == "Pending" {
        tokio::time::sleep(POLL).await;
        run = shown(gateway, payer, &run).await?;
        let done = field(&run, "repRows")?.as_u64().unwrap_or(0);
        let wanted = u64::try_from(rows / 4)?;
        if quarter.is_none() && done >= wanted {
            quarter = Some(server.resident_mib()?.0);
        }
    }
    let took = begun.elapsed().as_secs_f64();
    if field(&run, "repStatus")? != "Ready" {
        bail!("there is no file: {run}");
    }
    let (_, peak) = server.resident_mib()?;
    let written = field(&run, "repRows")?.as_f64().context("rows")?;
    let named = |what: &str| format!("{what} of {rows} rows, {store}");
    let quarter = quarter.unwrap_or(idle);
    Ok([
        SheetValue::new(named("file"), written / took, "rows/s"),
        SheetValue::new(named("resident memory after a quarter"), quarter, "MiB"),
        SheetValue::new(named("resident memory, peak,"), peak, "MiB"),
    ])
}

/// A year until today: the copies are of the last hours.
fn period() -> Result<String> {
    let today = today();
    let (day, year) = today.rsplit_once('-').context("a day")?;
    let before: u16 = year.parse()?;
    let before = before.checked_sub(1).context("a year")?;
    Ok(format!("from={day}-{before}&to={today}"))
}

/// A field of a run.
fn field<'a>(run: &'a Value, name: &str) -> Result<&'a Value> {
    run.get(name).with_context(|| format!("no {name} in {run}"))
}

async fn shown(gateway: &BenchGateway, payer: &BenchAccount, run: &Value) -> Result<Value> {
    let id = field(run, "repIdentifier")?.as_str().context("no number")?;
    let target = format!("/reporting/run?repIdentifier={id}");
    let body = load::ask(gateway.server()?, &load::get(payer, &target)).await?;
    Ok(serde_json::from_str(&body)?)
}
