//! Why there is no answer, and what that says of a payment. "Not sent" must never be said of a
//! request of which a byte may have left.

use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use ports::permit::Withheld;
use std::io;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// No byte of the request left, now or later.
    #[error("the request was not sent")]
    NotSent(#[source] NotSentCause),
    /// The connection broke after the first byte.
    #[error("the connection broke before the answer was complete")]
    Lost(#[source] hyper::Error),
    /// The deadline passed after the first byte.
    #[error("there was no complete answer before the deadline")]
    Timeout,
    /// The answer is larger than allowed.
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    /// What came is not an answer of HTTP/1.1 as it was asked for.
    #[error("the answer is malformed: {0}")]
    Malformed(&'static str),
}

/// Why nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum NotSentCause {
    /// The path or the host cannot be written.
    #[error("the request cannot be written")]
    Request,
    /// The host has no address.
    #[error("the address of the host cannot be found")]
    Resolve(#[source] io::Error),
    /// No address of the host takes a connection.
    #[error("the host cannot be reached")]
    Connect(#[source] io::Error),
    /// The host does not prove who it is, or speaks no TLS.
    #[error("the encrypted connection cannot be made")]
    Tls(#[source] io::Error),
    /// HTTP cannot be spoken over the connection.
    #[error("the connection cannot be used for HTTP")]
    Handshake(#[source] hyper::Error),
    /// The deadline passed before the first byte.
    #[error("the connection was not made in time")]
    TimedOut,
    /// The server closed the connection before the first byte.
    #[error("the connection was closed before anything was written")]
    Closed,
    /// The attempt must not be sent.
    #[error("the permit to send was withheld")]
    Withheld(#[from] Withheld),
}

impl From<NotSentCause> for ExchangeError {
    fn from(cause: NotSentCause) -> Self {
        Self::NotSent(cause)
    }
}

impl ExchangeError {
    /// What came of submitting an attempt that ended so.
    pub const fn submit_outcome(&self) -> SubmitOutcome {
        match self {
            Self::NotSent(_) => SubmitOutcome::NotSent,
            Self::Lost(_) => SubmitOutcome::Unknown(UnknownCause::ConnectionLost),
            Self::Timeout => SubmitOutcome::Unknown(UnknownCause::Timeout),
            Self::TooLarge(_) | Self::Malformed(_) => {
                SubmitOutcome::Unknown(UnknownCause::Unreadable)
            }
        }
    }

    /// What came of asking about an attempt: a question without an answer says nothing.
    pub const fn query_outcome(&self) -> QueryOutcome {
        match self {
            Self::NotSent(_)
            | Self::Lost(_)
            | Self::Timeout
            | Self::TooLarge(_)
            | Self::Malformed(_) => QueryOutcome::Unknown,
        }
    }
}
