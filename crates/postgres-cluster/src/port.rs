//! Ports of this machine for servers. It must not take one a client may be given at any moment: a
//! server that is stopped and started again needs the same port.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ports that Linux (from 32768) and others (from 49152) give to clients.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// How far this process has come.
static TAKEN: AtomicU16 = AtomicU16::new(0);

/// A port without a listener that no other call in this process has returned. Another process may
/// bind it first; the caller then requests another one.
pub(crate) fn free() -> u16 {
    let id = std::process::id();
    // Processes that start together have numbers close to each other; 97 apart they rarely meet.
    let start = u16::try_from(id.wrapping_mul(97) % u32::from(COUNT)).unwrap_or(0);
    for _ in 0..COUNT {
        let step = TAKEN.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + start.wrapping_add(step) % COUNT;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("no port of 127.0.0.1 from {FIRST} on is free");
}

#[cfg(test)]
mod tests {
    use super::free;
    use std::net::{Ipv4Addr, TcpListener};

    #[test]
    fn a_port_in_use_is_passed_over() {
        let next = free() + 1;
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, next));
        assert_ne!(free(), next);
        drop(taken);
    }
}
