//! Allowlists: a key is refused from elsewhere on every instance, and a row that no gateway wrote
//! lets it in from nowhere.

use super::support::{PEPPER, World, merchant, seconds};
use application::access::Forbidden;
use application::allowlists::{AllowlistError, seal_allowlist};
use application::credentials::LapsedGrant;
use application::{ClientRequest, Gateway, Merchant};
use domain::access::{AccessKeyName, AccessTerms, IpNetwork, NewAccessKey, NewAllowlistEntry};
use domain::credential::KeyId;
use ports::allowlists::AllowlistChange;
use ports::audit::CheckOutcome;
use std::net::IpAddr;
use testkit::builders::allowlist;

const HERE: &str = "192.0.2.7";
const ELSEWHERE: &str = "198.51.100.9";

/// A key of the shop and its secret.
async fn key(gateway: &Gateway) -> (KeyId, String) {
    let wanted = NewAccessKey {
        name: AccessKeyName::parse("Till 1").unwrap(),
        terms: AccessTerms::UNLIMITED,
        user: None,
    };
    let shop = merchant("shop");
    let made = gateway.create_access_key(&shop, wanted, None).await;
    match made.unwrap() {
        application::access::AccessKeyCreated::Now { key, secret, .. } => (key.id, secret),
        application::access::AccessKeyCreated::Before(key) => panic!("made before: {key:?}"),
    }
}

async fn allow(
    gateway: &Gateway,
    owner: &Merchant,
    (key, network): (Option<KeyId>, &str),
) -> Result<(), AllowlistError> {
    let wanted = NewAllowlistEntry {
        key,
        network: IpNetwork::parse(network).unwrap(),
        note: None,
    };
    gateway.allow_network(owner, &wanted).await.map(drop)
}

async fn permits(gateway: &Gateway, secret: &str, from: &str) -> Result<(), Forbidden> {
    let opened = gateway.authenticate("shop", secret).await.unwrap();
    opened.grant.permit(from.parse().unwrap(), None)
}

#[tokio::test]
async fn a_key_is_refused_from_elsewhere_at_every_instance_within_a_second() {
    let world = World::new().await;
    let [here, there] = [world.gateway(), world.gateway()];
    let (id, secret) = key(&here).await;
    // The other instance remembers the account, and no message reaches it.
    assert_eq!(permits(&there, &secret, ELSEWHERE).await, Ok(()));
    let shop = merchant("shop");
    allow(&here, &shop, (Some(id), "192.0.2.0/24"))
        .await
        .unwrap();
    let refused = Err(Forbidden::Network);
    assert_eq!(permits(&here, &secret, ELSEWHERE).await, refused);
    assert_eq!(permits(&here, &secret, HERE).await, Ok(()));
    world.pass(seconds(1)).await;
    assert_eq!(permits(&there, &secret, ELSEWHERE).await, refused);
}

/// A role of the database that has no pepper widens no list.
#[tokio::test]
async fn a_list_that_no_gateway_wrote_lets_its_key_in_from_nowhere() {
    let world = World::new().await;
    let gateway = world.gateway();
    let (id, secret) = key(&gateway).await;
    let shop = merchant("shop");
    allow(&gateway, &shop, (Some(id), "192.0.2.0/24"))
        .await
        .unwrap();
    let check = gateway.audit_access().await.unwrap();
    let CheckOutcome::Holds { examined } = check.outcome else {
        panic!("{check:?}");
    };
    assert_eq!(examined, 2);
    let mut forged = allowlist("shop", id.0, 2);
    forged.list.entries.clear();
    let written = world
        .stores
        .allowlists
        .set_allowlist(&forged, &testkit::builders::noted_change("shop"))
        .await;
    assert_eq!(written.unwrap(), AllowlistChange::Done);
    world.pass(seconds(1)).await;
    for from in [HERE, ELSEWHERE] {
        let refused = permits(&gateway, &secret, from).await;
        assert_eq!(refused, Err(Forbidden::Network), "{from}");
    }
    let listed = gateway.allowlist(&shop).await;
    assert!(
        matches!(listed, Err(AllowlistError::Unreadable)),
        "{listed:?}"
    );
    let check = gateway.audit_access().await.unwrap();
    let CheckOutcome::Broken { offences } = &check.outcome else {
        panic!("{check:?}");
    };
    assert!(
        offences[0].contains("is not as a gateway wrote it"),
        "{offences:?}"
    );
    // Setting it again replaces what cannot be read.
    allow(&gateway, &shop, (Some(id), "192.0.2.0/24"))
        .await
        .unwrap();
    assert_eq!(permits(&gateway, &secret, HERE).await, Ok(()));
    assert_eq!(
        permits(&gateway, &secret, ELSEWHERE).await,
        Err(Forbidden::Network)
    );
}

