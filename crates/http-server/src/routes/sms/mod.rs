//! Text messages (interface §4.6). Nothing here may know which provider delivers them.

pub(super) mod send;
pub(super) mod senders;
pub(super) mod transaction;
