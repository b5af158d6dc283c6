//! Callbacks: what a provider sends by itself when an attempt moved on or a person wrote, signed as
//! Standard Webhooks has it. One about an attempt must never be more than a hint: the gateway asks
//! what became of it. A message of a person is believed for its signature.

use crate::attempt::read_reference;
use crate::document::{DocumentError, valid, word};
use crate::moment::Moment;
use crate::signature::{CLOCK_WINDOW, SignatureKeys};
use domain::messaging::{
    IncomingContent, MessageChannel, MessageText, MessageUrl, ProviderMessageId, ReceivedMessage,
};
use domain::phone::PhoneNumber;
use domain::reference::ProviderReference;
use domain::sms::SenderName;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The header with the name of a callback. A repeated one has the same.
pub const CALLBACK_ID_HEADER: &str = "webhook-id";

/// The header with the second since 1970 at which it was sent.
pub const CALLBACK_TIMESTAMP_HEADER: &str = "webhook-timestamp";

/// The header with its signatures.
pub const CALLBACK_SIGNATURE_HEADER: &str = "webhook-signature";

/// The type of a callback about an attempt.
pub const ATTEMPT_CHANGED: &str = "attempt.changed";

/// The type of a callback with a message that a person sent.
pub const MESSAGE_RECEIVED: &str = "message.received";

/// Most signatures that are looked at: each side has two keys.
const SIGNATURES_MAX: usize = 4;

/// What begins a signature by a shared key.
const VERSION: &str = "v1,";

/// The body of a callback. Fields that are not known are skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptCallback {
    /// What happened: [`ATTEMPT_CHANGED`]. Others mean nothing to the gateway.
    #[serde(rename = "type")]
    pub kind: String,
    /// The attempt.
    pub data: CallbackAttempt,
}

/// The attempt that a callback is about. More may be there; none of it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallbackAttempt {
    /// What it was submitted under.
    pub reference: String,
}

impl AttemptCallback {
    /// That an attempt moved on.
    pub fn changed(reference: &str) -> Self {
        Self {
            kind: ATTEMPT_CHANGED.to_owned(),
            data: CallbackAttempt {
                reference: reference.to_owned(),
            },
        }
    }
}

/// The type of a callback, whatever else it has.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CallbackKind {
    /// What happened: [`ATTEMPT_CHANGED`] or [`MESSAGE_RECEIVED`]. Others mean nothing to the
    /// gateway.
    #[serde(rename = "type")]
    pub kind: String,
}

/// The body of a callback with a message that a person sent. Fields that are not known are skipped.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageCallback {
    /// What happened: [`MESSAGE_RECEIVED`].
    #[serde(rename = "type")]
    pub kind: String,
    /// The message.
    pub data: MessageDocument,
}

/// A message that a person sent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageDocument {
    /// What the provider calls it, the same whenever it is reported.
    pub id: String,
    /// What carried it: `sms` or `whatsapp`.
    pub channel: String,
    /// The number of the person.
    pub number: String,
    /// The name of the sender that the person wrote to.
    pub sender: String,
    /// The text; it may be missing where there is a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Where the file is fetched; of `whatsapp` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_url: Option<String>,
    /// When the provider received it.
    pub received_at: Moment,
    /// What the attempt was submitted under that it replies to, where the platform says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// Neither the number nor a word of the message is shown.
impl fmt::Debug for MessageCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageCallback({:?})", self.data)
    }
}

/// Neither the number nor a word of the message is shown.
impl fmt::Debug for MessageDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageDocument({})", self.channel)
    }
}

impl MessageCallback {
    /// That a person sent a message, in reply to an attempt where that is known.
    pub fn received(message: &ReceivedMessage, reference: Option<&ProviderReference>) -> Self {
        let content = &message.content;
        Self {
            kind: MESSAGE_RECEIVED.to_owned(),
            data: MessageDocument {
                id: message.id.as_str().to_owned(),
                channel: message.channel.code().to_owned(),
                number: message.number.digits().to_owned(),
                sender: message.sender.as_str().to_owned(),
                content: content.text().map(|it| MessageText::as_str(it).to_owned()),
                media_url: content.media().map(|it| MessageUrl::as_str(it).to_owned()),
                received_at: message.received_at.into(),
                reference: reference.map(|it| it.as_str().to_owned()),
            },
        }
    }
}

