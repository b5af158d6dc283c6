//! `manilla provider status`: what the books say of each provider. It must reach no provider, so it
//! cannot say whether one works at the moment.

use application::payment_freeze::PaymentFreeze;
use application::provider_pauses::ProviderPause;
use clap::Args;
use domain::operator::OperatorName;
use domain::time::Timestamp;
use jiff::Timestamp as Moment;
use ports::audit::BookedState;
use serde::Serialize;

use super::list::routes_to;
use super::reading::ReadingView;
use crate::commands::moment;
use crate::compose::{AdminContext, DataFolder, route_table};
use crate::config::{AccountConfig, Config};
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider status
  manilla provider status --json

FLOAT is what the provider said is left when a server last read it, whether that is below
`low_float`, and for how long it lasts at the pace of the last day.

`manilla provider test NAME` asks a provider whether it answers.")]
pub(crate) struct ProviderStatusOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    providers: Vec<StatusView>,
}

#[derive(Serialize)]
struct StatusView {
    name: String,
    adapter: &'static str,
    routes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    paused: Option<PauseView>,
    open: usize,
    delivered: usize,
    disproven: usize,
    reversed: usize,
    lost: usize,
    #[serde(rename = "changesReadAt")]
    changes_read_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    float: Option<ReadingView>,
}

/// A pause of a provider, or the freeze of payments, for people and scripts.
#[derive(Serialize)]
pub(in crate::commands) struct PauseView {
    by: String,
    since: String,
    reason: String,
}

impl PauseView {
    pub(in crate::commands) fn of(pause: &ProviderPause) -> Self {
        Self::new(&pause.by, pause.since, &pause.reason)
    }

    /// The freeze of every account's payments.
    pub(in crate::commands) fn of_payments(freeze: &PaymentFreeze) -> Self {
        Self::new(&freeze.by, freeze.since, &freeze.reason)
    }

    fn new(by: &OperatorName, since: Timestamp, reason: &str) -> Self {
        Self {
            by: by.to_string(),
            since: moment(since),
            reason: reason.to_owned(),
        }
    }

    /// The pause in one cell of a table.
    pub(in crate::commands) fn text(&self) -> String {
        let Self { by, since, reason } = self;
        format!("{since} by {by}: {reason}")
    }
}

impl StatusView {
    fn row(&self) -> [String; 11] {
        let never = || "never".to_owned();
        [
            self.name.clone(),
            self.adapter.to_owned(),
            self.routes.to_string(),
            self.open.to_string(),
            self.delivered.to_string(),
            self.disproven.to_string(),
            self.reversed.to_string(),
            self.lost.to_string(),
            self.changes_read_at.clone().unwrap_or_else(never),
            self.float
                .as_ref()
                .map_or_else(|| "not read".to_owned(), ReadingView::text),
            self.paused
                .as_ref()
                .map_or_else(|| "no".to_owned(), PauseView::text),
        ]
    }
}

pub(super) async fn run(options: &ProviderStatusOptions, config: &Config) -> Result<(), Failure> {
    let desk = AdminContext::open(config, DataFolder::MustExist).await?;
    let read = statuses(&desk, config).await;
    desk.close().await;
    let providers = read?;
    if options.json {
        return Ok(output::json(&Document { providers })?);
    }
    let headings = [
        "PROVIDER",
        "ADAPTER",
        "ROUTES",
        "OPEN",
        "DELIVERED",
        "DISPROVEN",
        "REVERSED",
        "LOST",
        "CHANGES READ",
        "FLOAT",
        "PAUSED",
    ];
    let rows: Vec<[String; 11]> = providers.iter().map(StatusView::row).collect();
    Ok(output::line(output::table(headings, &rows))?)
}

async fn statuses(context: &AdminContext, config: &Config) -> Result<Vec<StatusView>, Failure> {
    let paused = context.operators.paused_providers().await?;
    let mut statuses = Vec::new();
    for account in &config.accounts {
        let pause = paused.get(&account.id).map(PauseView::of);
        statuses.push(StatusView {
            paused: pause,
            ..status(context, config, account).await?
        });
    }
    Ok(statuses)
}

async fn status(
    context: &AdminContext,
    config: &Config,
    account: &AccountConfig,
) -> Result<StatusView, Failure> {
    let attempts = context.audit.attempts(&account.id).await?;
    let count = |state: BookedState| attempts.iter().filter(|it| it.state == state).count();
    let cursor = context.changes.cursor(&account.id).await?;
    let read_at = cursor.map(|it| Moment::from_millisecond(it.read_at.as_millis()));
    Ok(StatusView {
        name: account.id.to_string(),
        adapter: account.adapter.declaration().name,
        routes: routes_to(account, &route_table(config)?),
        paused: None,
        open: count(BookedState::Open),
        delivered: count(BookedState::Delivered),
        disproven: count(BookedState::Disproven),
        reversed: count(BookedState::Reversed),
        lost: count(BookedState::Lost),
        changes_read_at: read_at.transpose()?.map(|it| it.to_string()),
        float: ReadingView::of(context, &account.id).await?,
    })
}
