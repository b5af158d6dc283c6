//! Refusals of requests for their signatures. Each must name what is wrong and what to do, and show
//! nothing of a secret.

use crate::layers::authentication::CHALLENGE;
use crate::reply::HttpReply;
use application::request_signing::SignatureRefused;
use http::StatusCode;
use http::header::{HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use wire::service_code::ServiceCode;

/// When nonces may fit again that do not fit now: some are forgotten each second.
const NONCES_FIT_AFTER: HeaderValue = HeaderValue::from_static("5");

const WRONG: &str = "The signature of the request is not valid.";

/// Whether a request is refused for what it carries: it counts as a failed login.
pub(super) const fn is_failed_login(refused: &SignatureRefused) -> bool {
    match refused {
        SignatureRefused::Missing(_)
        | SignatureRefused::NoSecret(_)
        | SignatureRefused::Unreadable
        | SignatureRefused::Wrong(_)
        | SignatureRefused::NonceUsed => true,
        SignatureRefused::AccountFull | SignatureRefused::Full => false,
    }
}

pub(super) fn signature_refused(refused: &SignatureRefused) -> HttpReply {
    match refused {
        SignatureRefused::Missing(key) => unauthenticated(
            "The request is not signed.",
            format!(
                "the key {key} opens the account to signed requests alone: send Signature-Input \
                 and Signature (RFC 9421), made with its keySigningSecret; nothing was done"
            ),
        ),
        SignatureRefused::NoSecret(key) => unauthenticated(
            WRONG,
            format!(
                "the key {key} has no signing secret: send neither Signature-Input nor Signature, \
                 or use a key that was made with keySigned; nothing was done"
            ),
        ),
        SignatureRefused::Unreadable => unauthenticated(
            WRONG,
            "send Signature-Input, Signature and, with a body, Content-Digest, each once; \
             Idempotency-Key once at most; nothing was done"
                .to_owned(),
        ),
        SignatureRefused::Wrong(error) => {
            unauthenticated(WRONG, format!("{error}; nothing was done"))
        }
        SignatureRefused::NonceUsed => unauthenticated(
            WRONG,
            "the nonce was used before with this key; sign each request anew, also one that is \
             repeated; this one did nothing"
                .to_owned(),
        ),
        SignatureRefused::AccountFull => {
            let remedy = "your keys have signed as many requests within the clock window as are \
                          remembered; nothing was done, sign it anew and send it later";
            let message = "Too many signed requests.";
            HttpReply::request(StatusCode::TOO_MANY_REQUESTS, message, remedy)
                .with_header(RETRY_AFTER, NONCES_FIT_AFTER)
        }
        SignatureRefused::Full => {
            let remedy = "more requests were signed within the clock window than are remembered; \
                          nothing was done, sign it anew and send it again later";
            let message = "Too many signed requests.";
            HttpReply::system(StatusCode::SERVICE_UNAVAILABLE, message, remedy)
                .with_header(RETRY_AFTER, NONCES_FIT_AFTER)
        }
    }
}

/// A request whose body is not the one that was signed.
pub(crate) fn body_altered(remedy: String) -> HttpReply {
    unauthenticated(WRONG, remedy)
}

fn unauthenticated(message: &str, remedy: String) -> HttpReply {
    HttpReply::request(StatusCode::UNAUTHORIZED, message, remedy)
        .about(ServiceCode::ApiToken)
        .with_header(WWW_AUTHENTICATE, CHALLENGE)
}
