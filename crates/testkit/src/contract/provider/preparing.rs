//! Laws of how attempts are prepared. They must not need a provider that delivers: nothing is sent.

use super::{ProviderBehaviour, ProviderUnderTest};
use crate::builders::START;
use domain::reference::ProviderReference;
use ports::provider::Naming;

/// An attempt is prepared the same each time, and two attempts never under one name.
pub async fn an_attempt_is_prepared_the_same_each_time(bench: &impl ProviderUnderTest) {
    let provider = bench.provider();
    for service in bench.services() {
        let order = bench.order(service, ProviderBehaviour::Delivers).await;
        let prepared = |under: &str| {
            provider.prepare(Naming {
                derived: ProviderReference::from_echo(under),
                order: &order,
                started_at: START,
            })
        };
        let first = prepared("shop.prepared.1");
        assert_eq!(first, prepared("shop.prepared.1"), "{service:?}");
        assert_eq!(first.provider, *provider.id());
        // A reference of the provider's own form is found by itself, any other by the merchant's.
        let reference = first.reference.as_str();
        assert!(
            reference == "shop.prepared.1" || !reference.contains('.'),
            "{reference} is neither derived nor free of dots"
        );
        for other in ["shop.prepared.2", "shop.Prepared.1", "shop2.prepared.1"] {
            assert_ne!(first.reference, prepared(other).reference, "{other}");
        }
    }
}
