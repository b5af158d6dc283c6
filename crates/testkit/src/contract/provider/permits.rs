//! Laws of the permit to send. What they cannot see: an adapter that asks before its connection
//! stands, or that begins to write long after [`Granted::begin_writing`] said yes. Both look right
//! from outside; they must be ruled out by reading the adapter.
//!
//! [`Granted::begin_writing`]: ports::permit::Granted::begin_writing

use super::{ProviderBehaviour, ProviderUnderTest, prepared, query};
use crate::permit::FixedPermit;
use domain::provider::{QueryOutcome, SubmitOutcome};
use ports::permit::Withheld;

/// The behaviours in which bytes leave for the provider.
const WRITING: [ProviderBehaviour; 6] = [
    ProviderBehaviour::Delivers,
    ProviderBehaviour::Declines,
    ProviderBehaviour::LosesTheAnswer,
    ProviderBehaviour::LosesTheRequest,
    ProviderBehaviour::DeliversLater,
    ProviderBehaviour::TakesBack,
];

/// No delivery without a permit that was asked for.
pub async fn whatever_is_delivered_was_permitted(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let order = bench.order(service, ProviderBehaviour::Delivers).await;
        let sent = prepared(bench, &format!("shop.permit-{}.1", service.code()), order);
        let permit = FixedPermit::granted();
        let outcome = bench.provider().submit(&sent, &permit).await.outcome;
        assert!(
            matches!(outcome, SubmitOutcome::Delivered(_)),
            "{outcome:?}"
        );
        assert!(permit.asked() > 0, "delivered without asking for a permit");
    }
}

/// A permit that is withheld proves that nothing was sent, now or later.
pub async fn where_the_permit_is_withheld_nothing_is_written(bench: &impl ProviderUnderTest) {
    for why in [
        Withheld::BudgetSpent,
        Withheld::TakenOver,
        Withheld::Unconfirmed,
    ] {
        nothing_is_written(bench, &format!("{why:?}"), || FixedPermit::withheld(why)).await;
    }
}

/// A permit that has ended when writing could begin is none.
pub async fn where_the_permit_has_ended_nothing_is_written(bench: &impl ProviderUnderTest) {
    nothing_is_written(bench, "ended", FixedPermit::granted_too_late).await;
}

async fn nothing_is_written(
    bench: &impl ProviderUnderTest,
    name: &str,
    permit: impl Fn() -> FixedPermit + Send,
) {
    for service in bench.services() {
        for behaviour in WRITING {
            let order = bench.order(service, behaviour).await;
            let under = format!("shop.{name}-{}-{behaviour:?}.1", service.code());
            let sent = prepared(bench, &under, order);
            let permit = permit();
            let outcome = bench.provider().submit(&sent, &permit).await.outcome;
            assert_eq!(outcome, SubmitOutcome::NotSent, "{under}");
            assert!(permit.asked() > 0, "no permit was asked for: {under}");
            bench.let_time_pass().await;
            let found = query(bench, &sent).await;
            assert_eq!(found, QueryOutcome::NotFound, "{under}");
            assert_eq!(bench.deliveries(&sent.reference).await, 0, "{under}");
        }
    }
}
