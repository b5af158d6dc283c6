//! `POST /messaging/sms`. It must not know any numbering plan or sender, and never answer in other
//! field names than the request used.

use super::names::{SmsFieldNames, Used, pairs};
use crate::attribute::Attribute;
use crate::attributes::Attributes;
use crate::format::available;
use crate::reader::{FieldReader, Handling};
use crate::sms::delivery;
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::country::CountryCode;
use domain::phone::{NumberStatus, PhoneNumber};
use domain::sms::{
    Content, FieldNaming, Message, MessageKind, MessageOrder, PARTS_MAX, Segments, SenderSerial,
};
use domain::transaction::Transaction;

/// The message for each attribute of a request that uses both sets of names.
const MIXED: &str = "belongs to one of two sets of names and the request uses both; send number, \
                     sender, type and message, or phnNumber, msgSender, msgType and msgContent";

/// Reads a message in either set of names; `status` is called with the number where it and its
/// country could be read.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<Message, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let used = Used::by(attributes);
    let variant = match used {
        Used::One(variant) => variant,
        Used::Neither => FieldNaming::A,
        Used::Both => return Err(mixed(reader)),
    };
    let names = SmsFieldNames::of(variant);
    let reference = reader.reference();
    let country = reader.country();
    let number = reader.required(&names.number, PhoneNumber::parse);
    let network = reader.network_of(&names.number, (&number, country), status);
    let sender = reader.required(&names.sender, SenderSerial::parse);
    let kinds = MessageKind::ALL.map(|kind| (kind.code(), kind));
    let kind = reader.word(&names.kind, &kinds);
    let content = reader.required(&names.content, Content::parse);
    if let (Ok(kind), Ok(content)) = (kind, &content)
        && let Some(message) = too_long(kind, content)
    {
        reader.object(&names.content, &message);
    }
    if used == Used::Neither {
        for (a, b) in pairs() {
            let message = format!("or send {} in the other set of names", b.name);
            reader.object(&a, &message);
        }
    }
    reader.finish(|| {
        Ok(Message {
            reference: reference?,
            country: country?,
            number: number?,
            network,
            sender: sender?,
            kind: kind?,
            content: content?,
            variant,
        })
    })
}

/// The violations of a request in both sets of names: the mixing itself, and those of the
/// attributes both sets share.
fn mixed(mut reader: FieldReader<'_>) -> Violations {
    let shared = (reader.reference(), reader.country());
    let mut sent = Ok(());
    for attribute in pairs().flat_map(|(a, b)| [a, b]) {
        // No service code: which of the two is meant is not known.
        let named = Attribute {
            service: None,
            ..attribute
        };
        sent = reader.refuse_sent(&named, MIXED).and(sent);
    }
    let read = reader.finish(|| Ok((shared.0?, shared.1?, sent?)));
    read.err().unwrap_or_default()
}

pub(crate) fn too_long(kind: MessageKind, content: &Content) -> Option<String> {
    Segments::of(kind, content).err().map(|_| {
        let needed = Segments::split(kind, content).len();
        format!(
            "would need {needed} parts and at most {PARTS_MAX} are sent; shorten it: a part holds \
             153 characters, or 63 where one of them is not in the GSM alphabet"
        )
    })
}

/// A message (interface §2.8) in the names it was sent with; variant A shows the delivery only in
/// its report.
pub(crate) fn view(transaction: &Transaction, order: &MessageOrder, zone: &Zone) -> Object {
    match order.variant {
        FieldNaming::A => opening(transaction, zone).and(body_a(transaction, order)),
        FieldNaming::B => view_b(transaction, order, zone),
    }
}

/// The fields both variants begin with.
pub(super) fn opening(transaction: &Transaction, zone: &Zone) -> Object {
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", delivery::gateway_status(transaction))
}

/// The fields of variant A after the shared ones.
pub(super) fn body_a(transaction: &Transaction, order: &MessageOrder) -> Object {
    let cost = transaction.quote.price;
    Object::new()
        .with("number", order.number.digits())
        .with("network", available(&order.network))
        .with("sender", order.sender_name.as_str())
        .with("type", order.kind.code())
        .with("content", order.content.as_str())
        .with("cost", cost)
        .with("currency", cost.currency().code())
}

