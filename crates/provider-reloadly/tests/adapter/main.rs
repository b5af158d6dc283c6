//! The adapter against a server on this machine that answers as Reloadly publishes. A test must
//! prove what was credited by that server's own record.
#![cfg(test)]

mod answers;
mod bench;
mod document;
mod fake;
mod lookups;
mod requests;
mod rows;

testkit::provider_contract!(bench::bench);

/// What is lost or falsified on the way is no outcome.
mod wire {
    testkit::wire_contract!(crate::bench::bench);
}
