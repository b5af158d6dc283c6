//! The laws of adapters that write PDUs in a session of their own: what is lost or falsified on the
//! way to the provider and back is never taken for an outcome, and nothing is written twice. They
//! are those of [`wire`](super::wire) where a provider cannot be asked by our reference. Every such
//! adapter runs them all through [`stream_contract!`](crate::stream_contract); none may be left out
//! because an adapter fails it.

use super::provider::{ProviderBehaviour, ProviderUnderTest};
use crate::attempt;
use crate::pdu_proxy::{AnswerChange, PduProxy, PduServer, StreamFault, StreamPlace};
use crate::permit::FixedPermit;
use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, Submission, SubmitOutcome};
use ports::permit::Withheld;
use ports::provider::Provider;
use std::sync::Arc;

/// So many messages are tried until one goes out after a fault: a session that is dead in silence
/// is only known to be after a while.
const TRIES: u32 = 40;

/// An adapter that writes PDUs on the test bench. What it waits for an answer is short, and what it
/// waits before it checks a silent session is shorter.
#[async_trait]
pub trait StreamProviderUnderTest: ProviderUnderTest {
    /// The server that plays the provider, and which command to it makes it act.
    fn pdu_server(&self) -> PduServer;

    /// The adapter of the same account, at another port of this machine.
    async fn at_stream_port(&self, port: u16) -> Arc<dyn Provider>;

    /// An order that would be delivered in several writes, and in how many.
    async fn long_order(&self, service: Service) -> (Order, usize);

    /// The statuses of an answer that refuse for certain.
    fn refusals(&self) -> Vec<u32>;
}

/// Makes one test of every law of adapters that write PDUs. `$make` is as for
/// [`provider_contract!`](crate::provider_contract).
#[macro_export]
macro_rules! stream_contract {
    ($make:expr) => {
        $crate::stream_contract!(@laws $make;
            an_answer_that_is_lost_is_unknown_and_written_once
            a_request_that_is_lost_is_unknown_and_written_once
            a_fault_after_a_part_was_taken_is_unknown
            an_answer_belongs_to_its_request
            what_was_taken_stays_taken_however_its_answer_comes
            only_a_listed_status_refuses
            without_a_permit_no_pdu_arrives
        );
    };
    (@laws $make:expr; $($law:ident)+) => {
        $(
            #[tokio::test]
            async fn $law() {
                let bench = ($make)().await;
                $crate::contract::wire_stream::$law(&bench).await;
            }
        )+
    };
}

/// The adapter behind a proxy.
struct StreamWorld {
    proxy: PduProxy,
    adapter: Arc<dyn Provider>,
}

impl StreamWorld {
    async fn start(bench: &impl StreamProviderUnderTest) -> Self {
        let proxy = PduProxy::start(bench.pdu_server()).await;
        let adapter = bench.at_stream_port(proxy.port).await;
        Self { proxy, adapter }
    }

    fn attempt(&self, name: &str, order: Order) -> Submission {
        attempt::prepared(&*self.adapter, &format!("shop.{name}.1"), order)
    }

    async fn submit(&self, sent: &Submission) -> SubmitOutcome {
        attempt::submit(&*self.adapter, sent).await.outcome
    }

    /// What came of an order whose first write met a fault, and the attempt.
    async fn broken(
        &self,
        bench: &impl StreamProviderUnderTest,
        service: Service,
        (fault, place): (StreamFault, StreamPlace),
    ) -> (SubmitOutcome, Submission) {
        let order = bench.order(service, ProviderBehaviour::Delivers).await;
        let name = format!("{place:?}-{fault:?}-{}", service.code());
        let sent = self.attempt(&name, order);
        self.proxy.breaks(fault, place, 1);
        let outcome = self.submit(&sent).await;
        let writes = self.proxy.writes();
        assert_eq!(writes, 1, "{service:?} {fault:?}: it is written once");
        (outcome, sent)
    }