/// The whole of variant B, whose answer shows the delivery too.
pub(super) fn view_b(transaction: &Transaction, order: &MessageOrder, zone: &Zone) -> Object {
    let status = delivery::status(transaction);
    let cost = transaction.quote.price;
    opening(transaction, zone)
        .with("dlvStatus", delivery::word(status))
        .with("dlvDescription", delivery::description(status))
        .with("phnNumber", order.number.digits())
        .with("phnNetwork", available(&order.network))
        .with("msgSender", order.sender_name.as_str())
        .with("msgType", order.kind.code())
        .with("msgContent", order.content.as_str())
        .with("txnCost", cost)
        .with("txnCurrency", cost.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{STRING_OR_NUMBER, body, faults, replaced};

    type Pairs = [(&'static str, &'static str); 6];

    const GOOD_A: Pairs = [
        ("mrcReference", "\"order-1\""),
        ("countryCode", "566"),
        ("number", "\"2348031234567\""),
        ("sender", "100000000001"),
        ("type", "\"text\""),
        ("message", "\"Your code is 4711.\""),
    ];

    const GOOD_B: Pairs = [
        ("mrcReference", "\"order-1\""),
        ("countryCode", "566"),
        ("phnNumber", "\"2348031234567\""),
        ("msgSender", "100000000001"),
        ("msgType", "\"text\""),
        ("msgContent", "\"Your code is 4711.\""),
    ];

    fn read(attributes: &Attributes, handling: Handling) -> Result<Message, Violations> {
        parse(attributes, handling, |_, _| NumberStatus::Exists(None))
    }

    fn lenient(pairs: &[(&str, &str)]) -> Result<Message, Violations> {
        read(&body(pairs), Handling::Lenient)
    }

    /// Asserts that both sets of names give the same answer, by code and message, where `literal`
    /// is sent for the attribute at `place` in the interface's list.
    #[track_caller]
    fn check(place: usize, literal: &str, code: &str, message: &str) {
        for good in [GOOD_A, GOOD_B] {
            let (name, _) = good[place];
            let reported = faults(lenient(&replaced(&good, name, literal)));
            assert_eq!(
                reported,
                format!("400 {code}\n{name}: {message}"),
                "{literal}"
            );
        }
    }

    #[test]
    fn both_sets_of_names_say_the_same() {
        let a = lenient(&GOOD_A).unwrap();
        assert_eq!(a.reference.as_str(), "order-1");
        assert_eq!(a.country, CountryCode::NIGERIA);
        assert_eq!(a.number.digits(), "2348031234567");
        assert_eq!(a.sender.as_str(), "100000000001");
        assert_eq!(a.kind, MessageKind::Text);
        assert_eq!(a.content.as_str(), "Your code is 4711.");
        assert_eq!(a.variant, FieldNaming::A);
        let variant = FieldNaming::B;
        assert_eq!(lenient(&GOOD_B), Ok(Message { variant, ..a }));
    }

    #[test]
    fn a_sender_is_a_string_or_a_number_of_twelve_digits() {
        let quoted = lenient(&replaced(&GOOD_A, "sender", "\"100000000001\""));
        assert_eq!(quoted, lenient(&GOOD_A));
        let zero = lenient(&replaced(&GOOD_B, "msgSender", "\"000000000001\"")).unwrap();
        assert_eq!(zero.sender.as_str(), "000000000001");
        let shape = "must be the 12-digit serial number of a registered sender";
        for literal in ["10000000001", "1000000000011", "\"MyBank\"", "1e11", "\"\""] {
            check(3, literal, "870", shape);
        }
        check(3, "null", "870", STRING_OR_NUMBER);
    }

    #[test]
    fn a_type_is_one_of_five_words() {
        for kind in MessageKind::ALL {
            let literal = format!("{:?}", kind.code());
            let read = lenient(&replaced(&GOOD_A, "type", &literal)).unwrap();
            assert_eq!(read.kind, kind);
        }
        let words = "must be text or flash or unicode or arabic or wap";
        for literal in ["\"message\"", "\"sms\"", "\"\"", "\"text \""] {
            check(4, literal, "-", words);
        }
        check(4, "1", "-", "must be a string");
    }

    #[test]
    fn a_number_is_international_or_refused() {
        let shape = "must be in international format: 8 to 15 digits, the plus sign optional";
        for literal in ["\"0803\"", "\"+\"", "\"2348031234567,2348031234568\""] {
            check(2, literal, "822", shape);
        }
        check(2, "[2348031234567]", "822", STRING_OR_NUMBER);
    }

    #[test]
    fn a_message_may_have_lines_and_nothing_hidden() {
        let lines = "\"Dear Ada,\\r\\n\\tمرحبا 👍\"";
        let read = lenient(&replaced(&GOOD_A, "message", lines)).unwrap();
        assert_eq!(read.content.as_str(), "Dear Ada,\r\n\tمرحبا 👍");
        check(5, "\"\"", "-", "must not be empty");
        let control = "must not hold control characters";
        for literal in [
            "\"a\\u0000b\"",
            "\"a\\u001bb\"",
            "\"a\u{7f}b\"",
            "\"\\u2028\"",
        ] {
            check(5, literal, "-", control);
        }
        let bidi = "must not hold bidirectional control characters";
        for literal in ["\"\\u202eabc\"", "\"a\u{2066}b\"", "\"\\u200f\""] {
            check(5, literal, "-", bidi);
        }
        let nothing = "must not hold code points that are no characters";
        check(5, "\"\\uffff\"", "-", nothing);
        check(5, "4711", "-", "must be a string");
    }

    #[test]
    fn a_message_that_is_too_long_is_answered_with_the_parts_it_needs() {
        let said = |text: &str, count: usize| format!("{:?}", text.repeat(count));
        for (text, most, next) in [("a", 1530, 11), ("ж", 630, 11), ("€", 760, 11)] {
            assert!(lenient(&replaced(&GOOD_A, "message", &said(text, most))).is_ok());
            let remedy = "shorten it: a part holds 153 characters, or 63 where one of them is not \
                          in the GSM alphabet";
            let message = format!("would need {next} parts and at most 10 are sent; {remedy}");
            check(5, &said(text, most + 1), "-", &message);
        }
        let flooded = faults(lenient(&replaced(
            &GOOD_B,
            "msgContent",
            &said("a", 100_000),
        )));
        assert!(flooded.contains("would need 654 parts"), "{flooded}");
        // The type can make a message too long that would fit as text.
        let letters = said("a", 631);
        let text = replaced(&GOOD_A, "message", &letters);
        assert!(lenient(&text).is_ok());
        let reported = faults(lenient(&replaced(&text, "type", "\"arabic\"")));
        assert!(
            reported.contains("message: would need 11 parts"),
            "{reported}"
        );
    }

    #[test]
    fn where_the_number_stands_is_reported_with_everything_else_that_is_wrong() {
        let reported = |pairs: &[(&str, &str)], standing| {
            faults(parse(&body(pairs), Handling::Lenient, |_, _| standing))
        };
        let a = replaced(&GOOD_A, "message", "\"\"");
        insta::assert_snapshot!(reported(&a, NumberStatus::NotInPlan), @r"
        400 822
        number: does not exist in the numbering plan of countryCode; check both
        message: must not be empty
        ");
        let b = replaced(&GOOD_B, "msgType", "\"\"");
        insta::assert_snapshot!(reported(&b, NumberStatus::NotInPlan), @r"
        400 822
        phnNumber: does not exist in the numbering plan of countryCode; check both
        msgType: must be text or flash or unicode or arabic or wap
        ");
        insta::assert_snapshot!(reported(&GOOD_B, NumberStatus::CountryNotServed), @r"
        400 851
        countryCode: is not served; nothing is sold there, try 566 (Nigeria)
        ");
    }

    #[test]
    fn everything_wrong_is_reported_at_once_in_the_names_that_were_used() {
        insta::assert_snapshot!(faults(lenient(&[("number", "12"), ("type", "7")])), @r"
        400 851
        mrcReference: is required; add it to the body
        countryCode: is required; add it to the body
        number: must be in international format: 8 to 15 digits, the plus sign optional
        sender: is required; add it to the body
        type: must be a string
        message: is required; add it to the body
        ");
        insta::assert_snapshot!(faults(lenient(&[("msgContent", "\"Hi\"")])), @r"
        400 851
        mrcReference: is required; add it to the body
        countryCode: is required; add it to the body
        phnNumber: is required; add it to the body
        msgSender: is required; add it to the body
        msgType: is required; add it to the body
        ");
    }

    #[test]
    fn a_request_in_neither_set_of_names_is_answered_with_both() {
        insta::assert_snapshot!(faults(lenient(&GOOD_A[..2])), @r"
        400 822
        number: is required; add it to the body | or send phnNumber in the other set of names
        sender: is required; add it to the body | or send msgSender in the other set of names
        type: is required; add it to the body | or send msgType in the other set of names
        message: is required; add it to the body | or send msgContent in the other set of names
        ");
    }

    #[test]
    fn a_request_in_both_sets_of_names_is_asked_to_use_one() {
        let mut mixed = GOOD_A[1..4].to_vec();
        mixed.extend([("msgType", "\"text\""), ("msgContent", "\"\"")]);
        let reported = faults(lenient(&mixed)).replace(MIXED, "(use one set)");
        insta::assert_snapshot!(reported, @r"
        400 -
        mrcReference: is required; add it to the body
        number: (use one set)
        sender: (use one set)
        msgType: (use one set)
        msgContent: (use one set)
        ");
        // Even one name of the other set is refused: which of the two is meant would be a guess.
        for (name, literal) in &GOOD_B[2..] {
            let mut pairs = GOOD_A.to_vec();
            pairs.push((*name, *literal));
            let reported = faults(lenient(&pairs));
            assert!(
                reported.starts_with("400 -\nnumber: belongs to"),
                "{reported}"
            );
            assert!(
                reported.contains(&format!("\n{name}: belongs to")),
                "{reported}"
            );
            assert!(!reported.contains("countryCode:"), "{reported}");
        }
    }

    #[test]
    fn unknown_attributes_matter_only_where_the_client_asks_for_it() {
        let mut pairs = GOOD_B.to_vec();
        pairs.push(("content", "\"Hi\""));
        assert!(lenient(&pairs).is_ok());
        let unknown = "400 -\ncontent: is not an attribute of this request; leave it out";
        assert_eq!(faults(read(&body(&pairs), Handling::Strict)), unknown);
        assert!(read(&body(&GOOD_A), Handling::Strict).is_ok());
        assert!(read(&body(&GOOD_B), Handling::Strict).is_ok());
    }
}
