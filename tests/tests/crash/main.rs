//! The process killed at named moments and at random under load, and clients that hang up: whatever
//! was answered stays true, and nothing is delivered twice. It must end every run with the audit
//! and the journal.
#![cfg(test)]

mod bulk;
mod families;
mod kills;
mod moments;
mod starts;
mod storm;
