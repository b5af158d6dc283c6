//! Messages that people send to the senders of accounts. What one says must never be shown in a
//! log, nor the number that it came from.

use super::{MessageText, MessageUrl};
use crate::account::AccountId;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::ProviderId;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::sms::SenderName;
use crate::statement::Sort;
use crate::text::UnfitLine;
use crate::time::Timestamp;
use std::fmt;
use std::time::Duration;

/// How long after a person's message a text or a file may be sent: the rule of the platform.
pub const CONVERSATION_WINDOW: Duration = Duration::from_hours(24);

/// How far the clock of a provider may be ahead of the gateway's: as far as that of a signature.
const CLOCK_AHEAD_MAX: Duration = Duration::from_mins(5);

/// What carries messages both ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageChannel {
    /// Text messages.
    Sms,
    /// `WhatsApp`.
    Whatsapp,
}

impl MessageChannel {
    /// Each.
    pub const ALL: [Self; 2] = [Self::Sms, Self::Whatsapp];

    /// The word of it, for merchants, providers and records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Sms => "sms",
            Self::Whatsapp => "whatsapp",
        }
    }

    /// Reads the word; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.code() == code)
    }

    /// The family of the messages that are sent through it.
    pub const fn service(self) -> Service {
        match self {
            Self::Sms => Service::Sms,
            Self::Whatsapp => Service::Whatsapp,
        }
    }
}

/// What a provider calls a message that it received.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderMessageId(String);

/// Why a text names no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be 1 to {} printable ASCII characters without spaces",
    ProviderMessageId::LENGTH_MAX
)]
pub struct InvalidMessageId;

impl ProviderMessageId {
    /// Longest name: those of the platforms have less than a hundred characters.
    pub const LENGTH_MAX: usize = 128;

    /// Reads a name.
    ///
    /// # Errors
    /// Refuses spaces, other characters than those of ASCII, and other lengths.
    pub fn parse(text: &str) -> Result<Self, InvalidMessageId> {
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned())).ok_or(InvalidMessageId)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Only the length is shown: platforms make these names from numbers.
impl fmt::Debug for ProviderMessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProviderMessageId({} bytes)", self.0.len())
    }
}

/// What a person wrote or sent: a text, a file or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingContent {
    text: Option<MessageText>,
    media: Option<MessageUrl>,
}

/// Why a message has no content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidIncomingContent {
    /// The text cannot be taken.
    #[error(transparent)]
    Text(#[from] UnfitLine),
    /// There is neither a text nor a file.
    #[error("must be there where there is no file")]
    Empty,
    /// A text message brings no file.
    #[error("must not be there in a text message")]
    FileInText,
}

impl IncomingContent {
    /// Most characters of a text. It is what `WhatsApp` takes, more than the longest text message
    /// that handsets write, and escaped in JSON it fits a callback of 64 KiB.
    pub const TEXT_MAX: usize = 4_096;

    /// Takes what a person sent. Characters that no answer could carry, such as control characters,
    /// are replaced: the message must not be lost for them.
    ///
    /// # Errors
    /// Refuses a text that is too long, a file in a text message, and nothing at all.
    pub fn new(
        channel: MessageChannel,
        text: Option<&str>,
        media: Option<MessageUrl>,
    ) -> Result<Self, InvalidIncomingContent> {
        if media.is_some() && channel == MessageChannel::Sms {
            return Err(InvalidIncomingContent::FileInText);
        }
        let text = text.filter(|text| !text.is_empty());
        let text = text.map(|text| MessageText::received(text, Self::TEXT_MAX));
        let text = text.transpose()?;
        if text.is_none() && media.is_none() {
            return Err(InvalidIncomingContent::Empty);
        }
        Ok(Self { text, media })
    }

    /// The text.
    pub const fn text(&self) -> Option<&MessageText> {
        self.text.as_ref()
    }

    /// Where the file is fetched.
    pub const fn media(&self) -> Option<&MessageUrl> {
        self.media.as_ref()
    }
}