impl MessageDocument {
    /// The message, and what it replies to.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn message(&self) -> Result<(ReceivedMessage, Option<ProviderReference>), DocumentError> {
        let channel = word(MessageChannel::from_code(&self.channel), "channel")?;
        let media = self.media_url.as_deref().map(MessageUrl::parse);
        let media = valid(media.transpose(), "mediaUrl")?;
        let content = IncomingContent::new(channel, self.content.as_deref(), media);
        let reference = self.reference.as_deref().map(read_reference).transpose()?;
        let message = ReceivedMessage {
            id: valid(ProviderMessageId::parse(&self.id), "id")?,
            channel,
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            sender: valid(SenderName::recorded(&self.sender), "sender")?,
            content: valid(content, "content")?,
            received_at: self.received_at.into(),
        };
        Ok((message, reference))
    }
}

/// What of a callback is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallbackParts<'a> {
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// The body, byte for byte.
    pub body: &'a [u8],
}

impl CallbackParts<'_> {
    fn base(&self) -> Vec<u8> {
        let mut base = format!("{}.{}.", self.id, self.timestamp).into_bytes();
        base.extend_from_slice(self.body);
        base
    }

    /// Whether the headers have the one form in which no two callbacks are signed alike, and no
    /// callback like a request or an answer: those have quotation marks before any point.
    fn has_form(&self) -> bool {
        let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let is_id = (1..=64).contains(&self.id.len()) && self.id.bytes().all(is_name);
        let is_digit = |b: u8| b.is_ascii_digit();
        is_id && (1..=12).contains(&self.timestamp.len()) && self.timestamp.bytes().all(is_digit)
    }
}

/// The value of `webhook-signature`, by the key that signs.
pub fn sign_callback(keys: &SignatureKeys, parts: CallbackParts<'_>) -> String {
    format!("{VERSION}{}", keys.tag(&parts.base()))
}

