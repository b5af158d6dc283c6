//! `manilla case`: everything that waits for a person, as one queue. It must not decide: each kind
//! of case is resolved by the code that decides about it elsewhere.

mod gather;
mod list;
mod resolve;
mod show;

pub(super) use gather::CASES_MAX;

use clap::Subcommand;
use serde::Serialize;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum CaseCommand {
    /// Show what waits for a person, oldest first
    List(list::CaseListOptions),
    /// Show one case with everything that is known of it
    Show(show::CaseShowOptions),
    /// Resolve one, signed by an operator; above a limit a second person confirms
    Resolve(Box<resolve::CaseResolveOptions>),
}

pub(crate) async fn run(command: CaseCommand, config: &Config) -> Result<(), Failure> {
    match command {
        CaseCommand::List(options) => list::run(&options, config).await,
        CaseCommand::Show(options) => show::run(&options, config).await,
        CaseCommand::Resolve(options) => Box::pin(resolve::run(*options, config)).await,
    }
}

/// Why something waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum CaseKind {
    /// A payment that no evidence decides.
    Review,
    /// A reference that only a provider knows.
    Reference,
    /// A change that a provider reported and that could not be applied.
    DeadLetter,
    /// A delivery after the price had been released: a loss is booked.
    LateDelivery,
    /// The ledger and a provider's own journal differ.
    Difference,
    /// The ledger and a provider's settlement file differ.
    Settlement,
}

/// The word that the names of cases from settlement files begin with.
pub(super) const SETTLEMENT_CASE: &str = "settlement";

impl CaseKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Reference => "reference",
            Self::DeadLetter => "dead-letter",
            Self::LateDelivery => "late-delivery",
            Self::Difference => "difference",
            Self::Settlement => SETTLEMENT_CASE,
        }
    }
}

/// One case.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct CaseView {
    /// The kind and what it is about; the same as long as it waits.
    id: String,
    kind: CaseKind,
    #[serde(rename = "mrcIdentity", skip_serializing_if = "Option::is_none")]
    identity: Option<String>,
    #[serde(rename = "mrcReference", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
    /// The amount in minor units, by which a second person is needed.
    #[serde(skip)]
    minor: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    age_seconds: Option<u64>,
    /// What is known.
    about: String,
    /// What a person does about it.
    todo: &'static str,
}
