//! Whose turn it is and what becomes of results, in a world whose clock, store and receivers are
//! played. It must wait for nothing real.
#![cfg(test)]

mod delivering;
mod failing;
mod sharing;
mod storing;
mod world;
