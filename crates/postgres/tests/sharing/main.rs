//! Several instances on one database. No test here may depend on who comes first.
#![cfg(test)]

mod claiming;
mod peers;
mod queue_turns;
mod racing;
mod sending;
#[path = "../stage/mod.rs"]
mod stage;
mod webhooks;
