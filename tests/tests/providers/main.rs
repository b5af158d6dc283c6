//! Adapters of real providers end to end: the program on one side of a socket, a server that
//! answers as the provider publishes on the other. What was delivered must be proven by that
//! server's own record.
#![cfg(test)]

mod dtone;
#[path = "../../../crates/provider-dtone/tests/adapter/fake.rs"]
#[expect(dead_code, reason = "the tests of the adapter use more of it")]
mod dtone_server;
mod paystack;
#[path = "../../../crates/provider-paystack/tests/adapter/fake.rs"]
#[expect(dead_code, reason = "the tests of the adapter use more of it")]
mod paystack_server;
mod smpp;
mod smsc;
mod vtpass;
