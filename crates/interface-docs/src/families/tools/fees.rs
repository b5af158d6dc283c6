//! Prices beforehand.

use crate::operation::{Operation, optional, required};
use crate::states::{lagos, sample};
use testkit::builders;
use wire::attribute::{AMOUNT, BILLING, COUNTRY, PARTS, PLAN, PROVIDER, SERVICE};
use wire::tools::fees;

pub(super) fn fees() -> Operation {
    let (identifier, quote) = builders::fee_quote();
    let shown = fees::view(&identifier, &quote, &lagos());
    let service = |example| required(&SERVICE, example).one_of(&fees::services());
    Operation::get("/tools/fees", "quoteFees", "Ask what a product costs")
        .detailed(
            "The answer has every part of the price, and a quote of it. Until `qteExpires`, a POST \
             of the product with this `qteIdentifier` and the same amount is charged this price, \
             whatever the terms are by then. A quote that has expired or is of another product or \
             amount is answered 409, one of another account or a changed one 400, and nothing is \
             done. For \
             a plan of cable TV, `amount` is the plan times its periods.",
        )
        .takes_as(
            "Airtime",
            [
                service("airtime"),
                required(&COUNTRY, "566"),
                required(&PROVIDER, "MTN"),
                required(&AMOUNT, "1,000.00"),
            ],
        )
        .takes_as(
            "A meter payment",
            [
                service("electricity"),
                required(&PROVIDER, "101"),
                required(&BILLING, "prepaid").one_of(&["prepaid", "postpaid"]),
                required(&AMOUNT, "5,000.00"),
            ],
        )
        .takes_as(
            "Internet data",
            [service("internet"), required(&PLAN, "30109")],
        )
        .takes_as(
            "A message",
            [
                service("sms"),
                required(&COUNTRY, "566"),
                optional(&PARTS).such_as("2"),
            ],
        )
        .takes_as(
            "A transfer",
            [service("bank"), required(&AMOUNT, "20,000.00")],
        )
        .takes_as(
            "Cable TV or a bill",
            [
                service("cabletv"),
                required(&PROVIDER, "202"),
                required(&AMOUNT, "5,800.00"),
            ],
        )
        .answers("Fees", vec![sample("fees", "The price.", shown)])
        .refused(&[404])
}
