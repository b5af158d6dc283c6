//! Transfers that the gateway books alone, beside payments that a provider delivers. It must
//! measure both in the same round.

use crate::accounts::BenchAccount;
use crate::bench::{Common, SpeedBench};
use crate::figures::ms;
use crate::load::{payment, post};
use crate::sheet::SheetValue;
use anyhow::{Result, ensure};

#[derive(Debug, clap::Args)]
pub(crate) struct BenchTransfersOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections the requests come over
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many accounts there are
    #[arg(long, default_value_t = 1000)]
    accounts: usize,
}

pub(crate) async fn measure(options: &BenchTransfersOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut sheet = bench.sheet();
    for store in &options.common.store {
        let name = store.to_string();
        let gateway = bench.gateway(&name, *store, options.accounts).await?;
        let measured = async |asked: fn(&[BenchAccount], u64) -> Option<String>| {
            let payers = gateway.payers.clone();
            let load = bench.load(&gateway, options.connections);
            let measured = load.run(move |number| asked(&payers, number)).await?;
            ensure!(
                measured.other == 0,
                "{} requests were refused",
                measured.other
            );
            Ok(measured)
        };
        for round in 0..options.common.rounds {
            // The first of a round is the last of the next: neither has the warmer disk.
            let (payments, transfers) = if round.is_multiple_of(2) {
                let payments = measured(payment).await?;
                (payments, measured(transfer).await?)
            } else {
                let transfers = measured(transfer).await?;
                (measured(payment).await?, transfers)
            };
            let rate = |what: &str, per_second| {
                SheetValue::new(format!("{what}, {store}"), per_second, "requests/s")
            };
            let paid = rate("payments of airtime", payments.per_second);
            sheet.add(&paid);
            sheet.add(&rate("wallet transfers", transfers.per_second).over(&paid));
            let p50 =
                |what: &str, p50| SheetValue::new(format!("p50, {what}, {store}"), ms(p50), "ms");
            let paid = p50("payments of airtime", payments.p50);
            sheet.add(&paid);
            sheet.add(&p50("wallet transfers", transfers.p50).over(&paid));
        }
        gateway.audit()?;
        sheet.note(format!("audit, {store}: clean"));
    }
    sheet.print(bench.form());
    Ok(())
}

fn transfer(payers: &[BenchAccount], number: u64) -> Option<String> {
    let turn = usize::try_from(number).ok()?.checked_rem(payers.len())?;
    let body = format!(
        "{{\"mrcReference\":\"wallet-{number}\",\"walFrom\":\"NGN\",\"walTo\":\"CRD\",\
         \"txnAmount\":\"100.00\",\"txnNarration\":\"Messages\"}}"
    );
    Some(post(payers.get(turn)?, "/transfer/wallet", &body))
}
