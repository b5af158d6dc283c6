//! What messages to a person's app share: how the parties are read and shown, and how far one came.
//! It must not know any platform.

pub(crate) mod delivery;
pub(crate) mod parties;
