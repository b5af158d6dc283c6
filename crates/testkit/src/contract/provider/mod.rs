//! The laws of providers. Each takes a bench with a fresh provider on it, and every adapter runs
//! them all through [`provider_contract!`](crate::provider_contract).

mod changes;
mod families;
mod permits;
mod preparing;
mod serving;

pub use changes::*;
pub use families::*;
pub use permits::*;
pub use preparing::*;
pub use serving::*;

use crate::attempt;
use crate::permit::FixedPermit;
use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, Receipt, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use ports::provider::{AttemptQuery, Provider};
use std::sync::Arc;

/// What an order can make a provider do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProviderBehaviour {
    /// It delivers and says so.
    Delivers,
    /// It refuses and says so.
    Declines,
    /// It delivers, and the answer is lost.
    LosesTheAnswer,
    /// The request is lost and nothing happens.
    LosesTheRequest,
    /// It accepts, and delivers once [`ProviderUnderTest::let_time_pass`] was called.
    DeliversLater,
    /// It delivers, and takes it back once [`ProviderUnderTest::let_time_pass`] was called.
    TakesBack,
}

/// A provider on the test bench, and the knowledge of how to make it behave.
#[async_trait]
pub trait ProviderUnderTest: Send + Sync {
    /// The provider.
    fn provider(&self) -> Arc<dyn Provider>;

    /// The families that the provider delivers. Laws of one family are about nothing where it is
    /// not among these.
    fn services(&self) -> Vec<Service> {
        Service::delivered().collect()
    }

    /// Whether it reports changes without being asked. Where it does not, its list must be empty.
    fn reports_changes(&self) -> bool {
        true
    }

    /// An order that makes the provider behave so when it is submitted next; electricity is prepaid
    /// and its meter is as the provider itself knows it.
    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order;

    /// How many deliveries reached the customer under a reference, by the provider's own book,
    /// those taken back since included.
    async fn deliveries(&self, reference: &ProviderReference) -> u32;

    /// Lets pass what the provider needs for what it does later.
    async fn let_time_pass(&self);
}

/// Makes one test of every law of providers. `$make` is called, without arguments, for each test
/// and must answer a future of a
/// [`ProviderUnderTest`](crate::contract::provider::ProviderUnderTest) with a fresh provider.
#[macro_export]
macro_rules! provider_contract {
    ($make:expr) => {
        $crate::provider_contract!(@laws $make;
            an_attempt_is_prepared_the_same_each_time
            a_delivery_is_found_with_the_same_receipt
            a_receipt_echoes_reference_and_amount
            a_refusal_is_never_found_delivered
            one_reference_never_delivers_twice
            a_lost_answer_is_unknown_and_found_delivered
            a_lost_request_is_unknown_and_delivers_nothing
            what_is_promised_is_found_delivered_later
            asking_changes_nothing
            an_unknown_reference_is_not_found
            a_reversal_is_reported_and_found
            changes_are_reported_again_from_the_same_cursor
            a_finished_vend_carries_a_token_that_adds_up
            a_postpaid_payment_carries_no_token
            the_delivery_status_of_a_message_is_reported
            whatever_is_delivered_was_permitted
            where_the_permit_is_withheld_nothing_is_written
            where_the_permit_has_ended_nothing_is_written
            only_what_is_served_is_sent
        );
    };
    (@laws $make:expr; $($law:ident)+) => {
        $(
            #[tokio::test]
            async fn $law() {
                let bench = ($make)().await;
                $crate::contract::provider::$law(&bench).await;
            }
        )+
    };
}

fn prepared(bench: &impl ProviderUnderTest, under: &str, order: Order) -> Submission {
    attempt::prepared(&*bench.provider(), under, order)
}

async fn query(bench: &impl ProviderUnderTest, sent: &Submission) -> QueryOutcome {
    attempt::query(&*bench.provider(), sent).await.outcome
}

/// Submits an order that makes the provider behave so, under a reference made of `name`.
async fn submit(
    bench: &impl ProviderUnderTest,
    (service, behaviour): (Service, ProviderBehaviour),
    name: &str,
) -> (Submission, SubmitOutcome) {
    let order = bench.order(service, behaviour).await;
    // The shape of real ones: account, merchant's reference, attempt.
    let under = format!("shop.{name}-{}.1", service.code());
    let sent = prepared(bench, &under, order);
    let outcome = attempt::submit(&*bench.provider(), &sent).await.outcome;
    (sent, outcome)
}

fn receipt(outcome: SubmitOutcome) -> Receipt {
    match outcome {
        SubmitOutcome::Delivered(receipt) => receipt,
        SubmitOutcome::Declined(_)
        | SubmitOutcome::NotSent
        | SubmitOutcome::Pending
        | SubmitOutcome::Reversed
        | SubmitOutcome::Unknown(_) => {
            panic!("not delivered: {outcome:?}")
        }
    }
}

/// A query finds what the answer said.
pub async fn a_delivery_is_found_with_the_same_receipt(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let (sent, outcome) = submit(bench, (service, ProviderBehaviour::Delivers), "yes").await;
        let found = query(bench, &sent).await;
        assert_eq!(found, QueryOutcome::Delivered(receipt(outcome)));
        assert_eq!(bench.deliveries(&sent.reference).await, 1);
    }
}

/// A yes says of what: the gateway checks it, so the adapter must not fill it in.
pub async fn a_receipt_echoes_reference_and_amount(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let (sent, outcome) = submit(bench, (service, ProviderBehaviour::Delivers), "echo").await;
        let receipt = receipt(outcome);
        assert_eq!(
            (&receipt.reference, receipt.amount),
            (&sent.reference, sent.order.amount())
        );
        assert!(receipt.matches(&sent.reference, &sent.order));
        assert!(receipt.fulfilment.completes(&sent.order));
    }
}

