//! Users of accounts. A step must be added to those before it, and replace none.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::access::{
    AccountUserId, AccountUserState, AccountUserStatus, USERS_MAX, USERS_PER_DAY_MAX,
};
use domain::account::AccountId;
use domain::statement::Sort;
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::account_users::{
    AccountUsers, SealedStep, SealedUser, StepOutcome, UserCreation, UserPage,
};
use ports::batches::PageOf;
use std::time::Duration;

#[async_trait]
impl AccountUsers for MemoryStore {
    async fn invite_user(
        &self,
        invited: &SealedUser,
        noted: &SealedChange,
    ) -> Result<UserCreation, PortError> {
        let mut tables = self.tables();
        let user = &invited.user;
        if tables.account(&user.account).is_none() {
            return Ok(UserCreation::AccountUnknown);
        }
        if tables.account_user(&user.account, user.id).is_some() {
            return Ok(UserCreation::IdTaken);
        }
        let others = tables.account_users.iter();
        let others: Vec<_> = others
            .filter(|it| it.user.account == user.account)
            .collect();
        let counted = others
            .iter()
            .filter(|it| status(it) != AccountUserStatus::Disabled);
        if counted.clone().any(|it| it.user.email == user.email) {
            return Ok(UserCreation::EmailTaken);
        }
        if counted.count() >= USERS_MAX as usize {
            return Ok(UserCreation::TooMany);
        }
        let since = user.created_at.minus(Duration::from_hours(24));
        let today = others.iter().filter(|it| it.user.created_at > since);
        if today.count() >= USERS_PER_DAY_MAX as usize {
            return Ok(UserCreation::TooManyToday);
        }
        tables.account_users.push(invited.clone());
        tables.record_change(noted);
        Ok(UserCreation::Done)
    }

    async fn add_user_step(
        &self,
        (account, id): (&AccountId, AccountUserId),
        step: &SealedStep,
        noted: &SealedChange,
    ) -> Result<StepOutcome, PortError> {
        let mut tables = self.tables();
        let mut users = tables.account_users.iter_mut();
        let found = users.find(|it| it.user.account == *account && it.user.id == id);
        let Some(user) = found else {
            return Ok(StepOutcome::Unknown);
        };
        if user.steps.len() + 1 != step.step.number as usize {
            return Ok(StepOutcome::NumberTaken);
        }
        user.steps.push(*step);
        tables.record_change(noted);
        Ok(StepOutcome::Done)
    }

    async fn account_user(
        &self,
        account: &AccountId,
        id: AccountUserId,
    ) -> Result<Option<SealedUser>, PortError> {
        Ok(self.tables().account_user(account, id).cloned())
    }

    async fn account_users(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<UserPage, PortError> {
        let tables = self.tables();
        let users = tables.account_users.iter();
        let mut users: Vec<_> = users.filter(|it| it.user.account == *account).collect();
        users.sort_by_key(|it| (it.user.created_at, it.user.id));
        if page.sort == Sort::Descending {
            users.reverse();
        }
        let total = users.len() as u64;
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        let shown = users.into_iter().skip(offset).take(page.length as usize);
        Ok(UserPage {
            users: shown.cloned().collect(),
            total,
        })
    }
}

impl MemoryTables {
    pub(super) fn account_user(
        &self,
        account: &AccountId,
        id: AccountUserId,
    ) -> Option<&SealedUser> {
        let mut users = self.account_users.iter();
        users.find(|it| it.user.account == *account && it.user.id == id)
    }
}

fn status(sealed: &SealedUser) -> AccountUserStatus {
    let state = AccountUserState {
        user: sealed.user.clone(),
        steps: sealed.steps.iter().map(|sealed| sealed.step).collect(),
    };
    state.status()
}
