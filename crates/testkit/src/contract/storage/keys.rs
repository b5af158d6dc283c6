//! Laws of the keys that merchants make. A key must stop working for good when it is revoked, and
//! never be found by another account.

use super::setup::Stores;
use crate::builders::{access_key, account_id, account_user, account_user_id, at, user_step};
use domain::access::{
    ACCESS_KEY_NAMES_MAX, ACCESS_KEYS_PER_DAY_MAX, AccessTerms, AllowedNetworks, IpNetwork,
    RequestSigning, ScopeSet, UserStepKind,
};
use domain::credential::KeyId;
use domain::environment::Environment;
use ports::access_keys::{
    AccessKeyCreation, AccessKeyRevocation, AuditedRow, KeyRotation, LiveAccessKey, SealedAccessKey,
};
use ports::account_users::{StepOutcome, UserCreation};
use std::time::Duration;
use tokio::task::JoinSet;

async fn make(stores: &Stores, key: &SealedAccessKey) -> AccessKeyCreation {
    let made = stores
        .access_keys
        .make_access_key(key, &crate::builders::noted_change("shop"))
        .await;
    made.expect("make a key")
}

async fn revoke(stores: &Stores, account: &str, id: i64, second: u64) -> AccessKeyRevocation {
    let account = account_id(account);
    let noted = crate::builders::noted_change("shop");
    let revoked = stores
        .access_keys
        .revoke_access_key(&account, (KeyId(id), at(second)), &noted);
    revoked.await.expect("revoke a key")
}

async fn live(stores: &Stores, account: &str) -> Vec<LiveAccessKey> {
    let known = stores.accounts.credentials(&account_id(account)).await;
    let known = known.expect("find an account");
    known.map(|known| known.access).unwrap_or_default()
}

async fn live_ids(stores: &Stores, account: &str) -> Vec<i64> {
    let live = live(stores, account).await;
    live.iter().map(|it| it.sealed.key.id.0).collect()
}

async fn found(stores: &Stores, account: &str, id: i64) -> Option<SealedAccessKey> {
    let account = account_id(account);
    let found = stores.access_keys.access_key(&account, KeyId(id));
    found.await.expect("find a key")
}

/// A key reads back as it was made, on whatever terms.
pub async fn an_access_key_reads_back_as_it_was_made(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let plain = access_key("shop", 7, "Till 1");
    let mut other = access_key("shop", 8, "Büro „A“, B");
    let networks = ["2001:db8::/32", "10.0.0.0/8", "192.0.2.7"];
    let networks = networks.map(|text| IpNetwork::parse(text).expect("a network"));
    other.key.terms.networks = AllowedNetworks::only(networks);
    other.key.terms.expires_at = Some(at(600));
    other.key.terms.signing = RequestSigning::Required;
    let mut wide = access_key("shop", 9, "Owner");
    wide.key.id = KeyId(-1);
    wide.key.made_by = KeyId(i64::MIN);
    wide.key.terms = AccessTerms::UNLIMITED;
    assert_eq!(wide.key.terms.scopes, ScopeSet::EVERYTHING);
    for key in [&plain, &other, &wide] {
        assert_eq!(make(stores, key).await, AccessKeyCreation::Done);
        let read = found(stores, "shop", key.key.id.0).await;
        assert_eq!(read.as_ref(), Some(key));
    }
    let without_user = |sealed: SealedAccessKey| LiveAccessKey {
        sealed,
        user: None,
        ends_at: None,
    };
    let expected = [wide, plain, other].map(without_user);
    assert_eq!(live(stores, "shop").await, expected);
    let stranger = access_key("stranger", 7, "Till 1");
    assert_eq!(
        make(stores, &stranger).await,
        AccessKeyCreation::AccountUnknown
    );
}

/// A number and the first characters belong to one key of an account.
pub async fn an_access_key_is_made_once(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let key = access_key("shop", 7, "Till 1");
    assert_eq!(make(stores, &key).await, AccessKeyCreation::Done);
    assert_eq!(make(stores, &key).await, AccessKeyCreation::IdTaken);
    let mut alike = access_key("shop", 8, "Till 2");
    alike.key.hint.clone_from(&key.key.hint);
    assert_eq!(make(stores, &alike).await, AccessKeyCreation::HintTaken);
    assert_eq!(
        revoke(stores, "shop", 7, 60).await,
        AccessKeyRevocation::Done
    );
    assert_eq!(make(stores, &key).await, AccessKeyCreation::IdTaken);
    assert_eq!(make(stores, &alike).await, AccessKeyCreation::HintTaken);
    let theirs = access_key("other", 7, "Till 1");
    assert_eq!(make(stores, &theirs).await, AccessKeyCreation::Done);
    assert_eq!(live_ids(stores, "other").await, [7]);
    assert_eq!(live_ids(stores, "shop").await, [0_i64; 0]);
}

