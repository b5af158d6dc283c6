//! The merchant's own account. Nothing here may change it.

pub(super) mod balance;
pub(super) mod statement;
