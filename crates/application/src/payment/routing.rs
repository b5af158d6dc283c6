//! Whom an order goes to, by the route table: the first choice when it is opened, the next when an
//! attempt certainly did not deliver it. Among routes of equal priority it must not choose
//! by anything that another instance, or this one after a crash, would not find the same.

use super::PricedOrder;
use crate::availability::Offering;
use crate::gateway::Gateway;
use crate::price_overrides::product_of_rule;
use crate::providers::RouteCandidate;
use crate::request_error::RequestError;
use crate::routes::{RouteDraw, RouteQuery};
use crate::submission_guard::SubmissionPlace;
use domain::account::Account;
use domain::country::CountryCode;
use domain::environment::Environment;
use domain::order::Order;
use domain::provider::ProviderId;
use domain::reference::MerchantReference;
use domain::transaction::{
    AttemptRoute, PassedOver, PassedOverReason, PreparedAttempt, Transaction,
};
use ports::catalogue::{CatalogueOffer, OfferMatch};
use ports::provider::{Naming, Provider};
use std::sync::Arc;

/// A provider that is given an order, and what is recorded of the choice.
#[derive(Debug)]
pub(super) struct ChosenRoute {
    pub(super) provider: Arc<dyn Provider>,
    pub(super) route: AttemptRoute,
}

impl ChosenRoute {
    pub(super) fn into_parts(self) -> (Arc<dyn Provider>, AttemptRoute) {
        (self.provider, self.route)
    }
}

impl Gateway {
    /// Who delivers an order that is about to be opened; refused as the family refuses what is not
    /// delivered, where no route takes it.
    pub(super) fn first_route(
        &self,
        order: &Order,
        (account, reference): (&Account, &MerchantReference),
    ) -> Result<ChosenRoute, RequestError> {
        let draw = RouteDraw::of(&account.id, reference);
        let of = (order, account.environment);
        let first = self.choose(of, draw, None);
        let chosen = first.map_err(|passed_over| self.refused(of, &passed_over))?;
        let (provider, route) = (chosen.provider.id(), &chosen.route);
        tracing::debug!(%reference, %provider, route = route.number, priority = route.priority,
            reason = route.reason.code(), "an order was routed");
        Ok(chosen)
    }

    /// Whether an order could be opened now: it may be sold, and a provider may be given it.
    pub(crate) fn could_be_opened(
        &self,
        priced: &PricedOrder,
        (account, reference): (&Account, &MerchantReference),
    ) -> bool {
        let draw = RouteDraw::of(&account.id, reference);
        let of = (&priced.order, account.environment);
        self.for_sale(priced).is_ok() && self.choose(of, draw, None).is_ok()
    }

    /// Who is to deliver an order that is queued first: one that may be given it now, else one that
    /// may be given it once what keeps it from its orders is over.
    pub(super) fn queue_route(
        &self,
        order: &Order,
        of: (&Account, &MerchantReference),
    ) -> Result<ChosenRoute, RequestError> {
        let (account, reference) = of;
        self.first_route(order, of).or_else(|refused| {
            let draw = RouteDraw::of(&account.id, reference);
            let candidates = self.candidates((order, account.environment), draw);
            let later = candidates
                .into_iter()
                .find(|it| self.serves(&it.provider, order));
            let RouteCandidate { provider, decision } = later.ok_or(refused)?;
            let route = decision.recorded(&[]);
            Ok(ChosenRoute { provider, route })
        })
    }

    /// Who else may deliver the order of a transaction.
    pub(super) fn next_route(&self, tx: &Transaction) -> Option<ChosenRoute> {
        let draw = RouteDraw::of(&tx.account, &tx.reference);
        let environment = self.providers().environment(tx.provider())?;
        let next = self.choose((&tx.order, environment), draw, Some(tx.provider()));
        let chosen = next.ok()?;
        let (provider, route) = (chosen.provider.id(), &chosen.route);
        tracing::info!(txnReference = %tx.number, %provider, route = route.number,
            priority = route.priority, reason = route.reason.code(), place = route.place,
            after = %tx.provider(), "an order goes to the next route");
        Some(chosen)
    }

    /// The first candidate that may be given an order now, but for one provider; else the providers
    /// that were passed over.
    fn choose(
        &self,
        (order, environment): (&Order, Environment),
        draw: RouteDraw,
        except: Option<&ProviderId>,
    ) -> Result<ChosenRoute, Vec<PassedOver>> {
        let candidates = self.candidates((order, environment), draw);
        let mut passed_over = Vec::new();
        for RouteCandidate { provider, decision } in candidates {
            if Some(&decision.provider) == except {
                continue;
            }
            let Some(reason) = self.obstacle(&provider, order) else {
                let route = decision.recorded(&passed_over);
                return Ok(ChosenRoute { provider, route });
            };
            let provider = decision.provider;
            passed_over.push(PassedOver { provider, reason });
        }
        Err(passed_over)
    }

    /// The providers that a route leads to for an order, in the order they are tried.
    fn candidates(
        &self,
        (order, environment): (&Order, Environment),
        draw: RouteDraw,
    ) -> Vec<RouteCandidate> {
        let query = RouteQuery::order(order, environment, self.country_of_biller(order));
        self.providers().candidates(&query, draw)
    }

    /// Why a provider is not given an order now.
    pub(super) fn obstacle(
        &self,
        provider: &Arc<dyn Provider>,
        order: &Order,
    ) -> Option<PassedOverReason> {
        let at = (self.now(), self.uptime());
        let serves = self.serves(provider, order);
        self.providers().obstacle(provider, (order, serves), at)
    }

