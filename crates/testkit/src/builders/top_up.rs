//! Top-ups in few words.

use super::{account_id, at, naira, reference};
use domain::reference::TransactionNumber;
use domain::top_up::{AccountTopUp, TOP_UP_OPEN_FOR, TopUpChannel};

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
