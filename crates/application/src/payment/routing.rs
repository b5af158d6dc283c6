//! Whom an order goes to, by the route table: the first choice when it is opened, the next when an
//! attempt certainly did not deliver it. It must not choose by anything that another instance, or
//! this one after a crash, would not find the same.

use crate::gateway::Gateway;
use crate::providers::RouteCandidate;
use crate::request_error::RequestError;
use crate::routes::{RouteDraw, RouteQuery};
use domain::account::AccountId;
use domain::country::CountryCode;
use domain::order::Order;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;
use ports::provider::Provider;
use std::sync::Arc;

impl Gateway {
    /// Who delivers an order that is about to be opened; refused as the family refuses what is not
    /// delivered, where no route takes it.
    pub(super) fn first_route(
        &self,
        order: &Order,
        (account, reference): (&AccountId, &MerchantReference),
    ) -> Result<Arc<dyn Provider>, RequestError> {
        let draw = RouteDraw::of(account, reference);
        let first = self.candidates(order, draw).into_iter().next();
        let RouteCandidate { provider, decision } = first.ok_or_else(|| self.unrouted(order))?;
        tracing::debug!(%reference, provider = %decision.provider, route = decision.route,
            priority = decision.priority, reason = decision.reason.code(), "an order was routed");
        Ok(provider)
    }

    /// Who else may deliver the order of a transaction.
    pub(super) fn next_route(&self, tx: &Transaction) -> Option<Arc<dyn Provider>> {
        let draw = RouteDraw::of(&tx.account, &tx.reference);
        let mut candidates = self.candidates(&tx.order, draw).into_iter();
        let RouteCandidate { provider, decision } =
            candidates.find(|it| it.decision.provider != *tx.provider())?;
        tracing::info!(number = %tx.number, provider = %decision.provider, route = decision.route,
            priority = decision.priority, reason = decision.reason.code(), place = decision.place,
            after = %tx.provider(), "an order goes to the next route");
        Some(provider)
    }

    fn candidates(&self, order: &Order, draw: RouteDraw) -> Vec<RouteCandidate> {
        let query = RouteQuery::order(order, self.country_of_biller(order));
        let candidates = self.parts().providers.candidates(&query, draw);
        let serving = candidates.into_iter();
        serving.filter(|it| it.provider.serves(order)).collect()
    }

    /// The country of an order's biller, operator or bank; `None` where the order names its country
    /// itself, or the biller is sold no more.
    fn country_of_biller(&self, order: &Order) -> Option<CountryCode> {
        let catalogue = &self.parts().catalogue;
        match order {
            Order::Airtime(_) | Order::Sms(_) | Order::Hlr(_) => None,
            Order::CableTv(it) => Some(catalogue.cable_provider(&it.provider)?.country),
            Order::Electricity(it) => Some(catalogue.disco(&it.meter.disco)?.country),
            Order::Internet(it) => Some(catalogue.data_provider(&it.provider)?.country),
            Order::Bank(it) => Some(self.parts().banks.bank(&it.account.bank)?.country),
            Order::Bill(it) => Some(catalogue.biller(it.category, &it.biller)?.country),
        }
    }

    /// How an order is refused that no provider delivers: for good where no route takes it, and for
    /// the moment where a route leads to a provider that does not serve it now.
    fn unrouted(&self, order: &Order) -> RequestError {
        let query = RouteQuery::order(order, self.country_of_biller(order));
        let unavailable = RequestError::ProviderUnavailable(order.service());
        if self.parts().providers.deliver(&query) {
            return unavailable;
        }
        match order {
            Order::Airtime(_) => RequestError::NetworkNotServed,
            Order::Hlr(order) => RequestError::CountryNotServed(order.country),
            Order::CableTv(_)
            | Order::Electricity(_)
            | Order::Internet(_)
            | Order::Sms(_)
            | Order::Bank(_)
            | Order::Bill(_) => unavailable,
        }
    }
}
