//! What a person should look at, and with which command. Where an alert rule is about the same, its
//! limit must be the same: one place may not be quiet where the other is not.

use std::time::Duration;

use serde::Serialize;

use super::document::Document;
use crate::commands::provider::ReadingView;

/// For how long a payment may be in doubt before a person looks.
const DOUBT_MAX: Duration = Duration::from_mins(10);

/// For how long an event may wait for an endpoint.
const EVENT_MAX: Duration = Duration::from_hours(1);

/// How long before its end a certificate is to be replaced.
pub(in crate::commands) const CERTIFICATE_MIN: Duration = Duration::from_hours(24 * 14);

/// Least room on the disk.
const DISK_MIN: u64 = 1 << 30;

/// One thing to look at.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Attention {
    what: String,
    /// What shows more, or mends it.
    see: String,
}

impl Attention {
    fn new(what: impl Into<String>, see: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            see: see.into(),
        }
    }

    pub(super) fn cells(&self) -> [String; 2] {
        [self.what.clone(), self.see.clone()]
    }
}

/// Everything to look at, the gravest first. `certificate` is how long it lasts.
pub(super) fn of(document: &Document, certificate: Option<Duration>) -> Vec<Attention> {
    let mut all = Vec::new();
    if let Some(suspended) = &document.suspended {
        let see = match suspended.clearance {
            "journals" => "the log of each instance",
            _ => "manilla reconcile --help",
        };
        let because = &suspended.because;
        all.push(Attention::new(
            format!("payments are suspended: {because}"),
            see,
        ));
    }
    if document.frozen.is_some() {
        let see = "manilla unfreeze all --reason …";
        all.push(Attention::new("an operator froze payments", see));
    }
    if !document.served {
        all.push(Attention::new("no server runs", "manilla serve"));
    }
    payments(document, &mut all);
    for provider in &document.providers {
        let name = &provider.name;
        if provider.paused.is_some() {
            let see = format!("manilla provider resume {name}");
            all.push(Attention::new(format!("{name} is paused"), see));
        }
        if provider.float.as_ref().is_some_and(ReadingView::is_low) {
            let see = "manilla provider float";
            all.push(Attention::new(format!("the float at {name} is low"), see));
        }
    }
    webhooks(document, &mut all);
    if document.dead_letters > 0 {
        let what = format!(
            "changes that could not be applied: {}",
            document.dead_letters
        );
        all.push(Attention::new(what, "manilla dead-letter list"));
    }
    if document.approvals > 0 {
        let what = format!("changes that wait for an approval: {}", document.approvals);
        all.push(Attention::new(what, "manilla approve --help"));
    }
    if certificate.is_some_and(|left| left < CERTIFICATE_MIN) {
        let ends = document.certificate_ends_at.as_deref().unwrap_or_default();
        let what = format!("the certificate ends {ends}");
        all.push(Attention::new(what, "docs/operations/running.md"));
    }
    if document.disk_free_bytes.is_some_and(|free| free < DISK_MIN) {
        all.push(Attention::new(
            "the disk of the data folder is nearly full",
            "df -h",
        ));
    }
    all
}

fn payments(document: &Document, all: &mut Vec<Attention>) {
    for open in &document.open {
        let (provider, count) = (&open.provider, open.count);
        let is_old = Duration::from_secs(open.oldest_seconds) > DOUBT_MAX;
        match open.state {
            "in review" => {
                let what = format!("payments at {provider} wait for a decision: {count}");
                all.push(Attention::new(what, "manilla case list"));
            }
            "in doubt" if is_old => {
                let what = format!("payments at {provider} are in doubt for too long");
                let see = "manilla transaction list --open in-doubt";
                all.push(Attention::new(what, see));
            }
            "sending" if is_old => {
                let what = format!("payments at {provider} are being sent for too long");
                let see = "manilla transaction list --open sending";
                all.push(Attention::new(what, see));
            }
            _ => {}
        }
    }
}

fn webhooks(document: &Document, all: &mut Vec<Attention>) {
    for behind in &document.webhooks.behind {
        if Duration::from_secs(behind.oldest_seconds) > EVENT_MAX {
            let (endpoint, account) = (behind.whk_identifier, &behind.mrc_identity);
            let what = format!("endpoint {endpoint} of {account} is behind");
            let see = format!("manilla delivery list --identity {account} --endpoint {endpoint}");
            all.push(Attention::new(what, see));
        }
    }
}
