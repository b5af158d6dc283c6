//! Which credentials are accepted, and how soon a revoked key is refused.

use super::support::fault_injector::InjectedFault;
use super::support::{PEPPER, World};
use application::Gateway;
use application::credentials::{Denied, hash_key, key_hint, mint_key};
use domain::account::AccountStatus;
use domain::credential::{KeyId, KeyRecord};
use domain::environment::Environment;
use ports::CommitState;
use std::time::Duration;
use testkit::builders::{account, account_id};

/// Revocation takes effect within this.
const REVOKED_WITHIN: Duration = Duration::from_secs(1);

fn a_key(seed: u8) -> String {
    mint_key(Environment::Test, [seed; 32])
}

fn record(world: &World, key: &str) -> KeyRecord {
    let id = KeyId(world.now().as_millis());
    KeyRecord {
        id,
        hint: key_hint(key),
        hash: hash_key(&PEPPER, &account_id("kiosk"), id, key),
        created_at: world.now(),
    }
}

/// The account `kiosk` with one key.
async fn kiosk(world: &World) -> String {
    let key = a_key(1);
    let new = account("kiosk").with_key(record(world, &key)).new_account();
    world.stores.accounts.create(&new).await.unwrap();
    key
}

async fn lets_in(gateway: &Gateway, key: &str) -> bool {
    match gateway.authenticate("kiosk", key).await {
        Ok(merchant) => {
            assert_eq!(merchant.account.id, account_id("kiosk"));
            true
        }
        Err(Denied::UnknownOrWrong) => false,
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_right_key_opens_and_no_other() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    assert!(lets_in(&gateway, &key).await);
    assert!(!lets_in(&gateway, &a_key(2)).await);
    for malformed in ["", "mk_test_", &key[1..], &format!("{key}0"), "mk_live_é"] {
        assert!(!lets_in(&gateway, malformed).await, "{malformed}");
    }
    for identity in ["", "Kiosk", "nobody", "no:body", "é", &"k".repeat(99)] {
        let answer = gateway.authenticate(identity, &key).await;
        assert!(matches!(answer, Err(Denied::UnknownOrWrong)), "{identity}");
    }
}

/// An attacker with write access to the store copies the stored hash of their own key.
#[tokio::test]
async fn a_stored_key_that_is_copied_opens_neither_another_account_nor_a_second_time() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    let accounts = &world.stores.accounts;
    let (kiosk, victim) = (account_id("kiosk"), account_id("victim"));
    accounts
        .create(&account("victim").new_account())
        .await
        .unwrap();
    let stored = accounts.credentials(&kiosk).await.unwrap().unwrap().keys;
    assert!(accounts.add_key(&victim, &stored[0]).await.unwrap());
    let answer = gateway.authenticate("victim", &key).await;
    assert!(matches!(answer, Err(Denied::UnknownOrWrong)), "{answer:?}");
    assert!(lets_in(&gateway, &key).await);

    let now = world.now();
    assert_eq!(accounts.revoke_keys(&kiosk, None, now).await.unwrap(), 1);
    let again = KeyRecord {
        id: KeyId(stored[0].id.0 + 1),
        ..stored[0].clone()
    };
    assert!(accounts.add_key(&kiosk, &again).await.unwrap());
    world.pass(REVOKED_WITHIN).await;
    assert!(!lets_in(&gateway, &key).await);
}

#[tokio::test]
async fn a_key_that_is_malformed_costs_the_store_nothing() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    world.faults.inject_at(1, InjectedFault::RequestLost);
    assert!(!lets_in(&gateway, &key.replace("mk_test_", "mk_best_")).await);
    assert_eq!(world.faults.calls(), 0);
}

#[tokio::test]
async fn an_account_that_cannot_be_looked_up_is_answered_that_nothing_was_done() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    world.faults.inject_at(1, InjectedFault::ResponseLost);
    match gateway.authenticate("kiosk", &key).await {
        Err(Denied::Unavailable(error)) => assert_eq!(error.effect, CommitState::Nothing),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_busy_account_is_read_once_per_half_second() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    let before = world.faults.calls();
    for _ in 0..50 {
        assert!(lets_in(&gateway, &key).await);
        world.pass(Duration::from_millis(9)).await;
    }
    assert_eq!(world.faults.calls() - before, 1);
    world.pass(Duration::from_millis(50)).await;
    assert!(lets_in(&gateway, &key).await);
    assert_eq!(world.faults.calls() - before, 2);
}

