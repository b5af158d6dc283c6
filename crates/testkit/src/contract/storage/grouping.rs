//! Laws of groups of bank accounts. A change must never overwrite one that its author has not seen.

use super::setup::Stores;
use crate::builders::{account_id, at, group, group_content, group_id};
use domain::bank::{GROUPS_MAX, Group, GroupId, GroupVersion, MEMBERS_MAX};
use domain::statement::Sort;
use ports::batches::PageOf;
use ports::groups::{GroupChange, GroupCreation, GroupUpdate};
use tokio::task::JoinSet;

const ALL: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

async fn create(stores: &Stores, group: &Group) -> GroupCreation {
    let created = stores.groups.create_group(group).await;
    created.expect("make a group")
}

async fn found(stores: &Stores, account: &str, id: u64) -> Option<Group> {
    let account = account_id(account);
    let found = stores.groups.group(&account, group_id(id)).await;
    found.expect("find a group")
}

fn renamed(replaced: GroupVersion, name: &str) -> GroupUpdate {
    GroupUpdate {
        replaced,
        content: group_content(name, 3),
        at: at(60),
    }
}

async fn update(stores: &Stores, (account, id): (&str, u64), update: &GroupUpdate) -> GroupChange {
    let account = account_id(account);
    let changed = stores.groups.update_group(&account, group_id(id), update);
    changed.await.expect("change a group")
}

async fn remove(stores: &Stores, (account, id): (&str, u64), version: GroupVersion) -> GroupChange {
    let account = account_id(account);
    let removed = stores.groups.remove_group(&account, group_id(id), version);
    removed.await.expect("remove a group")
}

async fn listed(stores: &Stores, account: &str, page: PageOf) -> (Vec<GroupId>, u64) {
    let page = stores.groups.groups(&account_id(account), page).await;
    let page = page.expect("list groups");
    let ids = page.groups.iter().map(|group| group.id);
    (ids.collect(), page.total)
}

/// A group reads back as it was made, with all members in their order.
pub async fn a_group_reads_back_as_it_was_made(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut made = group("shop", 7);
    made.content = group_content("Staff of Adé", MEMBERS_MAX);
    made.content.members.reverse();
    assert_eq!(create(stores, &made).await, GroupCreation::Done);
    assert_eq!(found(stores, "shop", 7).await, Some(made.clone()));
    assert_eq!(create(stores, &made).await, GroupCreation::IdTaken);
    let unknown = create(stores, &group("stranger", 7)).await;
    assert_eq!(unknown, GroupCreation::AccountUnknown);
}

/// A group is its account's alone.
pub async fn a_group_is_its_accounts_alone(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    assert_eq!(create(stores, &group("shop", 7)).await, GroupCreation::Done);
    assert_eq!(found(stores, "other", 7).await, None);
    let change = renamed(GroupVersion::FIRST, "Theirs");
    let changed = update(stores, ("other", 7), &change).await;
    assert_eq!(changed, GroupChange::Unknown);
    let removed = remove(stores, ("other", 7), GroupVersion::FIRST).await;
    assert_eq!(removed, GroupChange::Unknown);
    assert_eq!(listed(stores, "other", ALL).await, (vec![], 0));
    // The number of one is free for another.
    let theirs = group("other", 7);
    assert_eq!(create(stores, &theirs).await, GroupCreation::Done);
    assert_eq!(found(stores, "other", 7).await, Some(theirs));
    assert_eq!(found(stores, "shop", 7).await, Some(group("shop", 7)));
}

