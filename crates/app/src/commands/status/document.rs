//! What is read of the gateway for its status. It must count only what is not finished: a status is
//! asked for often.

use domain::time::Timestamp;
use ports::audit::Serving;
use ports::backlog::{OpenPayments, WebhookBacklog};
use ports::changes::DeadLetter;
use serde::Serialize;

use super::attention::{self, Attention};
use crate::commands::moment;
use crate::commands::provider::{PauseView, ReadingView};
use crate::commands::transaction::open_state;
use crate::compose::AdminContext;
use crate::config::Config;
use crate::failure::Failure;
use crate::{files, output, tls};

/// Endpoints that are named, those furthest behind.
const BEHIND_MAX: u32 = 10;

/// Changes of providers that are counted.
const LETTERS_MAX: u32 = 1_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    version: &'static str,
    at: String,
    /// `embedded` or `postgresql`.
    store: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_bytes: Option<u64>,
    /// Whether a server works on the store.
    pub(super) served: bool,
    /// Absent unless payments are suspended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suspended: Option<SuspendedView>,
    /// Absent unless an operator froze the payments of every account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) frozen: Option<PauseView>,
    pub(super) open: Vec<OpenRow>,
    pub(super) webhooks: WebhookView,
    pub(super) providers: Vec<ProviderRow>,
    /// Changes of providers that could not be applied, counted up to 1,000.
    pub(super) dead_letters: usize,
    /// Changes that an operator asked for and no other has granted.
    pub(super) approvals: usize,
    /// Absent where there is no certificate yet, or it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) certificate_ends_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) disk_free_bytes: Option<u64>,
    attention: Vec<Attention>,
}

#[derive(Serialize)]
pub(super) struct SuspendedView {
    since: String,
    pub(super) because: String,
    /// What ends it: `journals`, `person` or `records`.
    pub(super) clearance: &'static str,
}

