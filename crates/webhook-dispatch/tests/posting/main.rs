//! Attempts over real connections: what receivers do to them, whom they trust, and whom they never
//! call. It must need no network but this machine.
#![cfg(test)]

mod chaos;
mod rebinding;
mod receiver;
mod trust;
mod world;
