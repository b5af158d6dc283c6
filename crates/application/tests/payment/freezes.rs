//! Freezes: what is queued stays there, a frozen key opens nothing on any instance, and a row that
//! no gateway wrote lets nothing go on.

use super::bulk::{ask, bulk};
use super::support::request::buy;
use super::support::{PEPPER, World, merchant, minutes, seconds};
use application::access::{AccessKeyCreated, AccessKeyError, KeyRefusal};
use application::credentials::{Denied, LapsedGrant};
use application::freezes::{FreezeError, FreezeOutcome, seal_freeze};
use application::{Gateway, QueueWorker, ReplayMark, RequestError};
use domain::access::{AccessKeyName, AccessTerms, NewAccessKey};
use domain::credential::KeyId;
use domain::family::Service;
use domain::freeze::{
    FreezeAuthority, FreezeBreach, FreezeMaker, FreezeOrder, FreezeReason, FreezeState,
    FreezeTarget,
};
use domain::transaction::Status;
use ports::audit::CheckOutcome;
use ports::freezes::FreezeChange;
use testkit::builders::{account_id, account_user_id, freeze, operator_freeze};

const BANK: FreezeTarget = FreezeTarget::Service(Service::Bank);

async fn set(gateway: &Gateway, target: FreezeTarget, state: FreezeState) -> FreezeOutcome {
    let order = FreezeOrder {
        target,
        reason: FreezeReason::parse("The laptop was stolen.").unwrap(),
    };
    let set = gateway.set_freeze(&merchant("shop"), &order, state).await;
    set.unwrap().0
}

/// A key of the shop and its secret.
async fn key(gateway: &Gateway) -> (KeyId, String) {
    let wanted = NewAccessKey {
        name: AccessKeyName::parse("Till 1").unwrap(),
        terms: AccessTerms::UNLIMITED,
        user: None,
    };
    let shop = merchant("shop");
    let made = gateway.create_access_key(&shop, wanted, None);
    match made.await.unwrap() {
        AccessKeyCreated::Now { key, secret, .. } => (key.id, secret),
        AccessKeyCreated::Before(key) => panic!("made before: {key:?}"),
    }
}

/// Each would cost a commit and an entry of the journal again and again.
#[tokio::test]
async fn what_is_queued_of_a_frozen_service_is_kept_until_it_goes_on() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, bulk(40)).await.unwrap();
    set(&gateway, BANK, FreezeState::Frozen).await;
    let worker = QueueWorker::new(&gateway);
    let before = world.ledger.commits().len();
    assert_eq!(worker.sweep().await.unwrap(), 32);
    assert_eq!(worker.sweep().await.unwrap(), 0);
    assert_eq!(world.ledger.commits().len(), before + 32);
    assert_eq!(world.stored("item-40").await.status(), Status::Pending);
    world.pass(minutes(2)).await;
    set(&gateway, BANK, FreezeState::Active).await;
    while worker.sweep().await.unwrap() > 0 {}
    assert_eq!(world.stored("item-40").await.status(), Status::Successful);
    world.is_right().await;
}

