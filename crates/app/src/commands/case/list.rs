//! `manilla case list`. It must show every kind of case: no second list has to be looked at.

use clap::Args;
use serde::Serialize;

use super::CaseView;
use super::gather::{self, CaseScope};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla case list
  manilla case list --json

One queue of everything that waits for a person: payments under review, references that only a
provider knows, changes of a provider that could not be applied, deliveries after the price had been
given back, and differences to a provider's journal or settlement files. At most 1,000 of a kind are
shown. It reads the whole ledger. Exit status: 0 if nothing waits, 1 otherwise.")]
pub(crate) struct CaseListOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    cases: Vec<CaseView>,
}

pub(super) async fn run(options: &CaseListOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let cases = gather::open(&context, &CaseScope::of(config)).await;
    context.close().await;
    let cases = cases?;
    let is_empty = cases.is_empty();
    if options.json {
        output::json(&Document { cases })?;
    } else if is_empty {
        output::line("Nothing waits for a person.")?;
    } else {
        output::line(text(&cases))?;
    }
    if is_empty {
        Ok(())
    } else {
        Err(Failure::AlreadyReported)
    }
}

fn text(cases: &[CaseView]) -> String {
    let rows: Vec<[String; 5]> = cases.iter().map(row).collect();
    output::table(["CASE", "PROVIDER", "AMOUNT", "AGE", "ABOUT"], &rows)
}

fn row(case: &CaseView) -> [String; 5] {
    let amount = match (case.currency, &case.amount) {
        (Some(code), Some(amount)) => format!("{code} {amount}"),
        (_, _) => String::new(),
    };
    [
        case.id.clone(),
        case.provider.clone().unwrap_or_default(),
        amount,
        case.age_seconds.map_or_else(String::new, output::duration),
        case.about.clone(),
    ]
}
