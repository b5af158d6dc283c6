//! How a bind is set up. It must not hold a secret that its `Debug` shows.

use crate::reply_numbers::ReplyNumbers;
use ports::adapter::AccountSecret;
use std::net::IpAddr;
use std::time::Duration;
use url::{Host, Url};

/// Most sessions of an account: more than any contract gives.
pub(crate) const BINDS_MAX: u16 = 32;

/// Most answers that may be outstanding in a session: beyond it an SMSC is not kept busier.
pub(crate) const WINDOW_MAX: u16 = 1_000;

/// Most parts a second: beyond it a contract is one of several binds.
pub(crate) const THROUGHPUT_MAX: u32 = 10_000;

/// Longest validity in minutes: a week, the most that networks keep a message.
pub(crate) const VALIDITY_MINUTES_MAX: u32 = 7 * 24 * 60;

/// Where an SMSC answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmppTarget {
    pub(crate) encrypted: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// Whether a bind may go to another machine without encryption. SMPP has none of its own, and most
/// SMSCs are reached through a private network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainSmpp {
    /// Only to this machine.
    ToLoopback,
    /// To any machine: the operator says that the way there is private.
    Allowed,
}

/// Which sessions are bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindMode {
    /// One session sends and receives.
    Transceiver,
    /// One sends, and another receives.
    TransmitterAndReceiver,
}

/// How a message of several parts is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongMessages {
    /// Each part by itself, with a user data header.
    Parts,
    /// As one, in `message_payload`.
    Payload,
}

/// How long the reference is that joins the parts of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConcatenationReference {
    /// Every handset reads it.
    Bits8,
    /// Two messages are mixed up less often. Parts that leave no room for it take the short one.
    Bits16,
}

/// In which form the SMSC writes the identity of a message in its receipts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageIdForm {
    /// As in its answer.
    Same,
    /// Hexadecimal in the answer, decimal in the receipt.
    HexThenDecimal,
    /// Decimal in the answer, hexadecimal in the receipt.
    DecimalThenHex,
}

/// What a bind is authenticated by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmppCredentials {
    pub(crate) system_id: String,
    pub(crate) password: AccountSecret,
    pub(crate) system_type: String,
}

/// Why a setting is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSmppSetting {
    /// No address of an SMSC.
    #[error("must be an address such as smpps://smsc.example:3550 or smpp://127.0.0.1:2775")]
    Url,
    /// The password would cross a network in the clear.
    #[error("must begin with smpps://, or plain must be allowed because the network is private")]
    Plain,
    /// Longer than the specification takes, or empty, or not ASCII.
    #[error("must be 1 to 15 ASCII characters")]
    SystemId,
    /// Longer than the specification takes, or not ASCII.
    #[error("must be at most 8 ASCII characters, as the specification says")]
    Password,
    /// Longer than the specification takes, or not ASCII.
    #[error("must be at most 12 ASCII characters")]
    SystemType,
}

/// One account at an SMSC.
#[derive(Debug, Clone)]
pub struct SmppSettings {
    /// Where it answers.
    pub target: SmppTarget,
    /// What a bind is authenticated by.
    pub credentials: SmppCredentials,
    /// Which sessions are bound.
    pub mode: BindMode,
    /// How many of each.
    pub binds: u16,
    /// How many answers may be outstanding in a session.
    pub window: u16,
    /// How many parts a second the account may send.
    pub throughput: u32,
    /// How long after the end of an attempt the network may still try to deliver.
    pub validity: Duration,
    /// How a message of several parts is sent.
    pub long_messages: LongMessages,
    /// How long the reference of its parts is.
    pub reference: ConcatenationReference,
    /// How receipts write identities.
    pub message_ids: MessageIdForm,
    /// Refusals of a vendor, as they are listed in a configuration.
    pub vendor_statuses: String,
    /// Which senders the numbers stand for that people write to.
    pub reply_numbers: ReplyNumbers,
    /// How long is waited, and for what.
    pub timers: SmppTimers,
}

/// How long is waited, and for what.
#[derive(Debug, Clone, Copy)]
pub struct SmppTimers {
    /// For a connection, TLS included.
    pub connect: Duration,
    /// For the answer to a bind.
    pub bind: Duration,
    /// For a session with room for a message: what finds none is not sent.
    pub room: Duration,
    /// For the answer to a part. What is answered later is unknown.
    pub answer: Duration,
    /// Until a session in which nothing comes is checked.
    pub enquire: Duration,
    /// For the answer to that.
    pub enquire_answer: Duration,
    /// For a receipt to find its message, which may still be being stored.
    pub receipt: Duration,
    /// For the other parts of a message of a person, before the SMSC is asked to repeat one.
    pub parts: Duration,
    /// Pauses between attempts to bind again; the last one stays.
    pub reconnect: [Duration; 5],
}

impl Default for SmppTimers {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            bind: Duration::from_secs(10),
            room: Duration::from_secs(5),
            answer: Duration::from_secs(10),
            enquire: Duration::from_secs(30),
            enquire_answer: Duration::from_secs(10),
            receipt: Duration::from_secs(3),
            parts: Duration::from_secs(3),
            reconnect: [1, 2, 5, 10, 30].map(Duration::from_secs),
        }
    }
}