/// A revocation is for good, and of the account's own key.
pub async fn a_revoked_access_key_stays_revoked(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    make(stores, &access_key("shop", 7, "Till 1")).await;
    make(stores, &access_key("shop", 8, "Till 1")).await;
    let unknown = AccessKeyRevocation::Unknown;
    assert_eq!(revoke(stores, "other", 7, 60).await, unknown);
    assert_eq!(revoke(stores, "shop", 9, 60).await, unknown);
    assert_eq!(live_ids(stores, "shop").await, [7, 8]);
    assert_eq!(
        revoke(stores, "shop", 7, 60).await,
        AccessKeyRevocation::Done
    );
    let before = AccessKeyRevocation::Before(at(60));
    assert_eq!(revoke(stores, "shop", 7, 90).await, before);
    assert_eq!(live_ids(stores, "shop").await, [8]);
    let kept = found(stores, "shop", 7).await;
    assert_eq!(kept, Some(access_key("shop", 7, "Till 1")));
    assert_eq!(found(stores, "other", 7).await, None);
}

/// Two keys of a name work at a time: a third waits until one is revoked or has expired.
pub async fn a_name_has_two_access_keys_at_most(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut first = access_key("shop", 1, "Till 1");
    first.key.terms.expires_at = Some(at(60));
    make(stores, &first).await;
    make(stores, &access_key("shop", 2, "Till 1")).await;
    let mut third = access_key("shop", 3, "Till 1");
    third.key.created_at = at(59);
    assert_eq!(make(stores, &third).await, AccessKeyCreation::NameTaken);
    assert_eq!(live_ids(stores, "shop").await, [1, 2]);
    let other = access_key("shop", 4, "till 1");
    assert_eq!(make(stores, &other).await, AccessKeyCreation::Done);
    third.key.created_at = at(60);
    assert_eq!(make(stores, &third).await, AccessKeyCreation::Done);
    // The expired one was revoked then.
    assert_eq!(live_ids(stores, "shop").await, [2, 4, 3]);
    let before = AccessKeyRevocation::Before(at(60));
    assert_eq!(revoke(stores, "shop", 1, 90).await, before);
    revoke(stores, "shop", 2, 90).await;
    let mut fourth = access_key("shop", 5, "Till 1");
    fourth.key.created_at = at(90);
    assert_eq!(make(stores, &fourth).await, AccessKeyCreation::Done);
}

/// Of keys of one name that are made at once, two are taken.
pub async fn of_access_keys_of_a_name_at_once_two_are_taken(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut racing = JoinSet::new();
    for nth in 0..6 {
        let stores = stores.clone();
        let key = access_key("shop", nth, "Till 1");
        racing.spawn(async move { make(&stores, &key).await });
    }
    let made = racing.join_all().await;
    let done = made.iter().filter(|it| **it == AccessKeyCreation::Done);
    assert_eq!(done.count(), 2, "{made:?}");
    assert_eq!(live_ids(stores, "shop").await.len(), 2);
}

/// Names are bounded, and so is what an account makes within a day.
pub async fn access_keys_have_limits(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let names = u16::try_from(ACCESS_KEY_NAMES_MAX).expect("a small number");
    let per_day = u16::try_from(ACCESS_KEYS_PER_DAY_MAX).expect("a small number");
    for nth in 0..names {
        let key = access_key("shop", nth, &format!("Till {nth}"));
        assert_eq!(make(stores, &key).await, AccessKeyCreation::Done);
    }
    let more = access_key("shop", names, "One more");
    assert_eq!(make(stores, &more).await, AccessKeyCreation::TooManyNames);
    let second = access_key("shop", names, "Till 1");
    assert_eq!(make(stores, &second).await, AccessKeyCreation::Done);
    for nth in (names + 1)..per_day {
        revoke(stores, "shop", i64::from(nth - 1), 1).await;
        let key = access_key("shop", nth, "Till 1");
        assert_eq!(make(stores, &key).await, AccessKeyCreation::Done);
    }
    revoke(stores, "shop", i64::from(per_day - 1), 1).await;
    let mut late = access_key("shop", per_day, "Till 1");
    assert_eq!(make(stores, &late).await, AccessKeyCreation::TooManyToday);
    late.key.created_at = at(0).plus(Duration::from_hours(24));
    assert_eq!(make(stores, &late).await, AccessKeyCreation::Done);
}

