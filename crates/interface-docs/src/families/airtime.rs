//! Airtime (interface §4.2). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{EventSchema, in_every_state};
use testkit::builders::airtime;
use wire::attribute::{AMOUNT, BILLING, COUNTRY, NETWORK, PHONE, REFERENCE};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "airtime",
        name: "Airtime",
        about: "Top up a phone, prepaid or postpaid.",
        operations: vec![list_transactions(), top_up(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of("AirtimeEvent", "airtime", [airtime()])
}

fn top_up() -> Operation {
    Operation::post("/payment/airtime", "buyAirtime", "Buy airtime")
        .detailed(
            "The network is the holder of the number's block, unless the request names another, or \
             the gateway asks a register of ported numbers: a number may have been ported since.",
        )
        .takes([
            required(&REFERENCE, "airtime-1001"),
            required(&COUNTRY, "566"),
            required(&PHONE, "2348031234567"),
            required(&AMOUNT, "1,000.00"),
            required(&BILLING, "prepaid").one_of(&["prepaid", "postpaid"]),
            optional(&NETWORK),
        ])
        .by_quote()
        .pays("AirtimeTransaction", in_every_state(airtime()))
}

fn list_transactions() -> Operation {
    Operation::get("/payment/airtime", "listAirtime", "List airtime purchases")
        .lists_transactions("AirtimeTransactions", in_every_state(airtime()))
}

fn transaction() -> Operation {
    Operation::get(
        "/payment/airtime/transaction",
        "reportAirtime",
        "Report an airtime purchase",
    )
    .takes([required(&REFERENCE, "airtime-1001")])
    .reports("AirtimeTransaction", in_every_state(airtime()))
}
