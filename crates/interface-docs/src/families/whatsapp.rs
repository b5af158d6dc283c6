//! WhatsApp messages. It must not document what no sample shows.

use crate::operation::{
    Operation, OperationFamily, Parameter, optional, optional_objects, required,
};
use crate::states::{EventSchema, StateCheck, after_opening, in_every_state};
use domain::messaging::{MessageDelivery, MessageStatus};
use domain::whatsapp::TEMPLATE_PARAMETERS_MAX;
use testkit::builders::{self, START, advance, at, delivered, whatsapp_status};
use wire::attribute::{
    CONTENT, COUNTRY, FIELD_VALUE, MEDIA_URL, MESSAGE_TYPE, PHONE, REFERENCE, SENDER,
    TEMPLATE_LANGUAGE, TEMPLATE_NAME, TEMPLATE_PARAMETERS,
};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "whatsapp",
        name: "WhatsApp",
        about: "Send WhatsApp messages and follow them until they are read.",
        operations: vec![list(), send(), transaction()],
    }
}

/// The events of its transactions, of every type.
pub(super) fn event() -> EventSchema {
    let mut event = EventSchema::of("WhatsappEvent", "whatsapp", [builders::whatsapp()]);
    let states = in_other_types().into_iter().chain([read()]);
    event
        .transactions
        .extend(states.map(|state| state.transaction));
    event
}

fn send() -> Operation {
    Operation::post(
        "/messaging/whatsapp",
        "sendWhatsapp",
        "Send a WhatsApp message",
    )
    .detailed(
        "A text or a file reaches a person who wrote to your sender within the last 24 hours. To \
         anyone else only a template that WhatsApp approved can be sent, with the values for its \
         places in their order. A message that WhatsApp \
         refuses at once is not charged.",
    )
    .takes_as(
        "Template",
        to_person("wa-1001").chain([
            required(&MESSAGE_TYPE, "template").one_of(&["template"]),
            required(&TEMPLATE_NAME, "order_shipped"),
            required(&TEMPLATE_LANGUAGE, "en"),
            optional_objects(
                &TEMPLATE_PARAMETERS,
                TEMPLATE_PARAMETERS_MAX,
                [required(&FIELD_VALUE, "Ada")],
            ),
        ]),
    )
    .takes_as(
        "Text",
        to_person("wa-1002").chain([
            required(&MESSAGE_TYPE, "text").one_of(&["text"]),
            required(&CONTENT, "Your code is 4711."),
        ]),
    )
    .takes_as(
        "File",
        to_person("wa-1003").chain([
            required(&MESSAGE_TYPE, "media").one_of(&["media"]),
            required(&MEDIA_URL, "https://shop.example/receipts/1042.pdf"),
            optional(&CONTENT),
        ]),
    )
    .pays("WhatsappMessage", all_states())
    .refused(&[404])
}

fn to_person(reference: &'static str) -> impl Iterator<Item = Parameter> {
    [
        required(&REFERENCE, reference),
        required(&COUNTRY, "566"),
        required(&PHONE, "2348031234567"),
        required(&SENDER, "482913560177"),
    ]
    .into_iter()
}

fn list() -> Operation {
    Operation::get(
        "/messaging/whatsapp",
        "listWhatsapp",
        "List WhatsApp messages",
    )
    .lists_transactions("WhatsappMessages", all_states())
}

fn transaction() -> Operation {
    Operation::get(
        "/messaging/whatsapp/transaction",
        "reportWhatsapp",
        "Report a WhatsApp message",
    )
    .detailed("`dlvStatus` becomes `Delivered` and then `Read` as WhatsApp reports it.")
    .takes([required(&REFERENCE, "wa-1001")])
    .reports("WhatsappMessage", all_states())
}

fn all_states() -> Vec<StateCheck> {
    let mut states = in_every_state(builders::whatsapp());
    states.push(read());
    states.extend(in_other_types().into_iter().map(StateCheck::unseen));
    states
}

/// A message that was seen.
fn read() -> StateCheck {
    let opened = builders::whatsapp().transaction();
    let sent = advance(&opened, &delivered(&opened), START).transaction;
    let read = MessageDelivery {
        status: MessageStatus::Read,
        read_at: Some(at(60)),
    };
    let read = advance(&sent, &whatsapp_status(&sent, read), at(61)).transaction;
    StateCheck::of("read", read)
}

/// Texts and files; they are used for the schema.
fn in_other_types() -> Vec<StateCheck> {
    let mut states = after_opening(builders::whatsapp_text().transaction());
    states.extend(after_opening(builders::whatsapp_media().transaction()));
    states
}
