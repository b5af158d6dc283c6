//! One connection through a proxy: two sockets and the bytes between them. It must close both as
//! soon as one is closed.

use super::trap::{ByteTail, Cut};
use super::{Shared, TrafficDirection};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// As much as a socket gives at a time.
const CHUNK: usize = 16 * 1024;

/// A connection.
#[derive(Debug)]
pub(super) struct ProxiedConnection {
    client: TcpStream,
    server: TcpStream,
    end: Arc<ConnectionEnd>,
}

/// What becomes of a connection.
#[derive(Debug, Default)]
struct ConnectionEnd {
    cut: AtomicBool,
    /// With what the answer ends that the client must not see, once the pattern has passed.
    swallows_until: Mutex<Option<Vec<u8>>>,
}

impl ProxiedConnection {
    pub(super) fn open(client: TcpStream, server: TcpStream) -> io::Result<Self> {
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        Ok(Self {
            client,
            server,
            end: Arc::default(),
        })
    }

    /// Both directions, the client's first.
    pub(super) fn pumps(&self, shared: &Arc<Shared>) -> io::Result<(Pump, Pump)> {
        let pump = |direction| {
            let (from, to) = match direction {
                TrafficDirection::ToServer => (&self.client, &self.server),
                TrafficDirection::ToClient => (&self.server, &self.client),
            };
            Ok::<_, io::Error>(Pump {
                direction,
                from: from.try_clone()?,
                to: to.try_clone()?,
                end: Arc::clone(&self.end),
                shared: Arc::clone(shared),
                tail: ByteTail::default(),
            })
        };
        Ok((
            pump(TrafficDirection::ToServer)?,
            pump(TrafficDirection::ToClient)?,
        ))
    }

    pub(super) fn cut(&self) {
        self.end.cut.store(true, Ordering::SeqCst);
        hang_up(&self.client, &self.server);
    }

    pub(super) fn is_open(&self) -> bool {
        !self.end.cut.load(Ordering::SeqCst)
    }
}

/// Bytes that go one way.
#[derive(Debug)]
pub(super) struct Pump {
    direction: TrafficDirection,
    from: TcpStream,
    to: TcpStream,
    end: Arc<ConnectionEnd>,
    shared: Arc<Shared>,
    tail: ByteTail,
}

impl Pump {
    /// Passes bytes on until one side hangs up or the line is cut.
    pub(super) fn run(mut self) {
        let mut buffer = vec![0; CHUNK];
        while let Ok(count @ 1..) = self.from.read(&mut buffer) {
            self.shared.await_release(self.direction);
            let bytes = buffer.get(..count).unwrap_or_default();
            if self.end.cut.load(Ordering::SeqCst) || self.pass(bytes).is_err() {
                break;
            }
        }
        self.end.cut.store(true, Ordering::SeqCst);
        hang_up(&self.from, &self.to);
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let passes = match self.direction {
            TrafficDirection::ToServer => self.look_for_pattern(bytes),
            TrafficDirection::ToClient => self.look_for_end(bytes),
        };
        self.tail.add(bytes);
        match passes {
            Passes::On => self.to.write_all(bytes),
            Passes::Not => Ok(()),
            Passes::LastOfAll => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    /// Whether these are the bytes of a client the trap waits for. It catches once.
    fn look_for_pattern(&self, bytes: &[u8]) -> Passes {
        let mut state = self.shared.lock();
        let found = |trap: &mut super::Trap| self.tail.finds(&trap.pattern, bytes);
        let Some(trap) = state.trap.take_if(found) else {
            return Passes::On;
        };
        state.caught += 1;
        match trap.cut {
            Cut::Before => Passes::LastOfAll,
            Cut::AfterAnswer { end } => {
                *self.swallows_until() = Some(end);
                Passes::On
            }
        }
    }

    /// Whether these bytes of the server are kept from the client, and whether they were the last.
    fn look_for_end(&self, bytes: &[u8]) -> Passes {
        match self.swallows_until().as_deref() {
            None => Passes::On,
            Some(end) if self.tail.ends(end, bytes) => Passes::LastOfAll,
            Some(_) => Passes::Not,
        }
    }

    fn swallows_until(&self) -> std::sync::MutexGuard<'_, Option<Vec<u8>>> {
        self.end
            .swallows_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// What becomes of some bytes.
enum Passes {
    On,
    Not,
    /// Neither these nor any others: the line is cut.
    LastOfAll,
}

fn hang_up(one: &TcpStream, other: &TcpStream) {
    // Fails only where the other side was faster.
    let _ = one.shutdown(Shutdown::Both);
    let _ = other.shutdown(Shutdown::Both);
}
