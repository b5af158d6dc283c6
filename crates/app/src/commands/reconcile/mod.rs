//! `manilla reconcile`: what the journals say of a database that was set back, comparing it with
//! what a provider was asked, resuming payments, and comparing settlement files. It must not resume
//! what nothing was compared with.

mod accepting;
mod lists;
pub(in crate::commands) mod settle;
mod settlement;

use std::path::PathBuf;
use std::sync::Arc;

use application::operators::fingerprint;
use clap::{Args, Subcommand};
use domain::operator::{Act, OperatorOrder};
use domain::reference::ProviderReference;
use ports::reconciliation::{AcknowledgeOutcome, Acknowledgement, Clearance, Reconciliation};
use serde::Serialize;

use self::lists::{is_the_right_list, missing, named, providers, references};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

/// Most missing references or differences that are shown; all of them are kept.
const SHOWN_MAX: usize = 100;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  manilla reconcile
  manilla reconcile --acknowledge
  manilla reconcile --provider sandbox --references sent-since-the-backup.txt
  manilla reconcile --provider sandbox --references sent-since-the-backup.txt --acknowledge
  manilla reconcile --provider my-shop --nothing-sent --acknowledge
  manilla reconcile --provider my-shop settlement-2026-11-25.csv --columns my-shop.toml --dry-run
  manilla reconcile --provider my-shop settlement-2026-11-25.csv --columns my-shop.toml

With FILE it compares a settlement file of the provider with the ledger. What only one of them has,
and what they say otherwise of, becomes a case for `manilla case`, once, signed by an operator; no
transaction changes. A line that cannot be read ends it, and nothing is changed. The columns are a
TOML file:

  reference = \"Request ID\"     amount = \"Amount\"            amount_unit = \"naira\" or \"kobo\"
  provider_id = \"Their ID\" instead of reference              cost = \"Net amount\"
  status = \"Status\"            delivered = [\"success\"]      failed, reversed, pending = [...]
  date = \"Date\"                date_format = \"%Y-%m-%d\"     utc_offset = \"+01:00\"
  delimiter = \",\"              decimal_separator = \".\"      group_separator, skip_lines

A database that was restored from a backup, or taken over by a standby, may lack payments that were
made. The gateway compares it with the journal that each instance keeps outside of it. Where a
payment is missing, new payments are suspended, reports are served, and the payment is opened again
from the journal and asked about at its provider; nothing is sent again.

Payments are resumed by --acknowledge once every journal is whole in the database. Before that, do
what a journal does not hold once more: revoke keys, suspend accounts, and repeat `account credit`
under its reference, which works once.

Where journals are lost as well, ask each provider for the references of everything it was sent
since the moment the database went back to, one per line, the first column counts, and acknowledge
one provider after the other: the last resumes payments. What the provider knows and the database
does not is shown and kept, and nothing is bought under those references, nor under a merchant's
reference that one of them may stand for, until they are settled with `manilla reconcile settle`.
`--references sandbox` reads the sandbox's own book. A provider that was sent nothing is
`--nothing-sent`.

Exit status: 0 if payments are taken and nothing is missing, or if the file and the ledger agree;
1 otherwise."
)]
pub(crate) struct ReconcileOptions {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settlement: settlement::SettlementFileOptions,
    #[arg(
        long,
        value_name = "ID",
        help = "Provider of the file, or of the references [default of these: sandbox]"
    )]
    provider: Option<String>,
    #[arg(
        long,
        value_name = "FILE",
        help = "The provider's references, one per line; - reads them from standard input"
    )]
    references: Option<PathBuf>,
    /// The provider was sent nothing since
    #[arg(long, conflicts_with = "references")]
    nothing_sent: bool,
    /// Resume payments: whatever is missing was looked at
    #[arg(long)]
    acknowledge: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Book what a provider says of references that only it knows
    Settle(settle::ReconcileSettleOptions),
}

/// What came of it.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReconcileReport {
    suspended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
    journals: Vec<Journal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<usize>,
    missing: Vec<String>,
    unsettled: Vec<String>,
    /// Whether the word was kept.
    acknowledged: bool,
    /// Providers that must be compared before payments are resumed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waits_for: Vec<String>,
}

/// A journal that is in use.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Journal {
    id: String,
    compared: bool,
    missing: u64,
}