/// A key comes with its user, and with every step of it.
pub async fn an_access_key_comes_with_its_user(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut user = account_user("shop", 7);
    let invited = stores
        .users
        .invite_user(&user, &crate::builders::noted_change("shop"))
        .await;
    assert_eq!(invited.expect("invite"), UserCreation::Done);
    let mut own = access_key("shop", 1, "Ada");
    own.key.user = Some(account_user_id(7));
    let mut lost = access_key("shop", 2, "Lost");
    lost.key.user = Some(account_user_id(8));
    make(stores, &own).await;
    make(stores, &lost).await;
    let with = |sealed: &SealedAccessKey, user| LiveAccessKey {
        sealed: sealed.clone(),
        user,
        ends_at: None,
    };
    let expected = [with(&own, Some(user.clone())), with(&lost, None)];
    assert_eq!(live(stores, "shop").await, expected);
    for (number, kind) in (1..).zip(UserStepKind::ALL) {
        let step = user_step(number, kind);
        let account = account_id("shop");
        let noted = crate::builders::noted_change("shop");
        let added = stores
            .users
            .add_user_step((&account, account_user_id(7)), &step, &noted);
        assert_eq!(added.await.expect("add a step"), StepOutcome::Done);
        user.steps.push(step);
    }
    let expected = [with(&own, Some(user.clone())), with(&lost, None)];
    assert_eq!(live(stores, "shop").await, expected);
    let rows = stores.access_keys.audited_rows().await.expect("all rows");
    let mut keys = 0;
    for row in rows {
        match row {
            AuditedRow::Key(key, environment) => {
                assert!([&own, &lost].contains(&&key), "{key:?}");
                assert_eq!(environment, Environment::Test);
                keys += 1;
            }
            AuditedRow::User(audited) => assert_eq!(audited, user),
            AuditedRow::Unreadable(error) => panic!("{error}"),
        }
    }
    assert_eq!(keys, 2);
}

/// A key that is replaced works until its end and no longer, and is replaced once.
pub async fn a_key_that_is_replaced_has_an_end(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let old = access_key("shop", 7, "Till 1");
    assert_eq!(make(stores, &old).await, AccessKeyCreation::Done);
    let rotation = |id: u16, replaced: i64| KeyRotation {
        sealed: access_key("shop", id, "Till 1"),
        replaced: KeyId(replaced),
        ends_at: at(3_600),
        allowlist_seen: 0,
        allowlist: None,
    };
    let rotate = async |rotation: KeyRotation| {
        let rotated = stores
            .access_keys
            .rotate_access_key(&rotation, &crate::builders::noted_change("shop"))
            .await;
        rotated.expect("rotate a key")
    };
    let gone = AccessKeyCreation::ReplacedGone;
    assert_eq!(rotate(rotation(8, 99)).await, gone);
    let mut at_once = JoinSet::new();
    for id in 10..18 {
        let keys = stores.access_keys.clone();
        let rotation = rotation(id, 7);
        at_once.spawn(async move {
            keys.rotate_access_key(&rotation, &crate::builders::noted_change("shop"))
                .await
        });
    }
    let mut done = 0;
    while let Some(rotated) = at_once.join_next().await {
        let rotated = rotated.expect("no panic").expect("rotate a key");
        if rotated == AccessKeyCreation::Done {
            done += 1;
        } else {
            assert!(
                [gone, AccessKeyCreation::NameTaken].contains(&rotated),
                "{rotated:?}"
            );
        }
    }
    assert_eq!(done, 1);
    let ends = |stored: &[LiveAccessKey], id: i64| {
        let mut found = stored.iter().filter(|live| live.sealed.key.id == KeyId(id));
        found.next().map(|live| live.ends_at)
    };
    assert_eq!(ends(&live(stores, "shop").await, 7), Some(Some(at(3_600))));
    // Two of a name work until then.
    let mut next = access_key("shop", 20, "Till 1");
    next.key.created_at = at(3_599);
    assert_eq!(make(stores, &next).await, AccessKeyCreation::NameTaken);
    next.key.created_at = at(3_600);
    assert_eq!(make(stores, &next).await, AccessKeyCreation::Done);
    assert_eq!(ends(&live(stores, "shop").await, 7), None);
}
