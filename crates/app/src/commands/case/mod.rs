//! `manilla case`: everything that waits for a person, as one queue. It must not decide: each kind
//! of case is resolved by the code that decides about it elsewhere.

mod gather;
mod list;
pub(in crate::commands) mod resolve;
mod show;

pub(super) use gather::CASES_MAX;
pub(crate) use gather::CaseScope;

use clap::Subcommand;
use domain::money::{Currency, Money};
use domain::operations::{CaseKind, CaseOverview};
use domain::time::Timestamp;
use jiff::Timestamp as Moment;
use serde::{Serialize, Serializer};

use crate::compose::AdminContext;
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

/// The word of a kind of cases, for scripts.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes every field by reference"
)]
fn word<S: Serializer>(kind: &CaseKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.word())
}

/// Everything that waits for a person, as operators see it over HTTP.
///
/// # Errors
/// When the store failed.
pub(crate) async fn open_cases(
    context: &AdminContext,
    scope: &CaseScope,
) -> Result<Vec<CaseOverview>, Failure> {
    let cases = gather::open(context, scope).await?;
    Ok(cases.into_iter().map(CaseView::overview).collect())
}

/// One case.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct CaseView {
    /// The kind and what it is about; the same as long as it waits.
    id: String,
    #[serde(serialize_with = "word")]
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

impl CaseView {
    fn overview(self) -> CaseOverview {
        let currency = self.currency.and_then(Currency::from_code);
        let amount = self.minor.zip(currency);
        let since = self.since.and_then(|it| it.parse::<Moment>().ok());
        CaseOverview {
            id: self.id,
            kind: self.kind,
            account: self.identity,
            reference: self.reference,
            provider: self.provider,
            provider_reference: self.provider_reference,
            amount: amount.map(|(minor, currency)| Money::from_minor(minor, currency)),
            since: since.map(|it| Timestamp::from_millis(it.as_millisecond())),
            about: self.about,
            todo: self.todo.to_owned(),
            awaits_approval: false,
        }
    }
}
