//! Transfers to other accounts. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, required};
use crate::states::{EventSchema, StateCheck};
use domain::transaction::{CancelCause, Observation};
use std::time::Duration;
use testkit::builders::{self, START, advance};
use wire::attribute::{NARRATION, REFERENCE, TRANSFER_AMOUNT, USER_IDENTITY};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "user",
        name: "Transfer to an account",
        about: "Pay another account of this gateway.",
        operations: vec![list_transactions(), transfer(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of("UserTransferEvent", "user", [builders::user_transfer()])
}

/// A transfer to an account, and one to an address in each of its states.
fn states() -> Vec<StateCheck> {
    let until = START.plus(Duration::from_hours(30 * 24));
    let waiting = builders::unclaimed_transfer(until).transaction();
    let after = |observation| advance(&waiting, &observation, START).transaction;
    let paid = builders::user_transfer().transaction();
    let claimed = paid.payee().cloned().map(Observation::Claimed);
    let claimed = claimed.map(|observation| StateCheck::of("claimed", after(observation)));
    let returned = after(Observation::Cancellation(CancelCause::Expired));
    let states = [
        StateCheck::of("pending", waiting.clone()),
        StateCheck::of("successful", paid),
        StateCheck::of("failed", returned),
    ];
    states.into_iter().chain(claimed).collect()
}

fn transfer() -> Operation {
    Operation::post("/transfer/user", "transferToUser", "Pay another account")
        .detailed(
            "The balance is charged `txnAmount`, and the account that has the identity is credited \
             it in the same step: no provider takes part, and nothing is charged on top. Both are \
             accounts of one environment. `usrIdentity` is the `mrcIdentity` of the account, its \
             e-mail address, or its phone number with a leading plus. \
             An address or a number that no account has is answered 202: the money is held until \
             an account has it, which the event `transaction.successful` says, and given back at \
             `clmExpires`, 30 days later. At most 1,000 transfers of an account wait so; then \
             every address is 409. The account that is paid gets the event `account.credited` and \
             an entry on its statement with your name and the narration; it is not shown your \
             reference.",
        )
        .takes([
            required(&REFERENCE, "user-1001"),
            required(&USER_IDENTITY, "owner@kiosk.example"),
            required(&TRANSFER_AMOUNT, "1,000.00"),
            required(&NARRATION, "Rent of June"),
        ])
        .pays("UserTransfer", states())
        .refused(&[404])
}

fn list_transactions() -> Operation {
    Operation::get(
        "/transfer/user",
        "listUserTransfers",
        "List transfers to accounts",
    )
    .lists_transactions("UserTransfers", states())
}

fn transaction() -> Operation {
    Operation::get(
        "/transfer/user/transaction",
        "reportUserTransfer",
        "Report a transfer to an account",
    )
    .takes([required(&REFERENCE, "user-1001")])
    .reports("UserTransfer", states())
}
