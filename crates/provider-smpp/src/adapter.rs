//! How an account at an SMSC is configured. It must not reach the SMSC: a gateway starts while its
//! providers are away.

use crate::codes::StatusTable;
use crate::provider::SmppProvider;
use crate::reply_numbers::ReplyNumbers;
use crate::settings::{
    BINDS_MAX, BindMode, ConcatenationReference, LongMessages, MessageIdForm, PlainSmpp,
    SmppCredentials, SmppSettings, SmppTarget, THROUGHPUT_MAX, VALIDITY_MINUTES_MAX, WINDOW_MAX,
};
use ports::adapter::{
    AccountOpening, Adapter, AdapterDeclaration, DeclaredSetting, OpenAccountError,
    ProviderAccount, SettingAbsence,
};
use std::sync::Arc;
use std::time::Duration;

const URL: &str = "url";
const PLAIN: &str = "plain";
const SYSTEM_ID: &str = "system_id";
const PASSWORD: &str = "password";
const SYSTEM_TYPE: &str = "system_type";
const BIND: &str = "bind";
const BINDS: &str = "binds";
const WINDOW: &str = "window";
const THROUGHPUT: &str = "throughput";
const VALIDITY: &str = "validity_minutes";
const LONG_MESSAGES: &str = "long_messages";
const REFERENCE_BITS: &str = "reference_bits";
const MESSAGE_IDS: &str = "message_ids";
const REFUSALS: &str = "refusals";
const REPLY_NUMBERS: &str = "reply_numbers";

