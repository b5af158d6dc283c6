//! Bulk messages. It must not document what no sample shows.

use super::bulk::{cancels_batch, in_every_state, progress_of, reports_batch, whole};
use crate::operation::{
    Operation, OperationFamily, Parameter, objects, optional, optional_objects, required,
};
use crate::states::{lagos, sample};
use domain::batch::{BatchKind, BatchOpening};
use domain::sms::{FIELDS_MAX, MessageKind};
use testkit::builders::{START, batch, sms};
use wire::attribute::{
    COUNTRY, FIELD_NAME, FIELD_VALUE, ITEMS, MESSAGE, MESSAGE_TYPE, ON_FAILURE, PERSONAL_FIELDS,
    PHONE, REFERENCE, SENDER, TEMPLATE,
};
use wire::bulk::list::{self, BatchesPart};

const RUN: &str = "news-1001";
const MESSAGE_1: &str = "news-1001-1";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "bulkmessages",
        name: "Bulk messages",
        about: "Send a text message to up to a thousand numbers with one request, each with \
                personal fields: all of them are paid for and accepted, or none is.",
        operations: vec![list_batches(), send(), transaction(), cancel()],
    }
}

fn send() -> Operation {
    Operation::post("/messaging/bulk", "sendInBulk", "Send many text messages")
        .detailed(
            "The fields of each number stand in `message` at the places that are named in braces: \
             `{first}` is the field `first`. With `tplIdentifier` in its place the text is that of \
             one of your templates. Each place needs its field and each field its place; \
             write `{{` and `}}` for braces. Each message is a transaction of its own, under its \
             own reference, with its own price, events and report, and counted in parts as it is \
             sent. The balance is charged the prices of all at once; where it does not cover them, \
             or where one is refused, nothing is done. They are sent a few at a time, and \
             cancelled where they could not be sent within a day. With `batOnFailure` `stop`, \
             those that were not sent when one fails are cancelled. Errors name the message by its \
             place: `items.3.number` is of the fourth. One number may be named more than once.",
        )
        .takes_as(
            "Written",
            sent(RUN, MESSAGE_1).chain([required(&MESSAGE, "Dear {first}, we open at 9.")]),
        )
        .takes_as(
            "Template",
            sent("news-1002", "news-1002-1").chain([required(&TEMPLATE, "7213340060")]),
        )
        .pays_many("MessageBatch", in_every_state(&opening(), 202))
        .refused(&[403, 404])
}

fn sent(reference: &'static str, first: &'static str) -> impl Iterator<Item = Parameter> {
    let words = MessageKind::ALL.map(MessageKind::code);
    [
        required(&REFERENCE, reference),
        optional(&ON_FAILURE).one_of(&["continue", "stop"]),
        required(&COUNTRY, "566"),
        required(&SENDER, "482913560177"),
        required(&MESSAGE_TYPE, "text").one_of(&words),
        objects(
            &ITEMS,
            [
                required(&REFERENCE, first),
                required(&PHONE, "2348031234567"),
                optional_objects(
                    &PERSONAL_FIELDS,
                    FIELDS_MAX,
                    [
                        required(&FIELD_NAME, "first"),
                        required(&FIELD_VALUE, "Funmilayo"),
                    ],
                ),
            ],
        ),
    ]
    .into_iter()
}

fn list_batches() -> Operation {
    let batches = [(opening().batch().clone(), progress_of(1, 0, 0, 0))];
    let kind = BatchKind::Messages;
    let part = BatchesPart {
        kind,
        batches: &batches,
        total: 1,
    };
    let fields = list::view(part, &whole(), &lagos());
    Operation::get(
        "/messaging/bulk",
        "listMessageBatches",
        "List bulk messages",
    )
    .in_parts(&["batDate"])
    .lists(
        "MessageBatches",
        vec![sample("batches", list::listed(kind), fields)],
    )
}

fn transaction() -> Operation {
    let path = "/messaging/bulk/transaction";
    let report = Operation::get(path, "reportMessageBatch", "Report bulk messages").detailed(
        "The batch, and a page of its messages in the order of the request, each as its own \
             report shows it. With `format=csv` all messages come as one file of comma-separated \
             values (RFC 4180), whose first row names the columns; a text that a spreadsheet would \
             take for a formula has an apostrophe before it.",
    );
    reports_batch(
        report,
        (RUN, "MessageBatchReport"),
        (&opening(), &progress_of(1, 0, 0, 0)),
    )
}

fn cancel() -> Operation {
    let path = "/messaging/bulk/cancel";
    let cancel = Operation::post(path, "cancelMessageBatch", "Cancel bulk messages").detailed(
        "Messages that were not sent are cancelled, and their prices given back; those that \
             were sent come to their own end. Repeating it changes nothing more.",
    );
    cancels_batch(cancel, (RUN, "MessageBatch"), &opening())
}

fn opening() -> BatchOpening {
    let message = sms().number(1).reference(MESSAGE_1).queued(START, START);
    batch(RUN, [message])
        .number(7_213_340_027)
        .of(BatchKind::Messages)
        .opening()
}
