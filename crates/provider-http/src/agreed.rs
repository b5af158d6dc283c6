//! What the provider promised, and whether it still does. A promise that is weaker than it was must
//! not be taken up: nothing is submitted until an operator restarts the gateway with it.

use crate::exchange::{AnswerError, Exchanger, Unsigned};
use crate::grade;
use domain::provider::ProviderId;
use provider_protocol::{
    Capabilities, DocumentError, InvalidCapabilities, Weakening, read, weakenings,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How often the capabilities are read.
pub const REFRESH_EVERY: Duration = Duration::from_mins(5);

/// How long capabilities may take to come.
const CAPABILITIES_WITHIN: Duration = Duration::from_secs(10);

/// Why the capabilities are not taken up.
#[derive(Debug, thiserror::Error)]
pub enum CapabilitiesError {
    /// They did not come.
    #[error("the capabilities cannot be read")]
    Answer(#[from] AnswerError),
    /// They are not of the protocol.
    #[error("the capabilities cannot be read")]
    Document(#[from] DocumentError),
    /// They cannot be worked with.
    #[error(transparent)]
    Invalid(#[from] InvalidCapabilities),
    /// They promise less than before.
    #[error(
        "the provider promises less than it did: {}; nothing is submitted until it keeps its \
         promises, or the gateway is started again with the new ones",
        list(.0)
    )]
    Weaker(Vec<Weakening>),
}

fn list(weakenings: &[Weakening]) -> String {
    let all: Vec<_> = weakenings.iter().map(ToString::to_string).collect();
    all.join(", ")
}

/// The promises of one provider.
#[derive(Debug, Default)]
pub(crate) struct Agreed {
    capabilities: OnceLock<Arc<Capabilities>>,
    is_kept: AtomicBool,
}

impl Agreed {
    /// The promises, once they are known.
    pub(crate) fn capabilities(&self) -> Option<&Arc<Capabilities>> {
        self.capabilities.get()
    }

    /// The promises while they are kept: only then may anything be submitted.
    pub(crate) fn kept(&self) -> Option<&Arc<Capabilities>> {
        self.capabilities
            .get()
            .filter(|_| self.is_kept.load(Ordering::Acquire))
    }

    /// Reads the capabilities; the first that can be worked with are the promises.
    pub(crate) async fn refresh(
        &self,
        exchanger: &Exchanger,
        provider: &ProviderId,
    ) -> Result<(), CapabilitiesError> {
        let asked = Unsigned::Get("/capabilities".to_owned());
        let body = exchanger.ask(asked, CAPABILITIES_WITHIN).await?;
        self.take_up(&read(&body)?, provider)
    }

    fn take_up(&self, now: &Capabilities, provider: &ProviderId) -> Result<(), CapabilitiesError> {
        let checked = now.check();
        let agreed = match (&checked, self.capabilities.get()) {
            (Ok(()), None) => {
                grade::warn_of_unsold(now, provider);
                Arc::clone(self.capabilities.get_or_init(|| Arc::new(now.clone())))
            }
            (_, Some(agreed)) => Arc::clone(agreed),
            (Err(_), None) => return Ok(checked?),
        };
        let weaker = weakenings(&agreed, now);
        let is_kept = checked.is_ok() && weaker.is_empty();
        if self.is_kept.swap(is_kept, Ordering::AcqRel) != is_kept {
            if is_kept {
                tracing::info!(%provider, name = now.provider.name, "the provider may be sent to");
            } else {
                tracing::error!(%provider, weaker = list(&weaker),
                    "the provider promises less than it did: nothing is submitted to it");
            }
        }
        checked?;
        if weaker.is_empty() {
            Ok(())
        } else {
            Err(CapabilitiesError::Weaker(weaker))
        }
    }
}
