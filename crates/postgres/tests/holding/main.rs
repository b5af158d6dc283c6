//! Books that may be older than what was promised from them: each way to get them is noticed, and
//! nothing new is opened in them until a person has vouched for them. An ordinary restart or crash
//! must hold nothing.
#![cfg(test)]

mod noticing;
mod reconciling;
#[path = "../stage/mod.rs"]
mod stage;
mod support;
