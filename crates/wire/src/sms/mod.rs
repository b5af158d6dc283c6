//! Text messages, one file per operation. It must show a message in the field names it was sent
//! with.

mod delivery;
mod names;
pub mod send;
pub mod senders;
pub mod transaction;

pub use names::in_names_of;
