//! Laws of what providers call messages. An identity must lead to its attempt until it is
//! forgotten, and never to that of another provider.

use super::setup::Stores;
use crate::builders::{at, provider_id};
use domain::provider::ProviderTransactionId;
use domain::reference::ProviderReference;
use ports::receipts::{Acceptance, AcceptedMessage, AcceptedPart, KnownPart, MessageExtent};

fn id(text: &str) -> ProviderTransactionId {
    ProviderTransactionId::parse(text).expect("an identity")
}

fn reference(text: &str) -> ProviderReference {
    ProviderReference::from_echo(text.to_owned())
}

fn message(of: &str, acceptance: Acceptance, ids: &[&str]) -> AcceptedMessage {
    let parts = (0..).zip(ids).map(|(part, text)| AcceptedPart {
        id: id(text),
        extent: MessageExtent::Part(part),
    });
    AcceptedMessage {
        reference: reference(of),
        parts: 3,
        acceptance,
        accepted: parts.collect(),
    }
}

async fn remember(stores: &Stores, provider: &str, message: &AcceptedMessage, second: u64) {
    let provider = provider_id(provider);
    let ids = &stores.message_ids;
    let remembered = ids.remember(&provider, message, at(second)).await;
    remembered.expect("remember a message");
}

async fn known_part(stores: &Stores, provider: &str, text: &str) -> Option<KnownPart> {
    let (provider, id) = (provider_id(provider), id(text));
    let found = stores.message_ids.known_part(&provider, &id).await;
    found.expect("look a message up")
}

async fn known(stores: &Stores, provider: &str, text: &str) -> Option<(String, MessageExtent)> {
    let found = known_part(stores, provider, text).await;
    found.map(|part| (part.reference.as_str().to_owned(), part.extent))
}

/// Each part by its own identity; an identity that is unknown is none.
pub async fn a_message_is_found_by_what_its_provider_calls_each_part(stores: &Stores) {
    let whole = message("shop.order.1", Acceptance::Whole, &["a", "b", "c"]);
    remember(stores, "smsc", &whole, 1).await;
    assert_eq!(
        known(stores, "smsc", "b").await,
        Some(("shop.order.1".to_owned(), MessageExtent::Part(1)))
    );
    assert_eq!(known(stores, "other", "b").await, None);
    assert_eq!(known(stores, "smsc", "d").await, None);
    let one = AcceptedMessage {
        accepted: vec![AcceptedPart {
            id: id("d"),
            extent: MessageExtent::All,
        }],
        ..message("shop.order-2.1", Acceptance::Whole, &[])
    };
    remember(stores, "smsc", &one, 1).await;
    let expected = KnownPart {
        reference: reference("shop.order-2.1"),
        extent: MessageExtent::All,
        parts: 3,
        acceptance: Acceptance::Whole,
    };
    assert_eq!(known_part(stores, "smsc", "d").await, Some(expected));
}

/// Providers count from the beginning again now and then.
pub async fn an_identity_means_the_message_that_got_it_last(stores: &Stores) {
    let first = message("shop.order.1", Acceptance::Whole, &["a", "b", "c"]);
    remember(stores, "smsc", &first, 1).await;
    // The second is named twice as well, by a provider that counts wrongly.
    let second = message("shop.order-2.1", Acceptance::Whole, &["x", "a", "a"]);
    remember(stores, "smsc", &second, 2).await;
    remember(stores, "smsc", &second, 2).await;
    assert_eq!(
        known(stores, "smsc", "a").await,
        Some(("shop.order-2.1".to_owned(), MessageExtent::Part(2)))
    );
    assert_eq!(
        known(stores, "smsc", "b").await,
        Some(("shop.order.1".to_owned(), MessageExtent::Part(1)))
    );
}

/// A message of which a part was refused or not answered is none that was accepted.
pub async fn only_a_message_that_was_accepted_whole_is_called_so(stores: &Stores) {
    let whole = message("shop.order.1", Acceptance::Whole, &["a", "b", "c"]);
    remember(stores, "smsc", &whole, 1).await;
    let partial = message("shop.order-2.1", Acceptance::Partial, &["d", "e"]);
    remember(stores, "smsc", &partial, 1).await;
    let parts = async |provider: &str, of: &str| {
        let asked = (provider_id(provider), reference(of));
        let found = stores.message_ids.accepted_whole(&asked.0, &asked.1);
        found.await.expect("look a message up")
    };
    assert_eq!(parts("smsc", "shop.order.1").await, Some(3));
    assert_eq!(parts("smsc", "shop.order-2.1").await, None);
    assert_eq!(parts("smsc", "shop.order-3.1").await, None);
    assert_eq!(parts("other", "shop.order.1").await, None);
}

/// The oldest first, a few at a time.
pub async fn identities_are_forgotten_after_a_time(stores: &Stores) {
    let first = message("shop.order.1", Acceptance::Whole, &["a", "b"]);
    remember(stores, "smsc", &first, 1).await;
    let second = message("shop.order-2.1", Acceptance::Whole, &["c"]);
    remember(stores, "smsc", &second, 2).await;
    let forget = async |second: u64, most: u32| {
        let forgotten = stores.message_ids.forget(at(second), most).await;
        forgotten.expect("forget messages")
    };
    assert_eq!(forget(1, 10).await, 0);
    assert_eq!(forget(2, 1).await, 1);
    assert_eq!(forget(2, 10).await, 1);
    assert_eq!(known(stores, "smsc", "a").await, None);
    assert_eq!(known(stores, "smsc", "b").await, None);
    assert!(known(stores, "smsc", "c").await.is_some());
}
