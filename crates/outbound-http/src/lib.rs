//! The HTTP client through which adapters of providers send. It connects, asks for the permit, and
//! writes, in this order; its errors say whether a byte of the request may have left. It must never
//! send a request twice, follow a redirect, or read an answer for its caller.

mod client;
mod connection;
mod dial;
mod escape;
mod failure;
mod message;
mod pool;
pub mod reference;
mod target;
pub mod tls;

pub use client::{OutboundClient, OutboundSettings};
pub use escape::escaped;
pub use failure::{ExchangeError, NotSentCause};
pub use message::{OutboundAnswer, OutboundRequest};
pub use target::{InvalidOutboundTarget, OutboundTarget, PlainHttp};
