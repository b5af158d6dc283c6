//! Laws of the users of accounts. A step must never replace another, and a user never be found by
//! another account.

use super::setup::Stores;
use crate::builders::{account_id, account_user, account_user_id, at, user_step};
use domain::access::{USERS_MAX, USERS_PER_DAY_MAX, UserStepKind};
use domain::statement::Sort;
use ports::account_users::{SealedStep, SealedUser, StepOutcome, UserCreation};
use ports::batches::PageOf;
use std::time::Duration;
use tokio::task::JoinSet;

async fn invite(stores: &Stores, user: &SealedUser) -> UserCreation {
    stores
        .users
        .invite_user(user, &crate::builders::noted_change("shop"))
        .await
        .expect("invite a user")
}

async fn add(stores: &Stores, (account, id): (&str, u64), step: SealedStep) -> StepOutcome {
    let account = account_id(account);
    let noted = crate::builders::noted_change("shop");
    let added = stores
        .users
        .add_user_step((&account, account_user_id(id)), &step, &noted);
    added.await.expect("add a step")
}

async fn found(stores: &Stores, account: &str, id: u64) -> Option<SealedUser> {
    let account = account_id(account);
    let found = stores.users.account_user(&account, account_user_id(id));
    found.await.expect("find a user")
}

/// A user reads back as invited, with every step.
pub async fn a_user_reads_back_with_every_step(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let mut user = account_user("shop", 7);
    assert_eq!(invite(stores, &user).await, UserCreation::Done);
    assert_eq!(invite(stores, &user).await, UserCreation::IdTaken);
    assert_eq!(found(stores, "shop", 7).await, Some(user.clone()));
    for (number, kind) in (1..).zip(UserStepKind::ALL) {
        let step = user_step(number, kind);
        assert_eq!(add(stores, ("shop", 7), step).await, StepOutcome::Done);
        user.steps.push(step);
        assert_eq!(found(stores, "shop", 7).await, Some(user.clone()));
    }
    let first = user_step(1, UserStepKind::Activated);
    assert_eq!(add(stores, ("other", 7), first).await, StepOutcome::Unknown);
    assert_eq!(found(stores, "other", 7).await, None);
    let stranger = account_user("stranger", 7);
    assert_eq!(
        invite(stores, &stranger).await,
        UserCreation::AccountUnknown
    );
    let theirs = account_user("other", 7);
    assert_eq!(invite(stores, &theirs).await, UserCreation::Done);
}

/// Steps follow one another without a gap, and of those of one number one is taken.
pub async fn steps_of_a_user_follow_one_another(stores: &Stores) {
    stores.has_account("shop", "100").await;
    invite(stores, &account_user("shop", 7)).await;
    let early = user_step(2, UserStepKind::Activated);
    assert_eq!(
        add(stores, ("shop", 7), early).await,
        StepOutcome::NumberTaken
    );
    let mut racing = JoinSet::new();
    for _ in 0..6 {
        let stores = stores.clone();
        let step = user_step(1, UserStepKind::WrongCode);
        racing.spawn(async move { add(&stores, ("shop", 7), step).await });
    }
    let added = racing.join_all().await;
    let done = added.iter().filter(|it| **it == StepOutcome::Done);
    assert_eq!(done.count(), 1, "{added:?}");
    let again = user_step(1, UserStepKind::Activated);
    assert_eq!(
        add(stores, ("shop", 7), again).await,
        StepOutcome::NumberTaken
    );
    assert_eq!(
        found(stores, "shop", 7).await.expect("a user").steps.len(),
        1
    );
}

/// An address belongs to one user that is not disabled.
pub async fn an_address_belongs_to_one_user(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let first = account_user("shop", 7);
    let mut second = account_user("shop", 8);
    second.user.email = first.user.email.clone();
    invite(stores, &first).await;
    assert_eq!(invite(stores, &second).await, UserCreation::EmailTaken);
    add(stores, ("shop", 7), user_step(1, UserStepKind::Activated)).await;
    assert_eq!(invite(stores, &second).await, UserCreation::EmailTaken);
    add(stores, ("shop", 7), user_step(2, UserStepKind::Disabled)).await;
    assert_eq!(invite(stores, &second).await, UserCreation::Done);
}

/// Users are listed by the moment they were invited, in parts.
pub async fn the_users_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    invite(stores, &account_user("other", 9)).await;
    for (id, second) in [(3, 0), (1, 60), (2, 60)] {
        let mut user = account_user("shop", id);
        user.user.created_at = at(second);
        invite(stores, &user).await;
    }
    let step = user_step(1, UserStepKind::Activated);
    add(stores, ("shop", 1), step).await;
    let listed = async |offset, length, sort| {
        let page = PageOf {
            offset,
            length,
            sort,
        };
        let page = stores.users.account_users(&account_id("shop"), page).await;
        let page = page.expect("list users");
        assert_eq!(page.total, 3);
        page.users
    };
    let ids = |users: &[SealedUser]| users.iter().map(|it| it.user.id.get()).collect::<Vec<_>>();
    assert_eq!(ids(&listed(0, 100, Sort::Ascending).await), [3, 1, 2]);
    assert_eq!(ids(&listed(0, 100, Sort::Descending).await), [2, 1, 3]);
    let part = listed(1, 1, Sort::Ascending).await;
    assert_eq!(ids(&part), [1]);
    assert_eq!(part[0].steps, [step]);
}

/// An account has so many users, and invites so many within a day.
pub async fn users_have_limits(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for id in 1..=u64::from(USERS_MAX) {
        let user = account_user("shop", id);
        assert_eq!(invite(stores, &user).await, UserCreation::Done);
    }
    let mut more = account_user("shop", 1_000);
    assert_eq!(invite(stores, &more).await, UserCreation::TooMany);
    add(stores, ("shop", 1), user_step(1, UserStepKind::Disabled)).await;
    assert_eq!(USERS_MAX, USERS_PER_DAY_MAX);
    assert_eq!(invite(stores, &more).await, UserCreation::TooManyToday);
    more.user.created_at = at(0).plus(Duration::from_hours(24));
    assert_eq!(invite(stores, &more).await, UserCreation::Done);
}
