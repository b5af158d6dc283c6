//! Laws of what is recorded of changes. A change must be recorded by the commit that makes it, and
//! one that is not made must leave nothing.

use super::setup::Stores;
use crate::builders::{
    access_key, account_id, account_user, account_user_id, allowlist, at, freeze, noted_change,
    spending_limit, user_step,
};
use domain::access::UserStepKind;
use domain::account_change::{AccountChangesQuery, ChainHash, ChangeAction};
use domain::credential::KeyId;
use domain::freeze::FreezeTarget;
use domain::statement::Sort;
use ports::access_keys::{AccessKeyCreation, KeyRotation};
use ports::account_changes::{AccountChangesPage, ChainedChange, SealedChange};
use ports::freezes::FreezeChange;
use tokio::task::JoinSet;

const ALL: AccountChangesQuery = AccountChangesQuery {
    from: None,
    before: None,
    action: None,
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

/// A change of this kind at this second.
fn noted(action: ChangeAction, second: u64) -> SealedChange {
    let mut sealed = noted_change("shop");
    sealed.change.action = action;
    sealed.change.at = at(second);
    sealed
}

async fn changes(stores: &Stores, query: &AccountChangesQuery) -> AccountChangesPage {
    let shop = account_id("shop");
    let page = stores.account_changes.account_changes(&shop, query).await;
    page.expect("list the changes")
}

/// Every row follows the one before it, and says what its hash is of.
fn is_chained(rows: &[ChainedChange]) {
    let mut before = (0, ChainHash::NONE);
    for row in rows {
        assert_eq!((row.number, row.previous), (before.0 + 1, before.1));
        assert!(row.is_whole(), "{row:?}");
        before = (row.number, row.hash);
    }
}

/// Invites and activates a user, sets a limit, a freeze and an allowlist.
async fn sets_what_is_not_of_a_key(stores: &Stores) {
    use ChangeAction as It;
    let shop = account_id("shop");
    let note = noted(It::UserInvited, 4);
    let invited = stores
        .users
        .invite_user(&account_user("shop", 7), &note)
        .await;
    invited.expect("invite a user");
    let (user, step) = (account_user_id(7), user_step(1, UserStepKind::Activated));
    let note = noted(It::UserActivated, 5);
    let added = stores
        .users
        .add_user_step((&shop, user), &step, &note)
        .await;
    added.expect("add a step");
    let note = noted(It::LimitSet, 6);
    let limit = spending_limit("shop", 1);
    let set = stores
        .spending_limits
        .set_spending_limit(&limit, &note)
        .await;
    set.expect("set a limit");
    let note = noted(It::Frozen, 7);
    let frozen = freeze("shop", FreezeTarget::Account, 1);
    stores
        .freezes
        .set_freeze(&frozen, &note)
        .await
        .expect("set a freeze");
    let note = noted(It::NetworkAllowed, 8);
    let list = allowlist("shop", 7, 1);
    stores
        .allowlists
        .set_allowlist(&list, &note)
        .await
        .expect("set an allowlist");
}

/// Each change is recorded once by its commit; one that another came before, that was made already
/// or that is refused leaves nothing.
pub async fn every_change_is_recorded_by_its_commit(stores: &Stores) {
    use ChangeAction as It;
    stores.has_account("shop", "100").await;
    let shop = account_id("shop");
    let access_keys = &stores.access_keys;
    // Each is done twice: the second time there is nothing to do.
    for _ in 0..2 {
        let key = access_key("shop", 7, "till");
        let note = noted(It::KeyMade, 1);
        access_keys
            .make_access_key(&key, &note)
            .await
            .expect("make a key");
        let rotation = KeyRotation {
            sealed: access_key("shop", 8, "till"),
            replaced: KeyId(7),
            ends_at: at(3_600),
            allowlist_seen: 0,
            allowlist: None,
        };
        let note = noted(It::KeyRotated, 2);
        let rotated = access_keys.rotate_access_key(&rotation, &note).await;
        rotated.expect("rotate a key");
        let note = noted(It::KeyRevoked, 3);
        let revoked = access_keys
            .revoke_access_key(&shop, (KeyId(8), at(3)), &note)
            .await;
        revoked.expect("revoke a key");
        sets_what_is_not_of_a_key(stores).await;
    }
    let page = changes(stores, &ALL).await;
    let actions: Vec<_> = page
        .changes
        .iter()
        .map(|row| row.sealed.change.action)
        .collect();
    let expected = [
        It::KeyMade,
        It::KeyRotated,
        It::KeyRevoked,
        It::UserInvited,
        It::UserActivated,
        It::LimitSet,
        It::Frozen,
        It::NetworkAllowed,
    ];
    assert_eq!(actions, expected);
    assert_eq!((page.total, page.found), (8, 8));
    is_chained(&page.changes);
    assert_eq!(page.changes[6].sealed, noted(It::Frozen, 7));
    let audited = stores.account_changes.audited_changes().await;
    let audited = audited.expect("list every change").into_iter();
    let audited: Vec<_> = audited.map(|row| row.expect("a change")).collect();
    assert_eq!(audited, page.changes);
    stores.must_be_clean(at(60)).await;
}

/// Changes are filtered by moment and kind, and come in either order.
pub async fn changes_are_found_by_moment_and_kind(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for version in 1..=6 {
        let action = if version % 2 == 1 {
            ChangeAction::Frozen
        } else {
            ChangeAction::Unfrozen
        };
        let frozen = freeze("shop", FreezeTarget::Account, version);
        let note = noted(action, version.into());
        let set = stores.freezes.set_freeze(&frozen, &note);
        assert_eq!(set.await.expect("set a freeze"), FreezeChange::Done);
    }
    let numbers = async |query: AccountChangesQuery| {
        let page = changes(stores, &query).await;
        let numbers: Vec<_> = page.changes.iter().map(|row| row.number).collect();
        (numbers, page.found)
    };
    let part = AccountChangesQuery {
        offset: 1,
        length: 2,
        sort: Sort::Descending,
        ..ALL
    };
    assert_eq!(numbers(part).await, (vec![5, 4], 6));
    let between = AccountChangesQuery {
        from: Some(at(2)),
        before: Some(at(5)),
        ..ALL
    };
    assert_eq!(numbers(between.clone()).await, (vec![2, 3, 4], 3));
    let frozen = AccountChangesQuery {
        action: Some(ChangeAction::Frozen),
        ..between
    };
    assert_eq!(numbers(frozen).await, (vec![3], 1));
    let owner = account_id("other");
    let other = stores.account_changes.account_changes(&owner, &ALL);
    assert_eq!(
        other.await.expect("list the changes"),
        AccountChangesPage::default()
    );
}

/// Changes that are made at once follow one another.
pub async fn changes_at_once_are_chained(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut under_way = JoinSet::new();
    for id in 10..18 {
        let keys = stores.access_keys.clone();
        let key = access_key("shop", id, &format!("till {id}"));
        under_way.spawn(async move {
            let note = noted(ChangeAction::KeyMade, 1);
            keys.make_access_key(&key, &note).await.map(|_| ())
        });
        let freezes = stores.freezes.clone();
        under_way.spawn(async move {
            let frozen = freeze("shop", FreezeTarget::Key(KeyId(id.into())), 1);
            let note = noted(ChangeAction::Frozen, 1);
            freezes.set_freeze(&frozen, &note).await.map(|_| ())
        });
    }
    while let Some(done) = under_way.join_next().await {
        done.expect("no panic").expect("a change");
    }
    let page = changes(stores, &ALL).await;
    assert_eq!(page.total, 16);
    is_chained(&page.changes);
    let made = access_key("shop", 10, "again");
    let note = noted(ChangeAction::KeyMade, 2);
    let again = stores.access_keys.make_access_key(&made, &note);
    assert_eq!(again.await.expect("make a key"), AccessKeyCreation::IdTaken);
    assert_eq!(changes(stores, &ALL).await.total, 16);
}
