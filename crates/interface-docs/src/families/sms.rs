//! Text messages (interface §4.6). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, required};
use crate::states::{EventSchema, StateCheck, after_opening, in_every_state, lagos, sample};
use domain::order::Order;
use domain::sms::{FieldNaming, MessageKind, Sender, SenderStatus};
use domain::statement::Sort;
use testkit::builders::{self, START};
use wire::attribute::{
    COUNTRY, MESSAGE, MESSAGE_B, MESSAGE_TYPE, MESSAGE_TYPE_B, PHONE, PHONE_B, REFERENCE, SENDER,
    SENDER_B,
};
use wire::page::{LENGTH_MAX, Paging};
use wire::sms::senders;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "sms",
        name: "SMS",
        about: "Send text messages and follow them to the handset.",
        operations: vec![list(), send(), list_senders(), transaction()],
    }
}

/// The events of its transactions, in both namings of the fields.
pub(super) fn event() -> EventSchema {
    let mut event = EventSchema::of("MessageEvent", "sms", [builders::sms()]);
    let mut other_names = builders::sms().transaction();
    if let Order::Sms(order) = &mut other_names.order {
        order.variant = FieldNaming::B;
    }
    let states = after_opening(other_names).into_iter();
    event
        .transactions
        .extend(states.map(|state| state.transaction));
    event
}

fn send() -> Operation {
    let words = MessageKind::ALL.map(MessageKind::code);
    Operation::post("/messaging/sms", "sendMessage", "Send a text message")
        .detailed(
            "One of two sets of names is used for the request and, from then on, for its answers. \
             The sender is the serial number of a sender of your account that was approved; the \
             first start of the sandbox prints one.",
        )
        .takes_as(
            "Set A",
            [
                required(&REFERENCE, "sms-1001"),
                required(&COUNTRY, "566"),
                required(&PHONE, "2348031234567"),
                required(&SENDER, "482913560177"),
                required(&MESSAGE_TYPE, "text").one_of(&words),
                required(&MESSAGE, "Your code is 4711."),
            ],
        )
        .takes_as(
            "Set B",
            [
                required(&REFERENCE, "sms-1002"),
                required(&COUNTRY, "566"),
                required(&PHONE_B, "2348031234567"),
                required(&SENDER_B, "482913560177"),
                required(&MESSAGE_TYPE_B, "text").one_of(&words),
                required(&MESSAGE_B, "Your code is 4711."),
            ],
        )
        .by_quote()
        .pays("MessageA", in_every_state(builders::sms()))
        .pays("MessageB", in_set_b())
        .refused(&[404])
}

fn list() -> Operation {
    let mut states = in_every_state(builders::sms());
    states.extend(in_set_b());
    Operation::get("/messaging/sms", "listMessages", "List text messages")
        .lists_transactions("Messages", states)
}

fn list_senders() -> Operation {
    let asked = builders::sender("shop", "482913560178", "Courier");
    let approved = Sender {
        status: SenderStatus::Approved,
        decided_at: Some(START),
        ..builders::sender("shop", "482913560177", "CornerShop")
    };
    let listing = senders::listing(vec![asked, approved], &lagos());
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let fields = senders::view(&listing, &paging);
    Operation::get("/messaging/senders", "listSenders", "List your senders")
        .detailed(
            "Messages name a sender by its `sndIdentifier`, and only an approved one is sent \
             under.",
        )
        .in_parts(&["sndName", "sndDate"])
        .lists("Senders", vec![sample("senders", "The senders.", fields)])
}

fn transaction() -> Operation {
    let path = "/messaging/sms/transaction";
    Operation::get(path, "reportMessage", "Report a text message")
        .detailed("In the set of names the message was sent with.")
        .takes([required(&REFERENCE, "sms-1001")])
        .reports("MessageReportA", in_every_state(builders::sms()))
        .reports("MessageB", in_set_b())
}

/// The same message in the other set of names; it is used for the schema and is not shown.
fn in_set_b() -> Vec<StateCheck> {
    let mut opened = builders::sms().transaction();
    if let Order::Sms(order) = &mut opened.order {
        order.variant = FieldNaming::B;
    }
    let states = after_opening(opened);
    states.into_iter().map(StateCheck::unseen).collect()
}
