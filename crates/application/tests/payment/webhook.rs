//! Endpoints of merchants: whose they are, what their secrets are, what can be asked for again.

use crate::support::{PEPPER, World, merchant, seconds};
use application::webhook::{DerivedSecrets, EndpointCreated, EndpointError, EndpointWithSecret};
use application::{Merchant, ReplayMark, RequestError};
use domain::idempotency::IdempotencyKey;
use domain::webhook::{
    DeliveryId, DisabledBecause, Endpoint, EndpointId, EndpointState, Registration, SecretVersion,
    Topic, Topics, WebhookEventId,
};
use ports::webhooks::Outbox;
use ports::webhooks::{ReplayOf, Secrets};
use std::sync::Arc;
use testkit::builders::delivery_query;
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
    let created = gateway.create_endpoint(merchant, wanted, None).await;
    match created.unwrap() {
        EndpointCreated::Now(made) => made,
        EndpointCreated::Before(earlier) => panic!("{earlier:?} was created before"),
    }
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
        .create_endpoint(&shop, wanted("https://shop.example/"), None)
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
    let of = |generation| secrets.secret(&shop.account.id, id, generation).unwrap();
    assert_eq!(first.secret, of(SecretVersion::FIRST));
    world.pass(seconds(5)).await;
    let second = gateway.rotate_secret(&shop, id).await.unwrap();
    assert_eq!(second.secret, of(SecretVersion::FIRST.next(1)));
    assert_ne!(second.secret, first.secret);
    let signing: Vec<_> = second.endpoint.generations(world.now()).collect();
    assert_eq!(
        signing,
        [SecretVersion::FIRST.next(1), SecretVersion::FIRST]
    );
}

#[tokio::test]
async fn an_address_without_an_answer_is_not_waited_for_longer_than_any_lookup() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let asked = gateway.create_endpoint(&shop, wanted("https://slow.example/"), None);
    let (asked, ()) = tokio::join!(asked, world.pass(seconds(11)));
    assert!(
        matches!(
            asked,
            Err(RequestError::Endpoint(EndpointError::TargetNotLookedUp))
        ),
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
        gateway.send_test_event(&other, id, None).await.err(),
    ];
    for refused in refused {
        assert!(
            matches!(
                refused,
                Some(RequestError::Endpoint(EndpointError::Unknown))
            ),
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
    let event = WebhookEventId::parse("evt_1_2").unwrap();
    let one = |endpoint| {
        let event = event.clone();
        ReplayOf::One(DeliveryId { endpoint, event })
    };
    let unknown = gateway.deliver_again(&shop, one(endpoint)).await;
    assert!(
        matches!(
            unknown,
            Err(RequestError::Endpoint(EndpointError::DeliveryUnknown))
        ),
        "{unknown:?}"
    );
    let nowhere = EndpointId::new(1).unwrap();
    let unknown = gateway.deliver_again(&shop, one(nowhere)).await;
    assert!(
        matches!(unknown, Err(RequestError::Endpoint(EndpointError::Unknown))),
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
    let tried = gateway.send_test_event(&shop, id, None).await;
    assert!(
        matches!(tried, Err(RequestError::Endpoint(EndpointError::Disabled))),
        "{tried:?}"
    );
    gateway.enable_endpoint(&shop, id).await.unwrap();
    assert!(gateway.send_test_event(&shop, id, None).await.is_ok());
}

fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::parse(text).unwrap()
}

async fn created(
    gateway: &application::Gateway,
    shop: &Merchant,
    (wanted, retry_key): (Registration, &str),
) -> Result<EndpointCreated, RequestError> {
    let retry_key = key(retry_key);
    gateway
        .create_endpoint(shop, wanted, Some(&retry_key))
        .await
}

fn before(created: Result<EndpointCreated, RequestError>) -> Endpoint {
    match created.unwrap() {
        EndpointCreated::Before(endpoint) => endpoint,
        EndpointCreated::Now(made) => panic!("{made:?} was created by a retry"),
    }
}

#[tokio::test]
async fn a_key_creates_one_endpoint_and_its_retries_find_it() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let url = || wanted("https://shop.example/events");
    let first = created(&gateway, &shop, (url(), "till 1")).await.unwrap();
    let EndpointCreated::Now(first) = first else {
        panic!("{first:?} was there before")
    };
    assert_eq!(
        before(created(&gateway, &shop, (url(), "till 1")).await),
        first.endpoint
    );
    // As it is now, and not as it was.
    gateway
        .rotate_secret(&shop, first.endpoint.id)
        .await
        .unwrap();
    let disabled = gateway.disable_endpoint(&shop, first.endpoint.id).await;
    let disabled = disabled.unwrap();
    assert_eq!(
        before(created(&gateway, &shop, (url(), "till 1")).await),
        disabled
    );
    assert_eq!(gateway.endpoints(&shop).await.unwrap(), [disabled]);
    for (account, retry_key) in [("shop", "till 2"), ("other", "till 1")] {
        let made = created(&gateway, &merchant(account), (url(), retry_key)).await;
        assert!(matches!(made, Ok(EndpointCreated::Now(_))), "{made:?}");
    }
}