#[tokio::test]
async fn a_version_that_is_missing_before_another_is_found() {
    let world = World::new().await;
    let gateway = world.gateway();
    for version in 1..=3 {
        let mut list = allowlist("shop", 7, version);
        list.seal = seal_allowlist(&PEPPER, &list.list);
        let written = world
            .stores
            .allowlists
            .set_allowlist(&list, &testkit::builders::noted_change("shop"))
            .await;
        assert_eq!(written.unwrap(), AllowlistChange::Done);
    }
    assert!(matches!(
        gateway.audit_access().await.unwrap().outcome,
        CheckOutcome::Holds { .. }
    ));
    world.exposed.store.forget_allowlist(2);
    let check = gateway.audit_access().await.unwrap();
    let CheckOutcome::Broken { offences } = &check.outcome else {
        panic!("{check:?}");
    };
    assert!(
        offences[0].contains("version 2 of the allowlist of key"),
        "{offences:?}"
    );
}

#[tokio::test]
async fn the_key_of_the_request_keeps_the_address_of_the_request() {
    let world = World::new().await;
    let gateway = world.gateway();
    let address: IpAddr = HERE.parse().unwrap();
    let shop = Merchant {
        request: Some(ClientRequest {
            address,
            id: "1".to_owned(),
        }),
        ..merchant("shop")
    };
    let refused = allow(&gateway, &shop, (None, "198.51.100.0/24")).await;
    assert!(
        matches!(refused, Err(AllowlistError::LocksOut(from)) if from == address),
        "{refused:?}"
    );
    allow(&gateway, &shop, (None, "192.0.2.0/24"))
        .await
        .unwrap();
    allow(&gateway, &shop, (None, "198.51.100.0/24"))
        .await
        .unwrap();
    let first = gateway.allowlist(&shop).await.unwrap()[0].entry.id;
    let refused = gateway.remove_allowed(&shop, first).await;
    assert!(
        matches!(refused, Err(AllowlistError::LocksOut(_))),
        "{refused:?}"
    );
}

/// Its body was on its way while the owner gave the key its networks.
#[tokio::test]
async fn a_request_that_was_let_in_before_widens_no_list() {
    let world = World::new().await;
    let gateway = world.gateway();
    let (id, secret) = key(&gateway).await;
    let thief = Merchant {
        request: Some(ClientRequest {
            address: ELSEWHERE.parse().unwrap(),
            id: "1".to_owned(),
        }),
        ..gateway.authenticate("shop", &secret).await.unwrap()
    };
    assert_eq!(gateway.lapsed_grant(&thief).await.unwrap(), None);
    let shop = merchant("shop");
    allow(&gateway, &shop, (Some(id), "192.0.2.0/24"))
        .await
        .unwrap();
    let lapsed = gateway.lapsed_grant(&thief).await.unwrap();
    let elsewhere = ELSEWHERE.parse().unwrap();
    assert_eq!(lapsed, Some(LapsedGrant::Network(elsewhere)));
    let widened = allow(&gateway, &thief, (Some(id), "198.51.100.0/24")).await;
    assert!(
        matches!(widened, Err(AllowlistError::Outside(from)) if from == elsewhere),
        "{widened:?}"
    );
    let entry = gateway.allowlist(&shop).await.unwrap()[0].entry.id;
    let removed = gateway.remove_allowed(&thief, entry).await;
    assert!(
        matches!(removed, Err(AllowlistError::Outside(_))),
        "{removed:?}"
    );
    assert_eq!(
        permits(&gateway, &secret, ELSEWHERE).await,
        Err(Forbidden::Network)
    );
}