const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        check: |text| SmppTarget::parse(text, PlainSmpp::Allowed).map_or_else(refuse, |_| Ok(())),
        ..DeclaredSetting::required(
            URL,
            "Address of the SMSC, smpps://HOST:PORT, or smpp:// without encryption.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("refused"),
        check: |text| plain(text).map(drop),
        ..DeclaredSetting::required(
            PLAIN,
            "Whether smpp:// may leave this machine, refused or allowed: the password is sent in \
             the clear, so allow it over a private network only.",
        )
    },
    DeclaredSetting {
        check: |text| SmppCredentials::parse(text, "", "").map_or_else(refuse, |_| Ok(())),
        ..DeclaredSetting::required(SYSTEM_ID, "The system_id of the bind.")
    },
    DeclaredSetting {
        check: |text| SmppCredentials::parse("a", text, "").map_or_else(refuse, |_| Ok(())),
        ..DeclaredSetting::secret(PASSWORD, "The password of the bind.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Default(""),
        check: |text| SmppCredentials::parse("a", "", text).map_or_else(refuse, |_| Ok(())),
        ..DeclaredSetting::required(SYSTEM_TYPE, "The system_type of the bind.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("transceiver"),
        check: |text| mode(text).map(drop),
        ..DeclaredSetting::required(
            BIND,
            "transceiver, or transmitter-receiver for a session that sends and another that \
             receives.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("1"),
        check: |text| number(text, u32::from(BINDS_MAX)).map(drop),
        ..DeclaredSetting::required(BINDS, "How many sessions each instance keeps bound.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("10"),
        check: |text| number(text, u32::from(WINDOW_MAX)).map(drop),
        ..DeclaredSetting::required(WINDOW, "How many answers may be outstanding in a session.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("10"),
        check: |text| number(text, THROUGHPUT_MAX).map(drop),
        ..DeclaredSetting::required(
            THROUGHPUT,
            "How many parts each instance may send a second, over all of its sessions.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("1440"),
        check: |text| number(text, VALIDITY_MINUTES_MAX).map(drop),
        ..DeclaredSetting::required(
            VALIDITY,
            "How many minutes the network may try to deliver a message.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("parts"),
        check: |text| long_messages(text).map(drop),
        ..DeclaredSetting::required(
            LONG_MESSAGES,
            "How a message of several parts is sent, as parts or as one payload.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("8"),
        check: |text| reference(text).map(drop),
        ..DeclaredSetting::required(
            REFERENCE_BITS,
            "How many bits the reference of parts has, 8 or, where it fits, 16.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("same"),
        check: |text| message_ids(text).map(drop),
        ..DeclaredSetting::required(
            MESSAGE_IDS,
            "How receipts write the identity of a message: same as the answer, hex-decimal for \
             hexadecimal answers and decimal receipts, or decimal-hex for the reverse.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default(""),
        check: |text| {
            let listed = StatusTable::embedded().with_vendor_statuses(text);
            listed.map_or_else(refuse, |_| Ok(()))
        },
        ..DeclaredSetting::required(
            REFUSALS,
            "Statuses of the vendor that certainly refuse, as 0x401=order, separated by commas; \
             order, account or moment.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default(""),
        check: |text| text.parse::<ReplyNumbers>().map_or_else(refuse, |_| Ok(())),
        ..DeclaredSetting::required(
            REPLY_NUMBERS,
            "Numbers that people write to and the sender each stands for, as 32811=MyBank, \
             separated by commas.",
        )
    },
];

/// The adapter of SMPP.
#[derive(Debug, Clone, Copy)]
pub struct SmppAdapter;

impl Adapter for SmppAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        AdapterDeclaration {
            name: "smpp",
            about: "SMPP 3.4: text messages to an SMSC or an aggregator that gives a bind.",
            settings: SETTINGS,
        }
    }

    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        let configured = opening.settings;
        let plain = plain(configured.need(PLAIN)?).map_err(OpenAccountError::new)?;
        let target = SmppTarget::parse(configured.need(URL)?, plain);
        let credentials = SmppCredentials::parse(
            configured.need(SYSTEM_ID)?,
            configured.need_secret(PASSWORD)?.reveal(),
            configured.need(SYSTEM_TYPE)?,
        );
        let said = |name, max| {
            let text = configured.need(name)?;
            number(text, max).map_err(OpenAccountError::new)
        };
        let small = |name, max: u16| {
            let said = said(name, u32::from(max))?;
            u16::try_from(said).map_err(OpenAccountError::new)
        };
        let minutes = said(VALIDITY, VALIDITY_MINUTES_MAX)?;
        let settings = SmppSettings {
            mode: mode(configured.need(BIND)?).map_err(OpenAccountError::new)?,
            binds: small(BINDS, BINDS_MAX)?,
            window: small(WINDOW, WINDOW_MAX)?,
            throughput: said(THROUGHPUT, THROUGHPUT_MAX)?,
            validity: Duration::from_mins(u64::from(minutes)),
            long_messages: long_messages(configured.need(LONG_MESSAGES)?)
                .map_err(OpenAccountError::new)?,
            reference: reference(configured.need(REFERENCE_BITS)?)
                .map_err(OpenAccountError::new)?,
            message_ids: message_ids(configured.need(MESSAGE_IDS)?)
                .map_err(OpenAccountError::new)?,
            vendor_statuses: configured.need(REFUSALS)?.to_owned(),
            reply_numbers: configured
                .need(REPLY_NUMBERS)?
                .parse()
                .map_err(OpenAccountError::new)?,
            ..SmppSettings::new(
                target.map_err(|error| OpenAccountError::new(format!("{URL} {error}")))?,
                credentials.map_err(OpenAccountError::new)?,
            )
        };
        let provider = SmppProvider::open(opening.id, settings, opening.clock);
        let provider = provider.map_err(OpenAccountError::new)?;
        Ok(ProviderAccount::new(Arc::new(provider)))
    }
}

fn refuse(error: impl std::fmt::Display) -> Result<(), String> {
    Err(error.to_string())
}

fn number(text: &str, max: u32) -> Result<u32, String> {
    let read = text.parse().ok();
    read.filter(|number| (1..=max).contains(number))
        .ok_or_else(|| format!("must be a number from 1 to {max}"))
}

fn plain(text: &str) -> Result<PlainSmpp, String> {
    match text {
        "refused" => Ok(PlainSmpp::ToLoopback),
        "allowed" => Ok(PlainSmpp::Allowed),
        _ => Err("must be refused or allowed".to_owned()),
    }
}

fn mode(text: &str) -> Result<BindMode, String> {
    match text {
        "transceiver" => Ok(BindMode::Transceiver),
        "transmitter-receiver" => Ok(BindMode::TransmitterAndReceiver),
        _ => Err("must be transceiver or transmitter-receiver".to_owned()),
    }
}

fn long_messages(text: &str) -> Result<LongMessages, String> {
    match text {
        "parts" => Ok(LongMessages::Parts),
        "payload" => Ok(LongMessages::Payload),
        _ => Err("must be parts or payload".to_owned()),
    }
}

fn reference(text: &str) -> Result<ConcatenationReference, String> {
    match text {
        "8" => Ok(ConcatenationReference::Bits8),
        "16" => Ok(ConcatenationReference::Bits16),
        _ => Err("must be 8 or 16".to_owned()),
    }
}

fn message_ids(text: &str) -> Result<MessageIdForm, String> {
    match text {
        "same" => Ok(MessageIdForm::Same),
        "hex-decimal" => Ok(MessageIdForm::HexThenDecimal),
        "decimal-hex" => Ok(MessageIdForm::DecimalThenHex),
        _ => Err("must be same, hex-decimal or decimal-hex".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_go_in_parts_or_in_a_payload() {
        assert!(matches!(long_messages("parts"), Ok(LongMessages::Parts)));
        assert!(matches!(
            long_messages("payload"),
            Ok(LongMessages::Payload)
        ));
        assert!(long_messages("Payload").is_err());
    }
}
