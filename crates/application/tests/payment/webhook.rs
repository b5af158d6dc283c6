//! Endpoints of merchants: whose they are, what their secrets are, what can be asked for again.

use crate::support::{PEPPER, World, merchant, seconds};
use application::webhook::{DerivedSecrets, EndpointWithSecret};
use application::{Merchant, RequestError};
use domain::webhook::{
    DeliveryId, DisabledBecause, EndpointId, EndpointState, Registration, SecretVersion, Topics,
    WebhookEventId,
};
use ports::webhooks::{ReplayOf, Secrets};
use std::sync::Arc;
use testkit::ids::ListedIds;

fn wanted(url: &str) -> Registration {
    Registration {
        url: url.to_owned(),
        topics: Topics::All,
        description: String::new(),
        with_tokens: false,
    }
}

async fn made(gateway: &application::Gateway, merchant: &Merchant) -> EndpointWithSecret {
    let wanted = wanted("https://shop.example/events");
    gateway.create_endpoint(merchant, wanted).await.unwrap()
}

#[tokio::test]
async fn a_number_in_use_is_drawn_again() {
    let world = World::new().await;
    let ids = Arc::new(ListedIds::new([7, 7, 7, 9]));
    let gateway = world.gateway_with(|parts| parts.ids = ids);
    let shop = merchant("shop");
    let numbers = [made(&gateway, &shop).await, made(&gateway, &shop).await];
    let numbers = numbers.map(|made| made.endpoint.id.get());
    assert_eq!(numbers, [7, 9]);
    // From here on only 9 is drawn.
    let again = gateway
        .create_endpoint(&shop, wanted("https://shop.example/"))
        .await;
    assert!(matches!(again, Err(RequestError::Store(_))), "{again:?}");
    // Numbers are an account's own.
    assert_eq!(
        made(&gateway, &merchant("other")).await.endpoint.id.get(),
        9
    );
}

#[tokio::test]
async fn the_secret_that_is_shown_is_the_one_deliveries_are_signed_with() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let secrets = DerivedSecrets::new(PEPPER);
    let first = made(&gateway, &shop).await;
    let id = first.endpoint.id;
    let of = |generation| secrets.secret(&shop.account.id, id, generation);
    assert_eq!(first.secret, of(SecretVersion::FIRST));
    world.pass(seconds(5)).await;
    let second = gateway.rotate_secret(&shop, id).await.unwrap();
    assert_eq!(second.secret, of(SecretVersion::FIRST.next()));
    assert_ne!(second.secret, first.secret);
    let signing: Vec<_> = second.endpoint.generations(world.now()).collect();
    assert_eq!(signing, [SecretVersion::FIRST.next(), SecretVersion::FIRST]);
}

#[tokio::test]
async fn an_address_without_an_answer_is_not_waited_for_longer_than_any_lookup() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let asked = gateway.create_endpoint(&shop, wanted("https://slow.example/"));
    let (asked, ()) = tokio::join!(asked, world.pass(seconds(11)));
    assert!(
        matches!(asked, Err(RequestError::TargetNotLookedUp)),
        "{asked:?}"
    );
    assert_eq!(gateway.endpoints(&shop).await.unwrap(), []);
}

#[tokio::test]
async fn an_endpoint_belongs_to_its_own_account_and_no_other() {
    let world = World::new().await;
    let (gateway, shop, other) = (world.gateway(), merchant("shop"), merchant("other"));
    let endpoint = made(&gateway, &shop).await.endpoint;
    let id = endpoint.id;
    let refused = [
        gateway.endpoint(&other, id).await.err(),
        gateway.rotate_secret(&other, id).await.err(),
        gateway.disable_endpoint(&other, id).await.err(),
        gateway.enable_endpoint(&other, id).await.err(),
        gateway.delete_endpoint(&other, id).await.err(),
        gateway.send_test_event(&other, id).await.err(),
    ];
    for refused in refused {
        assert!(
            matches!(refused, Some(RequestError::EndpointUnknown)),
            "{refused:?}"
        );
    }
    assert_eq!(gateway.endpoint(&shop, id).await.unwrap(), endpoint);
}

#[tokio::test]
async fn what_cannot_be_delivered_again_is_refused_by_what_is_missing() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let endpoint = made(&gateway, &shop).await.endpoint.id;
    let notice = WebhookEventId::parse("evt_1_2").unwrap();
    let one = |endpoint| {
        let notice = notice.clone();
        ReplayOf::One(DeliveryId { endpoint, notice })
    };
    let unknown = gateway.deliver_again(&shop, one(endpoint)).await;
    assert!(
        matches!(unknown, Err(RequestError::DeliveryUnknown)),
        "{unknown:?}"
    );
    let nowhere = EndpointId::new(1).unwrap();
    let unknown = gateway.deliver_again(&shop, one(nowhere)).await;
    assert!(
        matches!(unknown, Err(RequestError::EndpointUnknown)),
        "{unknown:?}"
    );
}

#[tokio::test]
async fn a_disabled_endpoint_says_since_when_and_is_not_tried() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let id = made(&gateway, &shop).await.endpoint.id;
    world.pass(seconds(5)).await;
    let disabled = gateway.disable_endpoint(&shop, id).await.unwrap();
    let asked = EndpointState::Disabled {
        because: DisabledBecause::ByMerchant,
        at: world.now(),
    };
    assert_eq!(disabled.health.state, asked);
    let tried = gateway.send_test_event(&shop, id).await;
    assert!(
        matches!(tried, Err(RequestError::EndpointDisabled)),
        "{tried:?}"
    );
    gateway.enable_endpoint(&shop, id).await.unwrap();
    assert!(gateway.send_test_event(&shop, id).await.is_ok());
}
