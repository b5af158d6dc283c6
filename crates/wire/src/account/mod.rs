//! The account itself: what it is, its keys, balances, transactions and statement, one file
//! per operation. It must not show anything of another account.

pub mod approvals;
pub mod balance;
pub mod keys;
pub mod limits;
pub mod permissions;
pub mod profile;
pub mod statement;
pub mod topups;
pub mod transactions;
pub mod users;

use domain::money::Currency;

/// The words a wallet is asked for by.
const CURRENCIES: [(&str, Currency); 2] = [
    (Currency::Ngn.code(), Currency::Ngn),
    (Currency::Crd.code(), Currency::Crd),
];