pub(crate) async fn run(options: &ReconcileOptions, config: &Config) -> Result<(), Failure> {
    if let Some(Command::Settle(options)) = &options.command {
        return settle::run(options, config).await;
    }
    if options.settlement.file.is_some() {
        let Some(provider) = &options.provider else {
            return Err(Failure::flag("--provider", "is needed with FILE"));
        };
        let settlement = (&options.settlement, provider.as_str());
        return settlement::run(settlement, options.json, config).await;
    }
    let provider = options.provider.as_deref();
    let provider = provider.unwrap_or(provider_sim::PROVIDER_ID);
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let done = reconciled(&context, config, (options, provider)).await;
    context.close().await;
    let outcome = done?;
    if options.json {
        output::json(&outcome)?;
    } else {
        output::line(text(&outcome))?;
    }
    let is_resumed = outcome.acknowledged && outcome.waits_for.is_empty();
    if is_resumed || (!outcome.suspended && outcome.missing.is_empty()) {
        return Ok(());
    }
    Err(Failure::AlreadyReported)
}

async fn reconciled(
    context: &AdminContext,
    config: &Config,
    (options, provider): (&ReconcileOptions, &str),
) -> Result<ReconcileReport, Failure> {
    let providers = providers(context, config).await?;
    let provider = named(&providers, (provider, config))?;
    let store = &context.reconciliation;
    let mut outcome = state(store).await?;
    let compared = match &options.references {
        None if options.nothing_sent => Some((0, Vec::new())),
        None => None,
        Some(file) => {
            let references = references(context, (file, &provider))?;
            let missing = missing(store, &references).await?;
            Some((references.len(), missing))
        }
    };
    let (count, missing) = compared.unzip();
    let missing = missing.unwrap_or_default();
    outcome.compared = count;
    outcome.missing = missing.iter().map(ToString::to_string).collect();
    if options.acknowledge {
        if outcome.suspended && count.is_none() {
            journals_suffice(&outcome)?;
        }
        let gateway = context.asking(config)?;
        if !missing.is_empty() {
            // Its form is how a merchant's reference is recognised in them.
            gateway.make_readable(&provider).await?;
        }
        is_the_right_list((&gateway, store), (&provider, &missing)).await?;
        let order = OperatorOrder::new(Act::PaymentsResume).under(&provider);
        let by = sign(context, config, &order.with(state_signed(count, &missing))).await?;
        let known = missing.into_iter();
        let missing = known.map(|it| gateway.missing_reference(&provider, it));
        let word = Acknowledgement {
            by: by.to_string(),
            compared: u64::try_from(count.unwrap_or_default()).unwrap_or(u64::MAX),
            missing: missing.collect(),
            wanted: count.map_or_else(Vec::new, |_| providers),
            provider,
        };
        (outcome.acknowledged, outcome.waits_for) = match gateway.acknowledge(&word).await? {
            AcknowledgeOutcome::Resumed => (true, Vec::new()),
            AcknowledgeOutcome::Waits(others) => {
                (true, others.iter().map(ToString::to_string).collect())
            }
            AcknowledgeOutcome::NotSuspended => (false, Vec::new()),
        };
        outcome.unsettled = unsettled(store).await?;
    }
    Ok(outcome)
}

/// What a person has looked at, as it is signed.
fn state_signed(compared: Option<usize>, missing: &[ProviderReference]) -> String {
    let names: Vec<_> = missing.iter().map(ToString::to_string).collect();
    let compared = compared.unwrap_or_default();
    let missing = names.len();
    let list = fingerprint(&names.join("\n"));
    format!("{compared} references compared, {missing} missing, their list is {list}")
}

/// Whether payments are taken, and what journals say.
async fn state(store: &Arc<dyn Reconciliation>) -> Result<ReconcileReport, Failure> {
    let suspension = store.suspension().await?;
    let journals = store.journals().await?;
    let in_use = journals.into_iter().filter(|it| it.in_use);
    let outcome = ReconcileReport {
        journals: in_use
            .map(|it| Journal {
                id: it.journal.0,
                compared: it.compared,
                missing: it.missing,
            })
            .collect(),
        unsettled: unsettled(store).await?,
        ..ReconcileReport::default()
    };
    Ok(match suspension {
        None => outcome,
        Some(suspension) => ReconcileReport {
            suspended: true,
            since: Some(suspension.since),
            because: Some(suspension.because),
            needs: Some(suspension.clearance.code()),
            ..outcome
        },
    })
}

async fn unsettled(store: &Arc<dyn Reconciliation>) -> Result<Vec<String>, Failure> {
    let listed = store.unsettled().await?.into_iter();
    Ok(listed.map(|it| it.reference.to_string()).collect())
}

