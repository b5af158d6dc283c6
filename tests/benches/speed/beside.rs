//! Payments of two builds of the gateway in turn, on the same machine in the same rounds: what a
//! change costs. Each build must have books of its own, made by itself.

use crate::bench::{Common, SpeedBench};
use crate::books::BenchStore;
use crate::figures::{Measured, counted, ms};
use crate::gateway::BenchGateway;
use crate::load::payment;
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Result, bail};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct BenchBesideOptions {
    #[command(flatten)]
    common: Common,
    /// The other build, which ours is divided by
    #[arg(long, value_name = "BINARY")]
    other: PathBuf,
    /// How many connections pay at a time, one measurement each
    #[arg(long, value_delimiter = ',', default_values_t = [1, 64])]
    connections: Vec<usize>,
    /// How many accounts pay, one measurement each
    #[arg(long, value_delimiter = ',', default_values_t = [1000, 1])]
    accounts: Vec<usize>,
}

/// The two builds over one kind of store.
struct Pair {
    store: BenchStore,
    other: BenchGateway,
    ours: BenchGateway,
}

pub(crate) async fn measure(options: &BenchBesideOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let most = options.accounts.iter().copied().max().unwrap_or(1);
    let mut pairs = Vec::new();
    for store in &options.common.store {
        let (books, name) = ((*store, most), format!("{store}-other"));
        pairs.push(Pair {
            store: *store,
            other: bench.gateway_of(&options.other, &name, books).await?,
            ours: bench.gateway(&store.to_string(), *store, most).await?,
        });
    }
    let mut sheet = bench.sheet();
    for round in 0..options.common.rounds {
        for pair in &pairs {
            for accounts in &options.accounts {
                for connections in &options.connections {
                    let load = (*accounts, *connections);
                    let paid = pair.pay(&bench, load, round).await?;
                    pair.compare(&paid, load, &mut sheet);
                }
            }
        }
    }
    for pair in &mut pairs {
        for gateway in [&mut pair.other, &mut pair.ours] {
            gateway.stop().await?;
            gateway.audit()?;
        }
        sheet.note(format!("audit, {}: clean", pair.store));
    }
    sheet.print(bench.form());
    Ok(())
}

/// What both builds did under one load.
struct MeasuredRound {
    other: Measured,
    ours: Measured,
}

impl Pair {
    /// Who goes first changes with every round: the second finds the disk warm.
    async fn pay(
        &self,
        bench: &SpeedBench,
        load: (usize, usize),
        round: usize,
    ) -> Result<MeasuredRound> {
        if round.is_multiple_of(2) {
            let other = pay(bench, &self.other, load).await?;
            let ours = pay(bench, &self.ours, load).await?;
            return Ok(MeasuredRound { other, ours });
        }
        let ours = pay(bench, &self.ours, load).await?;
        let other = pay(bench, &self.other, load).await?;
        Ok(MeasuredRound { other, ours })
    }

    fn compare(
        &self,
        paid: &MeasuredRound,
        (accounts, connections): (usize, usize),
        sheet: &mut Sheet,
    ) {
        let (accounts, connections) = (
            counted(accounts, "account"),
            counted(connections, "connection"),
        );
        let of = format!("{}, {accounts}, {connections}", self.store);
        let rate = |measured: &Measured, build: &str| {
            let name = format!("payments, {of}{build}");
            SheetValue::new(name, measured.per_second, "payments/s")
        };
        let p50 = |measured: &Measured, build: &str| {
            SheetValue::new(format!("p50, {of}{build}"), ms(measured.p50), "ms")
        };
        let other = ", other build";
        let bases = [rate(&paid.other, other), p50(&paid.other, other)];
        let ours = [rate(&paid.ours, ""), p50(&paid.ours, "")];
        for (ours, base) in ours.into_iter().zip(bases) {
            sheet.add(&ours.over(&base));
            sheet.add(&base);
        }
    }
}

async fn pay(
    bench: &SpeedBench,
    gateway: &BenchGateway,
    (accounts, connections): (usize, usize),
) -> Result<Measured> {
    let payers: Vec<_> = gateway.payers.iter().take(accounts).cloned().collect();
    let pay = move |number| payment(&payers, number);
    let measured = bench.load(gateway, connections).run(pay).await?;
    if measured.other > 0 {
        bail!("{} payments were refused", measured.other);
    }
    Ok(measured)
}
