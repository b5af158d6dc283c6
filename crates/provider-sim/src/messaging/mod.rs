//! What messages of every kind share in the sandbox: when something happens on the way to a device,
//! and when it is reported.

pub(crate) mod delivery;
pub(crate) mod steps;
pub(crate) mod table;
