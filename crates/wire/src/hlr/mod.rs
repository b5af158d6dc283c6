//! Lookups of mobile numbers. It must not say more than the register did.

pub mod lookup;
