//! A proxy of PDUs on a byte stream, as SMPP has them, between an adapter and the server that plays
//! its provider: it loses or falsifies the answers to writes, and passes everything else on octet
//! for octet. It must not read a PDU beyond its header.

mod conversation;

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// What comes instead of the answer to a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamFault {
    /// The end of the connection.
    Cut,
    /// A reset of the connection.
    Reset,
    /// Nothing, while enquiries are answered.
    Silence,
    /// Nothing at all any more: enquiries are not answered either.
    Dead,
    /// Octets that are no PDU.
    Garbage,
    /// A page, as of a proxy of another protocol.
    Page,
    /// The answer without its last octets, then the end of the connection.
    Half,
    /// The first octets of the answer, one by one, and never the last.
    Drip,
    /// The end of the session, asked for by the server.
    Unbind,
    /// An answer that the PDU could not be read, with a status that would refuse.
    Nack,
    /// The answer to another command under the same sequence number, with a status that would
    /// refuse.
    OtherCommand,
    /// A refusal under a sequence number that nothing was asked with.
    OtherSequence,
    /// Success without the identity that the answer must have.
    Bare,
    /// Success with a body that cannot be read.
    Unreadable,
}

impl StreamFault {
    /// Every fault.
    pub const ALL: [Self; 14] = [
        Self::Cut,
        Self::Reset,
        Self::Silence,
        Self::Dead,
        Self::Garbage,
        Self::Page,
        Self::Half,
        Self::Drip,
        Self::Unbind,
        Self::Nack,
        Self::OtherCommand,
        Self::OtherSequence,
        Self::Bare,
        Self::Unreadable,
    ];
}

/// Where a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamPlace {
    /// The request never reaches the provider.
    BeforeProvider,
    /// The provider has acted, and its answer is lost.
    AfterProvider,
}

/// What becomes of the answer to a write that reached the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerChange {
    /// It comes twice.
    Twice,
    /// It comes, and after it a refusal under the same sequence number.
    ThenRefused,
    /// It comes octet by octet, in time.
    Slow,
    /// It and the next one come in the other order.
    Reordered,
    /// It and the next one come under each other's sequence numbers.
    Crossed,
    /// It has this status and no body.
    Status(u32),
}

/// What a proxy does with writes.
#[derive(Debug, Clone, Copy, Default)]
enum StreamOrder {
    #[default]
    PassOn,
    /// Breaks the one with this number, counted from one.
    Break(StreamFault, StreamPlace, usize),
    Change(AnswerChange),
}

#[derive(Debug, Default)]
struct StreamState {
    order: StreamOrder,
    writes: usize,
}

/// The proxy. It ends when it is dropped.
#[derive(Debug)]
pub struct PduProxy {
    /// Where it listens on this machine.
    pub port: u16,
    state: Arc<Mutex<StreamState>>,
    _tasks: JoinSet<()>,
}

/// The server behind a proxy, and which command to it makes it act.
#[derive(Debug, Clone, Copy)]
pub struct PduServer {
    /// Its port on this machine.
    pub port: u16,
    /// The command that writes.
    pub writes: u32,
}

impl PduProxy {
    /// Listens on a free port in front of a server.
    pub async fn start(server: PduServer) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<Mutex<StreamState>>::default();
        let shared = Arc::clone(&state);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&shared);
                open.spawn(async move {
                    // Either side may go at any time.
                    let _ = conversation::converse(stream, server, &shared).await;
                });
            }
        });
        Self {
            port,
            state,
            _tasks: tasks,
        }
    }

    /// Breaks a write, counted from one; those before and after it pass.
    pub fn breaks(&self, fault: StreamFault, place: StreamPlace, write: usize) {
        let mut state = lock(&self.state);
        state.writes = 0;
        state.order = StreamOrder::Break(fault, place, write);
    }

    /// Changes the answers to writes from now on.
    pub fn changes(&self, change: AnswerChange) {
        lock(&self.state).order = StreamOrder::Change(change);
    }

    /// Passes everything on from now on.
    pub fn heals(&self) {
        lock(&self.state).order = StreamOrder::PassOn;
    }

    /// How many writes came since it was last set to break one.
    pub fn writes(&self) -> usize {
        lock(&self.state).writes
    }
}

fn lock(state: &Mutex<StreamState>) -> MutexGuard<'_, StreamState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
