//! The provider protocol end to end: the adapter on one side of a socket, the sandbox served on the
//! other. What a provider must keep is said by the contract suite.
#![cfg(test)]

mod callbacks;
mod contract;
mod environments;
#[path = "../clock/faketime.rs"]
mod faketime;
mod fault_matrix;
mod faulty_purchase;
mod faulty_way;
mod float;
mod gateway;
mod kinds;
mod process;
mod reload;
mod rules;
mod support;
