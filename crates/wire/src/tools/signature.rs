//! `POST /tools/signature`: whether the signature of a delivery is right and, where it is not, what
//! is wrong. It must take whatever is sent to it as it is: what is wrong with a delivery is the
//! answer, and no error of the request.

use crate::attribute::{
    WEBHOOK_BODY, WEBHOOK_ID, WEBHOOK_SECRET, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::webhook::endpoint::SECRET_PREFIX;
use crate::webhook::signature::{self, Signed};
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::time::Timestamp;
use std::convert::Infallible;
use std::fmt::Write;

/// How far the moment of a delivery may be from now, in milliseconds: what the libraries of the
/// standard allow.
const TOLERANCE_MS: u64 = 300_000;

/// A delivery as it was received. Its secret is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ReceivedDelivery {
    secret: String,
    id: String,
    timestamp: String,
    signature: String,
    body: String,
}

impl std::fmt::Debug for ReceivedDelivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("ReceivedDelivery");
        shown.field("id", &self.id).finish_non_exhaustive()
    }
}

/// What is found about a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    Valid,
    SecretUnreadable,
    TimestampInMilliseconds,
    TimestampUnreadable,
    SignatureUnreadable,
    TooOld,
    TooNew,
    SecretUsedAsText,
    SignedBodyAlone,
    HexDigest,
    BodyReformatted,
    BodyWithOtherEnd,
    Different,
}

impl Finding {
    /// Its word, and what is to be done.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Valid => (
                "Valid",
                "the signature is right, and not older than five minutes",
            ),
            Self::SecretUnreadable => (
                "SecretUnreadable",
                "the secret is not whsec_ followed by base64; send it as POST /webhook/endpoint or \
                 /webhook/rotate answered it",
            ),
            Self::TimestampInMilliseconds => (
                "TimestampInMilliseconds",
                "webhook-timestamp has milliseconds; it is in whole seconds since 1970",
            ),
            Self::TimestampUnreadable => (
                "TimestampUnreadable",
                "webhook-timestamp is no number of seconds; use the header as it came",
            ),
            Self::SignatureUnreadable => (
                "SignatureUnreadable",
                "webhook-signature has no part of the form v1,base64; parts are separated by \
                 spaces, and the header is used as it came",
            ),
            Self::TooOld => (
                "TooOld",
                "the signature is right, but was made more than five minutes ago: refuse it, for \
                 it may be sent again by another; check the clock of the receiver",
            ),
            Self::TooNew => (
                "TooNew",
                "the signature is right, but of a moment more than five minutes ahead; check the \
                 clock of the receiver",
            ),
            Self::SecretUsedAsText => (
                "SecretUsedAsText",
                "the signature was made with the secret as text; decode the base64 after whsec_ \
                 and use its bytes as the key",
            ),
            Self::SignedBodyAlone => (
                "SignedBodyAlone",
                "the signature is over the body alone; sign webhook-id, a dot, webhook-timestamp, \
                 a dot and the body",
            ),
            Self::HexDigest => (
                "HexDigest",
                "the signature is in hexadecimal digits; it is base64",
            ),
            Self::BodyReformatted => (
                "BodyReformatted",
                "the body was parsed and written anew; verify the bytes as they came, before they \
                 are parsed",
            ),
            Self::BodyWithOtherEnd => (
                "BodyWithOtherEnd",
                "the body has white space before or after it that was not sent, or has lost some; \
                 verify the bytes as they came",
            ),
            Self::Different => (
                "Different",
                "the signature is of another secret, webhook-id, webhook-timestamp or body; each \
                 endpoint has a secret of its own, and webhook-id is that of the delivery",
            ),
        }
    }
}

/// The words of what is found, for its documentation.
pub const REASONS: [&str; 13] = [
    Finding::Valid.words().0,
    Finding::SecretUnreadable.words().0,
    Finding::TimestampInMilliseconds.words().0,
    Finding::TimestampUnreadable.words().0,
    Finding::SignatureUnreadable.words().0,
    Finding::TooOld.words().0,
    Finding::TooNew.words().0,
    Finding::SecretUsedAsText.words().0,
    Finding::SignedBodyAlone.words().0,
    Finding::HexDigest.words().0,
    Finding::BodyReformatted.words().0,
    Finding::BodyWithOtherEnd.words().0,
    Finding::Different.words().0,
];

