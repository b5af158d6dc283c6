//! From an order to the PDUs that carry it. A message must be cut as the domain has counted it: as
//! many parts are billed.

use crate::gsm;
use crate::settings::{ConcatenationReference, LongMessages};
use domain::provider::Submission;
use domain::sms::{Encoding, MessageKind, MessageOrder, Segments, SenderName};
use domain::time::Timestamp;
use jiff::tz::Offset;
use outbound_http::reference::hash_base32;
use rusmpp_core::pdus::owned::SubmitSm;
use rusmpp_core::tlvs::owned::MessageSubmissionRequestTlvValue;
use rusmpp_core::types::owned::{
    AnyOctetString, COctetString, EmptyOrFullCOctetString, OctetString,
};
use rusmpp_core::values::owned::MessagePayload;
use rusmpp_core::values::{DataCoding, EsmClass, Npi, RegisteredDelivery, Ton};
use std::time::Duration;

/// `esm_class` of a part with a user data header.
const WITH_HEADER: u8 = 0x40;

/// `registered_delivery`: a receipt about the end, whichever it is.
const FINAL_RECEIPT: u8 = 0x01;

/// Septets and octets of the short message of one part on the radio interface.
const SEPTETS_MAX: usize = 160;

/// Septets that the header with the long reference takes: seven octets.
const LONG_HEADER_SEPTETS: usize = 8;

/// How a message is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageForm {
    pub(crate) long_messages: LongMessages,
    pub(crate) reference: ConcatenationReference,
    pub(crate) validity: Duration,
}

/// A message ready to be sent.
#[derive(Debug)]
pub(crate) struct SmppMessage {
    /// One for each part, or one for all.
    pub(crate) pdus: Vec<SubmitSm>,
    /// How many parts are billed.
    pub(crate) parts: u8,
}

/// Whether an order can be sent at all. A WAP push would have to be built as a binary document,
/// which this adapter does not do.
pub(crate) fn is_served(order: &MessageOrder) -> bool {
    match order.kind {
        MessageKind::Wap => false,
        MessageKind::Text | MessageKind::Flash | MessageKind::Unicode | MessageKind::Arabic => {
            pieces(order).is_some()
        }
    }
}

impl SmppMessage {
    /// The message of an order; `None` where it cannot be written as it was counted.
    pub(crate) fn of(
        submission: &Submission,
        order: &MessageOrder,
        form: &MessageForm,
    ) -> Option<Self> {
        let pieces = pieces(order)?;
        let parts = u8::try_from(pieces.len()).ok()?;
        let envelope = Envelope::of(submission, order, form)?;
        if parts == 1 {
            let text = pieces.into_iter().next()?;
            return Some(Self {
                pdus: vec![envelope.short(text, 0)?],
                parts,
            });
        }
        if form.long_messages == LongMessages::Payload {
            return Some(Self {
                pdus: vec![envelope.payload(pieces.concat())],
                parts,
            });
        }
        let reference = reference_of(submission.reference.as_str());
        let long = form.reference == ConcatenationReference::Bits16
            && has_room_for_long(order.segments.encoding, &pieces);
        let mut pdus = Vec::with_capacity(pieces.len());
        for (index, piece) in (1_u8..).zip(pieces) {
            let [high, low] = reference.to_be_bytes();
            let mut text = if long {
                vec![0x06, 0x08, 0x04, high, low, parts, index]
            } else {
                vec![0x05, 0x00, 0x03, low, parts, index]
            };
            text.extend(piece);
            pdus.push(envelope.short(text, WITH_HEADER)?);
        }
        Some(Self { pdus, parts })
    }
}

/// The octets of each part, cut where the domain cuts; `None` where that is not what was counted.
fn pieces(order: &MessageOrder) -> Option<Vec<Vec<u8>>> {
    let cut = Segments::split(order.kind, &order.content);
    if cut.len() != usize::from(order.segments.parts) {
        return None;
    }
    let octets = |text: &str| match order.segments.encoding {
        Encoding::Gsm7 => gsm::octets(text),
        Encoding::Ucs2 => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    };
    cut.into_iter().map(octets).collect()
}

/// Whether the header with the long reference fits beside each part.
fn has_room_for_long(encoding: Encoding, pieces: &[Vec<u8>]) -> bool {
    match encoding {
        // 63 units of two octets and seven of header are 133 of the 140 there are.
        Encoding::Ucs2 => true,
        Encoding::Gsm7 => pieces
            .iter()
            .all(|piece| piece.len().saturating_add(LONG_HEADER_SEPTETS) <= SEPTETS_MAX),
    }
}