/// A message as a provider received it.
#[derive(Clone, PartialEq, Eq)]
pub struct ReceivedMessage {
    /// What the provider calls it.
    pub id: ProviderMessageId,
    /// What carried it.
    pub channel: MessageChannel,
    /// The number of the person.
    pub number: PhoneNumber,
    /// The sender that the person wrote to.
    pub sender: SenderName,
    /// What it says.
    pub content: IncomingContent,
    /// When the provider received it.
    pub received_at: Timestamp,
}

/// Neither the number nor a word of it is shown.
impl fmt::Debug for ReceivedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReceivedMessage")
            .field("channel", &self.channel)
            .field("sender", &self.sender)
            .field("content", &self.content)
            .field("received_at", &self.received_at)
            .finish_non_exhaustive()
    }
}

impl ReceivedMessage {
    /// The same as of a moment: a message is never of the future, which would keep the window of
    /// its conversation open for longer. `None` where the provider's clock is further ahead than
    /// clocks may be.
    #[must_use]
    pub fn by(self, now: Timestamp) -> Option<Self> {
        if self.received_at.since(now) > CLOCK_AHEAD_MAX {
            return None;
        }
        let received_at = self.received_at.min(now);
        Some(Self {
            received_at,
            ..self
        })
    }
}

/// The number of an incoming message, unique in its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IncomingMessageId(TransactionNumber);

impl IncomingMessageId {
    /// A number that was drawn as those of transactions are.
    pub const fn new(drawn: TransactionNumber) -> Self {
        Self(drawn)
    }

    /// The number as those of transactions are.
    pub const fn number(self) -> TransactionNumber {
        self.0
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for IncomingMessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A message to a sender of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingMessage {
    /// Its number in the account.
    pub id: IncomingMessageId,
    /// Whose it is.
    pub account: AccountId,
    /// The provider that received it.
    pub provider: ProviderId,
    /// The message.
    pub received: ReceivedMessage,
    /// When the gateway recorded it.
    pub recorded_at: Timestamp,
    /// The order that it replies to, where the provider says so.
    pub reply_to: Option<MerchantReference>,
}

/// A conversation of a person with a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversation<'a> {
    /// What carries it.
    pub channel: MessageChannel,
    /// The number of the person.
    pub number: &'a PhoneNumber,
    /// The sender.
    pub sender: &'a SenderName,
}

impl Conversation<'_> {
    /// Whether a text or a file may be sent now, by the person's last message.
    pub fn is_open(last: Option<Timestamp>, now: Timestamp) -> bool {
        last.is_some_and(|last| now.since(last) < CONVERSATION_WINDOW)
    }
}

/// Which incoming messages of an account are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingMessagesQuery {
    /// Only of this channel.
    pub channel: Option<MessageChannel>,
    /// Only from this number.
    pub number: Option<PhoneNumber>,
    /// How many are skipped.
    pub offset: u64,
    /// Most that are answered.
    pub length: u32,
    /// By the moment they were recorded.
    pub sort: Sort,
}

