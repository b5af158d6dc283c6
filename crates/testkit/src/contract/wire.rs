//! The laws of adapters over HTTP: what is lost or falsified on the way to the provider and back is
//! never taken for an outcome. They are those of the provider protocol's conformance kit, for the
//! adapters within the program. Every adapter over HTTP runs them all through
//! [`wire_contract!`](crate::wire_contract); none may be left out because an adapter fails it.

use super::provider::{ProviderBehaviour, ProviderUnderTest};
use crate::attempt;
use crate::permit::FixedPermit;
use crate::wire_proxy::{AnswerFault, ProxiedServer, WirePlace, WireProxy};
use async_trait::async_trait;
use domain::order::Service;
use domain::provider::{QueryOutcome, Submission, SubmitOutcome};
use ports::permit::Withheld;
use ports::provider::Provider;
use std::sync::Arc;
use std::time::Duration;

/// The deadline where an answer is held back: the least that a loaded machine connects within.
const SHORT: Duration = Duration::from_secs(1);

/// A part of an answer that says what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEcho {
    /// What it is, such as `amount`.
    pub what: &'static str,
    /// As the server writes it for this order, and as it would for another one. Where a server
    /// writes it in several ways, all of them.
    pub written: Vec<(String, String)>,
}

impl WireEcho {
    /// An echo that is written like this, and would be written like that.
    pub fn new(
        what: &'static str,
        (written, other): (impl Into<String>, impl Into<String>),
    ) -> Self {
        Self {
            what,
            written: vec![(written.into(), other.into())],
        }
    }

    /// The same, where it may be written in another way.
    #[must_use]
    pub fn or(mut self, (written, other): (impl Into<String>, impl Into<String>)) -> Self {
        self.written.push((written.into(), other.into()));
        self
    }
}

/// An adapter over HTTP on the test bench.
#[async_trait]
pub trait WireProviderUnderTest: ProviderUnderTest {
    /// The server that plays the provider, and which request to it makes it act.
    fn server(&self) -> ProxiedServer;

    /// The adapter of the same account, at another port of this machine.
    async fn at_port(&self, port: u16) -> Arc<dyn Provider>;

    /// What the answer to a submission says it is about: the reference, the customer and the
    /// amount, as far as this provider says them.
    fn echoes(&self, sent: &Submission) -> Vec<WireEcho>;
}

/// Makes one test of every law of adapters over HTTP. `$make` is as for
/// [`provider_contract!`](crate::provider_contract).
#[macro_export]
macro_rules! wire_contract {
    ($make:expr) => {
        $crate::wire_contract!(@laws $make;
            an_answer_that_is_lost_is_unknown_and_found_delivered
            a_request_that_is_lost_is_unknown_and_found_absent
            an_answer_about_something_else_is_no_delivery
            without_a_permit_no_request_arrives
        );
    };
    (@laws $make:expr; $($law:ident)+) => {
        $(
            #[tokio::test]
            async fn $law() {
                let bench = ($make)().await;
                $crate::contract::wire::$law(&bench).await;
            }
        )+
    };
}

/// The adapter behind a proxy, and an attempt at an order that would be delivered.
struct WireWorld {
    proxy: WireProxy,
    adapter: Arc<dyn Provider>,
    sent: Submission,
}

impl WireWorld {
    async fn start(bench: &impl WireProviderUnderTest, service: Service, name: &str) -> Self {
        let proxy = WireProxy::start(bench.server()).await;
        let adapter = bench.at_port(proxy.port).await;
        let order = bench.order(service, ProviderBehaviour::Delivers).await;
        let under = format!("shop.{name}-{}.1", service.code());
        let sent = attempt::prepared(&*adapter, &under, order);
        Self {
            proxy,
            adapter,
            sent,
        }
    }

    async fn submit(&self, deadline: Duration) -> SubmitOutcome {
        let sent = Submission {
            deadline,
            ..self.sent.clone()
        };
        attempt::submit(&*self.adapter, &sent).await.outcome
    }

    /// What came of a submission that met a fault.
    async fn broken(&self, (fault, place): (AnswerFault, WirePlace)) -> SubmitOutcome {
        self.proxy.breaks(fault, place);
        let deadline = match fault {
            AnswerFault::Held => SHORT,
            AnswerFault::Cut
            | AnswerFault::Half
            | AnswerFault::Page
            | AnswerFault::Text
            | AnswerFault::Empty
            | AnswerFault::NoContent
            | AnswerFault::Redirect
            | AnswerFault::BadGateway
            | AnswerFault::Unavailable => self.sent.deadline,
        };
        let outcome = self.submit(deadline).await;
        assert_eq!(self.proxy.writes(), 1, "{fault:?}: it is written once");
        outcome
    }
}

