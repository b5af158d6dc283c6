//! What becomes of commits when servers, networks and callers fail. Every test compares what was
//! said with what is stored: nothing that was acknowledged may be missing, nothing that was refused
//! for certain may be there.
#![cfg(test)]

mod cancelling;
mod crashes;
mod cuts;
mod hanging;
mod load;
#[path = "../stage/mod.rs"]
mod stage;

/// How often something is done: less in a run of all tests than before a release, which sets a
/// variable.
pub(crate) fn times(variable: &str, otherwise: u32) -> u32 {
    let set = std::env::var(variable).ok();
    set.map_or(otherwise, |count| count.parse().unwrap())
}
