//! `manilla reconcile FILE`: a provider's settlement file against our ledger. It must change no
//! transaction: each difference becomes a case, and a person decides.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use application::operators::fingerprint;
use clap::Args;
use domain::operations::CaseKind;
use domain::operator::{Act, OperatorOrder};
use domain::provider::ProviderId;
use jiff::Timestamp as Moment;
use serde::Serialize;

use super::SHOWN_MAX;
use crate::commands::case::CASES_MAX;
use crate::commands::provider::fund::configured;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::{sign_as, signer};
use crate::output;
use crate::settlement_file::{
    self, LedgerSide, SettlementColumns, SettlementDifference, SettlementPeriod, SettlementRows,
};

/// Longest file of columns: it has a line for each of some fifteen keys.
const COLUMNS_BYTES_MAX: u64 = 64 * 1024;

/// Digits of the fingerprint in the name of a case: two differences of one reference are two cases.
const FINGERPRINT_DIGITS: usize = 12;

/// Most characters of a file's name in the log of operators.
const NAME_MAX: usize = 100;

#[derive(Debug, Args)]
pub(crate) struct SettlementFileOptions {
    #[arg(
        value_name = "FILE",
        requires = "columns",
        conflicts_with_all = ["references", "nothing_sent", "acknowledge"],
        help = "A settlement file of the provider (CSV); differences become cases"
    )]
    pub(super) file: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        requires = "file",
        help = "Which column of the settlement file holds what (TOML)"
    )]
    columns: Option<PathBuf>,
    #[arg(
        long,
        value_name = "MOMENT",
        requires = "file",
        help = "First day or moment of what must be in the file [default: its first]"
    )]
    from: Option<String>,
    #[arg(
        long,
        value_name = "MOMENT",
        requires = "file",
        help = "Day or moment before which it must be in the file [default: its last]"
    )]
    until: Option<String>,
    /// Show the differences and open no case
    #[arg(long, requires = "file")]
    dry_run: bool,
}

/// What came of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SettlementReport {
    provider: String,
    sha256: String,
    rows: u64,
    references: usize,
    /// What we opened in it had to be in the file; without it that was not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    differences: Vec<DifferenceRow>,
    cases_opened: usize,
    dry_run: bool,
}

/// One difference.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DifferenceRow {
    case: String,
    provider_reference: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    currency: &'static str,
    amount: String,
    about: String,
    /// Whether it was a case before, open or resolved.
    known: bool,
}

pub(super) async fn run(
    (options, provider): (&SettlementFileOptions, &str),
    json: bool,
    config: &Config,
) -> Result<(), Failure> {
    let provider = configured(provider, config)?;
    let (Some(file), Some(columns)) = (&options.file, &options.columns) else {
        return Err(Failure::flag("--columns", "is needed with FILE"));
    };
    let columns = columns_of(columns)?;
    let bounds = (
        bound(("--from", options.from.as_deref()), &columns)?,
        bound(("--until", options.until.as_deref()), &columns)?,
    );
    let rows = rows_of(file, &columns)?;
    let period = period(bounds, rows.period)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let compared = Compared {
        context: &context,
        provider: &provider,
        file,
    };
    let done = compared
        .reported(config, (&rows, period), options.dry_run)
        .await;
    context.close().await;
    let report = done?;
    if json {
        output::json(&report)?;
    } else {
        output::line(text(&report))?;
    }
    if report.differences.is_empty() {
        return Ok(());
    }
    Err(Failure::AlreadyReported)
}

fn columns_of(path: &Path) -> Result<SettlementColumns, Failure> {
    let shown = path.display();
    let size = std::fs::metadata(path).with_context(|| format!("{shown} cannot be read"))?;
    if size.len() > COLUMNS_BYTES_MAX {
        let wrong = format!("must be a TOML file of at most {COLUMNS_BYTES_MAX} bytes");
        return Err(Failure::flag("--columns", wrong));
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("{shown} cannot be read"))?;
    let columns = SettlementColumns::parse(&text);
    Ok(columns.with_context(|| format!("{shown} cannot be used"))?)
}