/// The reference that joins the parts of an attempt: the same each time it is asked for.
fn reference_of(attempt: &str) -> u16 {
    let hash = hash_base32(attempt);
    hash.bytes()
        .take(8)
        .fold(0, |sum: u16, byte| sum.rotate_left(5) ^ u16::from(byte))
}

/// What is the same in every PDU of a message.
#[derive(Debug)]
struct Envelope {
    base: SubmitSm,
}

impl Envelope {
    fn of(submission: &Submission, order: &MessageOrder, form: &MessageForm) -> Option<Self> {
        let (ton, npi) = numbering_of(&order.sender_name);
        let until = submission.not_after.plus(form.validity);
        let base = SubmitSm::builder()
            .source_addr_ton(Ton::from(ton))
            .source_addr_npi(Npi::from(npi))
            .source_addr(address(order.sender_name.as_str())?)
            .dest_addr_ton(Ton::from(1))
            .dest_addr_npi(Npi::from(1))
            .destination_addr(address(order.number.digits())?)
            .validity_period(absolute(until)?)
            .registered_delivery(RegisteredDelivery::from(FINAL_RECEIPT))
            .data_coding(DataCoding::from(data_coding(order)))
            .build();
        Some(Self { base })
    }

    fn short(&self, text: Vec<u8>, esm_class: u8) -> Option<SubmitSm> {
        let mut pdu = self.base.clone();
        // Set always: the codec's own default is the class of an acknowledgement.
        pdu.esm_class = EsmClass::from(esm_class);
        pdu.set_short_message(OctetString::from_vec(text).ok()?);
        Some(pdu)
    }

    fn payload(&self, text: Vec<u8>) -> SubmitSm {
        let mut pdu = self.base.clone();
        pdu.esm_class = EsmClass::from(0);
        let payload = MessagePayload::new(AnyOctetString::from_vec(text));
        pdu.push_tlv(MessageSubmissionRequestTlvValue::MessagePayload(payload));
        pdu
    }
}

fn address(text: &str) -> Option<COctetString<1, 21>> {
    COctetString::from_string(text.to_owned()).ok()
}

/// Type of number and numbering plan of a sender. Names have none; short codes are of the network.
fn numbering_of(sender: &SenderName) -> (u8, u8) {
    let name = sender.as_str();
    let is_number = name.bytes().all(|b| b.is_ascii_digit());
    match (is_number, name.len()) {
        (false, _) => (5, 0),
        (true, ..=8) => (3, 0),
        (true, _) => (1, 1),
    }
}

/// The alphabet, with the class of a message that is shown at once.
const fn data_coding(order: &MessageOrder) -> u8 {
    let alphabet = match order.segments.encoding {
        Encoding::Gsm7 => 0x00,
        Encoding::Ucs2 => 0x08,
    };
    match order.kind {
        MessageKind::Flash => alphabet | 0x10,
        MessageKind::Text | MessageKind::Unicode | MessageKind::Arabic | MessageKind::Wap => {
            alphabet
        }
    }
}

