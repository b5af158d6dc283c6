//! Callbacks: what a provider sends by itself. One about an attempt is a hint that it changed, and
//! must never say what became of it: that is asked, so a forged or repeated one changes nothing.
//! One with a message of a person cannot be asked about, and is believed for its signature.

use domain::messaging::ReceivedMessage;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use std::net::IpAddr;

/// A request that came for a provider.
#[derive(Debug, Clone, Copy)]
pub struct ProviderCallback<'a> {
    /// Its headers in the order they came; names are in lower case.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// Its body, byte for byte: signatures are over these.
    pub body: &'a [u8],
    /// The address it came from.
    pub source: IpAddr,
    /// When it came.
    pub received_at: Timestamp,
}

impl<'a> ProviderCallback<'a> {
    /// The value of a header that came once; one that came twice proves nothing.
    pub fn header(&self, name: &str) -> Option<&'a [u8]> {
        let mut found = self.headers.iter().filter(|(known, _)| *known == name);
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            (_, Some(_)) | (None, None) => None,
        }
    }
}

/// An attempt that a callback is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackHint {
    /// What the provider knows the attempt by.
    pub reference: ProviderReference,
}

/// A message that a person sent, as a provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageReport {
    /// The message.
    pub message: ReceivedMessage,
    /// What the provider knows the attempt by that it replies to, where it says so.
    pub reference: Option<ProviderReference>,
}

/// What a callback says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallbackContent {
    /// Attempts that may have changed.
    Attempts(Vec<CallbackHint>),
    /// Messages of people. An adapter must answer them only of callbacks that are signed.
    Messages(Vec<MessageReport>),
}

impl CallbackContent {
    /// About some attempts; none where the callback is about nothing of the gateway's.
    pub fn about(attempts: impl IntoIterator<Item = CallbackHint>) -> Self {
        Self::Attempts(attempts.into_iter().collect())
    }

    /// The attempts that may have changed.
    pub fn into_attempts(self) -> Vec<CallbackHint> {
        match self {
            Self::Attempts(attempts) => attempts,
            Self::Messages(_) => Vec::new(),
        }
    }
}

/// Why a callback is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CallbackRefused {
    /// Its signature is missing or wrong, or it is too old, or of another address than agreed.
    #[error("the callback is not authentic")]
    NotAuthentic,
    /// It does not have the form of the provider's callbacks.
    #[error("the callback cannot be read")]
    Unreadable,
}

/// What a provider expects as the answer to a callback that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallbackAnswer {
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: &'static str,
}

/// Reading the callbacks of one provider.
pub trait Callbacks: Send + Sync + std::fmt::Debug {
    /// What a callback says. Whether it is authentic is judged by its bytes, its headers and its
    /// source alone.
    ///
    /// # Errors
    /// When it is not authentic, or cannot be read.
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused>;

    /// The answer to a callback that was taken.
    fn answer(&self) -> CallbackAnswer {
        CallbackAnswer {
            content_type: "application/json",
            body: "{}",
        }
    }
}
