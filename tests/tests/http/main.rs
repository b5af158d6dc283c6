//! Every operation over real HTTPS: what good requests are answered, byte for byte, what bad ones
//! receive, and that a bad one leaves nothing behind. It must not look beyond what a merchant can
//! see.
#![cfg(test)]

mod access;
mod case;
mod cases;
mod connections;
mod coverage;
mod credentials;
mod described;
mod door;
mod formats;
mod geolocation;
mod http2;
mod kept_answers;
mod keys;
mod limits;
mod messages;
mod numbers;
mod references;
mod same_tree;
mod signing;
mod statement;
mod strangers;
mod tables;
mod transmitters;
mod vouchers;
mod vtpass;
