//! Runs of reports as records. What a run is about and what it wrote are sealed: both hold numbers
//! of phones and bank accounts.

use super::{RecordError, scalar::valid};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::account::AccountId;
use domain::order::Service;
use domain::reference::TransactionNumber;
use domain::reporting::{ReportGrouping, ReportKind, ReportRun, ReportRunId, RunRequest, RunState};
use domain::time::Timestamp;
use domain::transaction::Status;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// The words of statuses in records.
const STATUSES: [(&str, Status); 4] = [
    ("pending", Status::Pending),
    ("successful", Status::Successful),
    ("failed", Status::Failed),
    ("reversed", Status::Reversed),
];

#[derive(Debug, Serialize, Deserialize)]
struct RequestRecord {
    v: u32,
    kind: String,
    service: Option<String>,
    from: i64,
    until: i64,
    status: Option<String>,
    number: Option<String>,
    grouping: String,
    zone: String,
}

/// A run as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub id: i64,
    /// What it is about, sealed.
    pub request: String,
    /// The moment of which it is, in milliseconds.
    pub as_of: i64,
    /// The word of its state.
    pub state: String,
    /// How many rows were written.
    pub rows: i64,
    /// How many bytes.
    pub bytes: i64,
    /// In how many parts.
    pub parts: i64,
    /// The SHA-256 of its file.
    pub sha256: Option<Vec<u8>>,
    /// When it began, in milliseconds.
    pub created_at: i64,
    /// When it expires, in milliseconds.
    pub expires_at: Option<i64>,
}

impl RunRow {
    /// The run the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the run.
    pub fn restore(self, cipher: &FieldCipher) -> Result<ReportRun, PortError> {
        let what = format!("report run {} of {} cannot be read", self.id, self.account);
        let read = self.read(cipher);
        read.map_err(|error| {
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(self, cipher: &FieldCipher) -> Result<ReportRun, RecordError> {
        let id = u64::try_from(self.id).unwrap_or_default();
        let number = self.id.to_string();
        let document = cipher.open(&request_place(&self.account, &number), self.request);
        let state = match (self.state.as_str(), self.sha256) {
            ("pending", None) => RunState::Pending,
            ("ready", Some(sum)) => RunState::Ready(valid(sum.as_slice().try_into(), "sha256")?),
            ("failed", None) => RunState::Failed,
            (_, _) => return Err(RecordError::Value("state")),
        };
        Ok(ReportRun {
            account: valid(AccountId::parse(&self.account), "account")?,
            id: ReportRunId::new(valid(TransactionNumber::try_new(id), "id")?),
            request: request(&document)?,
            as_of: Timestamp::from_millis(self.as_of),
            state,
            rows: valid(u64::try_from(self.rows), "rows")?,
            bytes: valid(u64::try_from(self.bytes), "bytes")?,
            parts: valid(u32::try_from(self.parts), "parts")?,
            created_at: Timestamp::from_millis(self.created_at),
            expires_at: self.expires_at.map(Timestamp::from_millis),
        })
    }
}

fn request(document: &str) -> Result<RunRequest, RecordError> {
    let shape = |source| RecordError::Shape {
        document: "request",
        source,
    };
    let record: RequestRecord = serde_json::from_str(document).map_err(shape)?;
    let service = record
        .service
        .map(|code| Service::from_code(&code).ok_or(RecordError::Value("service")));
    let status = record.status.map(|code| {
        let mut statuses = STATUSES.into_iter();
        let found = statuses.find(|(word, _)| *word == code);
        found
            .map(|(_, status)| status)
            .ok_or(RecordError::Value("status"))
    });
    let grouping = ReportGrouping::from_code(&record.grouping);
    Ok(RunRequest {
        kind: ReportKind::from_code(&record.kind).ok_or(RecordError::Value("kind"))?,
        service: service.transpose()?,
        from: Timestamp::from_millis(record.from),
        until: Timestamp::from_millis(record.until),
        status: status.transpose()?,
        number: record.number,
        grouping: grouping.ok_or(RecordError::Value("grouping"))?,
        time_zone: record.zone,
    })
}

/// What a run is about, as it is stored.
///
/// # Errors
/// When it cannot be written.
pub fn run_request(run: &ReportRun, cipher: &FieldCipher) -> Result<String, PortError> {
    let request = &run.request;
    let word = |status: Status| {
        let mut statuses = STATUSES.into_iter();
        statuses
            .find(|(_, it)| *it == status)
            .map(|(word, _)| word.to_owned())
    };
    let record = RequestRecord {
        v: 1,
        kind: request.kind.code().to_owned(),
        service: request.service.map(|it| it.code().to_owned()),
        from: request.from.as_millis(),
        until: request.until.as_millis(),
        status: request.status.and_then(word),
        number: request.number.clone(),
        grouping: request.grouping.code().to_owned(),
        zone: request.time_zone.clone(),
    };
    let broken = |error| PortError::caused(PART, "write what a report is about", error);
    let document = serde_json::to_string(&record).map_err(broken)?;
    let (account, id) = (run.account.as_str(), run.id.to_string());
    cipher.seal(&request_place(account, &id), &document)
}

/// A part of a file, as it is stored.
///
/// # Errors
/// When it cannot be sealed.
pub fn sealed_part(
    (account, id, part): (&AccountId, ReportRunId, u32),
    text: &str,
    cipher: &FieldCipher,
) -> Result<String, PortError> {
    let place = format!("{id}.{part}");
    cipher.seal(&part_place(account.as_str(), &place), text)
}

/// A part of a file, read back.
///
/// # Errors
/// When it does not open.
pub fn opened_part(
    (account, id, part): (&AccountId, ReportRunId, u32),
    sealed: String,
    cipher: &FieldCipher,
) -> Result<String, PortError> {
    let place = format!("{id}.{part}");
    let text = cipher.open(&part_place(account.as_str(), &place), sealed);
    match super::opened("report_parts.content", &text) {
        Ok(()) => Ok(text),
        Err(error) => {
            let what = format!("part {part} of report run {id} cannot be read");
            Err(PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record))
        }
    }
}

const fn request_place<'a>(account: &'a str, id: &'a str) -> [&'a str; 3] {
    ["report_runs.request", account, id]
}

const fn part_place<'a>(account: &'a str, place: &'a str) -> [&'a str; 3] {
    ["report_parts.content", account, place]
}