/// Reads a delivery as it was received.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<ReceivedDelivery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let as_it_is = |text: &str| Ok::<_, Infallible>(text.to_owned());
    let secret = reader.required(&WEBHOOK_SECRET, as_it_is);
    let id = reader.required(&WEBHOOK_ID, as_it_is);
    let timestamp = reader.required(&WEBHOOK_TIMESTAMP, as_it_is);
    let signature = reader.required(&WEBHOOK_SIGNATURE, as_it_is);
    let body = reader.required(&WEBHOOK_BODY, as_it_is);
    reader.finish(|| {
        Ok(ReceivedDelivery {
            secret: secret?,
            id: id?,
            timestamp: timestamp?,
            signature: signature?,
            body: body?,
        })
    })
}

/// What is found about its signature.
pub fn view(delivery: &ReceivedDelivery, now: Timestamp) -> Object {
    let (finding, expected) = examine(delivery, now);
    let (reason, remedy) = finding.words();
    Object::new()
        .with("isValid", finding == Finding::Valid)
        .with("reason", reason)
        .with("remedy", remedy)
        .with("expected", expected)
}

/// What is found, and the signature that a delivery of this kind has.
fn examine(delivery: &ReceivedDelivery, now: Timestamp) -> (Finding, Option<String>) {
    let Some(key) = key(&delivery.secret) else {
        return (Finding::SecretUnreadable, None);
    };
    let at = match seconds(&delivery.timestamp) {
        Ok(at) => at,
        Err(finding) => return (finding, None),
    };
    let signed = Signed {
        id: &delivery.id,
        at,
        body: delivery.body.as_bytes(),
    };
    let expected = signature::signature(signed, &key);
    (found(delivery, signed, &key, now), expected)
}

fn found(delivery: &ReceivedDelivery, signed: Signed<'_>, key: &[u8], now: Timestamp) -> Finding {
    let given: Vec<_> = delivery.signature.split_ascii_whitespace().collect();
    let has = |signature: Option<String>| {
        signature.is_some_and(|signature| given.contains(&signature.as_str()))
    };
    if has(signature::signature(signed, key)) {
        return age(signed.at, now);
    }
    let digest = signature::digest(signed, key).map(|digest| hex(&digest));
    if digest.is_some_and(|digest| delivery.signature.to_lowercase().contains(&digest)) {
        return Finding::HexDigest;
    }
    if !given.iter().any(|part| part.starts_with("v1,")) {
        return Finding::SignatureUnreadable;
    }
    let text = delivery.secret.trim();
    let encoded = text.strip_prefix(SECRET_PREFIX).unwrap_or(text);
    if [text, encoded]
        .into_iter()
        .any(|text| has(signature::signature(signed, text.as_bytes())))
    {
        return Finding::SecretUsedAsText;
    }
    if has(signature::over(delivery.body.as_bytes(), key)) {
        return Finding::SignedBodyAlone;
    }
    let of_body = |body: &str| {
        let body = body.as_bytes();
        has(signature::signature(Signed { body, ..signed }, key))
    };
    let body = delivery.body.as_str();
    if of_body(body.trim()) || of_body(&format!("{}\n", body.trim_end())) {
        Finding::BodyWithOtherEnd
    } else if of_body(&compact(body)) {
        Finding::BodyReformatted
    } else {
        Finding::Different
    }
}

fn age(at: Timestamp, now: Timestamp) -> Finding {
    let late = now.as_millis().saturating_sub(at.as_millis());
    if late.unsigned_abs() <= TOLERANCE_MS {
        Finding::Valid
    } else if late > 0 {
        Finding::TooOld
    } else {
        Finding::TooNew
    }
}

fn key(secret: &str) -> Option<Vec<u8>> {
    let encoded = secret.trim().strip_prefix(SECRET_PREFIX)?;
    let key = BASE64_STANDARD.decode(encoded).ok()?;
    (!key.is_empty()).then_some(key)
}

