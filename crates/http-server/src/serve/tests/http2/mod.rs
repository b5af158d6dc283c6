//! Tests HTTP/2 on real sockets: with a client of the protocol's library, and frame by frame where
//! a client does what no library does. What both protocols share must not be tested here again.

mod attacks;
mod client;
mod conversation;
mod frames;
mod lifecycle;
mod slots;