/// Whether a callback is by one of the keys, and was sent within the window around a second.
pub fn is_authentic_callback(
    keys: &SignatureKeys,
    parts: CallbackParts<'_>,
    (signature, now): (&str, i64),
) -> bool {
    let Some(sent) = parts.timestamp.parse::<i64>().ok() else {
        return false;
    };
    let is_fresh = sent.abs_diff(now) <= CLOCK_WINDOW.as_secs();
    let base = parts.base();
    let signatures = signature.split(' ').take(SIGNATURES_MAX);
    let mut signatures = signatures.filter_map(|it| it.strip_prefix(VERSION));
    is_fresh && parts.has_form() && signatures.any(|tag| keys.has_tagged(&base, tag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::read;

    const OLD: &str = "old AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const NEW: &str = "new HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";
    const NOW: i64 = 1_768_467_600;

    const PARTS: CallbackParts<'_> = CallbackParts {
        id: "cb_1",
        timestamp: "1768467600",
        body: br#"{"type":"attempt.changed","data":{"reference":"a.1"}}"#,
    };

    fn keys(lines: &[&str]) -> SignatureKeys {
        SignatureKeys::parse(&lines.join("\n")).unwrap()
    }

    type Change<'a> = (&'a str, &'a dyn Fn(&mut MessageDocument));

    const MESSAGE: &str = include_str!("../tests/vectors/message.json");

    fn document() -> MessageDocument {
        let callback: MessageCallback = read(MESSAGE.as_bytes()).unwrap();
        assert_eq!(callback.kind, MESSAGE_RECEIVED);
        callback.data
    }

    #[test]
    fn a_message_of_a_person_is_read_and_written() {
        let (message, reference) = document().message().unwrap();
        assert_eq!(message.number.digits(), "2348031234567");
        assert_eq!(message.content.text().unwrap().as_str(), "Yes, please.");
        let written = MessageCallback::received(&message, reference.as_ref());
        let expected: serde_json::Value = serde_json::from_str(MESSAGE).unwrap();
        assert_eq!(serde_json::to_value(&written).unwrap(), expected);
        // Without what may be missing.
        let least = MessageDocument {
            channel: "sms".to_owned(),
            media_url: None,
            reference: None,
            ..document()
        };
        let (message, reference) = least.message().unwrap();
        assert_eq!((message.content.media(), reference), (None, None));
    }

    #[test]
    fn a_message_with_a_field_that_cannot_be_is_refused_by_name() {
        let text = |text: &str| text.to_owned();
        let changes: [Change<'_>; 8] = [
            ("id", &|it| it.id = text("a b")),
            ("channel", &|it| it.channel = text("fax")),
            ("number", &|it| it.number = text("0803")),
            ("sender", &|it| it.sender = text("32811")),
            ("content", &|it| it.content = Some("x".repeat(4_097))),
            ("content", &|it| it.channel = text("sms")),
            ("mediaUrl", &|it| it.media_url = Some(text("http://x/1"))),
            ("reference", &|it| it.reference = Some(text("a b"))),
        ];
        for (field, change) in changes {
            let mut document = document();
            change(&mut document);
            let error = document.message().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{field}`")), "{error}");
        }
        let nothing = MessageDocument {
            content: None,
            media_url: None,
            ..document()
        };
        assert!(nothing.message().is_err());
    }

    #[test]
    fn the_longest_message_fits_a_callback() {
        let channel = MessageChannel::Whatsapp;
        // Each of these is two escapes of six characters where a writer escapes everything.
        let longest = "\u{1F600}".repeat(IncomingContent::TEXT_MAX);
        assert!(IncomingContent::new(channel, Some(&longest), None).is_ok());
        let escaped = IncomingContent::TEXT_MAX * 12;
        assert!(escaped + 4 * 1_024 <= crate::document::BODY_BYTES_MAX);
    }

    #[test]
    fn a_signature_is_that_of_standard_webhooks() {
        // HMAC-SHA-256 of `cb_1.1768467600.` and the body under the 32 bytes 0 to 31.
        let signed = sign_callback(&keys(&[OLD]), PARTS);
        assert_eq!(signed, "v1,Vd0WIPLUexAk4HoUZ0p2fzC9aDSMOLzYGKTHw7lydmI=");
    }

    #[test]
    fn either_key_verifies_and_a_stranger_s_does_not() {
        let signed = sign_callback(&keys(&[OLD]), PARTS);
        let both = keys(&[NEW, OLD]);
        assert!(is_authentic_callback(&both, PARTS, (&signed, NOW)));
        let several = format!("v1a,xyz v1,AAAA {signed}");
        assert!(is_authentic_callback(&both, PARTS, (&several, NOW)));
        assert!(!is_authentic_callback(&keys(&[NEW]), PARTS, (&signed, NOW)));
        let many = format!("{}{signed}", "v1,AAAA ".repeat(SIGNATURES_MAX));
        assert!(!is_authentic_callback(&both, PARTS, (&many, NOW)));
    }

    #[test]
    fn nothing_that_is_signed_may_change_and_it_may_not_be_old() {
        let keys = keys(&[OLD]);
        let signed = sign_callback(&keys, PARTS);
        let window = i64::try_from(CLOCK_WINDOW.as_secs()).unwrap();
        let is_taken = |parts, now| is_authentic_callback(&keys, parts, (&signed, now));
        for now in [NOW - window, NOW, NOW + window] {
            assert!(is_taken(PARTS, now));
        }
        for now in [NOW - window - 1, NOW + window + 1] {
            assert!(!is_taken(PARTS, now));
        }
        let other = CallbackParts {
            id: "cb_2",
            ..PARTS
        };
        assert!(!is_taken(other, NOW));
        let other = CallbackParts {
            timestamp: "1768467601",
            ..PARTS
        };
        assert!(!is_taken(other, NOW));
        let other = CallbackParts {
            body: b"{}",
            ..PARTS
        };
        assert!(!is_taken(other, NOW));
    }

    #[test]
    fn a_signature_of_something_else_by_the_same_key_is_none_of_a_callback() {
        let keys = keys(&[OLD]);
        for id in ["", "a.b", "\"@method\": POST", "a b"] {
            let parts = CallbackParts { id, ..PARTS };
            let signed = sign_callback(&keys, parts);
            assert!(!is_authentic_callback(&keys, parts, (&signed, NOW)), "{id}");
        }
    }
}
