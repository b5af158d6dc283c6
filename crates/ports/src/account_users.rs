//! Users of accounts. A user and each of its steps must be stored once and never change: what a
//! user may do follows from all of them.

use crate::PortError;
use crate::access_keys::RowSeal;
use crate::account_changes::SealedChange;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::access::{AccountUser, AccountUserId, UserStep};
use domain::account::AccountId;

/// A step with the seal of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealedStep {
    /// The step.
    pub step: UserStep,
    /// The seal.
    pub seal: RowSeal,
}

/// A user with the seals of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedUser {
    /// The user.
    pub user: AccountUser,
    /// The seal of the user's row.
    pub seal: RowSeal,
    /// The steps, in their order.
    pub steps: Vec<SealedStep>,
}

/// What became of storing a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserCreation {
    /// Stored.
    Done,
    /// The number is in use.
    IdTaken,
    /// A user that is not disabled has the e-mail address.
    EmailTaken,
    /// The account has as many users as it may have ([`domain::access::USERS_MAX`]).
    TooMany,
    /// Too many were invited within 24 hours ([`domain::access::USERS_PER_DAY_MAX`]).
    TooManyToday,
    /// No such account.
    AccountUnknown,
}

/// What became of adding a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    /// Added.
    Done,
    /// A step of this number is there already, or the one before is not.
    NumberTaken,
    /// The account has no such user.
    Unknown,
}

/// Some users of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserPage {
    /// The users of the part.
    pub users: Vec<SealedUser>,
    /// How many there are.
    pub total: u64,
}

/// Users of accounts.
#[async_trait]
pub trait AccountUsers: Send + Sync + std::fmt::Debug {
    /// Stores a user, without steps.
    ///
    /// # Errors
    /// When the store failed.
    async fn invite_user(
        &self,
        user: &SealedUser,
        noted: &SealedChange,
    ) -> Result<UserCreation, PortError>;

    /// Adds a step to those of a user. What follows for the user's keys counts on every instance
    /// within a second.
    ///
    /// # Errors
    /// When the store failed.
    async fn add_user_step(
        &self,
        user: (&AccountId, AccountUserId),
        step: &SealedStep,
        noted: &SealedChange,
    ) -> Result<StepOutcome, PortError>;

    /// The user of a number.
    ///
    /// # Errors
    /// When the store failed.
    async fn account_user(
        &self,
        account: &AccountId,
        id: AccountUserId,
    ) -> Result<Option<SealedUser>, PortError>;

    /// A part of the users of an account, by the moment they were invited.
    ///
    /// # Errors
    /// When the store failed.
    async fn account_users(&self, account: &AccountId, page: PageOf)
    -> Result<UserPage, PortError>;
}
