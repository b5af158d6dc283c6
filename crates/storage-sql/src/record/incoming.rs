//! Incoming messages as records. What a message says is sealed with everything else of it; beside
//! the document stands what is searched for.

use super::{RecordError, VERSION, read, scalar::valid};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::account::AccountId;
use domain::messaging::{
    IncomingContent, IncomingMessage, IncomingMessageId, MessageChannel, MessageText, MessageUrl,
    ProviderMessageId, ReceivedMessage,
};
use domain::phone::PhoneNumber;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::sms::SenderName;
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The name of the field, which is sealed together with it.
const MESSAGE: &str = "incoming_messages.message";

#[derive(Debug, Serialize, Deserialize)]
struct IncomingRecord<'a> {
    v: u32,
    provider: Cow<'a, str>,
    id: Cow<'a, str>,
    channel: Cow<'a, str>,
    number: Cow<'a, str>,
    sender: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    media: Option<Cow<'a, str>>,
    received_at: i64,
    recorded_at: i64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reply_to: Option<Cow<'a, str>>,
}

/// A message as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncomingRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// The provider that received it.
    pub provider: String,
    /// What the provider calls it.
    pub message_id: String,
    /// The word of its channel.
    pub channel: String,
    /// The number of the person.
    pub phone: String,
    /// The sender it was sent to.
    pub sender: String,
    /// When it was received, in milliseconds.
    pub received_at: i64,
    /// When it was recorded, in milliseconds.
    pub recorded_at: i64,
    /// The document of all of it, sealed.
    pub message: String,
}

impl IncomingRow {
    /// The row that a message is stored as.
    ///
    /// # Errors
    /// When the document cannot be written or sealed.
    pub fn of(message: &IncomingMessage, cipher: &FieldCipher) -> Result<Self, PortError> {
        let received = &message.received;
        let record = IncomingRecord::of(message);
        let document = serde_json::to_string(&record);
        let document =
            document.map_err(|error| PortError::caused(PART, "encode a record", error))?;
        let number = message.id.get().to_string();
        let place = place(message.account.as_str(), &number);
        Ok(Self {
            account: message.account.as_str().to_owned(),
            number: i64::try_from(message.id.get()).unwrap_or(i64::MAX),
            provider: message.provider.as_str().to_owned(),
            message_id: received.id.as_str().to_owned(),
            channel: received.channel.code().to_owned(),
            phone: received.number.digits().to_owned(),
            sender: received.sender.as_str().to_owned(),
            received_at: received.received_at.as_millis(),
            recorded_at: message.recorded_at.as_millis(),
            message: cipher.seal(&place, &document)?,
        })
    }
}

/// The message of a row, from its account, its number and its sealed document.
///
/// # Errors
/// When the document does not open or breaks a rule; the error names the message.
pub fn incoming_message(
    (account, number): (&str, i64),
    message: String,
    cipher: &FieldCipher,
) -> Result<IncomingMessage, PortError> {
    let document = opened_incoming(cipher, (account, number), message);
    let read = read_incoming((account, number), &document);
    read.map_err(|error| {
        let what = format!("incoming message {number} of {account} cannot be read");
        PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
    })
}

/// The document of a message with its seal opened. What does not open is left as it is.
pub(super) fn opened_incoming(
    cipher: &FieldCipher,
    (account, number): (&str, i64),
    message: String,
) -> String {
    cipher.open(&place(account, &number.to_string()), message)
}

