//! Laws of what a provider serves. What the bench leaves out must be refused by the provider
//! itself, so that nothing is left out by mistake.

use super::{ProviderBehaviour, ProviderUnderTest, prepared};
use crate::builders::purchase_of;
use crate::permit::FixedPermit;
use domain::order::Service;
use domain::provider::SubmitOutcome;

/// What the provider says it serves is what the bench orders, and anything else is never sent.
pub async fn only_what_is_served_is_sent(bench: &impl ProviderUnderTest) {
    let services = bench.services();
    let (provider, permit) = (bench.provider(), FixedPermit::granted());
    for service in Service::delivered() {
        if services.contains(&service) {
            let order = bench.order(service, ProviderBehaviour::Delivers).await;
            assert!(provider.serves(&order), "{service:?}");
            continue;
        }
        let order = purchase_of(service).order();
        assert!(!provider.serves(&order), "{service:?}");
        let sent = prepared(bench, &format!("shop.other-{}.1", service.code()), order);
        let answer = provider.submit(&sent, &permit).await;
        assert_eq!(answer.outcome, SubmitOutcome::NotSent, "{service:?}");
        assert_eq!(bench.deliveries(&sent.reference).await, 0);
    }
}
