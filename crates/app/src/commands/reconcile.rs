//! `manilla reconcile`: comparing books that are held with what a provider was asked, and opening
//! them again. It must not open anything that was not compared in the same run.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use clap::Args;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use ports::reconciliation::{Acknowledgement, Hold, Reconciliation};
use serde::Serialize;

use crate::commands::line;
use crate::compose::{Desk, Folder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

/// Longest name of a person, in characters.
const PERSON_MAX: usize = 80;

/// Most missing references that are shown; all of them are kept with the acknowledgement.
const SHOWN_MAX: usize = 100;

/// References that are looked for at a time.
const AT_A_TIME: usize = 50_000;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla reconcile --database postgres://manilla@db.internal/manilla
  manilla reconcile --provider sandbox --references sent-since-the-backup.txt
  manilla reconcile --provider sandbox --references sent-since-the-backup.txt --acknowledge --by ada

A database that was restored from a backup, or taken over by a standby, may lack payments that
were made. Its books are held: reports are answered, nothing is bought. Ask each provider for the
references of everything it was sent since the moment the database went back to, one per line, the
first column counts. What the provider knows and the books do not was delivered and not charged:
it is shown, and kept. Should the merchant send such a payment again under its own reference, it is
found at the provider and charged, not bought twice. `--references sandbox` reads the sandbox's own
book. A provider that was sent nothing is `--nothing-sent`.

What else was changed since is gone too: revoke keys and suspend accounts again, and repeat `account
credit` under its reference, which works once.

Exit status: 0 if the books are open and nothing is missing, 1 otherwise.")]
pub(crate) struct Options {
    #[arg(
        long,
        value_name = "ID",
        default_value = "sandbox",
        help = "Whose references they are"
    )]
    provider: String,
    #[arg(
        long,
        value_name = "FILE",
        help = "The provider's references, one per line; - reads them from standard input"
    )]
    references: Option<PathBuf>,
    /// The provider was sent nothing since
    #[arg(long, conflicts_with = "references")]
    nothing_sent: bool,
    /// Open the books: whatever is missing was looked at
    #[arg(long, requires = "by")]
    acknowledge: bool,
    /// Who acknowledges
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    held: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<usize>,
    missing: Vec<String>,
    acknowledged: bool,
}

pub(crate) async fn run(options: &Options, config: &Config) -> Result<(), Failure> {
    let provider =
        ProviderId::parse(&options.provider).map_err(|error| Failure::flag("--provider", error))?;
    if provider.as_str() != provider_sim::PROVIDER_ID {
        let why = format!(
            "must be a provider of this gateway: {}",
            provider_sim::PROVIDER_ID
        );
        return Err(Failure::flag("--provider", why));
    }
    if options.acknowledge && options.references.is_none() && !options.nothing_sent {
        let why = "needs --references or --nothing-sent: nothing is opened that was not compared";
        return Err(Failure::flag("--acknowledge", why));
    }
    let by = match &options.by {
        Some(by) => Some(line("--by", by, PERSON_MAX)?),
        None => None,
    };
    let desk = Desk::open(config, Folder::MustExist).await?;
    let done = reconciled(&desk, options, (provider, by)).await;
    desk.close().await;
    let outcome = done?;
    if options.json {
        output::json(&outcome)?;
    } else {
        output::line(told(&outcome))?;
    }
    if outcome.acknowledged || (!outcome.held && outcome.missing.is_empty()) {
        return Ok(());
    }
    Err(Failure::Told)
}

async fn reconciled(
    desk: &Desk,
    options: &Options,
    (provider, by): (ProviderId, Option<String>),
) -> Result<Outcome, Failure> {
    let books = desk.reconciliation().ok_or_else(|| {
        let why = "must name a database: books in a data folder are never held";
        Failure::flag("--database", why)
    })?;
    let hold = books.hold().await?;
    let compared = match &options.references {
        None if options.nothing_sent => Some((0, Vec::new())),
        None => None,
        Some(file) => {
            let references = references(desk, file)?;
            let missing = missing(&books, &references).await?;
            Some((references.len(), missing))
        }
    };
    let mut acknowledged = false;
    if let (true, Some(by), Some((count, missing))) = (options.acknowledge, by, &compared) {
        let word = Acknowledgement {
            by,
            provider,
            compared: u64::try_from(*count).unwrap_or(u64::MAX),
            missing: missing.clone(),
        };
        acknowledged = books.acknowledge(&word).await?;
    }
    Ok(outcome(hold, compared, acknowledged))
}

