//! Files of reports: runs and the parts of what they wrote. A file must be there for every
//! instance, and a writer that lost its claim must write nothing more.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reporting::{ReportRun, ReportRunId};
use domain::time::Timestamp;

/// What became of beginning a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunCreation {
    /// Stored.
    Done,
    /// The number is in use.
    IdTaken,
    /// The account has one that is being written.
    UnderWay,
    /// The account has as many files as it may have ([`domain::reporting::RUNS_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// The right to write the file of a run, until another claims it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunClaim {
    /// The run, as nothing of it was written.
    pub run: ReportRun,
    /// Counts the claims of the run.
    pub count: u32,
}

/// The next part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunPart<'a> {
    /// The text of it.
    pub text: &'a str,
    /// How many rows, bytes and parts there are with it.
    pub rows: u64,
    /// The same of bytes.
    pub bytes: u64,
    /// The same of parts; the part has this number.
    pub parts: u32,
    /// Until when the claim lasts.
    pub until: Timestamp,
}

/// Whether what a writer wrote was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunWrite {
    /// It was.
    Done,
    /// Another claimed the run, or it is over.
    Lost,
}

/// Storing files of reports.
#[async_trait]
pub trait ReportRuns: Send + Sync + std::fmt::Debug {
    /// Stores a run that begins. Obstacles are reported in the order of [`RunCreation`].
    ///
    /// # Errors
    /// When the store failed.
    async fn begin_run(&self, run: &ReportRun) -> Result<RunCreation, PortError>;

    /// A run of an account.
    ///
    /// # Errors
    /// When the store failed.
    async fn run(
        &self,
        account: &AccountId,
        id: ReportRunId,
    ) -> Result<Option<ReportRun>, PortError>;

    /// The runs of an account, newest first; those that are forgotten are not there.
    ///
    /// # Errors
    /// When the store failed.
    async fn runs(&self, account: &AccountId) -> Result<Vec<ReportRun>, PortError>;

    /// Claims a run that is not being written, until a moment, and forgets how far it had come.
    ///
    /// # Errors
    /// When the store failed.
    async fn claim_run(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<RunClaim>, PortError>;

    /// Has a claim last until another moment.
    ///
    /// # Errors
    /// When the store failed.
    async fn renew_claim(&self, claim: &RunClaim, until: Timestamp) -> Result<RunWrite, PortError>;

    /// Stores the next part of a file, in place of one of the same number.
    ///
    /// # Errors
    /// When the store failed.
    async fn write_part(&self, claim: &RunClaim, part: RunPart<'_>) -> Result<RunWrite, PortError>;

    /// Ends a run as its state says, with its sums and when it expires.
    ///
    /// # Errors
    /// When the store failed.
    async fn end_run(&self, claim: &RunClaim, ended: &ReportRun) -> Result<RunWrite, PortError>;

    /// A part of a file, from 1 on.
    ///
    /// # Errors
    /// When the store failed.
    async fn part(
        &self,
        account: &AccountId,
        id: ReportRunId,
        part: u32,
    ) -> Result<Option<String>, PortError>;

    /// Forgets parts of files that have expired, at most so many, and runs that expired before
    /// another moment and have no parts. Returns how many parts.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget_runs(
        &self,
        now: Timestamp,
        before: Timestamp,
        most: u32,
    ) -> Result<u64, PortError>;
}
