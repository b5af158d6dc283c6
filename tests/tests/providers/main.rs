//! Adapters of real providers end to end: the program on one side of a socket, a server that
//! answers as the provider publishes on the other. What was delivered must be proven by that
//! server's own record.
#![cfg(test)]

#[path = "../webhooks/caller.rs"]
mod caller;
mod dtone;
#[path = "../../../crates/provider-dtone/tests/adapter/fake.rs"]
#[expect(dead_code, reason = "the tests of the adapter use more of it")]
mod dtone_server;
#[path = "../../../crates/provider-vtpass/tests/adapter/fake_record.rs"]
#[expect(dead_code, reason = "the tests of the adapter use more of it")]
mod fake_record;
#[path = "../clock/faketime.rs"]
mod faketime;
mod lost_references;
mod number_lookup;
mod paystack;
#[path = "../../../crates/provider-paystack/tests/adapter/fake.rs"]
#[expect(dead_code, reason = "the tests of the adapter use more of it")]
mod paystack_server;
#[path = "../webhooks/receiver.rs"]
#[expect(dead_code, reason = "the suite of webhooks uses more of it")]
mod receiver;
#[path = "../../../crates/provider-reloadly/tests/adapter/fake.rs"]
#[expect(dead_code, reason = "the tests of the adapter use more of it")]
mod reloadly_server;
mod sealed_secret;
mod settlement_by_id;
mod smpp;
mod smpp_replies;
mod smsc;
mod vtpass;
mod vtpass_of_a_gateway;
#[path = "../../../crates/provider-vtpass/tests/adapter/fake.rs"]
#[expect(dead_code, reason = "the tests of the adapter use more of it")]
mod vtpass_server;
