//! Internet data: providers, plans and bundles, one file per operation. It must not know what can
//! be bought now.

pub mod number;
pub mod plans;
pub mod providers;
pub mod subscribe;
pub mod transaction;
