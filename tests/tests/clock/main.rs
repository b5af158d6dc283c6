//! The program while the clock of its machine is set forward and back under load: what was
//! delivered is never called failed, and everything is decided in the end. It must not touch the
//! clock of the machine itself: only the program sees another time (libfaketime), and only the time
//! of day, for the monotonic clock cannot be set.
#![cfg(test)]

mod faketime;
mod limits;
mod steps;
