//! Transfers between the wallets of an account. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, required};
use crate::states::{EventSchema, in_every_state};
use testkit::builders;
use wire::attribute::{NARRATION, REFERENCE, TRANSFER_AMOUNT, WALLET_FROM, WALLET_TO};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "wallet",
        name: "Wallet transfer",
        about: "Buy message credits with the balance of the same account.",
        operations: vec![list_transactions(), transfer(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of(
        "WalletTransferEvent",
        "wallet",
        [builders::wallet_transfer()],
    )
}

fn transfer() -> Operation {
    Operation::post(
        "/transfer/wallet",
        "transferToWallet",
        "Buy message credits",
    )
    .detailed(
        "The balance is charged `txnAmount`, and the message credits that it buys at the price \
             of a credit that is in force are credited in the same step: to two decimals, rounded \
             down. No provider takes part, so the answer is final. `NGN` to `CRD` is the one pair \
             there is: credits are not bought back, and they pay for messages and lookups only \
             where the operator has set so for the account. 503 where the gateway sells no \
             credits.",
    )
    .takes([
        required(&REFERENCE, "credits-1001"),
        required(&WALLET_FROM, "NGN"),
        required(&WALLET_TO, "CRD"),
        required(&TRANSFER_AMOUNT, "1,000.00"),
        required(&NARRATION, "Messages of June"),
    ])
    .pays(
        "WalletTransfer",
        in_every_state(builders::wallet_transfer()),
    )
}

fn list_transactions() -> Operation {
    Operation::get(
        "/transfer/wallet",
        "listWalletTransfers",
        "List wallet transfers",
    )
    .lists_transactions(
        "WalletTransfers",
        in_every_state(builders::wallet_transfer()),
    )
}

fn transaction() -> Operation {
    Operation::get(
        "/transfer/wallet/transaction",
        "reportWalletTransfer",
        "Report a wallet transfer",
    )
    .takes([required(&REFERENCE, "credits-1001")])
    .reports(
        "WalletTransfer",
        in_every_state(builders::wallet_transfer()),
    )
}
