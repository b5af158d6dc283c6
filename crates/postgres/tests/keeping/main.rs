//! What keeps the books besides the code that writes them: triggers, privileges, the versions of
//! the schema, and the refusal of servers that would lose what they confirmed.
#![cfg(test)]

mod announcing;
mod append_only;
mod forging;
mod least_privilege;
mod migrating;
mod refusing;
mod reports;
#[path = "../stage/mod.rs"]
mod stage;