    /// What comes after a fault goes out, once the fault is over.
    async fn recovers(&self, bench: &impl StreamProviderUnderTest, service: Service, name: &str) {
        self.proxy.heals();
        for number in 0..TRIES {
            let order = bench.order(service, ProviderBehaviour::Delivers).await;
            let sent = self.attempt(&format!("after-{name}-{number}"), order);
            match self.submit(&sent).await {
                SubmitOutcome::Delivered(_) => {
                    assert_eq!(bench.deliveries(&sent.reference).await, 1);
                    return;
                }
                SubmitOutcome::Unknown(_) | SubmitOutcome::Pending => {}
                SubmitOutcome::NotSent => {
                    assert_eq!(bench.deliveries(&sent.reference).await, 0);
                }
                outcome @ (SubmitOutcome::Declined(_) | SubmitOutcome::Reversed) => {
                    panic!("{service:?} after {name}: {outcome:?}")
                }
            }
        }
        panic!("{service:?}: nothing goes out after {name}");
    }
}

fn is_unknown(outcome: &SubmitOutcome) -> bool {
    matches!(outcome, SubmitOutcome::Unknown(_) | SubmitOutcome::Pending)
}

async fn found(bench: &impl StreamProviderUnderTest, sent: &Submission) -> QueryOutcome {
    attempt::query(&*bench.provider(), sent).await.outcome
}

/// Whatever comes instead of the answer, the attempt is unknown: it was not "not sent", it was not
/// refused, and it is not written again. Asking about it never answers that it was not delivered.
pub async fn an_answer_that_is_lost_is_unknown_and_written_once(
    bench: &impl StreamProviderUnderTest,
) {
    for service in bench.services() {
        for fault in StreamFault::ALL {
            let world = StreamWorld::start(bench).await;
            let fault_after = (fault, StreamPlace::AfterProvider);
            let (outcome, sent) = world.broken(bench, service, fault_after).await;
            assert!(is_unknown(&outcome), "{service:?} {fault:?}: {outcome:?}");
            let found = found(bench, &sent).await;
            let denies = matches!(found, QueryOutcome::NotFound | QueryOutcome::Declined(_));
            assert!(!denies, "{service:?} {fault:?}: {found:?}");
            let name = format!("{fault:?}");
            world.recovers(bench, service, &name).await;
            let deliveries = bench.deliveries(&sent.reference).await;
            assert_eq!(deliveries, 1, "{service:?} {fault:?}");
        }
    }
}

/// From here a lost request looks like a lost answer, so the same is said of it.
pub async fn a_request_that_is_lost_is_unknown_and_written_once(
    bench: &impl StreamProviderUnderTest,
) {
    for service in bench.services() {
        for fault in StreamFault::ALL {
            let world = StreamWorld::start(bench).await;
            let fault_before = (fault, StreamPlace::BeforeProvider);
            let (outcome, sent) = world.broken(bench, service, fault_before).await;
            assert!(is_unknown(&outcome), "{service:?} {fault:?}: {outcome:?}");
            let found = found(bench, &sent).await;
            let delivered = matches!(found, QueryOutcome::Delivered(_));
            assert!(!delivered, "{service:?} {fault:?}: {found:?}");
            let deliveries = bench.deliveries(&sent.reference).await;
            assert_eq!(deliveries, 0, "{service:?} {fault:?}: it was written again");
        }
    }
}

/// A part that was taken cannot be recalled: whatever becomes of a later one, the order is neither
/// refused nor "not sent", and no part is written twice.
pub async fn a_fault_after_a_part_was_taken_is_unknown(bench: &impl StreamProviderUnderTest) {
    for service in bench.services() {
        for place in [StreamPlace::BeforeProvider, StreamPlace::AfterProvider] {
            for fault in StreamFault::ALL {
                let world = StreamWorld::start(bench).await;
                let (order, parts) = bench.long_order(service).await;
                let sent = world.attempt(&format!("long-{place:?}-{fault:?}"), order);
                world.proxy.breaks(fault, place, 2);
                let outcome = world.submit(&sent).await;
                let what = format!("{service:?} {fault:?} {place:?}");
                assert!(is_unknown(&outcome), "{what}: {outcome:?}");
                let writes = world.proxy.writes();
                assert!((2..=parts).contains(&writes), "{what}: {writes} writes");
                let found = found(bench, &sent).await;
                assert_eq!(found, QueryOutcome::Unknown, "{what}");
            }
        }
    }
}

