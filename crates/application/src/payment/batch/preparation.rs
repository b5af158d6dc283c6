//! Preparing a batch: each of its payments looked up, priced and routed, a few at a time. Nothing
//! may be asked of third parties for an account that could not pay.

use super::super::PricedOrder;
use super::super::routing::ChosenRoute;
use crate::gateway::{Gateway, Merchant};
use crate::request_error::{BatchLater, RefusedItem, RequestError};
use domain::environment::ByEnvironment;
use domain::money::Money;
use domain::reference::MerchantReference;
use ports::PortError;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Payments of a batch that are looked up at a time: a bank that takes a tenth of a second for each
/// answers for a thousand within six seconds, and merchants who pay one at a time are not delayed.
const LOOKED_UP_AT_ONCE: usize = 16;

/// A batch waits for others to be looked up during one of so many parts of the answer window.
const WINDOW_PARTS: u32 = 2;

/// The payments of a batch.
pub(crate) struct BatchItems<F> {
    /// How many there are.
    pub(crate) count: usize,
    /// What they cost, where that is known before they are looked up.
    pub(crate) price: Option<Money>,
    /// Looks one up and prices it, by its place.
    pub(crate) prepare: F,
}

/// The preparation of one payment of a batch.
pub(crate) trait PreparedItem:
    Future<Output = Result<(MerchantReference, PricedOrder), RequestError>> + Send + 'static
{
}

impl<P> PreparedItem for P where
    P: Future<Output = Result<(MerchantReference, PricedOrder), RequestError>> + Send + 'static
{
}

/// A payment of a batch that may be opened.
#[derive(Debug)]
pub(super) struct RoutedItem {
    pub(super) reference: MerchantReference,
    pub(super) priced: PricedOrder,
    pub(super) chosen: ChosenRoute,
}

/// The batch whose payments are being looked up. Each holds thousands of values and asks a third
/// party as often, so an instance does this for one of an environment at a time: no test delays
/// what is live.
#[derive(Debug)]
pub(crate) struct BatchPlace(ByEnvironment<Semaphore>);

impl Default for BatchPlace {
    fn default() -> Self {
        Self(ByEnvironment::from_fn(|_| Semaphore::new(1)))
    }
}

impl Gateway {
    /// Looks up, prices and routes the payments of a batch within the time of an answer.
    pub(super) async fn route_batch<P: PreparedItem>(
        &self,
        merchant: &Merchant,
        items: BatchItems<impl Fn(usize) -> P>,
    ) -> Result<Vec<RoutedItem>, RequestError> {
        self.could_pay(merchant, items.price).await?;
        let window = self.parts().settings.answer_window;
        let routed = async {
            let places = &self.batch_place().0;
            let place = places.of(merchant.account.environment).acquire();
            // Panic safety: nothing closes the semaphore.
            let place = self.within(window / WINDOW_PARTS, place).await;
            let _place = place.ok_or(RequestError::Saturated)?;
            self.route_all(merchant, items).await
        };
        let routed = self.within(window, routed).await;
        routed.ok_or(BatchLater::TooSlow)?
    }

    /// Refuses what the commit would refuse as well; the commit decides all the same.
    async fn could_pay(
        &self,
        merchant: &Merchant,
        price: Option<Money>,
    ) -> Result<(), RequestError> {
        let parts = self.parts();
        let suspension = parts.reconciliation.suspension().await;
        if suspension.map_err(PortError::with_nothing_done)?.is_some() {
            return Err(RequestError::ReconciliationRequired);
        }
        self.allow_account(merchant)?;
        let Some(price) = price else {
            return Ok(());
        };
        let wallets = parts.transactions.wallets(&merchant.account.id).await;
        let wallets = wallets.map_err(PortError::with_nothing_done)?;
        let payer = wallets
            .into_iter()
            .find(|wallet| wallet.available.currency() == price.currency());
        let is_covered = payer.is_some_and(|payer| payer.available.minor() >= price.minor());
        if is_covered {
            Ok(())
        } else {
            Err(RequestError::InsufficientFunds(price))
        }
    }

    /// Looks up, prices and routes each payment; all that are refused are named together.
    async fn route_all<P: PreparedItem>(
        &self,
        merchant: &Merchant,
        BatchItems { count, prepare, .. }: BatchItems<impl Fn(usize) -> P>,
    ) -> Result<Vec<RoutedItem>, RequestError> {
        let mut left = 0..count;
        let mut under_way = JoinSet::new();
        let mut done = Vec::with_capacity(count);
        loop {
            while under_way.len() < LOOKED_UP_AT_ONCE
                && let Some(place) = left.next()
            {
                let prepared = prepare(place);
                under_way.spawn(async move { (place, prepared.await) });
            }
            let Some(ended) = under_way.join_next().await else {
                break;
            };
            let broken = |error| PortError::caused("payment", "look up a payment", error);
            let (place, prepared) = ended.map_err(broken)?;
            let routed = prepared.and_then(|(reference, priced)| {
                self.for_sale(&priced)?;
                Self::within_limits(merchant, &priced)?;
                let chosen = self.queue_route(&priced.order, (&merchant.account, &reference))?;
                Ok(RoutedItem {
                    reference,
                    priced,
                    chosen,
                })
            });
            done.push((place, routed));
        }
        done.sort_by_key(|(place, _)| *place);
        let mut routed = Vec::with_capacity(count);
        let mut refused = Vec::new();
        for (place, item) in done {
            match item {
                Ok(item) => routed.push(item),
                Err(error) => refused.push(RefusedItem { place, error }),
            }
        }
        if refused.is_empty() {
            Ok(routed)
        } else {
            Err(RequestError::Items(refused))
        }
    }
}
