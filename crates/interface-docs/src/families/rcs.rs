//! RCS messages. It must not document what no sample shows.

use crate::operation::{
    Operation, OperationFamily, Parameter, few_objects, optional, optional_objects, optional_part,
    part, required,
};
use crate::states::{EventSchema, StateCheck, after_opening, in_every_state};
use domain::messaging::{MessageDelivery, MessageStatus};
use domain::rcs::{RcsCard, RcsContent, RcsDelivery};
use testkit::builders::{self, PurchaseBuilder, START, advance, at, delivered, rcs_status};
use wire::attribute::{
    CARD, CARD_DESCRIPTION, CARD_TITLE, CARDS, CONTENT, COUNTRY, FALLBACK_AFTER, MEDIA_URL,
    MESSAGE_TYPE, PHONE, REFERENCE, SENDER, SMS_FALLBACK, SUGGESTION_DIAL, SUGGESTION_REPLY,
    SUGGESTION_TEXT, SUGGESTION_URL, SUGGESTIONS,
};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "rcs",
        name: "RCS",
        about: "Send RCS messages, with a text message to devices that are not reached, and follow \
                them until they are read.",
        operations: vec![list(), send(), transaction()],
    }
}

/// The events of its transactions, of every type and in every way that a message goes.
pub(super) fn event() -> EventSchema {
    let mut event = EventSchema::of("RcsEvent", "rcs", [builders::rcs()]);
    let states = in_other_types().into_iter().chain(ways());
    event
        .transactions
        .extend(states.map(|state| state.transaction));
    event
}

fn send() -> Operation {
    Operation::post("/messaging/rcs", "sendRcs", "Send an RCS message")
        .detailed(
            "With `smsFallback`, its text goes as a text message where the device was not reached \
             by RCS within `after` seconds. It is charged once, at the same price, whichever way \
             it went. A suggestion has one of `url`, `dial` and `reply`; a card has a title, a \
             description or a `mediaUrl`. All texts together may have up to 25,000 bytes in UTF-8.",
        )
        .takes_as(
            "Text",
            of_type(
                ("rcs-1001", "text"),
                [required(&CONTENT, "Your code is 4711.")],
            ),
        )
        .takes_as(
            "Card",
            of_type(("rcs-1002", "card"), [part(&CARD, on_card())]),
        )
        .takes_as(
            "Carousel",
            of_type(
                ("rcs-1003", "carousel"),
                [few_objects(&CARDS, *RcsContent::CARDS.end(), on_card())
                    .holding(RcsContent::CARDS)],
            ),
        )
        .takes_as(
            "File",
            of_type(
                ("rcs-1004", "file"),
                [required(
                    &MEDIA_URL,
                    "https://shop.example/receipts/1042.pdf",
                )],
            ),
        )
        .pays("RcsMessage", all_states())
        .refused(&[404])
}

/// A message of a type, with what the others have too.
fn of_type(
    (reference, kind): (&'static str, &'static str),
    own: impl IntoIterator<Item = Parameter>,
) -> impl Iterator<Item = Parameter> {
    let to_person = [
        required(&REFERENCE, reference),
        required(&COUNTRY, "566"),
        required(&PHONE, "2348031234567"),
        required(&SENDER, "482913560177"),
        required(&MESSAGE_TYPE, kind).one_of(&[kind]),
    ];
    let fallback = [
        required(&CONTENT, "Your order 1042 is on its way."),
        optional(&FALLBACK_AFTER).such_as("3600"),
    ];
    let beside = [
        suggestions(RcsContent::SUGGESTIONS_MAX),
        optional_part(&SMS_FALLBACK, fallback),
    ];
    to_person.into_iter().chain(own).chain(beside)
}

fn on_card() -> [Parameter; 4] {
    [
        optional(&CARD_TITLE).such_as("Your order 1042"),
        optional(&CARD_DESCRIPTION),
        optional(&MEDIA_URL),
        suggestions(RcsCard::SUGGESTIONS_MAX),
    ]
}

fn suggestions(most: usize) -> Parameter {
    let each = [
        required(&SUGGESTION_TEXT, "Follow it"),
        optional(&SUGGESTION_URL).such_as("https://shop.example/orders/1042"),
        optional(&SUGGESTION_DIAL),
        optional(&SUGGESTION_REPLY),
    ];
    optional_objects(&SUGGESTIONS, most, each)
}

fn list() -> Operation {
    Operation::get("/messaging/rcs", "listRcs", "List RCS messages")
        .lists_transactions("RcsMessages", all_states())
}

fn transaction() -> Operation {
    Operation::get(
        "/messaging/rcs/transaction",
        "reportRcs",
        "Report an RCS message",
    )
    .detailed(
        "`dlvStatus` becomes `Delivered` and then `Read` as the device reports it. A text message \
         that was sent instead is `Delivered` and never `Read`. Cards and suggestions are not \
         repeated.",
    )
    .takes([required(&REFERENCE, "rcs-1001")])
    .reports("RcsMessage", all_states())
}

fn all_states() -> Vec<StateCheck> {
    let mut states = in_every_state(builders::rcs());
    states.extend(ways());
    states.extend(in_other_types().into_iter().map(StateCheck::unseen));
    states
}

/// A text that was seen, and a card of which the text message was sent instead.
fn ways() -> [StateCheck; 2] {
    let reached = |status, read_at| MessageDelivery { status, read_at };
    let read = RcsDelivery::by_rcs(reached(MessageStatus::Read, Some(at(60))), None);
    let by_sms = RcsDelivery::by_sms(reached(MessageStatus::Delivered, None), None);
    [
        StateCheck::of("read", after(builders::rcs_text(), read)),
        StateCheck::of("sentBySms", after(builders::rcs(), by_sms)),
    ]
}

fn after(message: PurchaseBuilder, delivery: RcsDelivery) -> domain::transaction::Transaction {
    let opened = message.transaction();
    let sent = advance(&opened, &delivered(&opened), START).transaction;
    advance(&sent, &rcs_status(&sent, delivery), at(61)).transaction
}

/// Texts, carousels and files; they are used for the schema.
fn in_other_types() -> Vec<StateCheck> {
    let mut states = after_opening(builders::rcs_text().transaction());
    states.extend(after_opening(builders::rcs_carousel().transaction()));
    states.extend(after_opening(builders::rcs_file().transaction()));
    states
}
