//! Messages, numbers and signatures that are checked.

use crate::operation::{Operation, optional, required};
use crate::states::{Sample, sample};
use domain::money::{Currency, Money};
use domain::sms::MessageKind;
use testkit::builders::START;
use wire::attribute::{
    COUNTRY, MESSAGE, MESSAGE_TYPE, PHONE, WEBHOOK_BODY, WEBHOOK_ID, WEBHOOK_SECRET,
    WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
};
use wire::attributes::Attributes;
use wire::hlr::lookup::PhoneLine;
use wire::reader::Handling;
use wire::tools::number::{self, NumberInPlan};
use wire::tools::{segments, signature};
use wire::tree::Object;

const SECRET: &str = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";

pub(super) fn segments() -> Operation {
    let words = MessageKind::ALL.map(MessageKind::code);
    let counted = |query: &str, kobo| {
        let read = Attributes::from_query(Some(query)).ok();
        let read = read.and_then(|read| segments::parse(&read, Handling::Strict).ok());
        let cost = Money::from_minor(kobo, Currency::Ngn);
        read.map_or_else(Object::new, |message| segments::view(&message, cost))
    };
    Operation::get(
        "/tools/segments",
        "countSegments",
        "Count the parts of a message",
    )
    .detailed(
        "A message is billed by its parts. One character that is not in the GSM alphabet makes \
             all of it unicode, and its parts shorter; some characters of the alphabet take two \
             units. Without `countryCode`, the cost is that of a message to Nigeria.",
    )
    .takes([
        required(&MESSAGE_TYPE, "text").one_of(&words),
        required(&MESSAGE, "Your code is 1234"),
        optional(&COUNTRY).such_as("566"),
    ])
    .answers(
        "Segments",
        vec![sample(
            "segments",
            "The parts of the message.",
            counted("type=text&message=Your%20code%20is%201234", 400),
        )],
    )
}

pub(super) fn number() -> Operation {
    let shown = |query: &str, found: &NumberInPlan| {
        let read = Attributes::from_query(Some(query)).ok();
        let read = read.and_then(|read| number::parse(&read, Handling::Strict).ok());
        read.map_or_else(Object::new, |asked| number::view(&asked, found))
    };
    let valid = NumberInPlan {
        line: PhoneLine::Mobile,
        block_holder: Some("MTN".to_owned()),
    };
    let invalid = NumberInPlan {
        line: PhoneLine::Invalid,
        block_holder: None,
    };
    Operation::get("/tools/number", "checkNumber", "Check a number")
        .detailed(
            "What the numbering plan of the country says; no network is asked, and it is free. \
             `network` is the one that the block of the number was given to: a number may have \
             been ported since, and `GET /vas/hlrlookup` asks who serves it now. A client may \
             keep the answer for an hour, and then ask with `If-None-Match`.",
        )
        .kept()
        .takes([required(&COUNTRY, "566"), required(&PHONE, "2348031234567")])
        .answers(
            "NumberCheck",
            vec![
                sample(
                    "in the plan",
                    "The number is in the numbering plan of the country.",
                    shown("countryCode=566&number=2348031234567", &valid),
                ),
                sample(
                    "not in the plan",
                    "The numbering plan of the country has no such number.",
                    shown("countryCode=288&number=2348031234567", &invalid),
                ),
            ],
        )
}

pub(super) fn signature() -> Operation {
    let examined = |name: &'static str, secret: &str| -> Sample {
        let body = format!(
            r#"{{"whkSecret":"{secret}","webhook-id":"evt_7042117120_3",
                "webhook-timestamp":"1795255200","webhook-signature":"v1,abc","whkBody":"{{}}"}}"#
        );
        let read = Attributes::from_json(body.as_bytes()).ok();
        let read = read.and_then(|read| signature::parse(&read, Handling::Strict).ok());
        let fields = read.map_or_else(Object::new, |it| signature::view(&it, START));
        sample(name, "The signature was examined.", fields)
    };
    Operation::post(
        "/tools/signature",
        "checkSignature",
        "Check the signature of a delivery",
    )
    .detailed(
        "For receivers of webhooks that refuse every delivery, or accept any: send what was \
             received, and the answer names what is wrong. `expected` is the signature of this \
             secret, `webhook-id`, `webhook-timestamp` and body. Nothing of it is kept or logged.",
    )
    .takes([
        required(&WEBHOOK_SECRET, SECRET),
        required(&WEBHOOK_ID, "evt_7042117120_3"),
        required(&WEBHOOK_TIMESTAMP, "1795255200"),
        required(
            &WEBHOOK_SIGNATURE,
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ),
        required(&WEBHOOK_BODY, "{\"type\":\"ping\"}"),
    ])
    .answers(
        "SignatureCheck",
        vec![
            examined("a signature of another secret", SECRET),
            examined("a secret that is none", "whsec_").unseen(),
        ],
    )
}