fn rows_of(path: &Path, columns: &SettlementColumns) -> Result<SettlementRows, Failure> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("{shown} cannot be read"))?;
    let progress = |rows| output::complain(format!("{rows} rows read"));
    let rows = settlement_file::read(file, columns, progress);
    Ok(rows.with_context(|| format!("{shown} cannot be used; nothing was changed"))?)
}

/// A day, in the zone of the file, or a moment with its offset.
fn bound(
    (flag, text): (&str, Option<&str>),
    columns: &SettlementColumns,
) -> Result<Option<Moment>, Failure> {
    let Some(text) = text else {
        return Ok(None);
    };
    if let Ok(moment) = text.parse() {
        return Ok(Some(moment));
    }
    let wrong = || {
        let forms = "must be a day such as 2026-11-25 or a moment such as 2026-11-25T12:00:00Z";
        Failure::flag(flag, forms)
    };
    let day: jiff::civil::Date = text.parse().map_err(|_| wrong())?;
    let moment = columns.offset()?.to_timestamp(day.at(0, 0, 0, 0));
    moment.map(Some).map_err(|_| wrong())
}

/// The period that was named; what was not named of it is the file's.
fn period(
    (from, until): (Option<Moment>, Option<Moment>),
    of_the_file: Option<SettlementPeriod>,
) -> Result<Option<SettlementPeriod>, Failure> {
    let from = from.or_else(|| of_the_file.map(|it| it.from));
    let until = until.or_else(|| of_the_file.map(|it| it.until));
    match (from, until) {
        (Some(from), Some(until)) if from < until => Ok(Some(SettlementPeriod { from, until })),
        (Some(_), Some(_)) => Err(Failure::flag("--until", "must be after --from")),
        (None, None) => Ok(None),
        (Some(_), None) => Err(Failure::flag(
            "--until",
            "is needed: the file has no dates that end it",
        )),
        (None, Some(_)) => Err(Failure::flag(
            "--from",
            "is needed: the file has no dates that begin it",
        )),
    }
}

/// One comparison.
struct Compared<'a> {
    context: &'a AdminContext,
    provider: &'a ProviderId,
    file: &'a Path,
}