impl IncomingMessagesQuery {
    /// Whether a message is asked for.
    pub fn wants(&self, message: &ReceivedMessage) -> bool {
        self.channel.is_none_or(|it| message.channel == it)
            && self.number.as_ref().is_none_or(|it| message.number == *it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(received_at: i64) -> ReceivedMessage {
        let channel = MessageChannel::Whatsapp;
        ReceivedMessage {
            id: ProviderMessageId::parse("wamid.HBgL").unwrap(),
            channel,
            number: PhoneNumber::parse("2348031234567").unwrap(),
            sender: SenderName::parse("MyShop").unwrap(),
            content: IncomingContent::new(channel, Some("code 4711"), None).unwrap(),
            received_at: Timestamp::from_millis(received_at),
        }
    }

    #[test]
    fn a_channel_is_read_back_from_its_word() {
        for channel in MessageChannel::ALL {
            assert_eq!(MessageChannel::from_code(channel.code()), Some(channel));
            assert_eq!(channel.service().code(), channel.code());
        }
        assert_eq!(MessageChannel::from_code("SMS"), None);
    }

    #[test]
    fn a_name_of_a_message_is_printable_and_has_an_end() {
        for name in ["1", "wamid.HBgLMjM0ODAzMTIzNDU2NxUC=", &"n".repeat(128)] {
            assert_eq!(ProviderMessageId::parse(name).unwrap().as_str(), name);
        }
        for name in ["", "a b", "é", "a\n", &"n".repeat(129)] {
            let refused = ProviderMessageId::parse(name);
            assert_eq!(refused, Err(InvalidMessageId), "{name}");
        }
    }

    #[test]
    fn there_is_a_text_or_a_file_and_no_file_in_a_text_message() {
        use InvalidIncomingContent::{Empty, FileInText, Text};
        let file = || MessageUrl::parse("https://media.example/1.jpg").ok();
        let [sms, whatsapp] = MessageChannel::ALL;
        let both = IncomingContent::new(whatsapp, Some("Hi"), file()).unwrap();
        assert_eq!(both.text().map(MessageText::as_str), Some("Hi"));
        assert_eq!(both.media(), file().as_ref());
        assert!(IncomingContent::new(whatsapp, None, file()).is_ok());
        // An empty caption is none.
        assert!(IncomingContent::new(whatsapp, Some(""), file()).is_ok());
        assert!(IncomingContent::new(sms, Some("Hi"), None).is_ok());
        let long = "é".repeat(IncomingContent::TEXT_MAX + 1);
        let too_long = Text(UnfitLine::TooLong(IncomingContent::TEXT_MAX));
        for (text, media, refused) in [
            (None, None, Empty),
            (Some(""), None, Empty),
            (Some("Hi"), file(), FileInText),
            (Some(long.as_str()), None, too_long),
        ] {
            assert_eq!(IncomingContent::new(sms, text, media), Err(refused));
        }
    }

    #[test]
    fn a_message_is_never_of_the_future() {
        let now = Timestamp::from_millis(10_000_000);
        let ahead = i64::try_from(CLOCK_AHEAD_MAX.as_millis()).unwrap();
        let of = |millis| {
            let taken = message(millis).by(now);
            taken.map(|it| it.received_at.as_millis())
        };
        assert_eq!(of(5), Some(5));
        assert_eq!(of(10_000_001), Some(10_000_000));
        assert_eq!(of(10_000_000 + ahead), Some(10_000_000));
        assert_eq!(of(10_000_001 + ahead), None);
    }

    #[test]
    fn a_log_shows_neither_the_number_nor_a_word() {
        let shown = format!("{:?}", message(1));
        for hidden in ["2348031234567", "4711", "wamid"] {
            assert!(!shown.contains(hidden), "{shown}");
        }
    }

    #[test]
    fn a_conversation_is_open_for_a_day() {
        let now = Timestamp::from_millis(100_000_000_000);
        let is_open = |ago| Conversation::is_open(Some(now.minus(ago)), now);
        assert!(is_open(Duration::ZERO));
        let last = Duration::from_millis(24 * 3_600_000 - 1);
        assert!(is_open(last));
        assert!(!is_open(CONVERSATION_WINDOW));
        assert!(!Conversation::is_open(None, now));
    }

    proptest! {
        #[test]
        fn a_text_is_taken_whatever_characters_it_has(
            text in "\\PC{1,40}|.{1,40}|[\u{0}-\u{20}]{1,9}"
        ) {
            let channel = MessageChannel::Sms;
            let taken = IncomingContent::new(channel, Some(&text), None).unwrap();
            let text = taken.text().unwrap().as_str();
            // What was taken is taken again, as it is.
            let again = IncomingContent::new(channel, Some(text), None);
            prop_assert_eq!(again, Ok(taken.clone()));
            prop_assert!(MessageText::parse(text, IncomingContent::TEXT_MAX).is_ok());
        }

        #[test]
        fn a_moment_is_kept_or_is_now(received in 0_i64..2_000_000, now in 0_i64..2_000_000) {
            let now = Timestamp::from_millis(now);
            if let Some(taken) = message(received).by(now) {
                prop_assert!(taken.received_at <= now);
                prop_assert!(taken.received_at.as_millis() == received.min(now.as_millis()));
            }
        }
    }
}
