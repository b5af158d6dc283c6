//! Reports as files: a request begins a run, and a worker writes its file part by part. A file must
//! never be in memory as a whole, and must be the same however often it is begun again.

mod writer;

pub use writer::ReportWriter;

use super::WalletReport;
use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::account::AccountId;
use domain::reporting::{
    AcceptedTransaction, GroupedSums, PriceSums, ReconciliationSums, SettlementSums,
};
pub use domain::reporting::{ReportKind, ReportRun, ReportRunId, RunRequest, RunState};
use domain::time::Timestamp;
use ports::PortError;
use ports::report_runs::RunCreation;
use std::fmt::Debug;
use std::time::Duration;

/// How many rows a file has at most that the answer to its request waits for.
pub const ROWS_AWAITED_MAX: u64 = 10_000;

/// How long that answer waits at most.
const AWAITED_MAX: Duration = Duration::from_secs(10);

/// How often it looks.
const AWAITED_POLL: Duration = Duration::from_millis(50);

/// How many numbers are drawn for a run.
const DRAWS_MAX: usize = 8;

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ReportFileError {
    /// The account has no such run.
    #[error("no such report run")]
    Unknown,
    /// Another file of the account is being written.
    #[error("another file of the account is being written")]
    UnderWay,
    /// The account has as many files as it may have.
    #[error("too many files")]
    TooMany,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for ReportFileError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// The lines of a file of transactions.
pub trait TransactionLines: Send {
    /// The names of the columns.
    fn columns(&self) -> String;

    /// Adds the line of a transaction to a text.
    fn line(&mut self, row: &AcceptedTransaction, text: &mut String);

    /// The lines of the totals.
    fn totals(&self, sums: &GroupedSums<PriceSums>) -> String;
}

/// What a report of sums is made of.
#[derive(Debug)]
pub enum ReportSumsOf {
    /// What was delivered.
    Commission(GroupedSums<PriceSums>),
    /// Money that settled.
    Settlement(GroupedSums<SettlementSums>),
    /// Wallets from day to day.
    Float(Vec<WalletReport>),
    /// Prices and what became of them.
    Reconciliation(GroupedSums<ReconciliationSums>),
}

/// The form of files.
pub trait ReportFileForm: Send + Sync + Debug {
    /// The moments within a period at which days begin in the time zone of a request.
    fn midnights(&self, request: &RunRequest) -> Vec<Timestamp>;

    /// The lines of transactions.
    fn transactions(&self, request: &RunRequest) -> Box<dyn TransactionLines>;

    /// The lines of sums, with columns and totals, and how many there are without those.
    fn sums(&self, request: &RunRequest, sums: ReportSumsOf) -> (String, u64);
}

impl Gateway {
    /// Begins a run, unless one of the account answers the request, and waits a while for a small
    /// file.
    ///
    /// # Errors
    /// Refuses a second file at a time, and one file too many.
    pub async fn begin_report(
        &self,
        merchant: &Merchant,
        request: RunRequest,
    ) -> Result<ReportRun, ReportFileError> {
        let account = &merchant.account.id;
        let mut run = self.begun(account, request).await?;
        self.report_begun().notify_one();
        let until = self.now().plus(AWAITED_MAX);
        while run.state == RunState::Pending && run.rows <= ROWS_AWAITED_MAX && self.now() < until {
            self.parts().clock.sleep(AWAITED_POLL).await;
            run = self.report_run(merchant, run.id).await?;
        }
        Ok(run)
    }

    async fn begun(
        &self,
        account: &AccountId,
        request: RunRequest,
    ) -> Result<ReportRun, ReportFileError> {
        let now = self.now();
        let runs = &self.parts().report_runs;
        let known = runs.runs(account).await?;
        if let Some(run) = known.into_iter().find(|it| it.answers(&request, now)) {
            return Ok(run);
        }
        for _ in 0..DRAWS_MAX {
            let id = ReportRunId::new(self.parts().ids.transaction_number());
            let run = ReportRun::begun((account.clone(), id), request.clone(), now);
            match runs.begin_run(&run).await? {
                RunCreation::Done => return Ok(run),
                RunCreation::IdTaken => {}
                RunCreation::UnderWay => return Err(ReportFileError::UnderWay),
                RunCreation::TooMany => return Err(ReportFileError::TooMany),
                RunCreation::AccountUnknown => return Err(ReportFileError::Unknown),
            }
        }
        Err(PortError::new("ids", "every number that was drawn is in use").into())
    }

    /// A run of the merchant.
    ///
    /// # Errors
    /// Where the account has none of the number.
    pub async fn report_run(
        &self,
        merchant: &Merchant,
        id: ReportRunId,
    ) -> Result<ReportRun, ReportFileError> {
        let run = self.parts().report_runs.run(&merchant.account.id, id);
        run.await?.ok_or(ReportFileError::Unknown)
    }

    /// A part of the file of a run, from 1 on.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn report_part(
        &self,
        run: &ReportRun,
        part: u32,
    ) -> Result<Option<String>, ReportFileError> {
        let runs = &self.parts().report_runs;
        Ok(runs.part(&run.account, run.id, part).await?)
    }
}
