//! The adapter against an SMSC on this machine that does as a test says. What was sent must be
//! proven by that SMSC's own record.
#![cfg(test)]

mod bench;
mod codes;
mod configuration;
mod fake;
mod messages;
mod people;
mod receipts;
mod sessions;
mod wire;

// The other laws are about providers that can be asked by our reference; no SMSC can.
testkit::provider_contract!(@laws bench::started;
    an_attempt_is_prepared_the_same_each_time
    a_delivery_is_found_with_the_same_receipt
    a_receipt_echoes_reference_and_amount
    asking_changes_nothing
    whatever_is_delivered_was_permitted
    only_what_is_served_is_sent
);
