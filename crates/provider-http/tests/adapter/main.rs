//! The adapter against counterparts that share none of its code: a provider in Python, and a server
//! that answers what it should not.
#![cfg(test)]

mod capabilities;
mod catalogue;
mod fake;
mod faults;
mod python;
mod support;