/// What was let in before the freeze is refused by the commit.
#[tokio::test]
async fn a_payment_that_was_let_in_before_a_freeze_is_not_opened() {
    let world = World::new().await;
    let gateway = world.gateway();
    set(&gateway, FreezeTarget::Account, FreezeState::Frozen).await;
    let refused = buy(&gateway, "order-1").await;
    let Err(RequestError::Frozen(breach)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(breach, FreezeBreach::Account(FreezeAuthority::Merchant));
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    set(&gateway, FreezeTarget::Account, FreezeState::Active).await;
    assert!(buy(&gateway, "order-1").await.is_ok());
    world.is_right().await;
}

#[tokio::test]
async fn a_frozen_key_is_refused_at_every_instance_within_a_second() {
    let world = World::new().await;
    let [here, there] = [world.gateway(), world.gateway()];
    let (id, secret) = key(&here).await;
    let opens = async |gateway: &Gateway| gateway.authenticate("shop", &secret).await;
    // The other instance remembers the account, and no message reaches it.
    assert!(opens(&there).await.is_ok());
    set(&here, FreezeTarget::Key(id), FreezeState::Frozen).await;
    assert!(matches!(opens(&here).await, Err(Denied::KeyFrozen)));
    world.pass(seconds(1)).await;
    assert!(matches!(opens(&there).await, Err(Denied::KeyFrozen)));
    set(&there, FreezeTarget::Key(id), FreezeState::Active).await;
    assert!(opens(&there).await.is_ok());
}

/// A role of the database that has no pepper lifts no freeze, and one that takes it out of the
/// wallet is found.
#[tokio::test]
async fn a_freeze_that_no_gateway_set_lets_nothing_be_paid() {
    let world = World::new().await;
    let gateway = world.gateway();
    let (_, secret) = key(&gateway).await;
    set(&gateway, BANK, FreezeState::Frozen).await;
    let check = gateway.audit_access().await.unwrap();
    assert!(
        matches!(check.outcome, CheckOutcome::Holds { .. }),
        "{check:?}"
    );
    let forged = freeze("shop", BANK, 2);
    let written = world
        .stores
        .freezes
        .set_freeze(&forged, &testkit::builders::noted_change("shop"))
        .await;
    assert_eq!(written.unwrap(), FreezeChange::Done);
    world.pass(seconds(1)).await;
    let shop = gateway.authenticate("shop", &secret).await.unwrap();
    for service in [Service::Bank, Service::Airtime] {
        let breach = FreezeBreach::Unreadable;
        assert_eq!(shop.freezes.allow(service), Err(breach));
    }
    assert!(matches!(
        gateway.freezes(&shop).await,
        Err(RequestError::Frozen(FreezeBreach::Unreadable))
    ));
    let check = gateway.audit_access().await.unwrap();
    let CheckOutcome::Broken { offences } = &check.outcome else {
        panic!("{check:?}");
    };
    assert!(
        offences[0].contains("is not as a gateway wrote it"),
        "{offences:?}"
    );
    assert!(
        offences[1].contains("a wallet of shop is frozen for"),
        "{offences:?}"
    );
    // Setting it again replaces what cannot be read.
    let mended = set(&gateway, BANK, FreezeState::Active).await;
    assert_eq!(mended.latest.map(|latest| latest.version), Some(3));
    assert_eq!(gateway.freezes(&shop).await.unwrap(), []);
    assert!(buy(&gateway, "order-1").await.is_ok());
}

#[tokio::test]
async fn what_is_frozen_already_stays_as_it_was_set() {
    let world = World::new().await;
    let gateway = world.gateway();
    let first = set(&gateway, BANK, FreezeState::Frozen).await;
    world.pass(minutes(1)).await;
    let order = FreezeOrder {
        target: BANK,
        reason: FreezeReason::parse("Another reason.").unwrap(),
    };
    let shop = merchant("shop");
    let again = gateway.set_freeze(&shop, &order, FreezeState::Frozen).await;
    assert_eq!(again.unwrap(), (first.clone(), ReplayMark::Replayed));
    assert_eq!(
        gateway.freezes(&shop).await.unwrap(),
        [first.latest.unwrap()]
    );
    let mut other = freeze("other", BANK, 1);
    other.seal = seal_freeze(&PEPPER, &other.freeze);
    let unknown = world
        .stores
        .freezes
        .set_freeze(&other, &testkit::builders::noted_change("shop"))
        .await;
    assert_eq!(unknown.unwrap(), FreezeChange::Done);
    assert_eq!(gateway.freezes(&shop).await.unwrap().len(), 1);
}

fn order_of(target: FreezeTarget) -> FreezeOrder {
    FreezeOrder {
        target,
        reason: FreezeReason::parse("The laptop was stolen.").unwrap(),
    }
}

/// A request that was let in before the freeze, and whose body came after it.
#[tokio::test]
async fn a_key_that_was_frozen_meanwhile_lifts_nothing() {
    let world = World::new().await;
    let gateway = world.gateway();
    let (id, secret) = key(&gateway).await;
    let thief = gateway.authenticate("shop", &secret).await.unwrap();
    assert_eq!(gateway.lapsed_grant(&thief).await.unwrap(), None);
    set(&gateway, FreezeTarget::Key(id), FreezeState::Frozen).await;
    let lapsed = gateway.lapsed_grant(&thief).await.unwrap();
    assert_eq!(lapsed, Some(LapsedGrant::Frozen));
    let order = order_of(FreezeTarget::Key(id));
    let lifted = gateway.set_freeze(&thief, &order, FreezeState::Active);
    let refused = lifted.await;
    assert!(
        matches!(refused, Err(FreezeError::KeyFrozen)),
        "{refused:?}"
    );
}

/// A role of the database that has no pepper does not let a frozen key in.
#[tokio::test]
async fn a_key_whose_freeze_was_altered_stays_frozen() {
    let world = World::new().await;
    let gateway = world.gateway();
    let (id, secret) = key(&gateway).await;
    set(&gateway, FreezeTarget::Key(id), FreezeState::Frozen).await;
    let forged = freeze("shop", FreezeTarget::Key(id), 2);
    let written = world
        .stores
        .freezes
        .set_freeze(&forged, &testkit::builders::noted_change("shop"))
        .await;
    assert_eq!(written.unwrap(), FreezeChange::Done);
    world.pass(seconds(1)).await;
    let refused = gateway.authenticate("shop", &secret).await;
    assert!(matches!(refused, Err(Denied::KeyFrozen)), "{refused:?}");
}

/// On another instance the account may be remembered as it was before the freeze.
#[tokio::test]
async fn a_payment_repeated_after_a_freeze_is_answered_as_it_was() {
    let world = World::new().await;
    let gateway = world.gateway();
    let first = buy(&gateway, "order-1").await.unwrap();
    set(&gateway, FreezeTarget::Account, FreezeState::Frozen).await;
    let again = buy(&gateway, "order-1").await;
    let Err(RequestError::ReferenceTaken { reference, .. }) = again else {
        panic!("{again:?}");
    };
    assert_eq!(reference, first.transaction.reference);
    world.is_right().await;
}

#[tokio::test]
async fn a_user_rotates_no_key_of_another_and_no_key_is_replaced_by_a_lost_one() {
    let world = World::new().await;
    let gateway = world.gateway();
    let (id, secret) = key(&gateway).await;
    let mut user = gateway.authenticate("shop", &secret).await.unwrap();
    let own = gateway
        .rotate_access_key(&user, (id, seconds(0)), None)
        .await;
    assert!(matches!(own, Err(AccessKeyError::NoOverlap)), "{own:?}");
    user.grant.user = Some(account_user_id(1));
    let taken = gateway
        .rotate_access_key(&user, (id, minutes(60)), None)
        .await;
    let Err(AccessKeyError::Refused(refused)) = taken else {
        panic!("{taken:?}");
    };
    assert_eq!(refused, [KeyRefusal::OtherUser]);
}

/// Freezes something by an operator, or lets it go on.
async fn set_by_operator(gateway: &Gateway, target: FreezeTarget, state: FreezeState) {
    let order = FreezeOrder {
        target,
        reason: FreezeReason::parse("Chargebacks, case 12.").unwrap(),
    };
    let shop = account_id("shop");
    let set = gateway.set_freeze_by_operator(&shop, &order, state).await;
    assert_eq!(set.unwrap().0.state, state);
    let kept = gateway.operator_freeze(&shop, target).await;
    assert_eq!(kept.unwrap(), Some(state));
}

#[tokio::test]
async fn a_merchant_sees_what_an_operator_froze_and_does_not_lift_it() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    for target in [FreezeTarget::Account, BANK] {
        set_by_operator(&gateway, target, FreezeState::Frozen).await;
        let seen = gateway.freezes(&shop).await.unwrap();
        assert_eq!(seen.len(), 1, "{seen:?}");
        assert_eq!(seen[0].made_by, FreezeMaker::Operator);
        let order = order_of(target);
        let refused = gateway.set_freeze(&shop, &order, FreezeState::Active).await;
        let is_refused = matches!(refused, Err(FreezeError::ByOperator));
        assert!(is_refused, "{refused:?}");
        // Its own freeze is set beside it, and stays after it.
        set(&gateway, target, FreezeState::Frozen).await;
        assert_eq!(gateway.freezes(&shop).await.unwrap().len(), 2);
        set_by_operator(&gateway, target, FreezeState::Active).await;
        let left = gateway.freezes(&shop).await.unwrap();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(left[0].made_by.key().is_some(), "{left:?}");
        set(&gateway, target, FreezeState::Active).await;
    }
    assert!(buy(&gateway, "order-1").await.is_ok());
    let check = gateway.audit_access().await.unwrap();
    let is_clean = matches!(check.outcome, CheckOutcome::Holds { .. });
    assert!(is_clean, "{check:?}");
    world.is_right().await;
}

