//! Exchanges over real sockets. A test must prove what reached the server, not only what was
//! answered.
#![cfg(test)]

mod answers;
mod losing;
mod permitting;
mod refusing;
mod reusing;
mod server;