fn outcome(
    hold: Option<Hold>,
    compared: Option<(usize, Vec<ProviderReference>)>,
    acknowledged: bool,
) -> Outcome {
    let (since, because) = hold.map(|hold| (hold.since, hold.because)).unzip();
    let (compared, missing) = compared.unzip();
    let missing = missing.unwrap_or_default().into_iter();
    Outcome {
        held: because.is_some(),
        since,
        because,
        compared,
        missing: missing.map(|reference| reference.to_string()).collect(),
        acknowledged,
    }
}

async fn missing(
    books: &Arc<dyn Reconciliation>,
    references: &[ProviderReference],
) -> Result<Vec<ProviderReference>, Failure> {
    let mut missing = Vec::new();
    for part in references.chunks(AT_A_TIME) {
        missing.extend(books.missing(part).await?);
    }
    Ok(missing)
}

/// The references a provider was asked under, each once.
fn references(desk: &Desk, file: &Path) -> Result<Vec<ProviderReference>, Failure> {
    if file == Path::new("sandbox") {
        return Ok(desk.sandbox_references()?);
    }
    let text = if file == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.with_context(|| format!("{} cannot be read", file.display()))?;
    let listed = listed(&text);
    if listed.is_empty() {
        return Err(Failure::from(anyhow!(
            "{} holds no references; one per line, the first column counts",
            file.display()
        )));
    }
    Ok(listed)
}

/// The first column of each line: up to a comma, a semicolon or white space, quotes removed.
fn listed(text: &str) -> Vec<ProviderReference> {
    let ends = |character: char| matches!(character, ',' | ';') || character.is_whitespace();
    let first = text
        .lines()
        .filter_map(|line| line.trim().split(ends).next());
    let words = first.map(|word| word.trim_matches('"'));
    let unique: BTreeSet<&str> = words.filter(|word| !word.is_empty()).collect();
    let unique = unique.into_iter();
    unique
        .map(|word| ProviderReference::from_echo(word.to_owned()))
        .collect()
}

fn told(outcome: &Outcome) -> String {
    let mut text = match (&outcome.because, &outcome.since) {
        (Some(because), Some(since)) => format!("The books are held since {since}: {because}."),
        (_, _) => "The books are not held.".to_owned(),
    };
    if let Some(compared) = outcome.compared {
        let missing = outcome.missing.len();
        text =
            format!("{text}\n{compared} references compared, {missing} of them not in the books.");
    }
    for reference in outcome.missing.iter().take(SHOWN_MAX) {
        text = format!("{text}\n  {reference}");
    }
    let more = outcome.missing.len().saturating_sub(SHOWN_MAX);
    if more > 0 {
        text = format!("{text}\n  and {more} more; --json lists all");
    }
    let end = match (outcome.held, outcome.acknowledged) {
        (_, true) => "Acknowledged: the books are open.",
        (true, false) if outcome.compared.is_some() => {
            "Nothing was changed. Add --acknowledge --by NAME to open the books."
        }
        (true, false) => "Compare them with --references, see `manilla reconcile --help`.",
        (false, false) => return text,
    };
    format!("{text}\n{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_column_of_whatever_a_provider_exports_is_read_once() {
        let text = "a-1,2026-11-21,delivered\n\n \"b-2\";x\nc-3\td\r\na-1\n";
        let listed = listed(text);
        let words: Vec<_> = listed.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["a-1", "b-2", "c-3"]);
    }

    #[test]
    fn what_is_told_ends_with_what_to_do_next() {
        let hold = || {
            Some(Hold {
                since: "2026-11-21T14:00:00Z".into(),
                because: "a backup was restored".into(),
            })
        };
        let missing = vec![ProviderReference::from_echo("a-1")];
        let compared = told(&outcome(hold(), Some((2, missing.clone())), false));
        assert_eq!(
            compared,
            "The books are held since 2026-11-21T14:00:00Z: a backup was restored.\n\
             2 references compared, 1 of them not in the books.\n  a-1\n\
             Nothing was changed. Add --acknowledge --by NAME to open the books."
        );
        assert!(told(&outcome(hold(), None, false)).ends_with("see `manilla reconcile --help`."));
        assert!(told(&outcome(hold(), Some((2, missing)), true)).ends_with("the books are open."));
        assert_eq!(told(&outcome(None, None, false)), "The books are not held.");
    }
}
