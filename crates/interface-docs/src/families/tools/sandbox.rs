//! Test numbers, and payments with an outcome of choice.

use crate::operation::{Operation, optional, required};
use crate::states::{in_every_state, sample};
use testkit::builders::airtime;
use wire::attribute::{AMOUNT, OUTCOME, REFERENCE, SERVICE};
use wire::attributes::Attributes;
use wire::reader::Handling;
use wire::tools::{sandbox, simulate};
use wire::tree::Object;

pub(super) fn numbers() -> Operation {
    let query = Attributes::from_query(Some("length=2")).ok();
    let query = query.and_then(|query| sandbox::parse(&query, Handling::Strict).ok());
    let shown = query.map_or_else(Object::new, |query| sandbox::view(&query));
    Operation::get("/tools/sandbox", "listTestNumbers", "List the test numbers")
        .detailed(
            "The last four digits of a number, meter, card or account force what the sandbox does. \
             A client may keep the answer for an hour, and then ask with `If-None-Match`.",
        )
        .kept()
        .takes([optional(&SERVICE).one_of(&sandbox::services())])
        .in_parts(&["digits", "outcome"])
        .lists(
            "TestNumbers",
            vec![sample(
                "test numbers",
                "The outcomes that numbers force in the sandbox.",
                shown,
            )],
        )
}

pub(super) fn simulate() -> Operation {
    Operation::post("/tools/simulate", "simulatePayment", "Simulate an outcome")
        .detailed(
            "Buys airtime of the sandbox for a number that forces the outcome, 100.00 unless an \
             amount is named, so that its answer, report and events can be tried. For test \
             accounts alone: a live one is answered 403. It is a payment as any other: `GET \
             /payment/airtime/transaction` reports it.",
        )
        .takes([
            required(&REFERENCE, "try-1001"),
            required(&OUTCOME, "declined").one_of(&simulate::outcomes()),
            optional(&AMOUNT).such_as("100.00"),
        ])
        .pays("AirtimeTransaction", in_every_state(airtime()))
        .refused(&[403])
}
