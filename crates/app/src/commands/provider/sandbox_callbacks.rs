//! The callbacks of the sandbox as a process: once an attempt that was pending, or whose answer was
//! lost, has an end, the gateway is sent a hint; and it is sent what people reply. It must never
//! hold up an answer. What cannot be sent is given up: the gateway asks about attempts anyway.

use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use domain::provider::QueryOutcome;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use http::{HeaderName, HeaderValue};
use outbound_http::{OutboundClient, OutboundRequest, OutboundSettings, OutboundTarget, PlainHttp};
use ports::clock::Clock as _;
use ports::provider::{AttemptQuery, Provider as _};
use provider_protocol::{
    AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER, CALLBACK_TIMESTAMP_HEADER,
    CallbackParts, MessageCallback, sign_callback, write,
};
use provider_server::ServedKeys;
use provider_sim::Simulator;
use serde::Serialize;
use tokio::sync::mpsc::Receiver;

use crate::clock::SystemClock;
use crate::entropy;

/// How often it is looked which attempts have an end: sooner than a gateway would ask again.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Most attempts that are looked at; those beyond are left to the gateway's own questions.
const WAITING_MAX: usize = 1_000;

/// How long a gateway may take to answer a callback: it asks and commits before.
const SENT_WITHIN: Duration = Duration::from_secs(10);

/// How often a callback is sent that is not taken.
const TRIES_MAX: u32 = 5;

/// What the address of a gateway's callbacks ends in.
const LAST_SEGMENT: &str = "callback";

/// Characters of the random part of a name: no two callbacks share one.
const ID_LENGTH: usize = 22;

/// Where callbacks go.
#[derive(Debug)]
pub(super) struct CallbackTarget {
    client: OutboundClient,
}

impl CallbackTarget {
    /// The address of a gateway's callbacks, and the file of authorities that are trusted besides
    /// those of the machine.
    pub(super) fn open(url: &str, authority: Option<&Path>) -> anyhow::Result<Self> {
        let base = url.strip_suffix(LAST_SEGMENT);
        let base = base.filter(|it| it.ends_with('/')).ok_or_else(|| {
            anyhow!("--callback-url must be https://GATEWAY/provider/NAME/callback")
        })?;
        let target = OutboundTarget::parse(base, PlainHttp::ToLoopback);
        let target = target.map_err(|error| anyhow!("--callback-url {error}"))?;
        let mut settings = OutboundSettings::default();
        if let Some(path) = authority {
            let pem = std::fs::read(path)
                .with_context(|| format!("{} cannot be read", path.display()))?;
            settings.authorities = outbound_http::tls::authorities(&pem)?;
        }
        let client = OutboundClient::new(target, settings, Arc::new(SystemClock))?;
        Ok(Self { client })
    }
}

/// Sends the callbacks of a served sandbox.
#[derive(Debug)]
pub(super) struct SandboxCallbacks {
    pub(super) target: CallbackTarget,
    pub(super) keys: ServedKeys,
    pub(super) sandbox: Arc<Simulator>,
    pub(super) undecided: Receiver<ProviderReference>,
}

/// A callback that is due.
#[derive(Debug)]
struct DueCallback {
    id: String,
    /// What it is about, for the log.
    reference: ProviderReference,
    body: Vec<u8>,
    tries: u32,
}

impl DueCallback {
    /// A callback with a name of its own; `None` where it cannot be made, which is given up.
    fn new(reference: ProviderReference, document: &impl Serialize) -> Option<Self> {
        let random = entropy::base62(ID_LENGTH).ok()?;
        Some(Self {
            id: format!("cb_{random}"),
            reference,
            body: write(document).ok()?,
            tries: 0,
        })
    }
}

/// How far the replies of people were read.
#[derive(Debug)]
struct ReplyFeed {
    cursor: u64,
    /// What was written before this process began was sent by one before it.
    since: Timestamp,
}

