//! `manilla endpoint list`. It must show no secret of an endpoint.

use std::collections::BTreeMap;

use clap::Args;
use domain::account::AccountId;
use domain::webhook::{Endpoint, EndpointId, EndpointState, Topics};
use ports::backlog::EndpointBacklog;
use serde::Serialize;

use crate::commands::{identity, known, moment};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

/// Most endpoints whose backlog is read, those furthest behind. The others show no backlog.
const BEHIND_MAX: u32 = 10_000;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla endpoint list --identity shop_1
  manilla endpoint list --failing             of every account, those whose last attempt failed
  manilla endpoint list --json

STATE is enabled, or disabled with its cause: by_merchant, gone (it answered 410) or failing (every
attempt of three days failed). WAITING counts the events that are not delivered yet, and OLDEST says
since when the first of them waits. Times are in UTC.")]
pub(crate) struct EndpointListOptions {
    #[arg(long, value_name = "ID", help = "Of one account, by mrcIdentity")]
    identity: Option<String>,
    /// Only those whose last attempt failed, and those that are not served any more
    #[arg(long)]
    failing: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    endpoints: Vec<EndpointRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EndpointRow {
    mrc_identity: String,
    whk_identifier: u64,
    url: String,
    /// Empty for every topic.
    topics: Vec<&'static str>,
    /// `enabled` or `disabled`.
    state: &'static str,
    /// `by_merchant`, `gone` or `failing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_since: Option<String>,
    created_at: String,
    /// Events that are not delivered yet; absent where that was not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    oldest_at: Option<String>,
}

/// What waits for endpoints.
struct Backlogs {
    behind: BTreeMap<(AccountId, EndpointId), EndpointBacklog>,
    /// Whether it has all of them: for any other nothing waits.
    complete: bool,
}

impl EndpointRow {
    fn of(endpoint: &Endpoint, backlogs: &Backlogs) -> Self {
        let (state, because, disabled_at) = match endpoint.health.state {
            EndpointState::Enabled => ("enabled", None, None),
            EndpointState::Disabled { because, at } => ("disabled", Some(because.code()), Some(at)),
        };
        let backlog = backlogs
            .behind
            .get(&(endpoint.account.clone(), endpoint.id));
        let topics = match &endpoint.topics {
            Topics::All => Vec::new(),
            Topics::Only(topics) => topics.iter().map(|topic| topic.code()).collect(),
        };
        Self {
            mrc_identity: endpoint.account.to_string(),
            whk_identifier: endpoint.id.get(),
            url: endpoint.target.to_string(),
            topics,
            state,
            because,
            disabled_at: disabled_at.map(moment),
            failing_since: endpoint.health.failing_since.map(moment),
            created_at: moment(endpoint.created_at),
            waiting: backlog.map_or(backlogs.complete.then_some(0), |it| Some(it.waiting)),
            oldest_at: backlog.map(|it| moment(it.oldest_at)),
        }
    }

    fn cells(&self) -> [String; 7] {
        let state = match self.because {
            Some(because) => format!("{}: {because}", self.state),
            None => self.state.to_owned(),
        };
        [
            self.mrc_identity.clone(),
            self.whk_identifier.to_string(),
            state,
            self.failing_since.clone().unwrap_or_default(),
            self.waiting
                .map_or_else(|| "unknown".to_owned(), |it| it.to_string()),
            self.oldest_at.clone().unwrap_or_default(),
            self.url.clone(),
        ]
    }
}

pub(super) async fn run(options: &EndpointListOptions, config: &Config) -> Result<(), Failure> {
    let only = options.identity.as_deref().map(identity).transpose()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let read = read(&context, only.as_ref()).await;
    context.close().await;
    let (mut endpoints, backlogs) = read?;
    if options.failing {
        endpoints.retain(|it| it.health.is_failing() || !it.health.is_served());
    }
    let endpoints: Vec<_> = endpoints
        .iter()
        .map(|endpoint| EndpointRow::of(endpoint, &backlogs))
        .collect();
    if options.json {
        return Ok(output::json(&Document { endpoints })?);
    }
    if endpoints.is_empty() {
        return Ok(output::line("No endpoint.")?);
    }
    let headings = [
        "IDENTITY",
        "ENDPOINT",
        "STATE",
        "FAILING SINCE",
        "WAITING",
        "OLDEST",
        "URL",
    ];
    let rows: Vec<_> = endpoints.iter().map(EndpointRow::cells).collect();
    Ok(output::line(output::table(headings, &rows))?)
}

async fn read(
    context: &AdminContext,
    only: Option<&AccountId>,
) -> Result<(Vec<Endpoint>, Backlogs), Failure> {
    let accounts: Vec<AccountId> = if let Some(account) = only {
        vec![known(context, account).await?.id]
    } else {
        let all = context.accounts.list().await?;
        all.into_iter().map(|(account, _)| account.id).collect()
    };
    let mut endpoints = Vec::new();
    for account in &accounts {
        endpoints.extend(context.endpoints.endpoints(account).await?);
    }
    let backlog = context.backlog.webhook_events(BEHIND_MAX).await?;
    let most = usize::try_from(BEHIND_MAX).unwrap_or(usize::MAX);
    let complete = backlog.behind.len() < most;
    let behind = backlog.behind.into_iter();
    let behind = behind.map(|it| ((it.account.clone(), it.endpoint), it));
    let backlogs = Backlogs {
        behind: behind.collect(),
        complete,
    };
    Ok((endpoints, backlogs))
}
