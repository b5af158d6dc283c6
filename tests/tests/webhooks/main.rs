//! Events at the endpoints of merchants: the real binary delivers to receivers of this machine. A
//! suite must believe nothing that is not signed.
#![cfg(test)]

mod addresses;
mod examples;
mod kills;
mod money;
mod receiver;
mod rotation;
mod shop;
mod telling;