impl SandboxCallbacks {
    /// Sends callbacks for ever.
    pub(super) async fn run(mut self) {
        let (mut waiting, mut due) = (Vec::new(), Vec::new());
        let mut replies = ReplyFeed {
            cursor: 0,
            since: SystemClock.now(),
        };
        loop {
            SystemClock.sleep(LOOK_EVERY).await;
            while waiting.len() < WAITING_MAX {
                let Ok(reference) = self.undecided.try_recv() else {
                    break;
                };
                waiting.push(reference);
            }
            for reference in mem::take(&mut waiting) {
                if self.is_undecided(&reference).await {
                    waiting.push(reference);
                } else {
                    let changed = AttemptCallback::changed(reference.as_str());
                    due.extend(DueCallback::new(reference, &changed));
                }
            }
            due.extend(self.replies(&mut replies).await);
            for callback in mem::take(&mut due) {
                due.extend(self.sent_or_left(callback).await);
            }
        }
    }

    /// What people replied since the last time.
    async fn replies(&self, feed: &mut ReplyFeed) -> Vec<DueCallback> {
        let mut due = Vec::new();
        // Where the journal cannot be read, it is read the next time.
        while let Ok(changes) = self.sandbox.changes_since(feed.cursor).await {
            let replies = changes.messages.into_iter();
            let replies = replies.filter(|it| it.message.received_at >= feed.since);
            due.extend(replies.filter_map(|it| {
                let reference = it.reference?;
                let document = MessageCallback::received(&it.message, Some(&reference));
                DueCallback::new(reference, &document)
            }));
            if changes.next <= feed.cursor {
                break;
            }
            feed.cursor = changes.next;
        }
        due
    }

    /// Whether nothing definite can be said of an attempt yet.
    async fn is_undecided(&self, reference: &ProviderReference) -> bool {
        let answer = self.sandbox.query(&AttemptQuery::by(reference)).await;
        matches!(
            answer.outcome,
            QueryOutcome::Pending | QueryOutcome::Unknown
        )
    }

    /// Sends a callback; it is returned where it is to be sent again.
    async fn sent_or_left(&self, callback: DueCallback) -> Option<DueCallback> {
        let Err(error) = self.send(&callback).await else {
            tracing::debug!(reference = %callback.reference, "a callback was taken");
            return None;
        };
        let (cause, reference) = (format!("{error:#}"), &callback.reference);
        let tries = callback.tries.saturating_add(1);
        if tries >= TRIES_MAX {
            tracing::warn!(cause, %reference, "a callback was given up");
            return None;
        }
        Some(DueCallback { tries, ..callback })
    }

    async fn send(&self, callback: &DueCallback) -> anyhow::Result<()> {
        let timestamp = SystemClock.now().as_millis().div_euclid(1_000).to_string();
        let parts = CallbackParts {
            id: &callback.id,
            timestamp: &timestamp,
            body: &callback.body,
        };
        let signature = sign_callback(&self.keys.in_force(), parts);
        let mut request = OutboundRequest::post_json(LAST_SEGMENT, callback.body.clone());
        for (name, value) in [
            (CALLBACK_ID_HEADER, &callback.id),
            (CALLBACK_TIMESTAMP_HEADER, &timestamp),
            (CALLBACK_SIGNATURE_HEADER, &signature),
        ] {
            let value = HeaderValue::from_str(value)?;
            request = request.with(HeaderName::from_static(name), value);
        }
        let answer = self.target.client.ask(request, SENT_WITHIN).await?;
        if answer.unexpected_status().is_some() {
            bail!("the gateway answered {}", answer.status);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callbacks_go_to_an_address_of_a_gateway() {
        for url in [
            "https://gateway.example/provider/far/callback",
            "http://127.0.0.1:9/provider/far/callback",
        ] {
            CallbackTarget::open(url, None).unwrap();
        }
        for url in [
            "https://gateway.example/provider/far",
            "http://gateway.example/provider/far/callback",
            "gateway.example/provider/far/callback",
            "callback",
        ] {
            assert!(CallbackTarget::open(url, None).is_err(), "{url}");
        }
    }
}
