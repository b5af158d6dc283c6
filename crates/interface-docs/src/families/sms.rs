//! Text messages (interface §4.6). It must not promise what no sample shows.

use crate::operation::{Family, Operation, required};
use crate::states::{State, after_opening, in_every_state};
use domain::order::Order;
use domain::sms::{MessageKind, Variant};
use testkit::builders;
use wire::attribute::{
    COUNTRY, MESSAGE, MESSAGE_B, MESSAGE_TYPE, MESSAGE_TYPE_B, PHONE, PHONE_B, REFERENCE, SENDER,
    SENDER_B,
};

pub(super) fn family() -> Family {
    Family {
        stem: "sms",
        name: "SMS",
        about: "Send text messages and follow them to the handset.",
        operations: vec![send(), transaction()],
    }
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
        .pays("MessageA", in_every_state(builders::sms()))
        .pays("MessageB", in_set_b())
        .refused(&[404])
}

fn transaction() -> Operation {
    let path = "/messaging/sms/transaction";
    Operation::get(path, "reportMessage", "Report a text message")
        .detailed("In the set of names the message was sent with.")
        .takes([required(&REFERENCE, "sms-1001")])
        .reports("MessageReportA", in_every_state(builders::sms()))
        .reports("MessageB", in_set_b())
}

/// The same message in the other set of names; it teaches its shape and is not shown.
fn in_set_b() -> Vec<State> {
    let mut opened = builders::sms().transaction();
    if let Order::Sms(order) = &mut opened.order {
        order.variant = Variant::B;
    }
    let states = after_opening(opened);
    states.into_iter().map(State::unseen).collect()
}
