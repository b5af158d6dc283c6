//! `manilla case show`. It must say what a person does about the case.

use clap::Args;

use super::CaseView;
use super::gather::{self, CaseScope};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla case show review:shop_1:order-7
  manilla case show review:shop_1:order-7 --json")]
pub(crate) struct CaseShowOptions {
    /// The case, as `manilla case list` names it
    id: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(options: &CaseShowOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let found = named(&context, config, &options.id).await;
    context.close().await;
    let case = found?;
    if options.json {
        return Ok(output::json(&case)?);
    }
    Ok(output::line(text(&case))?)
}

/// The open case of this name.
pub(super) async fn named(
    context: &AdminContext,
    config: &Config,
    id: &str,
) -> Result<CaseView, Failure> {
    let cases = gather::open(context, &CaseScope::of(config)).await?;
    let found = cases.into_iter().find(|case| case.id == id);
    found.ok_or_else(|| {
        anyhow::anyhow!("there is no open case {id}; `manilla case list` shows every one").into()
    })
}

fn text(case: &CaseView) -> String {
    let amount = case.currency.zip(case.amount.as_ref());
    let fields = [
        ("case", Some(case.id.clone())),
        ("kind", Some(case.kind.word().to_owned())),
        ("account", case.identity.clone()),
        ("transaction", case.reference.clone()),
        ("provider", case.provider.clone()),
        ("reference there", case.provider_reference.clone()),
        (
            "amount",
            amount.map(|(code, amount)| format!("{code} {amount}")),
        ),
        ("since", case.since.clone()),
        ("about", Some(case.about.clone())),
        ("to do", Some(case.todo.to_owned())),
    ];
    let known = fields
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<16} {}", value?)));
    known.collect::<Vec<_>>().join("\n")
}
