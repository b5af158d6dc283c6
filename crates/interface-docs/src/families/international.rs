//! Transfers abroad. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{EventSchema, StateCheck, in_every_state, lagos, sample};
use testkit::builders;
use wire::attribute::{
    ACCOUNT_NAME, BANK, BENEFICIARY_ADDRESS, COUNTRY, DESTINATION_AMOUNT, DESTINATION_CURRENCY,
    FOREIGN_ACCOUNT, IBAN, PURPOSE, QUOTE, REFERENCE, SOURCE_AMOUNT, SOURCE_CURRENCY,
};
use wire::international::quote;

const QUOTED: &str = "qte_AAAACHNhbmRib3gx";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "international",
        name: "International transfer",
        about: "Ask what a transfer abroad costs and what arrives, and pay by that quote.",
        operations: vec![list_transactions(), pay(), quote(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of(
        "InternationalTransferEvent",
        "international",
        [builders::international(), builders::international_to_iban()],
    )
}

fn quote() -> Operation {
    let (identifier, quoted) = builders::international_quote();
    let shown = quote::view(&identifier, &quoted, &lagos());
    Operation::post(
        "/transfer/international/quote",
        "quoteInternationalTransfer",
        "Ask what a transfer abroad costs",
    )
    .detailed(
        "Send what is to be converted or what is to arrive, one of the two. The answer has both, \
         the rate and the price, and nothing is stored or held. Until `qteExpires`, every transfer \
         that names the quote is made at that price; afterwards it is refused, and never made \
         dearer. A quote is of the account that asked for it.",
    )
    .takes_as(
        "What is converted",
        [
            required(&COUNTRY, "288"),
            optional(&SOURCE_CURRENCY).one_of(&["NGN"]),
            required(&DESTINATION_CURRENCY, "GHS"),
            required(&SOURCE_AMOUNT, "100,000.00"),
        ],
    )
    .takes_as(
        "What arrives",
        [
            required(&COUNTRY, "288"),
            optional(&SOURCE_CURRENCY).one_of(&["NGN"]),
            required(&DESTINATION_CURRENCY, "GHS"),
            required(&DESTINATION_AMOUNT, "850.00"),
        ],
    )
    .answers(
        "InternationalQuote",
        vec![sample("quote", "The quote.", shown)],
    )
    .refused(&[404, 502])
}

fn pay() -> Operation {
    Operation::post(
        "/transfer/international",
        "payInternational",
        "Pay to an account abroad",
    )
    .detailed(
        "The transfer goes by a quote and is charged its price. The account is named by its IBAN, \
         or by its number and the BIC of its bank, and must be in the country of the quote. Money \
         that has left cannot be fetched back, so a transfer stays `Pending` until its provider \
         says what became of it. A quote that has expired is answered 409 and nothing is done.",
    )
    .takes_as(
        "By number",
        [
            required(&REFERENCE, "abroad-1001"),
            required(&QUOTE, QUOTED),
            required(&ACCOUNT_NAME, "Ama Mensah"),
            required(&BANK, "GCBLGHAC"),
            required(&FOREIGN_ACCOUNT, "1441000126789"),
            required(&BENEFICIARY_ADDRESS, "12 High Street, Accra"),
            required(&PURPOSE, "education"),
        ],
    )
    .takes_as(
        "By IBAN",
        [
            required(&REFERENCE, "abroad-1002"),
            required(&QUOTE, QUOTED_TO_GERMANY),
            required(&ACCOUNT_NAME, "Erika Mustermann"),
            required(&IBAN, "DE89370400440532013000"),
            required(&BENEFICIARY_ADDRESS, "Heidestrasse 17, 51147 Koeln"),
            required(&PURPOSE, "goods"),
        ],
    )
    .pays("InternationalTransfer", states())
    .refused(&[409])
}

/// A transfer by number, and one by IBAN, which has no bank beside it.
fn states() -> Vec<StateCheck> {
    let mut states = in_every_state(builders::international());
    let by_iban = in_every_state(builders::international_to_iban());
    states.extend(by_iban.into_iter().map(StateCheck::unseen));
    states
}

/// Another quote: the account of the second example is in another country.
const QUOTED_TO_GERMANY: &str = "qte_AAAACHNhbmRib3gy";

fn list_transactions() -> Operation {
    Operation::get(
        "/transfer/international",
        "listInternationalTransfers",
        "List international transfers",
    )
    .lists_transactions("InternationalTransfers", states())
}

fn transaction() -> Operation {
    Operation::get(
        "/transfer/international/transaction",
        "reportInternationalTransfer",
        "Report an international transfer",
    )
    .takes([required(&REFERENCE, "abroad-1001")])
    .reports("InternationalTransfer", states())
}
