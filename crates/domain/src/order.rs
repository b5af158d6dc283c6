//! An order of any family, frozen as it was priced. It must never be changed after the transaction
//! was opened. The families and what they bring are listed in [`crate::family`].

pub use crate::family::{Order, Service};
