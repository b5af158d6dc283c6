//! How long it takes from the moment at which a pending payment is settled until its merchant has
//! been answered, while the gateway has nothing else to do. It must measure from the moment the
//! event says, and take no payment whose outcome was already in the answer.

use super::shop::BenchShop;
use crate::bench::SpeedBench;
use crate::books::BenchStore;
use crate::figures::ms;
use crate::load::{post, send};
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Context, Result, bail};
use std::time::Duration;

/// No request waits for an outcome that comes in a second, however soon the gateway would ask
/// again.
const SETTINGS: &str = "[payment]\nanswer_window_ms = 100\n[sandbox]\npending_delay_ms = 1000\n";

/// From one payment to the next: a few in a second are no load.
const BETWEEN: Duration = Duration::from_millis(100);

/// Where events come to: the only endpoint.
const PLACE: usize = 0;

/// A gateway with one account and one endpoint.
#[derive(Debug)]
pub(super) struct SettledRun {
    shop: BenchShop,
    store: BenchStore,
    /// References never repeat.
    number: usize,
}

impl SettledRun {
    pub(super) async fn prepare(bench: &SpeedBench, store: BenchStore) -> Result<Self> {
        let name = format!("settled-{store}");
        let shop = BenchShop::open(bench, (&name, store), 1, SETTINGS).await?;
        shop.endpoint(0, &shop.receiver.url(PLACE)).await?;
        Ok(Self {
            shop,
            store,
            number: 0,
        })
    }

    /// Pays so often, one at a time, and waits until the event of each arrived.
    pub(super) async fn round(&mut self, count: usize, sheet: &mut Sheet) -> Result<()> {
        SpeedBench::settle();
        self.shop.receiver.begin()?;
        let mut moments = tokio::time::interval(BETWEEN);
        for _ in 0..count {
            moments.tick().await;
            self.pay().await?;
        }
        let arrived = self.shop.receiver.arrived(count).await?;
        arrived.all()?;
        let store = self.store;
        for (share, wait) in [("p50", arrived.p50), ("p99", arrived.p99)] {
            let name = format!("{share} from settlement to arrival, idle, {store}");
            sheet.add(&SheetValue::new(name, ms(wait), "ms"));
        }
        Ok(())
    }

    /// A payment that is pending first.
    async fn pay(&mut self) -> Result<()> {
        self.number += 1;
        let payer = self.shop.gateway.payers.first().context("no account")?;
        let body = format!(
            "{{\"mrcReference\":\"settled-{}\",\"countryCode\":566,\"number\":\"2348031230002\",\
             \"amount\":\"100.00\",\"billing\":\"prepaid\"}}",
            self.number
        );
        let request = post(payer, "/payment/airtime", &body);
        match send(self.shop.gateway.server()?, &request).await? {
            (202, _) => Ok(()),
            (status, answer) => bail!("it was not pending first: {status}, {answer}"),
        }
    }

    pub(super) async fn close(self) -> Result<()> {
        self.shop.close().await
    }
}
