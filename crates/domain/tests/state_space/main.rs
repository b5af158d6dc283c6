//! An exhaustive search of everything that can happen to one payment: two workers that crash, pause
//! and race, a network that loses, delays, repeats and reorders, and providers of every temper. It
//! must never decide a transition itself: each one is `Draft::open` or `Transaction::apply`.
#![cfg(test)]

mod behaviour;
mod canonical;
mod checks;
mod copy;
mod ledger;
mod machine;
mod network;
mod profiles;
mod reading;
mod rules;
#[path = "../sample/mod.rs"]
mod sample;
mod search;
mod workers;
mod world;
