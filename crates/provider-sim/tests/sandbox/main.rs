//! The sandbox seen from outside: through its ports, its journal and its catalogue. Nothing here
//! may depend on real time.
#![cfg(test)]

mod bank;
mod cabletv;
mod electricity;
mod families;
mod hlr;
mod interleavings;
mod journal;
mod outcomes;
mod processes;
mod seal;
mod shared_journal;
mod sms;
mod support;
mod turns;
