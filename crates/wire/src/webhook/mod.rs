//! Webhooks: what is told to the endpoints of an account (interface §6). Nothing here may sign or
//! deliver.

mod body;

pub use body::body;
