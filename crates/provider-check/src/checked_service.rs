//! A service under check and what is bought of it. An order must be taken from what may be spent
//! before it is sent.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, CheckStop, broken, not_applicable, word};
use crate::checks::callbacks::CalledOrder;
use crate::scenario::{AllowedOrder, ExpectedEnd};
use domain::order::Service;
use domain::reference::ProviderReference;
use provider_protocol::{AttemptAnswer, AttemptState};
use serde_json::Value;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OnceCell;

/// One order that was bought, for the checks that only look at it.
#[derive(Debug, Clone)]
pub(crate) struct BoughtOrder {
    pub(crate) reference: ProviderReference,
    pub(crate) allowed: AllowedOrder,
    pub(crate) body: Value,
    pub(crate) before: AttemptState,
    pub(crate) submitted: AttemptState,
    pub(crate) settled: AttemptAnswer,
    /// How many effects there were before.
    pub(crate) effects: Option<u64>,
    pub(crate) exchanges: Range<usize>,
}

/// A service with the orders that may be bought of it.
#[derive(Debug)]
pub(crate) struct CheckedService {
    pub(crate) service: Service,
    pub(crate) orders: Vec<AllowedOrder>,
    /// How often each was bought, and when last.
    bought: Mutex<Vec<(u32, Option<Duration>)>>,
    shared: OnceCell<Result<BoughtOrder, CheckStop>>,
    /// The order that the checks of callbacks share.
    pub(crate) called: OnceCell<Result<CalledOrder, CheckStop>>,
}

impl CheckedService {
    pub(crate) fn new(service: Service, orders: Vec<AllowedOrder>) -> Self {
        let bought = Mutex::new(vec![(0, None); orders.len()]);
        Self {
            service,
            orders,
            bought,
            shared: OnceCell::new(),
            called: OnceCell::new(),
        }
    }

    /// An order that has this end, without buying it.
    pub(crate) fn order(&self, expect: ExpectedEnd) -> CheckStep<&AllowedOrder> {
        let found = self
            .orders
            .iter()
            .find(|it| it.expect == expect && !it.pending);
        match (found, expect) {
            (Some(order), _) => Ok(order),
            (None, ExpectedEnd::Delivered) => {
                not_applicable("the scenario has no order of this service that is delivered")
            }
            (None, ExpectedEnd::Declined) => {
                not_applicable("the scenario has no order of this service that is declined")
            }
        }
    }

    /// The exchanges of the shared purchase, once there was one.
    pub(crate) fn shared_exchanges(&self) -> Option<Range<usize>> {
        let bought = self.shared.get()?.as_ref().ok()?;
        Some(bought.exchanges.clone())
    }
}

impl Bench {
    /// Takes the next order that is to be delivered, and a reference for it.
    pub(crate) async fn purchase(
        &self,
        of: &CheckedService,
    ) -> CheckStep<(AllowedOrder, ProviderReference)> {
        let profile = self.profile(of)?;
        let window = Duration::from_secs(profile.lookalike_seconds);
        let (order, since) = {
            let mut bought = of.bought.lock().unwrap_or_else(PoisonError::into_inner);
            let allowed = of.orders.iter().zip(bought.iter_mut());
            let next = allowed
                .filter(|(order, (times, _))| order.is_bought() && *times < order.times)
                .min_by_key(|(_, (times, at))| (*at, *times));
            let Some((order, (times, at))) = next else {
                return not_applicable("every order was bought as often as `times` allows");
            };
            if !self.purchases.take(order.amount) {
                return not_applicable("what may be spent is spent");
            }
            *times = times.saturating_add(1);
            let since = at.replace(self.clock.uptime());
            (order.clone(), since)
        };
        // A provider may take an equal order within its window for a copy.
        let passed = since.map(|at| self.clock.uptime().saturating_sub(at));
        let left = passed.map(|passed| window.saturating_sub(passed));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            tokio::time::sleep(left).await;
        }
        let reference = self.reference();
        self.remember(&reference, &order);
        Ok((order, reference))
    }

    /// The purchase that the checks of a service share.
    pub(crate) async fn bought<'a>(&self, of: &'a CheckedService) -> CheckStep<&'a BoughtOrder> {
        let made = of.shared.get_or_init(|| self.buy(of)).await;
        made.as_ref().map_err(Clone::clone)
    }

    async fn buy(&self, of: &CheckedService) -> CheckStep<BoughtOrder> {
        let from = self.log.len();
        let (allowed, reference) = self.purchase(of).await?;
        let effects = self.effects().await?;
        let before = self.query(&reference).await?.state;
        let body = self.document(&reference, &allowed);
        let reply = self.submit(&reference, &body).await;
        let Some(submitted) = reply.state() else {
            return broken(format!("a submission was answered with {}", reply.said()));
        };
        let settled = self.settled(&reference).await?;
        if settled.state != AttemptState::Delivered {
            return broken(format!(
                "an order that must be delivered is `{}` after it was submitted; give an order \
                 that is delivered, or raise `settle_within_seconds`",
                word(settled.state)
            ));
        }
        Ok(BoughtOrder {
            reference,
            allowed,
            body,
            before,
            submitted,
            settled,
            effects,
            exchanges: from..self.log.len(),
        })
    }
}
