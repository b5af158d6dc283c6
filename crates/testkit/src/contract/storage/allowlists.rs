//! Laws of allowlists. The latest version of a list must be the only one that counts, and a key
//! that takes the place of another must have its list from the first moment.

use super::setup::Stores;
use crate::builders::{access_key, account_id, allowlist, at};
use domain::access::ALLOWLIST_CHANGES_PER_DAY_MAX;
use domain::credential::KeyId;
use ports::access_keys::{AccessKeyCreation, KeyRotation};
use ports::allowlists::{AllowlistChange, SealedAllowlist, StoredAllowlist};
use tokio::task::JoinSet;

async fn set(stores: &Stores, list: &SealedAllowlist) -> AllowlistChange {
    let set = stores
        .allowlists
        .set_allowlist(list, &crate::builders::noted_change("shop"))
        .await;
    set.expect("set an allowlist")
}

async fn has_key(stores: &Stores, number: u16) {
    let made = stores
        .access_keys
        .make_access_key(
            &access_key("shop", number, "till"),
            &crate::builders::noted_change("shop"),
        )
        .await;
    assert_eq!(made.expect("make a key"), AccessKeyCreation::Done);
}

async fn latest(stores: &Stores, account: &str) -> Vec<StoredAllowlist> {
    let known = stores.accounts.credentials(&account_id(account)).await;
    let known = known.expect("find an account");
    known.map(|known| known.allowlists).unwrap_or_default()
}

/// A list reads back as it was set, and its latest version is the one that counts; those of keys
/// that work no longer are left out.
pub async fn an_allowlist_reads_back_and_its_latest_version_counts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    has_key(stores, 7).await;
    for version in 1..=3 {
        let list = allowlist("shop", 7, version);
        assert_eq!(set(stores, &list).await, AllowlistChange::Done);
    }
    let gone = allowlist("shop", i64::MIN, 1);
    assert_eq!(set(stores, &gone).await, AllowlistChange::Done);
    let expected = [StoredAllowlist::Sealed(allowlist("shop", 7, 3))];
    assert_eq!(latest(stores, "shop").await, expected);
    assert_eq!(latest(stores, "other").await, []);
    let all = stores.allowlists.allowlist_versions().await;
    let mut versions = vec![gone];
    versions.extend((1..=3).map(|version| allowlist("shop", 7, version)));
    let versions: Vec<_> = versions.into_iter().map(StoredAllowlist::Sealed).collect();
    assert_eq!(all.expect("list the allowlists"), versions);
}

/// A version follows the one before it, and of those that are set at once one is taken.
pub async fn an_allowlist_changes_from_the_version_before_it(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let conflict = |version| AllowlistChange::VersionConflict(version);
    let second = allowlist("shop", 7, 2);
    assert_eq!(set(stores, &second).await, conflict(0));
    let unknown = set(stores, &allowlist("unknown", 7, 1)).await;
    assert_eq!(unknown, AllowlistChange::AccountUnknown);
    let mut under_way = JoinSet::new();
    for key in 1..=8 {
        let mut first = allowlist("shop", 7, 1);
        first.list.made_by = KeyId(key);
        let allowlists = stores.allowlists.clone();
        under_way.spawn(async move {
            allowlists
                .set_allowlist(&first, &crate::builders::noted_change("shop"))
                .await
        });
    }
    let mut done = 0;
    while let Some(set) = under_way.join_next().await {
        let set = set.expect("no panic").expect("set an allowlist");
        if set == AllowlistChange::Done {
            done += 1;
        } else {
            assert_eq!(set, conflict(1));
        }
    }
    assert_eq!(done, 1);
    assert_eq!(set(stores, &second).await, AllowlistChange::Done);
}

/// Rows of lists are kept, so only so many are changed within a day.
pub async fn allowlists_are_changed_so_often_in_a_day(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for version in 1..=ALLOWLIST_CHANGES_PER_DAY_MAX {
        let list = allowlist("shop", 7, version);
        assert_eq!(set(stores, &list).await, AllowlistChange::Done);
    }
    let mut next = allowlist("shop", 8, 1);
    next.list.created_at = at(u64::from(ALLOWLIST_CHANGES_PER_DAY_MAX));
    assert_eq!(set(stores, &next).await, AllowlistChange::TooManyToday);
    next.list.created_at = at(24 * 3_600 + 1);
    assert_eq!(set(stores, &next).await, AllowlistChange::Done);
}

/// The list of a key that takes the place of another is stored by the commit that makes it, and
/// only where it is the list that the other one has then.
pub async fn a_key_that_takes_the_place_of_another_has_its_allowlist(stores: &Stores) {
    stores.has_account("shop", "100").await;
    has_key(stores, 7).await;
    let old = allowlist("shop", 7, 1);
    assert_eq!(set(stores, &old).await, AllowlistChange::Done);
    let rotate = async |allowlist_seen| {
        let rotation = KeyRotation {
            sealed: access_key("shop", 8, "till"),
            replaced: KeyId(7),
            ends_at: at(3_600),
            allowlist_seen,
            allowlist: Some(allowlist("shop", 8, 1)),
        };
        let rotated = stores
            .access_keys
            .rotate_access_key(&rotation, &crate::builders::noted_change("shop"))
            .await;
        rotated.expect("rotate a key")
    };
    for other in [0, 2] {
        assert_eq!(rotate(other).await, AccessKeyCreation::AllowlistChanged);
    }
    assert_eq!(latest(stores, "shop").await.len(), 1);
    assert_eq!(rotate(1).await, AccessKeyCreation::Done);
    let expected = [7, 8].map(|key| StoredAllowlist::Sealed(allowlist("shop", key, 1)));
    assert_eq!(latest(stores, "shop").await, expected);
}