/// A change replaces the version it was made from, and no other.
pub async fn a_group_changes_from_the_version_that_was_seen(stores: &Stores) {
    stores.has_account("shop", "100").await;
    create(stores, &group("shop", 7)).await;
    create(stores, &group("shop", 8)).await;
    let first = renamed(GroupVersion::FIRST, "Drivers");
    assert_eq!(update(stores, ("shop", 7), &first).await, GroupChange::Done);
    let changed = found(stores, "shop", 7).await.expect("a group");
    let second = GroupVersion::FIRST.next();
    let expected = Group {
        version: second,
        content: first.content.clone(),
        updated_at: at(60),
        ..group("shop", 7)
    };
    assert_eq!(changed, expected);
    let stale = renamed(GroupVersion::FIRST, "Cooks");
    let refused = update(stores, ("shop", 7), &stale).await;
    assert_eq!(refused, GroupChange::VersionConflict);
    let early = renamed(second.next(), "Cooks");
    let refused = update(stores, ("shop", 7), &early).await;
    assert_eq!(refused, GroupChange::VersionConflict);
    let refused = remove(stores, ("shop", 7), GroupVersion::FIRST).await;
    assert_eq!(refused, GroupChange::VersionConflict);
    assert_eq!(found(stores, "shop", 7).await, Some(expected));
    assert_eq!(found(stores, "shop", 8).await, Some(group("shop", 8)));
    assert_eq!(remove(stores, ("shop", 7), second).await, GroupChange::Done);
    assert_eq!(found(stores, "shop", 7).await, None);
    assert_eq!(
        remove(stores, ("shop", 7), second).await,
        GroupChange::Unknown
    );
}

/// Of changes that are made from one version at once, one is taken.
pub async fn of_changes_of_a_group_at_once_one_is_taken(stores: &Stores) {
    stores.has_account("shop", "100").await;
    create(stores, &group("shop", 7)).await;
    let mut racing = JoinSet::new();
    for nth in 0..8 {
        let stores = stores.clone();
        let change = renamed(GroupVersion::FIRST, &format!("Team {nth}"));
        racing.spawn(async move { update(&stores, ("shop", 7), &change).await });
    }
    let changed = racing.join_all().await;
    let done = changed
        .iter()
        .filter(|change| **change == GroupChange::Done);
    assert_eq!(done.count(), 1, "{changed:?}");
    let version = found(stores, "shop", 7).await.map(|group| group.version);
    assert_eq!(version, Some(GroupVersion::FIRST.next()));
}

/// Groups are listed by the moment they were made, in parts.
pub async fn the_groups_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for (id, made) in [(3, 0), (1, 60), (2, 60)] {
        let group = Group {
            created_at: at(made),
            ..group("shop", id)
        };
        create(stores, &group).await;
    }
    let of = |ids: [u64; 3]| ids.map(group_id).to_vec();
    assert_eq!(listed(stores, "shop", ALL).await, (of([3, 1, 2]), 3));
    let descending = PageOf {
        sort: Sort::Descending,
        ..ALL
    };
    assert_eq!(listed(stores, "shop", descending).await, (of([2, 1, 3]), 3));
    let part = PageOf {
        offset: 1,
        length: 1,
        ..ALL
    };
    assert_eq!(listed(stores, "shop", part).await, (vec![group_id(1)], 3));
    let page = stores.groups.groups(&account_id("shop"), part).await;
    let page = page.expect("list groups");
    assert_eq!(page.groups[0].members, 2);
    assert_eq!(page.groups[0].name.as_str(), "Staff");
}

/// An account has so many groups and no more.
pub async fn an_account_has_so_many_groups_and_no_more(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let most = u64::from(GROUPS_MAX);
    for id in 1..=most {
        assert_eq!(
            create(stores, &group("shop", id)).await,
            GroupCreation::Done
        );
    }
    let more = group("shop", most + 1);
    assert_eq!(create(stores, &more).await, GroupCreation::TooMany);
    // A retry of one that was made is not one more.
    let again = create(stores, &group("shop", 1)).await;
    assert_eq!(again, GroupCreation::IdTaken);
    assert_eq!(
        create(stores, &group("other", 1)).await,
        GroupCreation::Done
    );
    remove(stores, ("shop", 1), GroupVersion::FIRST).await;
    assert_eq!(create(stores, &more).await, GroupCreation::Done);
}