/// Refuses where no comparison says that nothing is missing.
fn journals_suffice(outcome: &ReconcileReport) -> Result<(), Failure> {
    let needs_records = outcome.needs == Some(Clearance::Records.code());
    let whole = |it: &Journal| it.compared && it.missing == 0;
    if !needs_records && !outcome.journals.is_empty() && outcome.journals.iter().all(whole) {
        return Ok(());
    }
    let why = if needs_records {
        "needs --references or --nothing-sent: no journal says what is missing"
    } else {
        "needs every journal compared and whole, see `manilla reconcile`; start the instances that \
         wrote them, or give --references where a journal is lost"
    };
    Err(Failure::flag("--acknowledge", why))
}

fn text(outcome: &ReconcileReport) -> String {
    let mut lines = match (&outcome.because, &outcome.since) {
        (Some(because), Some(since)) => {
            let is_over = outcome.acknowledged && outcome.waits_for.is_empty();
            let verb = if is_over { "were" } else { "are" };
            vec![format!(
                "Payments {verb} suspended since {since}: {because}."
            )]
        }
        (_, _) => vec!["Payments are taken.".to_owned()],
    };
    for it in outcome.journals.iter().filter(|_| outcome.suspended) {
        let found = match (it.compared, it.missing) {
            (false, _) => "not compared yet".to_owned(),
            (true, 0) => "whole".to_owned(),
            (true, missing) => format!("{missing} attempts cannot be opened again, see the log"),
        };
        lines.push(format!("  journal {}: {found}", it.id));
    }
    if let Some(compared) = outcome.compared {
        let missing = outcome.missing.len();
        lines.push(format!(
            "{compared} references compared, {missing} of them not in the database."
        ));
        shown(&outcome.missing, &mut lines);
    }
    if !outcome.unsettled.is_empty() {
        lines.push(
            "References to settle with `manilla reconcile settle`; nothing is bought under them:"
                .to_owned(),
        );
        shown(&outcome.unsettled, &mut lines);
    }
    let end = match (outcome.suspended, outcome.acknowledged) {
        (_, true) if !outcome.waits_for.is_empty() => Some(format!(
            "Acknowledged. Payments are resumed once these providers were compared as well: {}",
            outcome.waits_for.join(", ")
        )),
        (_, true) => Some("Acknowledged: payments are taken.".to_owned()),
        (true, false) => Some("Nothing was changed. --acknowledge resumes payments.".to_owned()),
        (false, false) => None,
    };
    lines.extend(end);
    lines.join("\n")
}

fn shown(references: &[String], lines: &mut Vec<String>) {
    let some = references.iter().take(SHOWN_MAX);
    lines.extend(some.map(|reference| format!("  {reference}")));
    let more = references.len().saturating_sub(SHOWN_MAX);
    if more > 0 {
        lines.push(format!("  and {more} more; --json lists all"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suspended(needs: Clearance, journals: &[(bool, u64)]) -> ReconcileReport {
        let journal = |(compared, missing): &(bool, u64)| Journal {
            id: "j".to_owned(),
            compared: *compared,
            missing: *missing,
        };
        ReconcileReport {
            suspended: true,
            since: Some("2026-11-21T14:00:00Z".into()),
            because: Some("a backup was restored".into()),
            needs: Some(needs.code()),
            journals: journals.iter().map(journal).collect(),
            ..ReconcileReport::default()
        }
    }

    #[test]
    fn journals_suffice_only_where_each_is_whole_and_one_is_there() {
        let suffices =
            |needs, journals: &[(bool, u64)]| journals_suffice(&suspended(needs, journals)).is_ok();
        assert!(suffices(Clearance::Person, &[(true, 0), (true, 0)]));
        assert!(!suffices(Clearance::Person, &[]));
        assert!(!suffices(Clearance::Person, &[(true, 0), (false, 0)]));
        assert!(!suffices(Clearance::Person, &[(true, 1)]));
        assert!(!suffices(Clearance::Records, &[(true, 0)]));
    }

    #[test]
    fn the_text_ends_with_what_to_do_next() {
        let outcome = ReconcileReport {
            compared: Some(2),
            missing: vec!["a-1".to_owned()],
            ..suspended(Clearance::Records, &[(true, 0)])
        };
        assert_eq!(
            text(&outcome),
            "Payments are suspended since 2026-11-21T14:00:00Z: a backup was restored.\n  \
             journal j: whole\n2 references compared, 1 of them not in the database.\n  a-1\n\
             Nothing was changed. --acknowledge resumes payments."
        );
        assert_eq!(text(&ReconcileReport::default()), "Payments are taken.");
    }
}
