//! Errors of a gateway that cannot serve a request now: 503, with the time after which a retry is
//! worthwhile. They must never state that nothing was done unless that is certain.

use crate::reply::HttpReply;
use application::measuring::NamedLimit;
use application::request_error::{CommitState, PortError, PortErrorKind};
use http::StatusCode;
use http::header::RETRY_AFTER;
use std::error::Error;

/// Seconds after which a restarted gateway answers again.
const RETRY_DRAINING: u16 = 5;

/// Seconds after which requests in flight have made room for more.
const RETRY_SATURATED: u16 = 1;

/// Seconds after which a database that was restarted, or one that takes over from another, answers
/// again.
const RETRY_UNREACHABLE: u16 = 5;

/// Seconds after which a retry is worthwhile while payments are suspended until reconciliation, or
/// frozen. An operator ends that, so the time is an estimate; more would keep merchants away from a
/// gateway that accepts payments again.
const RETRY_HELD: u16 = 60;

/// Seconds after which a DNS server that did not answer may answer.
const RETRY_NAME: u16 = 10;

const BUSY: &str = "The gateway is busy.";

pub(super) fn draining() -> HttpReply {
    later(
        "The gateway is restarting.",
        "no new payments are taken at the moment and nothing was done; send it again",
        RETRY_DRAINING,
    )
}

pub(super) fn saturated() -> HttpReply {
    later(
        BUSY,
        "too many payments are under way and nothing was done; send it again",
        RETRY_SATURATED,
    )
    .by_limit(NamedLimit::PaymentsAtOnce)
}

pub(super) fn held() -> HttpReply {
    later(
        "Payments are suspended until the ledger is reconciled with the provider.",
        "reports are served, and no new payment is accepted until then; nothing was done and \
         nothing was charged, send it again later",
        RETRY_HELD,
    )
}

pub(super) fn frozen() -> HttpReply {
    later(
        "Payments are frozen by the operator of the gateway.",
        "reports are served, and no new payment is accepted until they go on; nothing was done and \
         nothing was charged, send it again later",
        RETRY_HELD,
    )
}

pub(super) fn name_not_looked_up() -> HttpReply {
    later(
        "The name of the endpoint cannot be looked up at the moment.",
        "no server of the DNS answers for the host in `whkUrl`; nothing was stored, send it again. \
         If it stays so, ask who runs the name servers of that host",
        RETRY_NAME,
    )
}

impl HttpReply {
    /// The store failed: the reason is logged here and not disclosed.
    pub(crate) fn unavailable(error: &PortError) -> Self {
        let cause = error.source().map(ToString::to_string);
        tracing::error!(%error, cause, "the store failed");
        let (message, retry) = match error.trouble {
            PortErrorKind::Busy => (BUSY, Some(RETRY_SATURATED)),
            PortErrorKind::Unreachable => (UNAVAILABLE, Some(RETRY_UNREACHABLE)),
            // A retry may fail as well.
            PortErrorKind::Failed | PortErrorKind::Record => (UNAVAILABLE, None),
        };
        let remedy = match error.effect {
            CommitState::Nothing => "nothing was done; send it again later",
            CommitState::Unknown => {
                "if this was a payment, whether it was taken is not known here: ask for its report \
                 by mrcReference before sending it again"
            }
        };
        let reply = match retry {
            Some(seconds) => later(message, remedy, seconds),
            None => unavailable(message, remedy),
        };
        if error.trouble == PortErrorKind::Busy {
            return reply.by_limit(NamedLimit::StoreQueue);
        }
        reply
    }
}

const UNAVAILABLE: &str = "The gateway cannot reach its database at the moment.";

/// A request that cannot be served now and can be in so many seconds.
pub(crate) fn later(message: &str, remedy: &str, seconds: u16) -> HttpReply {
    unavailable(message, remedy).with_header(RETRY_AFTER, seconds.into())
}

fn unavailable(message: &str, remedy: &str) -> HttpReply {
    HttpReply::system(StatusCode::SERVICE_UNAVAILABLE, message, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::negotiation::AnswerFormat;
    use crate::layers::request_id::RequestIds;
    use http::Response;
    use serde_json::Value;

    /// Message, remedy and `Retry-After` of the answer to an error.
    fn reported(error: &PortError) -> (String, String, Option<String>) {
        let id = RequestIds::new(0).next();
        let response: Response<_> = HttpReply::unavailable(error).render(AnswerFormat::Json, &id);
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        let json: Value = serde_json::from_slice(response.body()).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let retry = response.headers().get(RETRY_AFTER);
        let retry = retry.map(|value| value.to_str().unwrap().to_owned());
        (
            text(&json["message"]),
            text(&json["errors"]["system"][0]),
            retry,
        )
    }

    #[test]
    fn trouble_is_reported_by_its_kind_and_says_when_to_retry_where_that_helps() {
        let failed = || PortError::new("store", "commit");
        for (trouble, words, seconds) in [
            (PortErrorKind::Failed, "cannot reach its database", None),
            (
                PortErrorKind::Unreachable,
                "cannot reach its database",
                Some("5"),
            ),
            (PortErrorKind::Busy, "is busy", Some("1")),
        ] {
            let (message, _, retry) = reported(&failed().with_trouble(trouble));
            assert!(message.contains(words), "{trouble:?}: {message}");
            assert_eq!(retry.as_deref(), seconds, "{trouble:?}");
        }
    }

    #[test]
    fn that_nothing_was_done_is_said_only_where_it_is_certain() {
        for trouble in [
            PortErrorKind::Failed,
            PortErrorKind::Unreachable,
            PortErrorKind::Busy,
        ] {
            let error = || PortError::new("store", "commit").with_trouble(trouble);
            let (_, remedy, _) = reported(&error());
            assert!(remedy.contains("ask for its report"), "{remedy}");
            assert!(!remedy.contains("nothing was done"), "{remedy}");
            let (_, remedy, _) = reported(&error().with_nothing_done());
            assert!(remedy.contains("nothing was done"), "{remedy}");
        }
    }
}