impl SmppSettings {
    /// The settings of an account; the rest as it is by default.
    pub fn new(target: SmppTarget, credentials: SmppCredentials) -> Self {
        Self {
            target,
            credentials,
            mode: BindMode::Transceiver,
            binds: 1,
            window: 10,
            throughput: 10,
            validity: Duration::from_hours(24),
            long_messages: LongMessages::Parts,
            reference: ConcatenationReference::Bits8,
            message_ids: MessageIdForm::Same,
            vendor_statuses: String::new(),
            reply_numbers: ReplyNumbers::default(),
            timers: SmppTimers::default(),
        }
    }
}

impl SmppTarget {
    /// Reads an address, `smpp://…` or `smpps://…`, with its port.
    pub fn parse(text: &str, plain: PlainSmpp) -> Result<Self, InvalidSmppSetting> {
        let url = Url::parse(text).map_err(|_| InvalidSmppSetting::Url)?;
        let encrypted = match url.scheme() {
            "smpps" => true,
            "smpp" => false,
            _ => return Err(InvalidSmppSetting::Url),
        };
        let host = match url.host().ok_or(InvalidSmppSetting::Url)? {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(ip) => ip.to_string(),
            Host::Ipv6(ip) => ip.to_string(),
        };
        let is_bare = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
            && matches!(url.path(), "" | "/");
        let port = url.port().ok_or(InvalidSmppSetting::Url)?;
        if !is_bare || host.is_empty() {
            return Err(InvalidSmppSetting::Url);
        }
        match plain {
            PlainSmpp::ToLoopback if !encrypted && !is_this_machine(&host) => {
                Err(InvalidSmppSetting::Plain)
            }
            PlainSmpp::ToLoopback | PlainSmpp::Allowed => Ok(Self {
                encrypted,
                host,
                port,
            }),
        }
    }
}

impl SmppCredentials {
    /// Credentials as the specification takes them.
    pub fn parse(
        system_id: &str,
        password: &str,
        system_type: &str,
    ) -> Result<Self, InvalidSmppSetting> {
        let fits = |text: &str, length: usize| {
            text.len() <= length && text.bytes().all(|b| b.is_ascii_graphic() || b == b' ')
        };
        if system_id.is_empty() || !fits(system_id, 15) {
            return Err(InvalidSmppSetting::SystemId);
        }
        if !fits(password, 8) {
            return Err(InvalidSmppSetting::Password);
        }
        if !fits(system_type, 12) {
            return Err(InvalidSmppSetting::SystemType);
        }
        Ok(Self {
            system_id: system_id.to_owned(),
            password: AccountSecret::new(password.to_owned()),
            system_type: system_type.to_owned(),
        })
    }
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_host_and_a_port() {
        let parse = |text| SmppTarget::parse(text, PlainSmpp::ToLoopback);
        let target = parse("smpps://smsc.example:3550").unwrap();
        assert_eq!((target.host.as_str(), target.port), ("smsc.example", 3550));
        for text in [
            "smpp://127.0.0.1:2775",
            "smpp://localhost:2775",
            "smpp://[::1]:2775",
        ] {
            let target = parse(text).unwrap();
            assert!(!target.encrypted && target.port == 2775, "{text}");
        }
        for text in [
            "smpps://smsc.example",
            "https://smsc.example:443",
            "smpps://user@smsc.example:1",
            "smpps://smsc.example:1/path",
            "smsc.example:2775",
        ] {
            assert_eq!(parse(text), Err(InvalidSmppSetting::Url), "{text}");
        }
    }

    #[test]
    fn a_password_crosses_no_network_in_the_clear_unless_that_is_allowed() {
        for text in ["smpp://smsc.example:2775", "smpp://10.0.0.1:2775"] {
            let refused = SmppTarget::parse(text, PlainSmpp::ToLoopback);
            assert_eq!(refused, Err(InvalidSmppSetting::Plain), "{text}");
            assert!(SmppTarget::parse(text, PlainSmpp::Allowed).is_ok());
        }
    }

    #[test]
    fn credentials_are_no_longer_than_the_specification_takes() {
        assert!(SmppCredentials::parse("fifteen-charact", "8-octets", "VMA").is_ok());
        let refused = |id, password, kind| SmppCredentials::parse(id, password, kind).unwrap_err();
        assert_eq!(refused("", "", ""), InvalidSmppSetting::SystemId);
        assert_eq!(
            refused("sixteen-characte", "", ""),
            InvalidSmppSetting::SystemId
        );
        assert_eq!(refused("a", "nine-octe", ""), InvalidSmppSetting::Password);
        assert_eq!(
            refused("a", "", "thirteen-char"),
            InvalidSmppSetting::SystemType
        );
        let kept = SmppCredentials::parse("a", "s3cret", "").unwrap();
        assert!(!format!("{kept:?}").contains("s3cret"));
    }
}
