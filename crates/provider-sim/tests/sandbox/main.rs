//! The sandbox seen from outside: through its ports, its book and its catalogue. Nothing here may
//! depend on real time.
#![cfg(test)]

mod bank;
mod book;
mod cabletv;
mod electricity;
mod families;
mod hlr;
mod interleavings;
mod outcomes;
mod processes;
mod shared_book;
mod sms;
mod support;
mod turns;
