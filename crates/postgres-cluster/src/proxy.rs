//! A line to a server that tests can cut, hold and refuse. It must not change a byte that it lets
//! through.
//!
//! It works with threads, not on the runtime of the test: a test that waits for a command blocks
//! its runtime, and the command may need the line.

mod connection;
mod trap;

use connection::ProxiedConnection;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use trap::Trap;

/// What an answer of PostgreSQL ends with once no transaction is open any more: `ReadyForQuery`,
/// idle.
pub const IDLE: &[u8] = b"Z\0\0\0\x05I";

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrafficDirection {
    ToServer,
    ToClient,
}

/// A line to a server. Everything is cut when this is dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    door: Option<JoinHandle<()>>,
}

/// What the threads of a proxy share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    refuses: bool,
    ended: bool,
    held: Vec<TrafficDirection>,
    trap: Option<Trap>,
    /// How many traps have shut.
    caught: usize,
    lines: Vec<ProxiedConnection>,
}

impl Proxy {
    /// A proxy on a free port of 127.0.0.1 that forwards to an address. The address needs no
    /// listener yet.
    #[must_use]
    pub fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound listener");
        let shared = Arc::new(Shared::default());
        let at_the_door = Arc::clone(&shared);
        let door = std::thread::spawn(move || serve(&listener, server, &at_the_door));
        Self {
            address,
            shared,
            door: Some(door),
        }
    }

    /// Where clients connect.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// How a client of PostgreSQL connects to a database through this line.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{}@{}/{database}", crate::USER, self.address)
    }

    /// Cuts all connections now, on both ends.
    pub fn cut(&self) {
        self.shared.with(|state| {
            for line in state.lines.drain(..) {
                line.cut();
            }
        });
    }

    /// Closes every new connection at once from now on. Open connections stay.
    pub fn refuse(&self) {
        self.shared.with(|state| state.refuses = true);
    }

    /// Lets connections through again.
    pub fn accept(&self) {
        self.shared.with(|state| state.refuses = false);
    }

    /// Keeps what goes one way, on all connections, until it is released.
    pub fn hold(&self, direction: TrafficDirection) {
        self.shared.with(|state| state.held.push(direction));
    }

    /// Lets through what was held, both ways.
    pub fn release(&self) {
        self.shared.with(|state| state.held.clear());
    }

    /// Cuts the next connection on which a client sends a pattern, before the server has it: the
    /// question is lost.
    pub fn cut_before(&self, pattern: &[u8]) {
        self.shared.with(|state| {
            state.trap = Some(Trap::before(pattern));
        });
    }

    /// Cuts the next connection on which a client sends a pattern, once the server's answer to it
    /// has ended with other bytes, such as [`IDLE`]: the answer is lost, what it says has happened.
    pub fn cut_after(&self, pattern: &[u8], answer_end: &[u8]) {
        self.shared.with(|state| {
            state.trap = Some(Trap::after(pattern, answer_end));
        });
    }

    /// How many connections were cut by a pattern so far.
    #[must_use]
    pub fn caught(&self) -> usize {
        self.shared.lock().caught
    }

    /// How many connections are open.
    #[must_use]
    pub fn connections(&self) -> usize {
        let mut state = self.shared.lock();
        state.lines.retain(ProxiedConnection::is_open);
        state.lines.len()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.with(|state| state.ended = true);
        self.cut();
        // The accept loop sees `ended` only on the next connection.
        let _ = TcpStream::connect(self.address);
        if let Some(door) = self.door.take() {
            let _ = door.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has said so; the state is as good as before.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits until bytes may go on.
    fn await_release(&self, direction: TrafficDirection) {
        let held = |state: &mut State| state.held.contains(&direction) && !state.ended;
        let released = self.changed.wait_while(self.lock(), held);
        drop(released.unwrap_or_else(PoisonError::into_inner));
    }
}

/// Lets clients in until the proxy ends.
fn serve(listener: &TcpListener, server: SocketAddr, shared: &Arc<Shared>) {
    for client in listener.incoming() {
        let (ended, refuses) = {
            let state = shared.lock();
            (state.ended, state.refuses)
        };
        if ended {
            return;
        }
        if refuses {
            continue;
        }
        // A client that could not be connected sees its connection closed.
        let _ = client.and_then(|client| connect(client, server, shared));
    }
}

fn connect(client: TcpStream, server: SocketAddr, shared: &Arc<Shared>) -> io::Result<()> {
    let line = ProxiedConnection::open(client, TcpStream::connect(server)?)?;
    let (to_server, to_client) = line.pumps(shared)?;
    shared.with(|state| {
        state.lines.retain(ProxiedConnection::is_open);
        state.lines.push(line);
    });
    std::thread::spawn(move || to_server.run());
    std::thread::spawn(move || to_client.run());
    Ok(())
}