/// Reads whole seconds since 1970; of this century and the next two, so that milliseconds are not
/// taken for them.
fn seconds(text: &str) -> Result<Timestamp, Finding> {
    const SECONDS_MAX: i64 = 9_999_999_999;
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse::<i64>().ok().filter(|_| digits);
    match number.ok_or(Finding::TimestampUnreadable)? {
        seconds if seconds <= SECONDS_MAX => {
            Ok(Timestamp::from_millis(seconds.saturating_mul(1000)))
        }
        _ => Err(Finding::TimestampInMilliseconds),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // Writing to a text cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The same JSON without white space between its parts, as it is sent.
fn compact(json: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let kept = json.chars().filter(|c| {
        let is_space = !quoted && c.is_ascii_whitespace();
        if escaped {
            escaped = false;
        } else if quoted && *c == '\\' {
            escaped = true;
        } else if *c == '"' {
            quoted = !quoted;
        }
        !is_space
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, pretty};
    use domain::webhook::Secret;
    use testkit::builders::START;

    const KEY: [u8; 32] = [7; 32];
    const BODY: &str = r#"{"type":"ping","data":{"note":"a \" b"}}"#;

    fn delivery() -> ReceivedDelivery {
        let signed = Signed {
            id: "evt_1_2",
            at: START,
            body: BODY.as_bytes(),
        };
        ReceivedDelivery {
            secret: crate::webhook::endpoint::secret_text(&Secret(KEY)),
            id: "evt_1_2".to_owned(),
            timestamp: signature::timestamp(START).to_string(),
            signature: signature::signatures(signed, [&Secret([1; 32]), &Secret(KEY)]),
            body: BODY.to_owned(),
        }
    }

    fn later(seconds: i64) -> Timestamp {
        Timestamp::from_millis(
            START
                .as_millis()
                .saturating_add(seconds.saturating_mul(1000)),
        )
    }

    #[track_caller]
    fn assert_found(delivery: &ReceivedDelivery, finding: Finding) {
        assert_eq!(examine(delivery, START).0, finding);
    }

    #[test]
    fn a_delivery_as_it_came_is_right_for_five_minutes() {
        let delivery = delivery();
        assert_eq!(examine(&delivery, START).0, Finding::Valid);
        assert_eq!(examine(&delivery, later(300)).0, Finding::Valid);
        assert_eq!(examine(&delivery, later(301)).0, Finding::TooOld);
        assert_eq!(examine(&delivery, later(-299)).0, Finding::Valid);
        assert_eq!(examine(&delivery, later(-302)).0, Finding::TooNew);
    }

    #[test]
    fn what_receivers_get_wrong_is_named() {
        let good = delivery();
        let signed = Signed {
            id: &good.id,
            at: START,
            body: BODY.as_bytes(),
        };
        let with_signature = |signature: Option<String>| ReceivedDelivery {
            signature: signature.unwrap(),
            ..delivery()
        };
        let text = |key: &str| with_signature(signature::signature(signed, key.as_bytes()));
        assert_found(&text(&good.secret), Finding::SecretUsedAsText);
        let encoded = good.secret.strip_prefix("whsec_").unwrap();
        assert_found(&text(encoded), Finding::SecretUsedAsText);
        let alone = with_signature(signature::over(BODY.as_bytes(), &KEY));
        assert_found(&alone, Finding::SignedBodyAlone);
        let digits = with_signature(signature::digest(signed, &KEY).map(|it| hex(&it)));
        assert_found(&digits, Finding::HexDigest);
        assert_found(
            &with_signature(Some("v2,abc".to_owned())),
            Finding::SignatureUnreadable,
        );
        assert_found(
            &with_signature(Some("v1,abc".to_owned())),
            Finding::Different,
        );
        let of_body = |body: &str| ReceivedDelivery {
            body: body.to_owned(),
            ..delivery()
        };
        assert_found(&of_body(&format!("{BODY}\n")), Finding::BodyWithOtherEnd);
        let spaced = BODY.replace(':', ": ").replace(',', ",\n  ");
        assert_found(&of_body(&spaced), Finding::BodyReformatted);
        assert_found(
            &of_body(&BODY.replace("a \\\" b", "a\\\"b")),
            Finding::Different,
        );
        let of_secret = |secret: &str| ReceivedDelivery {
            secret: secret.to_owned(),
            ..delivery()
        };
        for secret in ["", "whsec_", "whsec_!", encoded] {
            assert_found(&of_secret(secret), Finding::SecretUnreadable);
        }
        let at = |timestamp: &str| ReceivedDelivery {
            timestamp: timestamp.to_owned(),
            ..delivery()
        };
        let millis = START.as_millis().to_string();
        assert_found(&at(&millis), Finding::TimestampInMilliseconds);
        for unreadable in ["", "-1", "1e9", "2026-11-28T10:00:00Z"] {
            assert_found(&at(unreadable), Finding::TimestampUnreadable);
        }
    }

    #[test]
    fn each_reason_is_listed_once() {
        let all: std::collections::BTreeSet<_> = REASONS.into_iter().collect();
        assert_eq!(all.len(), REASONS.len());
    }

    #[test]
    fn the_answer_has_what_was_expected_and_never_the_secret() {
        let good = delivery();
        let shown = pretty(&view(&good, START).into());
        let expected = good.signature.split(' ').nth(1).unwrap();
        assert!(
            shown.contains(expected) && !shown.contains(&good.secret),
            "{shown}"
        );
        assert!(!format!("{good:?}").contains("whsec"));
    }

    #[test]
    fn everything_that_is_missing_is_named_at_once() {
        let names = faults(parse(&body(&[]), Handling::Lenient));
        for name in [
            "whkSecret",
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature",
            "whkBody",
        ] {
            assert!(names.contains(name), "{names}");
        }
    }
}
