//! What messages and calls share: how the parties are read and shown, how far one came, and what
//! people answer. It must not know any platform.

pub(crate) mod calls;
pub(crate) mod delivery;
pub mod incoming;
pub(crate) mod parties;
pub(crate) mod personal_fields;
