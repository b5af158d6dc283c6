//! Runs of reports: `GET /reporting/run`, and the answer to a request for a file. The name of a
//! file must say of which moment it is.

use super::ReportedQuery;
use super::groups::GroupedQuery;
use crate::account::transactions::TransactionCategory;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::transaction;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::{Zone, utc};
use domain::reporting::{ReportGrouping, ReportKind, ReportRun, ReportRunId, RunRequest, RunState};
use domain::time::Timestamp;

/// How a report is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// A page of it.
    Page,
    /// All of it, as a file.
    Csv,
}

const FORMATS: [(&str, ReportFormat); 2] =
    [("json", ReportFormat::Page), ("csv", ReportFormat::Csv)];

/// Reads how a report is to be answered.
pub(super) fn format(reader: &mut FieldReader<'_>) -> Result<ReportFormat, InvalidField> {
    let chosen = reader.choice(&attribute::FORMAT, &FORMATS)?;
    Ok(chosen.unwrap_or(ReportFormat::Page))
}

/// Reads which run is requested, and whether its file is.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(ReportRunId, ReportFormat), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let id = reader.required(&attribute::REPORT_RUN, number);
    let format = format(&mut reader);
    reader.finish(|| Ok((id?, format?)))
}

fn number(text: &str) -> Result<ReportRunId, &'static str> {
    transaction::number(text)
        .map(ReportRunId::new)
        .ok_or("must be the number of a report, as it was answered")
}

/// What a file of transactions is about.
pub fn of_transactions(query: &ReportedQuery, time_zone: &str) -> RunRequest {
    RunRequest {
        kind: ReportKind::Transactions,
        service: query.category.service(),
        from: query.days.from(),
        until: query.days.until(),
        status: query.status,
        number: query.number.clone(),
        grouping: ReportGrouping::Account,
        time_zone: time_zone.to_owned(),
    }
}

/// What a file of sums is about.
pub fn of_sums(
    (kind, query): (ReportKind, &GroupedQuery),
    grouping: ReportGrouping,
    time_zone: &str,
) -> RunRequest {
    RunRequest {
        kind,
        service: query.category.service(),
        from: query.days.from(),
        until: query.days.until(),
        status: None,
        number: None,
        grouping,
        time_zone: time_zone.to_owned(),
    }
}

/// Where the run is read.
pub fn address(id: ReportRunId) -> String {
    format!("/reporting/run?{}={id}", attribute::REPORT_RUN.name)
}

/// Where its file is read.
pub(crate) fn file_address(id: ReportRunId) -> String {
    format!("{}&{}=csv", address(id), attribute::FORMAT.name)
}

/// The name of its file, such as `transactions-all-20261127T141500000Z.csv`.
pub fn file_name(run: &ReportRun) -> String {
    let request = &run.request;
    let category = TransactionCategory::of(request.service).word();
    let moment = utc(run.as_of).replace(['-', ':', '.'], "");
    format!("{}-{category}-{moment}.csv", request.kind.code())
}

/// A run.
pub fn view(run: &ReportRun, now: Timestamp, zone: &Zone) -> Object {
    let is_expired = run.is_expired(now);
    let (status, sum) = match run.state {
        _ if is_expired => ("Expired", None),
        RunState::Pending => ("Pending", None),
        RunState::Ready(sum) => ("Ready", Some(sum)),
        RunState::Failed => ("Failed", None),
    };
    let is_ready = sum.is_some();
    let expires = run.expires_at.map(|at| zone.date_time(at));
    Object::new()
        .with("repIdentifier", run.id.to_string())
        .with("repType", run.request.kind.code())
        .with(
            "repCategory",
            TransactionCategory::of(run.request.service).word(),
        )
        .with("repStatus", status)
        .with("repAsOf", utc(run.as_of))
        .with("repRows", run.rows)
        .with("repBytes", run.bytes)
        .with("repName", is_ready.then(|| file_name(run)))
        .with("repUrl", is_ready.then(|| file_address(run.id)))
        .with("repSha256", sum.map(|sum| hex(&sum)))
        .with("repExpires", expires)
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    digits
        .filter_map(|it| char::from_digit(it.into(), 16))
        .collect()
}