    /// Reserves the place of a submission at a provider; else why it is not given the order now.
    pub(super) fn reserve(
        &self,
        provider: &Arc<dyn Provider>,
        order: &Order,
    ) -> Result<SubmissionPlace, PassedOverReason> {
        if !self.serves(provider, order) {
            return Err(PassedOverReason::NotServed);
        }
        let providers = self.providers();
        let offering = Offering {
            service: order.service(),
            biller: order.biller(),
            at: self.now(),
        };
        if let Some(reason) = providers.unavailable(provider.id(), offering) {
            return Err(reason);
        }
        let guard = providers.guard(provider.id());
        let guard = guard.ok_or(PassedOverReason::NotServed)?;
        guard.reserve(provider, order, &self.parts().clock)
    }

    /// Whether a provider takes an order: as the catalogue's offer where it lists any of this
    /// provider's for the product.
    fn serves(&self, provider: &Arc<dyn Provider>, order: &Order) -> bool {
        // What one provider quoted is nothing to another, and nothing to it once it has ended.
        let is_quoted = order.quoted_by().is_none_or(|by| by == provider.id());
        let is_in_time = order.send_before().is_none_or(|end| self.now() < end);
        if !is_quoted || !is_in_time {
            return false;
        }
        match self.catalogue().offer(provider.id(), order) {
            OfferMatch::Unlisted => provider.serves(order),
            OfferMatch::NotOffered => false,
            OfferMatch::Offered(offer) => match &offer.code {
                None => provider.serves(order),
                Some(code) => provider.serves_as(order, code),
            },
        }
    }

    /// Prepares an attempt under the code that the catalogue gives the provider, where it gives
    /// any.
    pub(super) fn prepared_attempt(
        &self,
        provider: &Arc<dyn Provider>,
        naming: Naming<'_>,
    ) -> PreparedAttempt {
        match self.catalogue().offer(provider.id(), naming.order) {
            OfferMatch::Offered(CatalogueOffer {
                code: Some(code), ..
            }) => provider.prepare_as(naming, code),
            OfferMatch::Offered(_) | OfferMatch::Unlisted | OfferMatch::NotOffered => {
                provider.prepare(naming)
            }
        }
    }

    /// Where an order goes first; `None` where the gateway books it alone.
    pub(super) fn route_of(
        &self,
        order: &Order,
        asked: (&Account, &MerchantReference),
    ) -> Result<Option<ChosenRoute>, RequestError> {
        if !order.service().has_provider() {
            return Ok(None);
        }
        self.first_route(order, asked).map(Some)
    }

    /// Refuses what may not be sold at present.
    pub(crate) fn for_sale(&self, priced: &PricedOrder) -> Result<(), RequestError> {
        if self
            .catalogue()
            .withholds(product_of_rule(&priced.quote.rule))
        {
            return Err(RequestError::ProviderUnavailable(priced.order.service()));
        }
        Ok(())
    }

    /// The country of an order's biller, operator or bank; `None` where the order names its country
    /// itself, or the biller is sold no more.
    fn country_of_biller(&self, order: &Order) -> Option<CountryCode> {
        let catalogue = self.catalogue();
        match order {
            Order::Airtime(_)
            | Order::Sms(_)
            | Order::Whatsapp(_)
            | Order::Rcs(_)
            | Order::Voice(_)
            | Order::Ivr(_)
            | Order::Hlr(_)
            | Order::Lookup(_)
            | Order::MobileMoney(_)
            | Order::Card(_)
            | Order::International(_)
            | Order::Wallet(_)
            | Order::User(_) => None,
            Order::CableTv(it) => Some(catalogue.cable_provider(&it.provider)?.country),
            Order::Electricity(it) => Some(catalogue.disco(&it.meter.disco)?.country),
            Order::Internet(it) => Some(catalogue.data_provider(&it.provider)?.country),
            Order::Bank(it) => Some(self.parts().banks.bank(&it.account.bank)?.country),
            Order::Bill(it) => Some(catalogue.biller(it.category, &it.biller)?.country),
        }
    }

    /// How an order is refused that no provider delivers: for good where no route takes it, and for
    /// the moment where a route leads to a provider that is given nothing now.
    fn refused(
        &self,
        (order, environment): (&Order, Environment),
        passed_over: &[PassedOver],
    ) -> RequestError {
        for PassedOver { provider, reason } in passed_over {
            let (service, reason) = (order.service().code(), reason.code());
            tracing::info!(service, %provider, reason,
                "an order was refused: its provider is given nothing");
        }
        let is_lookalike = |it: &PassedOver| it.reason == PassedOverReason::Lookalike;
        if passed_over.iter().any(is_lookalike) {
            return RequestError::Lookalike(order.service());
        }
        let query = RouteQuery::order(order, environment, self.country_of_biller(order));
        let unavailable = RequestError::ProviderUnavailable(order.service());
        if self.providers().deliver(&query) {
            return unavailable;
        }
        match order {
            Order::Airtime(_) => RequestError::NetworkNotServed,
            Order::Hlr(order) => RequestError::CountryNotServed(order.country),
            Order::CableTv(_)
            | Order::Electricity(_)
            | Order::Internet(_)
            | Order::Sms(_)
            | Order::Whatsapp(_)
            | Order::Rcs(_)
            | Order::Voice(_)
            | Order::Ivr(_)
            | Order::Bank(_)
            | Order::MobileMoney(_)
            | Order::Card(_)
            | Order::International(_)
            | Order::Wallet(_)
            | Order::User(_)
            | Order::Bill(_)
            | Order::Lookup(_) => unavailable,
        }
    }
}