/// A moment as the specification writes it: tenths of seconds, and no offset from UTC.
fn absolute(moment: Timestamp) -> Option<EmptyOrFullCOctetString<17>> {
    let moment = jiff::Timestamp::from_millisecond(moment.as_millis()).ok()?;
    let moment = Offset::UTC.to_datetime(moment);
    let text = format!("{}000+", moment.strftime("%y%m%d%H%M%S"));
    EmptyOrFullCOctetString::from_string(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::encoded;
    use domain::order::Order;
    use domain::sms::Content;
    use rusmpp_core::CommandStatus;
    use rusmpp_core::command::owned::Command;
    use testkit::builders::{sms, submission};

    const FORM: MessageForm = MessageForm {
        long_messages: LongMessages::Parts,
        reference: ConcatenationReference::Bits8,
        validity: Duration::from_hours(1),
    };

    fn order(kind: MessageKind, text: &str) -> MessageOrder {
        let Order::Sms(mut order) = sms().order() else {
            panic!("no message");
        };
        order.kind = kind;
        order.content = Content::parse(text).unwrap();
        order.segments = Segments::of(kind, &order.content).unwrap();
        order
    }

    fn message(order: &MessageOrder, form: &MessageForm) -> SmppMessage {
        let sent = submission("order-1", Order::Sms(order.clone()));
        SmppMessage::of(&sent, order, form).unwrap()
    }

    #[test]
    fn a_short_message_is_written_octet_by_octet_as_the_specification_says() {
        let order = order(MessageKind::Text, "Hi@€");
        let sent = submission("order-1", Order::Sms(order.clone()));
        let message = SmppMessage::of(&sent, &order, &FORM).unwrap();
        let pdu = message.pdus[0].clone();
        let octets = encoded(&Command::new(CommandStatus::EsmeRok, 1, pdu));
        let mut expected = Vec::from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 5, 0]);
        expected.extend(b"CornerShop\0\x01\x012348031234567\0");
        // esm_class, protocol_id, priority_flag, no schedule.
        expected.extend([0, 0, 0, 0]);
        let until = sent.not_after.plus(Duration::from_hours(1));
        expected.extend(absolute(until).unwrap().as_str().bytes());
        // Its end, receipt, no replacement, alphabet, no predefined message, length.
        expected.extend([0, 1, 0, 0, 0, 5]);
        expected.extend([0x48, 0x69, 0x00, 0x1B, 0x65]);
        assert_eq!(&octets[4..], expected);
        assert_eq!(message.parts, 1);
    }

    #[test]
    fn a_moment_is_written_with_tenths_and_without_an_offset() {
        // 2026-01-15T09:00:00Z.
        let written = absolute(Timestamp::from_millis(1_768_467_600_000)).unwrap();
        assert_eq!(written.as_str(), "260115090000000+");
    }

    #[test]
    fn three_parts_carry_the_same_reference_and_their_places() {
        let text: String = "0123456789".repeat(40);
        let order = order(MessageKind::Text, &text);
        let message = message(&order, &FORM);
        assert_eq!((message.parts, message.pdus.len()), (3, 3));
        let mut whole = Vec::new();
        for (index, pdu) in (1_u8..).zip(&message.pdus) {
            let octets: Vec<u8> = pdu.short_message().to_vec();
            assert_eq!(u8::from(pdu.esm_class), 0x40);
            assert_eq!(octets[..3], [0x05, 0x00, 0x03]);
            assert_eq!(octets[3], message.pdus[0].short_message()[3]);
            assert_eq!(octets[4..6], [3, index]);
            assert!(octets.len() <= 159);
            whole.extend_from_slice(&octets[6..]);
        }
        assert_eq!(whole, text.as_bytes());
    }

    #[test]
    fn the_long_reference_is_taken_where_it_fits() {
        let long = MessageForm {
            reference: ConcatenationReference::Bits16,
            ..FORM
        };
        let header = |order: &MessageOrder| {
            let sent = message(order, &long);
            sent.pdus[0].short_message()[..3].to_vec()
        };
        let full = order(MessageKind::Text, &"a".repeat(161));
        assert_eq!(header(&full), [0x05, 0x00, 0x03]);
        let unicode = order(MessageKind::Unicode, &"a".repeat(71));
        assert_eq!(header(&unicode), [0x06, 0x08, 0x04]);
        let two = message(&unicode, &long);
        assert!(two.pdus.iter().all(|pdu| pdu.short_message().len() <= 140));
    }

    #[test]
    fn a_payload_carries_all_parts_at_once() {
        let payload = MessageForm {
            long_messages: LongMessages::Payload,
            ..FORM
        };
        let order = order(MessageKind::Unicode, &"ش".repeat(130));
        let message = message(&order, &payload);
        assert_eq!((message.parts, message.pdus.len()), (3, 1));
        assert_eq!(message.pdus[0].tlvs().len(), 1);
        assert_eq!(message.pdus[0].tlvs()[0].value_length(), 260);
        assert!(message.pdus[0].short_message().is_empty());
    }

    #[test]
    fn alphabet_and_class_are_told_apart_and_a_wap_push_is_not_sent() {
        for (kind, text, coding) in [
            (MessageKind::Text, "Hi", 0x00),
            (MessageKind::Text, "₦", 0x08),
            (MessageKind::Unicode, "Hi", 0x08),
            (MessageKind::Flash, "Hi", 0x10),
            (MessageKind::Flash, "₦", 0x18),
        ] {
            let order = order(kind, text);
            assert!(is_served(&order));
            let pdu = &message(&order, &FORM).pdus[0];
            assert_eq!(u8::from(pdu.data_coding), coding, "{kind:?} {text}");
        }
        assert!(!is_served(&order(MessageKind::Wap, "https://example.com")));
    }

    #[test]
    fn a_sender_is_a_name_or_a_number() {
        for (name, expected) in [("MyBank", (5, 0)), ("Bank24", (5, 0))] {
            assert_eq!(numbering_of(&SenderName::parse(name).unwrap()), expected);
        }
    }
}
