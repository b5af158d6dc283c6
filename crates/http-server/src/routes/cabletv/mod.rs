//! Cable TV, one operation per file. It must not know what can be bought now.

pub(super) mod plans;
pub(super) mod providers;
pub(super) mod smartcard;
pub(super) mod subscribe;
pub(super) mod transaction;
