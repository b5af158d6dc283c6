//! What messages of every kind share in the sandbox: when something happens on the way to a device,
//! when it is reported, and who replies.

pub(crate) mod delivery;
pub(crate) mod reply;
pub(crate) mod steps;
pub(crate) mod table;
