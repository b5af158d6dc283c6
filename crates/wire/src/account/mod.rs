//! The account itself: its balance and its statement, one file per operation. It must not show
//! anything of another account.

pub mod balance;
pub mod statement;