/// Answers that come in another order than their requests each belong to the request whose sequence
/// number they have: a refusal of one is no refusal of another.
pub async fn an_answer_belongs_to_its_request(bench: &impl StreamProviderUnderTest) {
    for service in bench.services() {
        let world = StreamWorld::start(bench).await;
        world.proxy.changes(AnswerChange::Reordered);
        let taken = bench.order(service, ProviderBehaviour::Delivers).await;
        let taken = world.attempt("reordered-taken", taken);
        let refused = bench.order(service, ProviderBehaviour::Declines).await;
        let refused = world.attempt("reordered-refused", refused);
        let outcomes = tokio::join!(world.submit(&taken), world.submit(&refused));
        let is_delivered = matches!(outcomes.0, SubmitOutcome::Delivered(_));
        assert!(is_delivered, "{service:?}: {:?}", outcomes.0);
        let is_declined = matches!(outcomes.1, SubmitOutcome::Declined(_));
        assert!(is_declined, "{service:?}: {:?}", outcomes.1);
    }
}

/// An answer that comes twice, is contradicted afterwards, comes octet by octet or under the
/// sequence number of another that was taken as well: both orders are delivered, once each.
pub async fn what_was_taken_stays_taken_however_its_answer_comes(
    bench: &impl StreamProviderUnderTest,
) {
    for service in bench.services() {
        for change in [
            AnswerChange::Twice,
            AnswerChange::ThenRefused,
            AnswerChange::Slow,
            AnswerChange::Crossed,
        ] {
            let world = StreamWorld::start(bench).await;
            world.proxy.changes(change);
            let first = bench.order(service, ProviderBehaviour::Delivers).await;
            let first = world.attempt(&format!("first-{change:?}"), first);
            let second = bench.order(service, ProviderBehaviour::Delivers).await;
            let second = world.attempt(&format!("second-{change:?}"), second);
            let outcomes = tokio::join!(world.submit(&first), world.submit(&second));
            for (sent, outcome) in [(&first, outcomes.0), (&second, outcomes.1)] {
                let is_delivered = matches!(outcome, SubmitOutcome::Delivered(_));
                assert!(is_delivered, "{service:?} {change:?}: {outcome:?}");
                let deliveries = bench.deliveries(&sent.reference).await;
                assert_eq!(deliveries, 1, "{service:?} {change:?}");
            }
            world.recovers(bench, service, &format!("{change:?}")).await;
        }
    }
}

/// A status refuses where the adapter's table says so. Any other may come of something that the
/// provider did after it took the order.
pub async fn only_a_listed_status_refuses(bench: &impl StreamProviderUnderTest) {
    let refusals = bench.refusals();
    let vendors = [0x400, 0x4FF, 0x1_0000, 0x7FFF_FFFF, 0x8000_000B, u32::MAX];
    for service in bench.services() {
        let world = StreamWorld::start(bench).await;
        for status in (1..=0x100).chain(vendors) {
            world.proxy.changes(AnswerChange::Status(status));
            let order = bench.order(service, ProviderBehaviour::Delivers).await;
            let sent = world.attempt(&format!("status-{status:x}"), order);
            let outcome = world.submit(&sent).await;
            let what = format!("{service:?} status {status:#X}: {outcome:?}");
            if refusals.contains(&status) {
                assert!(matches!(outcome, SubmitOutcome::Declined(_)), "{what}");
            } else {
                assert!(is_unknown(&outcome), "{what}");
            }
        }
    }
}

/// The permit is asked for before the first octet of the request that makes the provider act.
pub async fn without_a_permit_no_pdu_arrives(bench: &impl StreamProviderUnderTest) {
    for service in bench.services() {
        let world = StreamWorld::start(bench).await;
        for permit in [
            FixedPermit::withheld(Withheld::TakenOver),
            FixedPermit::granted_too_late(),
        ] {
            let order = bench.order(service, ProviderBehaviour::Delivers).await;
            let sent = world.attempt("withheld", order);
            let outcome = world.adapter.submit(&sent, &permit).await.outcome;
            let what = format!("{service:?}: without a permit");
            assert_eq!(outcome, SubmitOutcome::NotSent, "{what}");
            assert!(permit.asked() > 0, "{service:?}");
            assert_eq!(world.proxy.writes(), 0, "{service:?}: it was written");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_law_is_on_the_list_that_adapters_run() {
        let file = include_str!("wire_stream.rs");
        let listed: Vec<_> = file.lines().map(str::trim).collect();
        let laws = file
            .lines()
            .filter_map(|line| line.strip_prefix("pub async fn "));
        let laws: Vec<_> = laws.filter_map(|law| law.split('(').next()).collect();
        assert_eq!(laws.len(), 7);
        for law in laws {
            assert!(listed.contains(&law), "{law} is not in stream_contract!");
        }
    }
}
