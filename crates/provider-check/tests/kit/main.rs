//! The kit proves itself: the reference provider and the one in Python pass with grade A, and each
//! broken copy of the reference is found by the check of the rule it breaks.
#![cfg(test)]

mod broken_provider;
mod callbacks;
mod message_mutants;
mod mutants;
mod mutation;
mod passing;
mod reference_provider;