#[tokio::test]
async fn what_an_operator_froze_buys_nothing_and_its_key_opens_nothing() {
    let world = World::new().await;
    let gateway = world.gateway();
    let (id, secret) = key(&gateway).await;
    set_by_operator(&gateway, FreezeTarget::Account, FreezeState::Frozen).await;
    let refused = buy(&gateway, "order-1").await;
    let by_operator = FreezeBreach::Account(FreezeAuthority::Operator);
    let Err(RequestError::Frozen(breach)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(breach, by_operator);
    let shop = gateway.authenticate("shop", &secret).await.unwrap();
    assert_eq!(shop.freezes.allow(Service::Airtime), Err(by_operator));
    set_by_operator(&gateway, FreezeTarget::Key(id), FreezeState::Frozen).await;
    let refused = gateway.authenticate("shop", &secret).await;
    assert!(matches!(refused, Err(Denied::KeyFrozen)), "{refused:?}");
    let (shop, order) = (merchant("shop"), order_of(FreezeTarget::Key(id)));
    let refused = gateway.set_freeze(&shop, &order, FreezeState::Active).await;
    let is_refused = matches!(refused, Err(FreezeError::ByOperator));
    assert!(is_refused, "{refused:?}");
    let unknown = FreezeTarget::Key(KeyId(i64::MIN));
    let refused = gateway.operator_freeze(&account_id("shop"), unknown).await;
    let is_refused = matches!(refused, Err(FreezeError::KeyUnknown));
    assert!(is_refused, "{refused:?}");
}

/// A role of the database that clears what is kept with wallets lets nothing go on for good: the
/// operator freezes again. What it adds unsealed is lifted by no unsigned command.
#[tokio::test]
async fn an_operator_freezes_again_what_was_tampered_with() {
    let world = World::new().await;
    let gateway = world.gateway();
    set_by_operator(&gateway, BANK, FreezeState::Frozen).await;
    let before = gateway.freezes(&merchant("shop")).await.unwrap();
    set_by_operator(&gateway, BANK, FreezeState::Frozen).await;
    let again = gateway.freezes(&merchant("shop")).await.unwrap();
    assert_eq!((before[0].version, again[0].version), (1, 2));
    let mut forged = operator_freeze("shop", BANK, 3);
    forged.freeze.state = FreezeState::Active;
    let noted = testkit::builders::noted_change("shop");
    let written = world.stores.freezes.set_freeze(&forged, &noted).await;
    assert_eq!(written.unwrap(), FreezeChange::Done);
    let kept = gateway.operator_freeze(&account_id("shop"), BANK).await;
    assert_eq!(kept.unwrap(), None);
}
