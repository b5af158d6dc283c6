//! The checks, by what they are about. A check must say what was done and answered, and leave the
//! judgement of every single answer to what is watched in all of them.

pub(crate) mod adapter;
pub(crate) mod adapter_callbacks;
pub(crate) mod callbacks;
pub(crate) mod capabilities;
pub(crate) mod catalogue;
pub(crate) mod documents;
pub(crate) mod duplicates;
pub(crate) mod lookups;
pub(crate) mod outcomes;
pub(crate) mod seals;
pub(crate) mod signatures;
