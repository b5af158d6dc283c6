//! The provider protocol end to end: the adapter on one side of a socket, the sandbox served on the
//! other. What a provider must keep is said by the contract suite.
#![cfg(test)]

mod callbacks;
mod contract;
mod environments;
mod float;
mod gateway;
mod process;
mod reload;
mod rules;
mod support;
