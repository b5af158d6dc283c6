//! What a `deliver_sm` says. A message that a handset sent must never be taken for a receipt, nor a
//! receipt that names no message for one about any.

use crate::codes::StatusTable;
use crate::settings::MessageIdForm;
use domain::provider::ProviderTransactionId;
use domain::sms::DeliveryStatus;
use ports::receipts::DeliveryReceipt;
use rusmpp_core::pdus::owned::DeliverSm;
use rusmpp_core::tlvs::owned::TlvValue;

/// The bits of `esm_class` that say what a `deliver_sm` carries.
const MESSAGE_TYPE: u8 = 0x3C;

/// A message, a receipt about the end of one, and a receipt in between.
const MESSAGE: u8 = 0x00;
const RECEIPT: u8 = 0x04;
const INTERMEDIATE: u8 = 0x20;

/// What came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeliverSmReading {
    /// A receipt.
    Receipt(DeliveryReceipt),
    /// A receipt that names no message.
    Unreadable,
    /// A receipt by its fields that is not marked as one.
    Unmarked,
    /// A message of a person.
    Message,
    /// What a handset or its network says of itself, such as that a message was read.
    Other,
}

/// Reads a `deliver_sm`.
pub(crate) fn read(pdu: &DeliverSm, table: &StatusTable, form: MessageIdForm) -> DeliverSmReading {
    match u8::from(pdu.esm_class) & MESSAGE_TYPE {
        MESSAGE if has_fields_of_receipts(pdu) => return DeliverSmReading::Unmarked,
        MESSAGE => return DeliverSmReading::Message,
        RECEIPT | INTERMEDIATE => {}
        _ => return DeliverSmReading::Other,
    }
    let text = text_of(pdu);
    let mut id = None;
    let mut status = None;
    for value in pdu.tlvs().iter().filter_map(|tlv| tlv.value()) {
        if let TlvValue::ReceiptedMessageId(named) = value {
            id = Some(named.as_str().to_owned());
        } else if let TlvValue::MessageState(state) = value {
            status = Some(table.state_of_number(u8::from(*state)));
        }
    }
    let id = id.or_else(|| field(&text, "id").map(str::to_owned));
    let status = status.or_else(|| field(&text, "stat").map(|word| table.state_of_word(word)));
    let id = id.and_then(|id| in_receipt(&id, form));
    match id {
        Some(id) => DeliverSmReading::Receipt(DeliveryReceipt {
            id,
            status: status.unwrap_or(DeliveryStatus::Unknown),
        }),
        None => DeliverSmReading::Unreadable,
    }
}

/// Whether one has a field that only receipts have (SMPP 3.4 §4.6.1): some SMSCs do not set the
/// bits, and merchants must not be shown their receipts as replies.
fn has_fields_of_receipts(pdu: &DeliverSm) -> bool {
    let mut values = pdu.tlvs().iter().filter_map(|tlv| tlv.value());
    values.any(|value| {
        matches!(
            value,
            TlvValue::ReceiptedMessageId(_) | TlvValue::MessageState(_)
        )
    })
}

/// An identity of an answer in the form in which it is remembered.
pub(crate) fn in_answer(id: &str, form: MessageIdForm) -> Option<ProviderTransactionId> {
    let number = match form {
        MessageIdForm::Same => None,
        MessageIdForm::HexThenDecimal => u128::from_str_radix(id.trim(), 16).ok(),
        MessageIdForm::DecimalThenHex => id.trim().parse().ok(),
    };
    remembered(id, number)
}

/// An identity of a receipt in the form in which it is remembered.
fn in_receipt(id: &str, form: MessageIdForm) -> Option<ProviderTransactionId> {
    let number = match form {
        MessageIdForm::Same => None,
        MessageIdForm::HexThenDecimal => id.trim().parse().ok(),
        MessageIdForm::DecimalThenHex => u128::from_str_radix(id.trim(), 16).ok(),
    };
    remembered(id, number)
}

