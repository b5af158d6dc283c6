//! What was acknowledged stays: across restarts, crashes, hang-ups and other processes. What any
//! store must do is in the contract suite and must not be repeated here.
#![cfg(test)]

mod announcing;
#[path = "../cipher/mod.rs"]
mod cipher;
mod forging;
mod migrating;
mod records;
mod reports;
mod restarts;
mod sharing;
mod support;
