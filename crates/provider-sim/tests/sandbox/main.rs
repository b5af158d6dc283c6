//! The sandbox seen from outside: through its ports, its book and its catalogue. Nothing here may
//! depend on real time.
#![cfg(test)]

mod book;
mod electricity;
mod outcomes;
mod support;