/// Case and zeros at the beginning differ between answers and receipts of the same SMSC. Zeros are
/// only left out of what is a number.
fn remembered(id: &str, number: Option<u128>) -> Option<ProviderTransactionId> {
    if let Some(number) = number {
        return ProviderTransactionId::parse(&number.to_string());
    }
    let id = id.trim().to_ascii_lowercase();
    let is_number = !id.is_empty() && id.bytes().all(|b| b.is_ascii_hexdigit());
    let shortened = id.trim_start_matches('0');
    match (is_number, shortened.is_empty()) {
        (true, false) => ProviderTransactionId::parse(shortened),
        (true, true) => ProviderTransactionId::parse("0"),
        (false, _) => ProviderTransactionId::parse(&id),
    }
}

/// The text of a receipt: the short message, or the payload where that is empty.
fn text_of(pdu: &DeliverSm) -> String {
    let short = pdu.short_message();
    if !short.is_empty() {
        return String::from_utf8_lossy(short).into_owned();
    }
    let payload = pdu.tlvs().iter().find_map(|tlv| {
        let Some(TlvValue::MessagePayload(payload)) = tlv.value() else {
            return None;
        };
        Some(String::from_utf8_lossy(&payload.value).into_owned())
    });
    payload.unwrap_or_default()
}

/// The value of a field such as `stat:DELIVRD`, in whatever case, up to the next blank. What stands
/// behind `text:` is the message itself, which may say anything.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let lower = text.to_ascii_lowercase();
    let end = position(&lower, "text").unwrap_or(text.len());
    let begin = position(lower.get(..end)?, name)?;
    let value = text.get(begin..end)?.get(name.len()..)?.strip_prefix(':')?;
    let value = value.split_whitespace().next()?;
    (!value.is_empty()).then_some(value)
}