/// A definite no stays one, now and later, and asking twice does not change it.
pub async fn a_refusal_is_never_found_delivered(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let (sent, outcome) = submit(bench, (service, ProviderBehaviour::Declines), "no").await;
        assert!(matches!(outcome, SubmitOutcome::Declined(_)), "{outcome:?}");
        for _ in 0..2 {
            let found = query(bench, &sent).await;
            let no = matches!(found, QueryOutcome::Declined(_) | QueryOutcome::NotFound);
            assert!(no, "{found:?}");
            bench.let_time_pass().await;
        }
        assert_eq!(bench.deliveries(&sent.reference).await, 0);
    }
}

/// Whatever a second submission of one reference is answered, the customer gets it once, and no
/// definite no is said of what was delivered.
pub async fn one_reference_never_delivers_twice(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let order = bench.order(service, ProviderBehaviour::Delivers).await;
        let sent = prepared(bench, &format!("shop.twice-{}.1", service.code()), order);
        let first = bench
            .provider()
            .submit(&sent, &FixedPermit::granted())
            .await
            .outcome;
        for _ in 0..3 {
            let again = bench
                .provider()
                .submit(&sent, &FixedPermit::granted())
                .await
                .outcome;
            let no = matches!(again, SubmitOutcome::Declined(_) | SubmitOutcome::NotSent);
            assert!(!no, "it was delivered before: {again:?}");
        }
        bench.let_time_pass().await;
        assert_eq!(bench.deliveries(&sent.reference).await, 1);
        let QueryOutcome::Delivered(found) = query(bench, &sent).await else {
            panic!("it was delivered before");
        };
        // More may have become known of the one delivery.
        let first = receipt(first);
        let known = first.fulfilment.after(&found.fulfilment);
        let fulfilment = known.unwrap_or_else(|| first.fulfilment.clone());
        assert_eq!(
            found,
            Receipt {
                fulfilment,
                ..first
            }
        );
    }
}

/// Where the answer is lost, nothing definite is said, and the truth is found by asking.
pub async fn a_lost_answer_is_unknown_and_found_delivered(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let (sent, outcome) =
            submit(bench, (service, ProviderBehaviour::LosesTheAnswer), "lost").await;
        assert!(matches!(outcome, SubmitOutcome::Unknown(_)), "{outcome:?}");
        let found = query(bench, &sent).await;
        let QueryOutcome::Delivered(receipt) = found else {
            panic!("{found:?}");
        };
        assert!(receipt.matches(&sent.reference, &sent.order));
        assert_eq!(bench.deliveries(&sent.reference).await, 1);
    }
}

/// Where the request is lost, nothing definite is said either: from here the two look alike.
pub async fn a_lost_request_is_unknown_and_delivers_nothing(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let (sent, outcome) =
            submit(bench, (service, ProviderBehaviour::LosesTheRequest), "gone").await;
        assert!(matches!(outcome, SubmitOutcome::Unknown(_)), "{outcome:?}");
        bench.let_time_pass().await;
        assert_eq!(query(bench, &sent).await, QueryOutcome::NotFound);
        assert_eq!(bench.deliveries(&sent.reference).await, 0);
    }
}

/// Accepted is not delivered; later it is.
pub async fn what_is_promised_is_found_delivered_later(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let (sent, outcome) =
            submit(bench, (service, ProviderBehaviour::DeliversLater), "later").await;
        let complete = match &outcome {
            SubmitOutcome::Delivered(receipt) => receipt.fulfilment.completes(&sent.order),
            SubmitOutcome::Pending => false,
            SubmitOutcome::Declined(_)
            | SubmitOutcome::NotSent
            | SubmitOutcome::Reversed
            | SubmitOutcome::Unknown(_) => {
                panic!("{outcome:?}")
            }
        };
        assert!(!complete, "{outcome:?}");
        bench.let_time_pass().await;
        let found = query(bench, &sent).await;
        let QueryOutcome::Delivered(receipt) = found else {
            panic!("{found:?}");
        };
        assert!(
            receipt.matches(&sent.reference, &sent.order)
                && receipt.fulfilment.completes(&sent.order)
        );
        assert_eq!(bench.deliveries(&sent.reference).await, 1);
    }
}

/// A query, repeated any number of times, delivers nothing and finds the same.
pub async fn asking_changes_nothing(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        for behaviour in [
            ProviderBehaviour::Delivers,
            ProviderBehaviour::Declines,
            ProviderBehaviour::LosesTheRequest,
        ] {
            let name = format!("ask-{behaviour:?}");
            let (sent, _) = submit(bench, (service, behaviour), &name).await;
            let before = bench.deliveries(&sent.reference).await;
            let first = query(bench, &sent).await;
            for _ in 0..5 {
                assert_eq!(query(bench, &sent).await, first);
            }
            assert_eq!(bench.deliveries(&sent.reference).await, before);
        }
    }
}

/// What was never sent is not found, and asking for it does not make it known.
pub async fn an_unknown_reference_is_not_found(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        submit(bench, (service, ProviderBehaviour::Delivers), "known").await;
    }
    for under in [
        "shop.never-sent.1",
        "shop.known-airtime.2",
        "shop.known-airtime.1 ",
    ] {
        let reference = ProviderReference::from_echo(under);
        for _ in 0..2 {
            assert_eq!(
                bench
                    .provider()
                    .query(&AttemptQuery::by(&reference))
                    .await
                    .outcome,
                QueryOutcome::NotFound
            );
        }
        assert_eq!(bench.deliveries(&reference).await, 0);
    }
}
