//! `manilla collection import`: the payments of a bank's statement. Nothing is credited before
//! every line could be read, and importing a file again must credit nothing twice.

use std::fs::File;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::crediting::{Crediting, ReportedPayment, credited, judged};
use super::statement::{self, LINES_MAX};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::signer;
use crate::output;

/// After how many lines the progress is shown.
const PROGRESS_EVERY: usize = 1_000;

#[derive(Debug, Args)]
#[command(after_help = "\
FILE is CSV with a first line of names: session, payee, amount, paid_at, and where the bank says
them payer_name, payer_bank and payer_account. PAYEE is the account number or payment reference that
was paid; paid_at is a moment such as 2026-11-28T12:00:00Z.

Importing the same file again credits nothing twice. Lines that match no collection, and sessions
that were credited otherwise before, are listed, and the exit code is 1.

Examples:
  manilla collection import statement.csv --dry-run
  manilla collection import statement.csv --json")]
pub(crate) struct CollectionImportOptions {
    /// The statement
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Say what would be credited, and credit nothing
    #[arg(long)]
    dry_run: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// What became of the lines.
#[derive(Debug, Default, Serialize)]
struct Imported {
    credited: usize,
    known: usize,
    /// What a person has to look at.
    unsettled: Vec<UnsettledLine>,
}

#[derive(Debug, Serialize)]
struct UnsettledLine {
    line: usize,
    session: String,
    payee: String,
    amount: String,
    about: String,
}

pub(super) async fn run(options: &CollectionImportOptions, config: &Config) -> Result<(), Failure> {
    let name = options.file.display().to_string();
    let file = File::open(&options.file).with_context(|| format!("cannot read {name}"))?;
    let lines = statement::read(file).map_err(|problems| {
        let problems = problems.join("\n  ");
        anyhow::anyhow!("nothing was credited: {name} cannot be read:\n  {problems}")
    })?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let imported = import((&context, config), &lines, options.dry_run).await;
    context.close().await;
    let imported = imported?;
    let is_settled = imported.unsettled.is_empty();
    if options.json {
        output::json(&imported)?;
    } else {
        said(&imported, options.dry_run)?;
    }
    if is_settled {
        return Ok(());
    }
    Err(anyhow::anyhow!(
        "{} lines of {name} were not credited; look at each with your bank and its merchant",
        imported.unsettled.len()
    )
    .into())
}

async fn import(
    (context, config): (&AdminContext, &Config),
    lines: &[ReportedPayment],
    dry_run: bool,
) -> Result<Imported, Failure> {
    let mut imported = Imported::default();
    let mut by = None;
    for (number, reported) in (2_usize..).zip(lines.iter().take(LINES_MAX)) {
        let mut crediting = judged(context, reported).await?;
        if let Crediting::Credited(payment) = &crediting
            && !dry_run
        {
            let by = match &by {
                Some(by) => by,
                // The passphrase is asked for once.
                None => by.insert(signer(config)?),
            };
            crediting = credited(context, by, (**payment).clone()).await?;
        }
        let about = match crediting {
            Crediting::Credited(_) => {
                imported.credited = imported.credited.saturating_add(1);
                None
            }
            Crediting::Known(_) => {
                imported.known = imported.known.saturating_add(1);
                None
            }
            Crediting::Differs(known) => Some(format!(
                "was credited before with NGN {} to {} for {}",
                known.amount, known.account, known.reference
            )),
            Crediting::Unmatched => Some("matches no collection".to_owned()),
            Crediting::TestAccount => Some("is a number of a test account".to_owned()),
        };
        imported.unsettled.extend(about.map(|about| UnsettledLine {
            line: number,
            session: reported.report.session.to_string(),
            payee: reported.payee.clone(),
            amount: reported.report.amount.to_string(),
            about,
        }));
        if number.checked_rem(PROGRESS_EVERY) == Some(0) {
            output::complain(format!("{number} of {} lines", lines.len()));
        }
    }
    Ok(imported)
}

fn said(imported: &Imported, dry_run: bool) -> anyhow::Result<()> {
    let verb = if dry_run { "Would credit" } else { "Credited" };
    output::line(format!(
        "{verb} {} payments; {} were credited before.",
        imported.credited, imported.known
    ))?;
    for line in &imported.unsettled {
        output::line(format!(
            "  line {}: session {}, {} to {}: {}",
            line.line, line.session, line.amount, line.payee, line.about
        ))?;
    }
    Ok(())
}
