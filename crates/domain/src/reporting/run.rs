//! A report as a file: what it is about, and how far it has come. A file must say of which moment
//! it is, so that the same request as of the same moment gives the same bytes.

use super::ReportGrouping;
use crate::account::AccountId;
use crate::order::Service;
use crate::reference::TransactionNumber;
use crate::time::Timestamp;
use crate::transaction::Status;
use std::fmt;
use std::time::Duration;

/// How many files an account has at most, until the oldest expire.
pub const RUNS_MAX: u32 = 20;

/// How many rows are read for one file at most: twice what a report is designed for.
pub const RUN_ROWS_MAX: u64 = 10_000_000;

/// How long what was decided in a period may still be being stored after it.
const COMMITTED_WITHIN: Duration = Duration::from_mins(1);

/// The number of a run, within its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReportRunId(TransactionNumber);

impl ReportRunId {
    /// A number that was drawn as those of transactions are.
    pub const fn new(drawn: TransactionNumber) -> Self {
        Self(drawn)
    }

    /// The number as those of transactions are.
    pub const fn number(self) -> TransactionNumber {
        self.0
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for ReportRunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The types of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// Transactions that were accepted.
    Transactions,
    /// What was delivered.
    Commission,
    /// Money that settled.
    Settlement,
    /// Wallets from day to day.
    Float,
    /// Prices and what became of them.
    Reconciliation,
}

impl ReportKind {
    /// Every type.
    pub const ALL: [Self; 5] = [
        Self::Transactions,
        Self::Commission,
        Self::Settlement,
        Self::Float,
        Self::Reconciliation,
    ];

    /// The word of its path, for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Transactions => "transactions",
            Self::Commission => "commission",
            Self::Settlement => "settlement",
            Self::Float => "float",
            Self::Reconciliation => "reconciliation",
        }
    }

    /// Reads the word of a record; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// What a file is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRequest {
    /// The type of the report.
    pub kind: ReportKind,
    /// The product; `None` for everything.
    pub service: Option<Service>,
    /// Where the period begins, included.
    pub from: Timestamp,
    /// Where it ends, not included.
    pub until: Timestamp,
    /// Only transactions that stand like this.
    pub status: Option<Status>,
    /// Only transactions for these digits.
    pub number: Option<String>,
    /// By what rows are grouped; of no meaning for transactions.
    pub grouping: ReportGrouping,
    /// The time zone of its days and dates, by its IANA name.
    pub time_zone: String,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// Its file is being written.
    Pending,
    /// Its file is there, with this SHA-256.
    Ready([u8; 32]),
    /// No file could be made.
    Failed,
}

impl RunState {
    /// The lower-case word for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Ready(_) => "ready",
            Self::Failed => "failed",
        }
    }
}

/// One run of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRun {
    /// Whose it is.
    pub account: AccountId,
    /// The number it goes by.
    pub id: ReportRunId,
    /// What it is about.
    pub request: RunRequest,
    /// The moment of which the file is: nothing later is in it.
    pub as_of: Timestamp,
    /// How far it has come.
    pub state: RunState,
    /// How many rows were written.
    pub rows: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// In how many parts they are stored.
    pub parts: u32,
    /// When it began.
    pub created_at: Timestamp,
    /// From when on the file is not there any more; `None` while it is being written.
    pub expires_at: Option<Timestamp>,
}

impl ReportRun {
    /// A run that begins.
    pub fn begun(
        (account, id): (AccountId, ReportRunId),
        request: RunRequest,
        now: Timestamp,
    ) -> Self {
        Self {
            account,
            id,
            request,
            as_of: now,
            state: RunState::Pending,
            rows: 0,
            bytes: 0,
            parts: 0,
            created_at: now,
            expires_at: None,
        }
    }

    /// Whether its file is not there any more.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|it| it <= now)
    }

    /// Whether what it shows may change after its period: where transactions stand.
    const fn shows_states(&self) -> bool {
        match self.request.kind {
            ReportKind::Transactions | ReportKind::Reconciliation => {
                self.rows > 0 || self.request.status.is_some()
            }
            ReportKind::Commission | ReportKind::Settlement | ReportKind::Float => false,
        }
    }

    /// Whether it answers a request that comes now: it is about the same, and nothing can have
    /// changed since, or it is still being written.
    pub fn answers(&self, request: &RunRequest, now: Timestamp) -> bool {
        let is_usable = match self.state {
            RunState::Pending => true,
            RunState::Ready(_) => {
                let settled = request.until.plus(COMMITTED_WITHIN) <= self.as_of;
                settled && !self.shows_states() && !self.is_expired(now)
            }
            RunState::Failed => false,
        };
        is_usable && self.request == *request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    fn run(kind: ReportKind, state: RunState) -> ReportRun {
        let request = RunRequest {
            kind,
            service: None,
            from: Timestamp::from_millis(0),
            until: Timestamp::from_millis(DAY),
            status: None,
            number: None,
            grouping: ReportGrouping::Account,
            time_zone: "UTC".into(),
        };
        let id = ReportRunId::new(TransactionNumber::try_new(1).unwrap());
        let account = AccountId::parse("shop").unwrap();
        let now = Timestamp::from_millis(2 * DAY);
        ReportRun {
            state,
            rows: 1,
            ..ReportRun::begun((account, id), request, now)
        }
    }

    #[test]
    fn only_what_cannot_have_changed_is_answered_again() {
        let ready = || RunState::Ready([0; 32]);
        let now = Timestamp::from_millis(3 * DAY);
        for (kind, answers) in [
            (ReportKind::Commission, true),
            (ReportKind::Settlement, true),
            (ReportKind::Float, true),
            (ReportKind::Transactions, false),
            (ReportKind::Reconciliation, false),
        ] {
            let done = run(kind, ready());
            assert_eq!(done.answers(&done.request, now), answers, "{kind:?}");
            let pending = run(kind, RunState::Pending);
            assert!(pending.answers(&pending.request, now), "{kind:?}");
            let failed = run(kind, RunState::Failed);
            assert!(!failed.answers(&failed.request, now), "{kind:?}");
        }
        let empty = ReportRun {
            rows: 0,
            ..run(ReportKind::Transactions, ready())
        };
        assert!(
            empty.answers(&empty.request, now),
            "no transaction, no state"
        );
        let early = ReportRun {
            as_of: Timestamp::from_millis(DAY + 59_999),
            ..run(ReportKind::Settlement, ready())
        };
        assert!(!early.answers(&early.request, now));
    }
}