/// Where a field begins: at the beginning, or behind a blank.
fn position(lower: &str, name: &str) -> Option<usize> {
    let wanted = format!("{name}:");
    let begins = |at: &usize| {
        let before = lower.get(..*at).and_then(|text| text.chars().next_back());
        before.is_none_or(char::is_whitespace)
    };
    lower.match_indices(&wanted).map(|(at, _)| at).find(begins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusmpp_core::tlvs::owned::MessageDeliveryRequestTlvValue;
    use rusmpp_core::types::owned::{COctetString, OctetString};
    use rusmpp_core::values::{EsmClass, MessageState};

    fn pdu(esm_class: u8, text: &str) -> DeliverSm {
        let mut pdu = DeliverSm::default();
        pdu.esm_class = EsmClass::from(esm_class);
        pdu.set_short_message(OctetString::from_vec(text.as_bytes().to_vec()).unwrap());
        pdu
    }

    fn receipt(id: &str, status: DeliveryStatus) -> DeliverSmReading {
        DeliverSmReading::Receipt(DeliveryReceipt {
            id: ProviderTransactionId::parse(id).unwrap(),
            status,
        })
    }

    fn check(pdu: &DeliverSm, form: MessageIdForm, expected: &DeliverSmReading) {
        assert_eq!(
            read(pdu, &StatusTable::embedded(), form),
            *expected,
            "{pdu:?}"
        );
    }

    #[test]
    fn a_receipt_is_read_from_its_text_however_it_is_written() {
        let same = MessageIdForm::Same;
        for text in [
            "id:abc-1 sub:001 dlvrd:001 submit date:2601150900 done date:2601150901 stat:DELIVRD \
             err:000 text:Your code is",
            "id:ABC-1 sub:001 dlvrd:001 stat:DELIVRD err:000",
            "ID:abc-1 STAT:delivrd",
            "id: abc-1 stat: DELIVRD",
            "sub:001 stat:DELIVRD id:abc-1 text:id:other stat:UNDELIV",
        ] {
            check(
                &pdu(0x04, text),
                same,
                &receipt("abc-1", DeliveryStatus::Delivered),
            );
        }
        check(
            &pdu(0x04, "stat:DELIVRD"),
            same,
            &DeliverSmReading::Unreadable,
        );
        check(
            &pdu(0x04, "text:id:abc stat:DELIVRD"),
            same,
            &DeliverSmReading::Unreadable,
        );
        check(&pdu(0x04, ""), same, &DeliverSmReading::Unreadable);
        check(
            &pdu(0x04, "id:abc"),
            same,
            &receipt("abc", DeliveryStatus::Unknown),
        );
        check(
            &pdu(0x04, "id:abc stat:WHAT"),
            same,
            &receipt("abc", DeliveryStatus::Unknown),
        );
    }

    #[test]
    fn optional_fields_come_before_the_text() {
        let mut both = pdu(0x04, "id:other stat:UNDELIV");
        both.push_tlv(MessageDeliveryRequestTlvValue::ReceiptedMessageId(
            COctetString::from_string("7B".to_owned()).unwrap(),
        ));
        both.push_tlv(MessageDeliveryRequestTlvValue::MessageState(
            MessageState::Delivered,
        ));
        check(
            &both,
            MessageIdForm::Same,
            &receipt("7b", DeliveryStatus::Delivered),
        );
    }

    #[test]
    fn what_a_handset_sent_is_no_receipt() {
        for class in [0x00, 0x01, 0x03, 0x40, 0x80, 0xC0] {
            let said = pdu(class, "id:1 stat:DELIVRD");
            check(&said, MessageIdForm::Same, &DeliverSmReading::Message);
        }
        for class in [0x08, 0x10, 0x18, 0x48] {
            let said = pdu(class, "id:1 stat:DELIVRD");
            check(&said, MessageIdForm::Same, &DeliverSmReading::Other);
        }
        for class in [0x04, 0x05, 0x44, 0x20] {
            let said = pdu(class, "id:1 stat:DELIVRD");
            check(
                &said,
                MessageIdForm::Same,
                &receipt("1", DeliveryStatus::Delivered),
            );
        }
    }

    #[test]
    fn a_receipt_that_is_not_marked_is_no_message() {
        let id = COctetString::from_string("7b".to_owned()).unwrap();
        for field in [
            MessageDeliveryRequestTlvValue::ReceiptedMessageId(id),
            MessageDeliveryRequestTlvValue::MessageState(MessageState::Delivered),
        ] {
            let mut unmarked = pdu(0x00, "id:7b stat:DELIVRD");
            unmarked.push_tlv(field);
            check(&unmarked, MessageIdForm::Same, &DeliverSmReading::Unmarked);
        }
    }

    #[test]
    fn an_identity_is_the_same_in_another_base_and_with_zeros() {
        for (form, answered, reported) in [
            (MessageIdForm::Same, "00A1", "a1"),
            (MessageIdForm::Same, "0000", "0"),
            (MessageIdForm::Same, "6f9c-01", "6F9C-01"),
            (MessageIdForm::HexThenDecimal, "1A2B3C4D", "439041101"),
            (MessageIdForm::HexThenDecimal, "0000001a", "0026"),
            (MessageIdForm::DecimalThenHex, "439041101", "1a2b3c4d"),
            (
                MessageIdForm::HexThenDecimal,
                "not-a-number",
                "not-a-number",
            ),
        ] {
            let answered_id = in_answer(answered, form);
            assert!(answered_id.is_some());
            assert_eq!(
                answered_id,
                in_receipt(reported, form),
                "{answered} {reported}"
            );
        }
        assert_ne!(
            in_answer("10", MessageIdForm::HexThenDecimal),
            in_receipt("10", MessageIdForm::HexThenDecimal)
        );
        assert_eq!(in_answer(" ", MessageIdForm::Same), None);
    }
}