impl Compared<'_> {
    async fn reported(
        &self,
        config: &Config,
        (rows, period): (&SettlementRows, Option<SettlementPeriod>),
        is_dry: bool,
    ) -> Result<SettlementReport, Failure> {
        // The ledger is read after the file was: it has everything that the file can have.
        let ours = LedgerSide {
            booked: self.context.audit.attempts(self.provider).await?,
            noted: self.context.reconciliation.noted(self.provider).await?,
        };
        let (mut found, absent) = settlement_file::compare(&ours, rows);
        drop(ours);
        if let Some(period) = period {
            found.extend(self.within(period, absent).await?);
        }
        let known = self.known().await?;
        let listed = found.iter().map(|it| self.row(it, &known));
        let differences: Vec<DifferenceRow> = listed.collect();
        let new = found.iter().zip(&differences);
        let new: Vec<_> = new.filter(|(_, row)| !row.known).collect();
        if !is_dry && new.len() > CASES_MAX as usize {
            return Err(anyhow!(
                "{} has {} differences, more than the {CASES_MAX} cases that are opened at a time; \
                 nothing was changed. It is probably a file of another provider or period, or its \
                 columns are others: look at it with --dry-run",
                self.file.display(),
                new.len()
            )
            .into());
        }
        if !is_dry && !new.is_empty() {
            let signer = signer(config)?;
            for (difference, row) in &new {
                let order = self.order(difference, (&row.case, &rows.digest.0));
                sign_as(self.context, &signer, &order).await?;
            }
        }
        let cases_opened = if is_dry { 0 } else { new.len() };
        Ok(SettlementReport {
            provider: self.provider.to_string(),
            sha256: rows.digest.0.clone(),
            rows: rows.rows,
            references: rows.references(),
            from: period.map(|it| it.from.to_string()),
            until: period.map(|it| it.until.to_string()),
            differences,
            cases_opened,
            dry_run: is_dry,
        })
    }

    /// Those of our deliveries that are not in the file and were opened in its period.
    async fn within(
        &self,
        period: SettlementPeriod,
        absent: Vec<SettlementDifference>,
    ) -> Result<Vec<SettlementDifference>, Failure> {
        let mut within = Vec::new();
        for it in absent {
            let found = self
                .context
                .gateway
                .attempt_of(self.provider, &it.reference);
            let opened = found.await?;
            let opened =
                opened.and_then(|(tx, _)| Moment::from_millisecond(tx.opened_at.as_millis()).ok());
            // One whose moment is not known may be of any period, so it is shown.
            if opened.is_none_or(|moment| period.contains(moment)) {
                within.push(it);
            }
        }
        Ok(within)
    }

    /// The cases that were opened before, resolved or not.
    async fn known(&self) -> Result<BTreeSet<String>, Failure> {
        let acts = self.context.operator_log.of_acts(&[Act::CaseOpen]).await?;
        Ok(acts.into_iter().map(|it| it.order.reference).collect())
    }

    fn row(&self, it: &SettlementDifference, known: &BTreeSet<String>) -> DifferenceRow {
        let digits = fingerprint(&it.about);
        let digits = digits.get(..FINGERPRINT_DIGITS).unwrap_or(&digits);
        let case = format!(
            "{}:{}:{}:{digits}",
            CaseKind::Settlement.word(),
            self.provider,
            it.reference
        );
        DifferenceRow {
            known: known.contains(&case),
            case,
            provider_reference: it.reference.to_string(),
            line: it.line,
            currency: it.amount.currency().code(),
            amount: it.amount.to_string(),
            about: it.about.clone(),
        }
    }

    /// What is signed of one difference. No money moves: the amount is what is in question.
    fn order(&self, it: &SettlementDifference, (case, digest): (&str, &str)) -> OperatorOrder {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let shown = name.chars().filter(|it| !it.is_control()).take(NAME_MAX);
        let name: String = shown.collect();
        let line = it
            .line
            .map_or_else(String::new, |line| format!(" line {line},"));
        let detail = format!("{}; {name},{line} SHA-256 {digest}", it.about);
        let order = OperatorOrder::new(Act::CaseOpen).to(self.provider);
        order.under(case).moving(Some(it.amount)).with(detail)
    }
}

fn text(report: &SettlementReport) -> String {
    let mut lines = vec![format!(
        "{} rows, {} references of {} compared.",
        report.rows, report.references, report.provider
    )];
    lines.push(match (&report.from, &report.until) {
        (Some(from), Some(until)) => {
            format!("What we opened from {from} until before {until} had to be in the file.")
        }
        (_, _) => {
            "Not compared: what is not in the file. It has no dates; give --from and --until."
                .to_owned()
        }
    });
    for it in report.differences.iter().take(SHOWN_MAX) {
        let line = it
            .line
            .map_or_else(String::new, |line| format!("line {line}: "));
        let known = if it.known { " (a case before)" } else { "" };
        lines.push(format!(
            "  {line}{}: {}{known}",
            it.provider_reference, it.about
        ));
    }
    let more = report.differences.len().saturating_sub(SHOWN_MAX);
    if more > 0 {
        lines.push(format!("  and {more} more; --json lists all"));
    }
    lines.push(match (report.differences.len(), report.dry_run) {
        (0, _) => "The file and the ledger agree.".to_owned(),
        (count, true) => format!("{count} differences. Nothing was changed."),
        (count, false) => format!(
            "{count} differences, {} cases opened; `manilla case list` shows those that wait.",
            report.cases_opened
        ),
    });
    lines.join("\n")
}
