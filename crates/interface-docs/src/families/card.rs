//! Transfers to cards. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, required};
use crate::states::{EventSchema, in_every_state};
use testkit::builders;
use wire::attribute::{CARD_TOKEN, NARRATION, REFERENCE, TRANSFER_AMOUNT};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "card",
        name: "Card transfer",
        about: "Pay to a card by the token that its provider gave. A card's number is never sent.",
        operations: vec![list_transactions(), pay(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of("CardTransferEvent", "card", [builders::card_transfer()])
}

fn pay() -> Operation {
    Operation::post("/transfer/card", "payCard", "Pay to a card")
        .detailed(
            "The card behind the token is looked up first and shown. The balance is charged the \
             amount, the charges and the fees, as for a payout to a bank account. A request in \
             which any attribute may hold the number of a card (13 to 19 digits with their check \
             digit) is refused: send tokens only. Money that has reached a card cannot be fetched \
             back, so a transfer stays `Pending` until its provider says what became of it.",
        )
        .takes([
            required(&REFERENCE, "card-1001"),
            required(&CARD_TOKEN, "tok_visa_6789"),
            required(&TRANSFER_AMOUNT, "10,000.00"),
            required(&NARRATION, "Prize of May"),
        ])
        .by_quote()
        .pays("CardTransfer", in_every_state(builders::card_transfer()))
        .refused(&[404, 502])
}

fn list_transactions() -> Operation {
    Operation::get("/transfer/card", "listCardTransfers", "List card transfers")
        .lists_transactions("CardTransfers", in_every_state(builders::card_transfer()))
}

fn transaction() -> Operation {
    Operation::get(
        "/transfer/card/transaction",
        "reportCardTransfer",
        "Report a card transfer",
    )
    .takes([required(&REFERENCE, "card-1001")])
    .reports("CardTransfer", in_every_state(builders::card_transfer()))
}