/// Whatever comes instead of the answer, the attempt is unknown, and a query finds the delivery: it
/// was not "not sent", and it was not refused.
pub async fn an_answer_that_is_lost_is_unknown_and_found_delivered(
    bench: &impl WireProviderUnderTest,
) {
    for service in bench.services() {
        for fault in AnswerFault::ALL {
            let name = format!("after-{fault:?}");
            let world = WireWorld::start(bench, service, &name).await;
            let outcome = world.broken((fault, WirePlace::AfterProvider)).await;
            let unknown = matches!(outcome, SubmitOutcome::Unknown(_) | SubmitOutcome::Pending);
            assert!(unknown, "{service:?} {fault:?}: {outcome:?}");
            let found = attempt::query(&*bench.provider(), &world.sent)
                .await
                .outcome;
            let delivered = matches!(found, QueryOutcome::Delivered(_));
            assert!(delivered, "{service:?} {fault:?}: {found:?}");
            assert_eq!(bench.deliveries(&world.sent.reference).await, 1);
        }
    }
}

/// From here a lost request looks like a lost answer, so the same is said of it.
pub async fn a_request_that_is_lost_is_unknown_and_found_absent(
    bench: &impl WireProviderUnderTest,
) {
    for service in bench.services() {
        for fault in AnswerFault::ALL {
            let name = format!("before-{fault:?}");
            let world = WireWorld::start(bench, service, &name).await;
            let outcome = world.broken((fault, WirePlace::BeforeProvider)).await;
            let unknown = matches!(outcome, SubmitOutcome::Unknown(_) | SubmitOutcome::Pending);
            assert!(unknown, "{service:?} {fault:?}: {outcome:?}");
            let found = attempt::query(&*bench.provider(), &world.sent)
                .await
                .outcome;
            assert_eq!(found, QueryOutcome::NotFound, "{service:?} {fault:?}");
            assert_eq!(bench.deliveries(&world.sent.reference).await, 0);
        }
    }
}

/// A yes to another attempt, for another customer or of another amount is no yes to this one. The
/// adapter may hand on what was said, for the core to compare; it must not fill in what was asked.
pub async fn an_answer_about_something_else_is_no_delivery(bench: &impl WireProviderUnderTest) {
    for service in bench.services() {
        let probe = WireWorld::start(bench, service, "echo").await;
        let whats: Vec<_> = bench.echoes(&probe.sent).iter().map(|it| it.what).collect();
        assert!(
            !whats.is_empty(),
            "{service:?}: no answer says what it is about"
        );
        for what in whats {
            let name = format!("other-{}", what.replace(' ', "-"));
            let world = WireWorld::start(bench, service, &name).await;
            let mut echoes = bench.echoes(&world.sent).into_iter();
            let echo = echoes.find(|it| it.what == what).unwrap();
            world.proxy.falsifies(&echo.written);
            let outcome = world.submit(world.sent.deadline).await;
            let falsified = world.proxy.falsified();
            assert_eq!(
                falsified, 1,
                "{service:?} {what}: the answer lacks {echo:?}"
            );
            let (reference, order) = (&world.sent.reference, &world.sent.order);
            match outcome {
                SubmitOutcome::Unknown(_) | SubmitOutcome::Pending => {}
                SubmitOutcome::Delivered(receipt) => {
                    let matches = receipt.matches(reference, order);
                    assert!(
                        !matches,
                        "{service:?}: another {what} is a delivery of this"
                    );
                }
                SubmitOutcome::Declined(_) | SubmitOutcome::NotSent | SubmitOutcome::Reversed => {
                    panic!("{service:?} {what}: {outcome:?}")
                }
            }
        }
    }
}

/// The permit is asked for before the first byte of the request that makes the provider act.
pub async fn without_a_permit_no_request_arrives(bench: &impl WireProviderUnderTest) {
    for service in bench.services() {
        for permit in [
            FixedPermit::withheld(Withheld::TakenOver),
            FixedPermit::granted_too_late(),
        ] {
            let world = WireWorld::start(bench, service, "withheld").await;
            let outcome = world.adapter.submit(&world.sent, &permit).await.outcome;
            assert_eq!(
                outcome,
                SubmitOutcome::NotSent,
                "{service:?}: without a permit"
            );
            assert!(permit.asked() > 0, "{service:?}");
            assert_eq!(world.proxy.writes(), 0, "{service:?}: it was written");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_law_is_on_the_list_that_adapters_run() {
        let file = include_str!("wire.rs");
        let listed: Vec<_> = file.lines().map(str::trim).collect();
        let laws = file
            .lines()
            .filter_map(|line| line.strip_prefix("pub async fn "));
        let laws: Vec<_> = laws.filter_map(|law| law.split('(').next()).collect();
        assert_eq!(laws.len(), 4);
        for law in laws {
            assert!(listed.contains(&law), "{law} is not in wire_contract!");
        }
    }
}
