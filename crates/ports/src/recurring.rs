//! Subscriptions of accounts. A step must be written on the condition that the version is
//! unchanged, so that of several that would begin a run one does; that a run is bought once is for
//! the references of payments to hold.

use crate::PortError;
use crate::access_keys::RowSeal;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::recurring::{RecurringPayment, RecurringRun, RecurringStep, RecurringVersion};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use std::ops::RangeInclusive;

/// A subscription with the seal of what never changes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedRecurring {
    /// The subscription.
    pub payment: RecurringPayment,
    /// Its seal.
    pub seal: RowSeal,
}

/// What became of storing a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecurringCreation {
    /// Stored.
    Done,
    /// The number is in use.
    NumberTaken,
    /// The account has another one under the reference.
    ReferenceTaken,
    /// The account has as many as it may have ([`domain::recurring::RECURRING_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecurringChange {
    /// Written.
    Done,
    /// It has another version by now, or there is none of the number; nothing was written.
    VersionConflict,
}

/// Which subscription, and in which version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecurringKey<'a> {
    /// Whose.
    pub account: &'a AccountId,
    /// Its number.
    pub number: TransactionNumber,
    /// The version that the step follows.
    pub version: RecurringVersion,
}

/// Some subscriptions of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringPage {
    /// The subscriptions of the part.
    pub payments: Vec<RecurringPayment>,
    /// How many there are.
    pub total: u64,
}

/// Subscriptions of accounts.
#[async_trait]
pub trait RecurringPayments: Send + Sync + std::fmt::Debug {
    /// Stores a subscription that was just made.
    ///
    /// # Errors
    /// When the store failed.
    async fn create_recurring(
        &self,
        recurring: &SealedRecurring,
    ) -> Result<RecurringCreation, PortError>;

    /// The subscription of a reference.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn recurring(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<SealedRecurring>, PortError>;

    /// The subscription of a number.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn numbered_recurring(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<SealedRecurring>, PortError>;

    /// A part of the subscriptions of an account, by the moment they were made.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn recurring_page(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<RecurringPage, PortError>;

    /// Subscriptions that must be looked at by a moment, those that have waited longest first. A
    /// row that breaks a rule is left out and logged.
    ///
    /// # Errors
    /// When the store failed.
    async fn due_recurring(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SealedRecurring>, PortError>;

    /// Writes a step, with its run, and counts the version on.
    ///
    /// # Errors
    /// When the store failed; the step may or may not be written.
    async fn step_recurring(
        &self,
        key: RecurringKey<'_>,
        step: &RecurringStep,
    ) -> Result<RecurringChange, PortError>;

    /// Puts the next look off to a moment, in the same version.
    ///
    /// # Errors
    /// When the store failed.
    async fn put_off_recurring(
        &self,
        key: RecurringKey<'_>,
        until: Timestamp,
    ) -> Result<RecurringChange, PortError>;

    /// Ends at a moment the pauses that end later, so that a clock that was ahead delays nothing
    /// for long. Returns how many.
    ///
    /// # Errors
    /// When the store failed.
    async fn bound_recurring_pauses(&self, latest: Timestamp) -> Result<u64, PortError>;

    /// The runs of a subscription that were begun and have one of the numbers, by number.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn recurring_runs(
        &self,
        account: &AccountId,
        number: TransactionNumber,
        runs: RangeInclusive<u32>,
    ) -> Result<Vec<RecurringRun>, PortError>;
}
