//! The payment flow from request to answer, against the reference store, a scripted provider and a
//! clock that stands still. Each test is named as the rule it proves.
#![cfg(test)]

mod airtime;
mod away;
mod bank;
mod cabletv;
mod callbacks;
mod capacity;
mod catalogue;
mod changes;
mod commits;
mod crashes;
mod credentials;
mod dead_letters;
mod electricity;
mod every_step;
mod failover;
mod float_watch;
mod geolocation;
mod guards;
mod hanging_up;
mod held;
mod hlr;
mod internet;
mod journals;
mod operators;
mod outcomes;
mod pauses;
mod peers;
mod permits;
mod prices;
mod reading;
mod receipts;
mod recovery;
mod reload;
mod replay;
mod retention;
mod review;
mod sending;
mod settling;
mod silence;
mod simulation;
mod sms;
mod support;
mod webhook;
mod window;
