//! What is recorded of changes: the audit finds what was altered, what is missing and what no
//! gateway wrote.

use super::support::{World, merchant};
use application::Gateway;
use domain::account_change::ChangeActor;
use domain::credential::KeyId;
use domain::freeze::{FreezeOrder, FreezeReason, FreezeState, FreezeTarget};
use ports::account_changes::ChainedChange;
use ports::audit::CheckOutcome;
use testkit::builders::{freeze, noted_change};

/// Freezes the account and lets it go on, twice.
async fn four_changes(gateway: &Gateway) {
    for state in [FreezeState::Frozen, FreezeState::Active].repeat(2) {
        let order = FreezeOrder {
            target: FreezeTarget::Account,
            reason: FreezeReason::parse("The laptop was stolen.").unwrap(),
        };
        let set = gateway.set_freeze(&merchant("shop"), &order, state).await;
        set.unwrap();
    }
}

async fn offences(gateway: &Gateway) -> Vec<String> {
    match gateway.audit_account_changes().await.unwrap().outcome {
        CheckOutcome::Broken { offences } => offences,
        other @ (CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. }) => {
            panic!("{other:?}")
        }
    }
}

#[tokio::test]
async fn a_chain_that_is_whole_holds_and_one_that_was_altered_does_not() {
    let world = World::new().await;
    let gateway = world.gateway();
    four_changes(&gateway).await;
    let check = gateway.audit_account_changes().await.unwrap();
    assert_eq!(check.invariant, "I33");
    assert_eq!(check.outcome, CheckOutcome::Holds { examined: 4 });
    let store = &world.exposed.store;
    let alterations: [fn(&mut ChainedChange); 3] = [
        |row| row.sealed.change.after = None,
        |row| row.sealed.change.actor = ChangeActor::Key(KeyId(7)),
        |row| row.hash.0[0] ^= 1,
    ];
    for alter in alterations {
        let world = World::new().await;
        let gateway = world.gateway();
        four_changes(&gateway).await;
        world.exposed.store.alter_change(2, alter);
        let found = offences(&gateway).await;
        assert!(found[0].contains("change 2 of shop is not as"), "{found:?}");
    }
    store.forget_change(2);
    let found = offences(&gateway).await;
    assert_eq!(found, ["change 3 of shop does not follow change 1"]);
}

/// A role of the database that has no pepper adds no change, however well it chains.
#[tokio::test]
async fn a_change_that_no_gateway_recorded_is_found() {
    let world = World::new().await;
    let gateway = world.gateway();
    four_changes(&gateway).await;
    let forged = freeze("shop", FreezeTarget::Account, 5);
    let noted = noted_change("shop");
    let written = world.stores.freezes.set_freeze(&forged, &noted);
    written.await.unwrap();
    let found = offences(&gateway).await;
    assert_eq!(found, ["change 5 of shop is not as a gateway wrote it"]);
}
