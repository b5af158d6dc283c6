//! Top-ups in few words.

use super::{account_id, at, naira, reference};
use domain::bank::{AccountNumber, GroupLabel};
use domain::reference::TransactionNumber;
use domain::top_up::{AccountTopUp, ReceivingAccount, TOP_UP_OPEN_FOR, TopUpChannel};

/// A transfer of 50,000.00 that an account called `account` announced.
pub fn top_up(account: &str, number: u64, under: &str) -> AccountTopUp {
    AccountTopUp {
        account: account_id(account),
        number: TransactionNumber::try_new(number).expect("a number"),
        reference: reference(under),
        amount: naira("50,000.00"),
        channel: TopUpChannel::Transfer,
        created_at: at(0),
        expires_at: at(0).plus(TOP_UP_OPEN_FOR),
    }
}

/// The bank account that an operator names.
pub fn receiving_account() -> ReceivingAccount {
    let label = |text| GroupLabel::parse(text).expect("a label");
    ReceivingAccount {
        bank: label("Guaranty Trust Bank"),
        number: AccountNumber::parse("0123456789").expect("an account number"),
        name: label("Manilla Payments"),
    }
}