#[tokio::test]
async fn that_an_account_is_unknown_is_remembered_like_a_known_one() {
    let world = World::new().await;
    let gateway = world.gateway();
    let before = world.faults.calls();
    for _ in 0..20 {
        assert!(!lets_in(&gateway, &a_key(1)).await);
    }
    assert_eq!(world.faults.calls() - before, 1);
    let key = kiosk(&world).await;
    world.pass(REVOKED_WITHIN).await;
    assert!(lets_in(&gateway, &key).await);
}

#[tokio::test]
async fn a_revoked_key_stops_working_within_a_second() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    assert!(lets_in(&gateway, &key).await);
    let id = account_id("kiosk");
    let now = world.now();
    let revoked = world.stores.accounts.revoke_keys(&id, None, now).await;
    assert_eq!(revoked.unwrap(), 1);
    world.pass(REVOKED_WITHIN).await;
    assert!(!lets_in(&gateway, &key).await);
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_lengthen_the_life_of_a_revoked_key() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    assert!(lets_in(&gateway, &key).await);
    world.wall.set_back(Duration::from_hours(1));
    let id = account_id("kiosk");
    let now = world.now();
    world
        .stores
        .accounts
        .revoke_keys(&id, None, now)
        .await
        .unwrap();
    world.pass(REVOKED_WITHIN).await;
    assert!(!lets_in(&gateway, &key).await);
}

#[tokio::test]
async fn a_rotation_lets_both_keys_in_until_the_old_one_is_pushed_out() {
    let world = World::new().await;
    let first = kiosk(&world).await;
    let gateway = world.gateway();
    let id = account_id("kiosk");
    let (second, third) = (a_key(2), a_key(3));
    world.pass(REVOKED_WITHIN).await;
    let key = record(&world, &second);
    assert!(world.stores.accounts.add_key(&id, &key).await.unwrap());
    world.pass(REVOKED_WITHIN).await;
    assert!(lets_in(&gateway, &first).await && lets_in(&gateway, &second).await);
    let key = record(&world, &third);
    assert!(world.stores.accounts.add_key(&id, &key).await.unwrap());
    world.pass(REVOKED_WITHIN).await;
    assert!(!lets_in(&gateway, &first).await);
    assert!(lets_in(&gateway, &second).await && lets_in(&gateway, &third).await);
}

#[tokio::test]
async fn that_an_account_is_suspended_is_revealed_to_the_holder_of_its_key_alone() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    let id = account_id("kiosk");
    let suspended = AccountStatus::Suspended;
    assert!(
        world
            .stores
            .accounts
            .set_status(&id, suspended)
            .await
            .unwrap()
    );
    let answer = gateway.authenticate("kiosk", &key).await;
    assert!(matches!(answer, Err(Denied::Suspended)), "{answer:?}");
    assert!(!lets_in(&gateway, &a_key(2)).await);
    let active = AccountStatus::Active;
    assert!(world.stores.accounts.set_status(&id, active).await.unwrap());
    world.pass(REVOKED_WITHIN).await;
    assert!(lets_in(&gateway, &key).await);
}

#[tokio::test]
async fn a_suspension_between_the_door_and_the_till_stops_the_payment() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = account_id("shop");
    let suspended = AccountStatus::Suspended;
    assert!(
        world
            .stores
            .accounts
            .set_status(&shop, suspended)
            .await
            .unwrap()
    );
    let answer = super::support::request::buy(&gateway, "order-1").await;
    assert!(
        matches!(answer, Err(application::RequestError::Suspended)),
        "{answer:?}"
    );
    assert_eq!(world.stores.read("shop", "order-1").await, None);
}

#[tokio::test]
async fn a_store_that_fails_admits_no_request_and_is_not_remembered() {
    let world = World::new().await;
    let key = kiosk(&world).await;
    let gateway = world.gateway();
    world.faults.inject_at(1, InjectedFault::RequestLost);
    let answer = gateway.authenticate("kiosk", &key).await;
    assert!(matches!(answer, Err(Denied::Unavailable(_))), "{answer:?}");
    assert!(lets_in(&gateway, &key).await);
}
