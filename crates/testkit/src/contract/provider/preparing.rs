//! Laws of how attempts are prepared. They must not need a provider that delivers: nothing is sent.

use super::{ProviderBehaviour, ProviderUnderTest};
use crate::builders::START;
use domain::reference::ProviderReference;
use ports::provider::Naming;
use std::time::Duration;

/// An attempt is prepared the same each time, and two attempts never under one name. A reference of
/// the provider's own form is recognised whenever it was made.
pub async fn an_attempt_is_prepared_the_same_each_time(bench: &impl ProviderUnderTest) {
    let provider = bench.provider();
    for service in bench.services() {
        let order = bench.order(service, ProviderBehaviour::Delivers).await;
        let prepared_at = |under: &str, started_at| {
            provider.prepare(Naming {
                derived: ProviderReference::from_echo(under),
                order: &order,
                started_at,
            })
        };
        let prepared = |under: &str| prepared_at(under, START);
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
        let later = START.plus(Duration::from_hours(40 * 24));
        match provider.own_references() {
            None => assert_eq!(reference, "shop.prepared.1"),
            Some(form) => {
                let undated = Some(form.undated(&ProviderReference::from_echo("shop.prepared.1")));
                assert_eq!(form.read(&first.reference), undated);
                let then = prepared_at("shop.prepared.1", later).reference;
                assert_eq!(form.read(&then), undated, "another day");
                let other = prepared("shop.prepared.2").reference;
                assert_ne!(form.read(&other), undated);
                for foreign in ["shop.prepared.1", "", "TXN 4711", "é"] {
                    assert_eq!(form.read(&ProviderReference::from_echo(foreign)), None);
                }
            }
        }
    }
}
