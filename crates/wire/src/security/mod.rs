//! `/security`: what stops and what protects an account. It must never show a key.

pub mod allowlist;
pub mod audit;
pub mod freezes;
pub mod logs;
pub mod rotation;