/// The payments of one provider in one state.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenRow {
    pub(super) provider: String,
    pub(super) state: &'static str,
    pub(super) count: u64,
    pub(super) oldest_at: String,
    #[serde(skip)]
    pub(super) oldest_seconds: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookView {
    pub(super) waiting: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    oldest_at: Option<String>,
    /// Given up after every attempt had failed.
    pub(super) parked: u64,
    /// Those that are furthest behind, ten at most.
    pub(super) behind: Vec<BehindRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BehindRow {
    pub(super) mrc_identity: String,
    pub(super) whk_identifier: u64,
    waiting: u64,
    oldest_at: String,
    #[serde(skip)]
    pub(super) oldest_seconds: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProviderRow {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paused: Option<PauseView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) float: Option<ReadingView>,
}

fn age(at: Timestamp, now: Timestamp) -> u64 {
    now.since(at).as_secs()
}

impl OpenRow {
    fn of(open: &OpenPayments, now: Timestamp) -> Self {
        Self {
            provider: open.provider.to_string(),
            state: open_state(open.state),
            // The first of the ages is none at all.
            count: open.older_than.first().copied().unwrap_or_default(),
            oldest_at: moment(open.oldest_at),
            oldest_seconds: age(open.oldest_at, now),
        }
    }
}

impl WebhookView {
    fn of(backlog: &WebhookBacklog, now: Timestamp) -> Self {
        let behind = backlog.behind.iter().map(|it| BehindRow {
            mrc_identity: it.account.to_string(),
            whk_identifier: it.endpoint.get(),
            waiting: it.waiting,
            oldest_at: moment(it.oldest_at),
            oldest_seconds: age(it.oldest_at, now),
        });
        Self {
            waiting: backlog.waiting,
            oldest_at: backlog.oldest_at.map(moment),
            parked: backlog.given_up,
            behind: behind.collect(),
        }
    }
}

impl Document {
    pub(super) async fn read(context: &AdminContext, config: &Config) -> Result<Self, Failure> {
        let now = context.now();
        let suspended = context.reconciliation.suspension().await?;
        let frozen = context.operators.frozen_payments().await?;
        let open = context.backlog.open_payments(now).await?;
        let webhooks = context.backlog.webhook_events(BEHIND_MAX).await?;
        let letters: Vec<DeadLetter> = context.changes.open_letters(LETTERS_MAX).await?;
        let requests = context.change_requests.newest().await?;
        let state = context.backlog.read_state().await?;
        let ends_at = tls::certificate_ends_at(&config.data, &config.server);
        let free = files::free_bytes(&config.data);
        let document = Self {
            version: env!("CARGO_PKG_VERSION"),
            at: moment(now),
            store: context.store_kind(),
            store_bytes: state.bytes,
            served: context.serving().await? == Serving::Yes,
            suspended: suspended.map(|it| SuspendedView {
                since: it.since,
                because: it.because,
                clearance: it.clearance.code(),
            }),
            frozen: frozen.as_ref().map(PauseView::of_payments),
            open: open.iter().map(|it| OpenRow::of(it, now)).collect(),
            webhooks: WebhookView::of(&webhooks, now),
            providers: providers(context, config).await?,
            dead_letters: letters.len(),
            approvals: requests.iter().filter(|it| it.waits()).count(),
            certificate_ends_at: ends_at.map(moment),
            disk_free_bytes: free,
            attention: Vec::new(),
        };
        let attention = attention::of(&document, ends_at.map(|it| it.since(now)));
        Ok(Self {
            attention,
            ..document
        })
    }

    /// Whether nothing is to be looked at.
    pub(super) const fn needs_no_attention(&self) -> bool {
        self.attention.is_empty()
    }

    pub(super) fn text(&self) -> String {
        let mut parts = vec![self.head()];
        if !self.open.is_empty() {
            let rows: Vec<_> = self.open.iter().map(open_cells).collect();
            parts.push(output::table(
                ["NOT FINAL", "PROVIDER", "COUNT", "OLDEST"],
                &rows,
            ));
        }
        let rows: Vec<_> = self.providers.iter().map(provider_cells).collect();
        parts.push(output::table(["PROVIDER", "FLOAT", "PAUSED"], &rows));
        if !self.webhooks.behind.is_empty() {
            let rows: Vec<_> = self.webhooks.behind.iter().map(behind_cells).collect();
            parts.push(output::table(
                ["ENDPOINT", "IDENTITY", "WAITING", "OLDEST"],
                &rows,
            ));
        }
        if self.attention.is_empty() {
            parts.push("Nothing needs attention.".to_owned());
        } else {
            let rows: Vec<_> = self.attention.iter().map(Attention::cells).collect();
            parts.push(output::table(["ATTENTION", "SEE"], &rows));
        }
        parts.join("\n\n")
    }

    fn head(&self) -> String {
        let served = if self.served {
            "a server runs"
        } else {
            "no server runs"
        };
        let size = self
            .store_bytes
            .map(|bytes| format!(", {}", output::bytes(bytes)));
        let webhooks = &self.webhooks;
        let unknown = || "unknown".to_owned();
        let suspended = self.suspended.as_ref();
        let suspended = suspended.map(|it| format!("suspended since {}: {}", it.since, it.because));
        let frozen = self.frozen.as_ref();
        let frozen = frozen.map(|it| format!("frozen since {}", it.text()));
        let stopped: Vec<_> = suspended.into_iter().chain(frozen).collect();
        let payments = if stopped.is_empty() {
            "accepted".to_owned()
        } else {
            stopped.join("; ")
        };
        let certificate = self.certificate_ends_at.as_ref();
        let certificate = certificate.map_or_else(unknown, |at| format!("ends {at}"));
        let disk = self.disk_free_bytes;
        let disk = disk.map_or_else(unknown, |free| format!("{} free", output::bytes(free)));
        let rows = [
            ("manilla", self.version.to_owned()),
            ("at", self.at.clone()),
            (
                "store",
                format!("{}{}, {served}", self.store, size.unwrap_or_default()),
            ),
            ("payments", payments),
            (
                "webhooks",
                format!("{} waiting, {} parked", webhooks.waiting, webhooks.parked),
            ),
            ("dead letters", self.dead_letters.to_string()),
            ("approvals", format!("{} waiting", self.approvals)),
            ("certificate", certificate),
            ("disk", disk),
        ];
        let rows = rows.map(|(name, value)| [name.to_owned(), value]);
        output::columns(&rows)
    }
}

async fn providers(context: &AdminContext, config: &Config) -> Result<Vec<ProviderRow>, Failure> {
    let paused = context.operators.paused_providers().await?;
    let mut rows = Vec::new();
    for account in &config.accounts {
        rows.push(ProviderRow {
            name: account.id.to_string(),
            paused: paused.get(&account.id).map(PauseView::of),
            float: ReadingView::of(context, &account.id).await?,
        });
    }
    Ok(rows)
}

fn open_cells(row: &OpenRow) -> [String; 4] {
    [
        row.state.to_owned(),
        row.provider.clone(),
        row.count.to_string(),
        output::duration(row.oldest_seconds),
    ]
}

fn provider_cells(row: &ProviderRow) -> [String; 3] {
    let float = row.float.as_ref();
    let paused = row.paused.as_ref();
    [
        row.name.clone(),
        float.map_or_else(|| "not read".to_owned(), ReadingView::text),
        paused.map_or_else(|| "no".to_owned(), PauseView::text),
    ]
}

fn behind_cells(row: &BehindRow) -> [String; 4] {
    [
        row.whk_identifier.to_string(),
        row.mrc_identity.clone(),
        row.waiting.to_string(),
        output::duration(row.oldest_seconds),
    ]
}
