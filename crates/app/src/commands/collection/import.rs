//! `manilla collection import`: the payments of a bank's statement. Nothing is credited before
//! every line could be read, and importing a file again must credit nothing twice.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use domain::collection::BankSession;
use serde::Serialize;

use super::crediting::{Crediting, ReportedPayment, credited, judged};
use super::statement;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::signer;
use crate::output;

/// After how many payments the progress is shown.
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
    line: u64,
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
    let mut imported = Imported::default();
    let done = import((&context, config), &lines, (options.dry_run, &mut imported)).await;
    context.close().await;
    let is_settled = imported.unsettled.is_empty();
    // Also where it stopped: what was credited by then is.
    if options.json {
        output::json(&imported)?;
    } else {
        said(&imported, options.dry_run)?;
    }
    done?;
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
    (dry_run, imported): (bool, &mut Imported),
) -> Result<(), Failure> {
    let mut by = None;
    let contradicted = contradicted(lines);
    let mut seen = HashSet::new();
    for (count, reported) in (1_usize..).zip(lines) {
        let session = &reported.report.session;
        if contradicted.contains(session) {
            imported.unsettled(reported, "is in the file with different amounts or numbers");
            continue;
        }
        let mut crediting = judged(context, reported).await?;
        let is_again = !seen.insert(session);
        if let Crediting::Credited(payment) = &crediting {
            if dry_run && is_again {
                crediting = Crediting::Known(payment.clone());
            } else if !dry_run {
                let by = match &by {
                    Some(by) => by,
                    // The passphrase is asked for once.
                    None => by.insert(signer(config)?),
                };
                crediting = credited(context, by, (**payment).clone()).await?;
            }
        }
        imported.count(reported, &crediting);
        if count.checked_rem(PROGRESS_EVERY) == Some(0) {
            output::complain(format!("{count} of {} payments", lines.len()));
        }
    }
    Ok(())
}

/// The sessions that a file has twice, for different amounts or numbers: nothing says which is
/// right.
fn contradicted(lines: &[ReportedPayment]) -> HashSet<&BankSession> {
    let mut first = HashMap::new();
    let mut contradicted = HashSet::new();
    for line in lines {
        let says = (&line.payee, line.report.amount);
        let session = &line.report.session;
        if *first.entry(session).or_insert(says) != says {
            contradicted.insert(session);
        }
    }
    contradicted
}

impl Imported {
    fn count(&mut self, reported: &ReportedPayment, crediting: &Crediting) {
        match crediting {
            Crediting::Credited(_) => self.credited = self.credited.saturating_add(1),
            Crediting::Known(_) => self.known = self.known.saturating_add(1),
            Crediting::Differs(known) => {
                let about = format!(
                    "was credited before with NGN {} to {} for {}",
                    known.amount, known.account, known.reference
                );
                self.unsettled(reported, &about);
            }
            Crediting::BeforeItWasMade => {
                self.unsettled(reported, "was paid before the number was made");
            }
            Crediting::BalanceLimit => {
                self.unsettled(reported, "takes the balance above the largest amount");
            }
            Crediting::Unmatched => self.unsettled(reported, "matches no collection"),
            Crediting::TestAccount => self.unsettled(reported, "is a number of a test account"),
        }
    }

    fn unsettled(&mut self, reported: &ReportedPayment, about: &str) {
        self.unsettled.push(UnsettledLine {
            line: reported.line,
            session: reported.report.session.to_string(),
            payee: reported.payee.clone(),
            amount: reported.report.amount.to_string(),
            about: about.to_owned(),
        });
    }
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
