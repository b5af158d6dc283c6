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
        for other in ["shop.prepared.2", "shop.Prepared.1", "shop2.prepared.1"] {
            assert_ne!(first.reference, prepared(other).reference, "{other}");
        }
    }
}