#[tokio::test]
async fn a_key_of_another_endpoint_or_of_one_that_is_gone_creates_nothing() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let first = || wanted("https://shop.example/events");
    created(&gateway, &shop, (first(), "till 1")).await.unwrap();
    let others = [
        wanted("https://shop.example/other"),
        Registration {
            topics: Topics::Only([Topic::Ping].into()),
            ..first()
        },
        Registration {
            description: "Till 2".to_owned(),
            ..first()
        },
        Registration {
            with_tokens: true,
            ..first()
        },
        // Would break a rule if it were looked at as a new one.
        wanted("http://shop.example/events"),
    ];
    for other in others {
        let reused = created(&gateway, &shop, (other, "till 1")).await;
        assert!(matches!(reused, Err(RequestError::KeyReused)), "{reused:?}");
    }
    let endpoints = gateway.endpoints(&shop).await.unwrap();
    let [endpoint] = endpoints.as_slice() else {
        panic!("{endpoints:?}")
    };
    gateway.delete_endpoint(&shop, endpoint.id).await.unwrap();
    let gone = created(&gateway, &shop, (first(), "till 1")).await;
    assert!(matches!(gone, Err(RequestError::KeyReused)), "{gone:?}");
    assert_eq!(gateway.endpoints(&shop).await.unwrap(), []);
}

#[tokio::test]
async fn requests_with_one_key_at_once_create_one_endpoint() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let ask = || created(&gateway, &shop, (wanted("https://shop.example/"), "till 1"));
    let all = tokio::join!(ask(), ask(), ask());
    let all = [all.0, all.1, all.2].map(Result::unwrap);
    let now = all
        .iter()
        .filter(|it| matches!(it, EndpointCreated::Now(_)));
    assert_eq!(now.count(), 1, "{all:?}");
    assert_eq!(gateway.endpoints(&shop).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_key_records_one_test_event_for_one_endpoint() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let endpoint = made(&gateway, &shop).await.endpoint.id;
    let other = made(&gateway, &shop).await.endpoint.id;
    let tried = async |id, text| {
        let retry_key = key(text);
        gateway.send_test_event(&shop, id, Some(&retry_key)).await
    };
    let first = tried(endpoint, "a").await.unwrap();
    assert_eq!(first.replay, ReplayMark::New);
    // What was recorded is answered although nothing more is recorded for the endpoint.
    gateway.disable_endpoint(&shop, endpoint).await.unwrap();
    let again = tried(endpoint, "a").await.unwrap();
    assert_eq!((&again.id, again.replay), (&first.id, ReplayMark::Replayed));
    let elsewhere = tried(other, "a").await;
    assert!(
        matches!(elsewhere, Err(RequestError::KeyReused)),
        "{elsewhere:?}"
    );
    assert_ne!(tried(other, "b").await.unwrap().id, first.id);
    let page = world
        .exposed
        .store
        .deliveries(&shop.account.id, &delivery_query())
        .await;
    assert_eq!(page.unwrap().total, 2);
}
