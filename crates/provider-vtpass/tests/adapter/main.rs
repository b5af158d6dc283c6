//! The adapter against a server on this machine that answers as VTpass publishes. A test must prove
//! what was delivered by that server's own record.
#![cfg(test)]

mod answers;
mod bench;
mod callbacks;
mod codes;
mod document;
mod environment;
mod fake;
mod fake_record;
mod float;
mod lookups;
mod price_list;
mod requests;

testkit::provider_contract!(bench::confirming);

/// What is lost or falsified on the way is no outcome.
mod wire {
    testkit::wire_contract!(crate::bench::confirming);
}