/// The message of an opened document.
pub(super) fn read_incoming(
    (account, number): (&str, i64),
    document: &str,
) -> Result<IncomingMessage, RecordError> {
    let record: IncomingRecord<'_> =
        read("message", document, |record: &IncomingRecord<'_>| record.v)?;
    let number = u64::try_from(number).unwrap_or_default();
    let number = valid(TransactionNumber::try_new(number), "number")?;
    Ok(IncomingMessage {
        id: IncomingMessageId::new(number),
        account: valid(AccountId::parse(account), "account")?,
        provider: valid(ProviderId::parse(&record.provider), "provider")?,
        recorded_at: Timestamp::from_millis(record.recorded_at),
        reply_to: record.reply_to()?,
        received: record.received()?,
    })
}

impl<'a> IncomingRecord<'a> {
    fn of(message: &'a IncomingMessage) -> Self {
        let received = &message.received;
        let content = &received.content;
        let borrowed = |text: &'a str| Cow::Borrowed(text);
        let reply_to = message.reply_to.as_ref();
        Self {
            v: VERSION,
            provider: borrowed(message.provider.as_str()),
            id: borrowed(received.id.as_str()),
            channel: borrowed(received.channel.code()),
            number: borrowed(received.number.digits()),
            sender: borrowed(received.sender.as_str()),
            text: content.text().map(|it| borrowed(MessageText::as_str(it))),
            media: content.media().map(|it| borrowed(MessageUrl::as_str(it))),
            received_at: received.received_at.as_millis(),
            recorded_at: message.recorded_at.as_millis(),
            reply_to: reply_to.map(|it| borrowed(MerchantReference::as_str(it))),
        }
    }

    fn reply_to(&self) -> Result<Option<MerchantReference>, RecordError> {
        let reference = self.reply_to.as_deref().map(MerchantReference::parse);
        valid(reference.transpose(), "reply_to")
    }

    fn received(&self) -> Result<ReceivedMessage, RecordError> {
        let channel = MessageChannel::from_code(&self.channel);
        let channel = channel.ok_or(RecordError::Value("channel"))?;
        let media = self.media.as_deref().map(MessageUrl::parse).transpose();
        let content = IncomingContent::new(channel, self.text.as_deref(), valid(media, "media")?);
        Ok(ReceivedMessage {
            id: valid(ProviderMessageId::parse(&self.id), "id")?,
            channel,
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            sender: valid(SenderName::recorded(&self.sender), "sender")?,
            content: valid(content, "content")?,
            received_at: Timestamp::from_millis(self.received_at),
        })
    }
}

const fn place<'a>(account: &'a str, number: &'a str) -> [&'a str; 3] {
    [MESSAGE, account, number]
}

#[cfg(test)]
mod tests {
    use super::*;
    use key_ring::KeyRing;
    use testkit::builders::incoming_message as message;

    fn cipher() -> FieldCipher {
        FieldCipher::new(&KeyRing::generate([7; 32], ""), [1; 16])
    }

    fn restored(row: &IncomingRow, cipher: &FieldCipher) -> Result<IncomingMessage, PortError> {
        let of = (row.account.as_str(), row.number);
        incoming_message(of, row.message.clone(), cipher)
    }

    #[test]
    fn a_message_reads_back_and_nothing_it_says_is_readable() {
        let stored = message("shop", 7);
        let row = IncomingRow::of(&stored, &cipher()).unwrap();
        assert_eq!(restored(&row, &cipher()).unwrap(), stored);
        assert!(row.message.starts_with("sealed:"), "{}", row.message);
        // It opens in its own row alone.
        for other in [
            IncomingRow {
                account: "other".to_owned(),
                ..row.clone()
            },
            IncomingRow { number: 8, ..row },
        ] {
            let error = restored(&other, &cipher()).unwrap_err();
            assert!(error.to_string().contains("cannot be read"), "{error}");
        }
    }

    #[test]
    fn a_document_that_breaks_a_rule_is_refused() {
        let stored = message("shop", 7);
        let good = serde_json::to_value(IncomingRecord::of(&stored)).unwrap();
        let text = good.to_string();
        assert_eq!(read_incoming(("shop", 7), &text).unwrap(), stored);
        for (field, value) in [
            ("v", serde_json::json!(2)),
            ("provider", "A B".into()),
            ("id", "".into()),
            ("channel", "fax".into()),
            ("number", "12".into()),
            ("sender", "x".into()),
            ("text", serde_json::json!(null)),
            ("media", "here".into()),
            ("reply_to", "a b".into()),
        ] {
            let mut broken = good.clone();
            broken[field] = value;
            let read = read_incoming(("shop", 7), &broken.to_string());
            assert!(read.is_err(), "{field}");
        }
        assert!(read_incoming(("shop", 0), &text).is_err());
    }
}
