//! What messages and calls share: how the parties are read and shown, and how far one came.
//! It must not know any platform.

pub(crate) mod calls;
pub(crate) mod delivery;
pub(crate) mod parties;
pub(crate) mod personal_fields;
