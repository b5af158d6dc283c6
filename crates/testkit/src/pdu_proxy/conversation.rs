//! One connection through the proxy of PDUs, and what each fault writes. It must not decide which
//! write meets a fault.

use super::{AnswerChange, PduServer, StreamFault, StreamOrder, StreamPlace, StreamState, lock};
use std::io;
use std::net::Ipv4Addr;
use std::sync::Mutex;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// The bit of a command that makes it an answer.
const ANSWER: u32 = 0x8000_0000;
const GENERIC_NACK: u32 = 0x8000_0000;
const UNBIND: u32 = 0x06;
const ENQUIRE_LINK_RESP: u32 = 0x8000_0015;

/// A status that refuses for certain wherever it is that of the answer to a write: no such number.
const REFUSES: u32 = 0x0B;

/// A sequence number that no adapter has reached.
const NEVER_USED: u32 = 0x7FFF_0000;

/// Octets of a header: length, command, status and sequence number.
const HEADER: usize = 16;

/// Longer than any deadline of a test.
const HELD: Duration = Duration::from_mins(1);

/// How far apart the octets of a slow answer are that comes in time.
const DRIP: Duration = Duration::from_millis(3);

/// A PDU as octets, its length included.
#[derive(Debug, Clone)]
struct RawPdu(Vec<u8>);

impl RawPdu {
    /// One of nothing but a header.
    fn bare(command: u32, status: u32, sequence: u32) -> Self {
        Self::with_body((command, status, sequence), &[])
    }

    fn with_body((command, status, sequence): (u32, u32, u32), body: &[u8]) -> Self {
        let length = u32::try_from(HEADER + body.len()).unwrap();
        let header = [length, command, status, sequence].map(u32::to_be_bytes);
        Self([header.as_flattened(), body].concat())
    }

    fn number(&self, at: usize) -> u32 {
        u32::from_be_bytes(self.0[at..at + 4].try_into().unwrap())
    }

    fn command(&self) -> u32 {
        self.number(4)
    }

    fn sequence(&self) -> u32 {
        self.number(12)
    }

    /// The same under another sequence number.
    fn under(&self, sequence: u32) -> Self {
        let mut octets = self.0.clone();
        octets[12..HEADER].copy_from_slice(&sequence.to_be_bytes());
        Self(octets)
    }
}

async fn read(stream: &mut OwnedReadHalf) -> io::Result<RawPdu> {
    let length = stream.read_u32().await?;
    let mut octets = length.to_be_bytes().to_vec();
    octets.resize(usize::try_from(length).unwrap_or(0).max(HEADER), 0);
    stream.read_exact(&mut octets[4..]).await?;
    Ok(RawPdu(octets))
}

/// Reads in a task of its own: what was read of a PDU must not be lost where the other side is
/// first.
fn read_all(mut stream: OwnedReadHalf, tasks: &mut JoinSet<()>) -> mpsc::Receiver<RawPdu> {
    let (pdus, read_pdus) = mpsc::channel(64);
    tasks.spawn(async move {
        while let Ok(pdu) = read(&mut stream).await {
            if pdus.send(pdu).await.is_err() {
                break;
            }
        }
    });
    read_pdus
}

/// A connection on its way: what the adapter reads, and the answer that waits for the next one.
struct Conversation {
    adapter: OwnedWriteHalf,
    server: OwnedWriteHalf,
    kept: Option<RawPdu>,
    /// The sequence number of the write whose answer is broken, and how.
    broken: Option<(u32, StreamFault)>,
    /// Nothing passes any more.
    is_dead: bool,
}

pub(super) async fn converse(
    stream: TcpStream,
    server: PduServer,
    state: &Mutex<StreamState>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let onward = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).await?;
    onward.set_nodelay(true)?;
    let (from_adapter, adapter) = stream.into_split();
    let (from_server, onward) = onward.into_split();
    let mut conversation = Conversation {
        adapter,
        server: onward,
        kept: None,
        broken: None,
        is_dead: false,
    };
    let mut reading = JoinSet::new();
    let mut asked = read_all(from_adapter, &mut reading);
    let mut answered = read_all(from_server, &mut reading);
    loop {
        let goes_on = tokio::select! {
            pdu = asked.recv() => match pdu {
                Some(pdu) => conversation.ask(pdu, server, state).await?,
                None => false,
            },
            pdu = answered.recv() => match pdu {
                Some(pdu) => conversation.answer(pdu, server, state).await?,
                None => false,
            },
        };
        if !goes_on {
            return conversation.adapter.shutdown().await;
        }
    }
}

impl Conversation {
    /// Passes a PDU of the adapter on; whether the connection goes on.
    async fn ask(
        &mut self,
        pdu: RawPdu,
        server: PduServer,
        state: &Mutex<StreamState>,
    ) -> io::Result<bool> {
        if self.is_dead {
            return Ok(true);
        }
        if pdu.command() == server.writes {
            let breaks = {
                let mut state = lock(state);
                state.writes += 1;
                match state.order {
                    StreamOrder::Break(fault, place, write) if write == state.writes => {
                        Some((fault, place))
                    }
                    StreamOrder::Break(..) | StreamOrder::PassOn | StreamOrder::Change(_) => None,
                }
            };
            match breaks {
                Some((fault, StreamPlace::BeforeProvider)) => {
                    let made = (server.writes | ANSWER, 0, pdu.sequence());
                    return self.breaks(fault, &RawPdu::with_body(made, b"1\0")).await;
                }
                Some((fault, StreamPlace::AfterProvider)) => {
                    self.broken = Some((pdu.sequence(), fault));
                }
                None => {}
            }
        }
        self.server.write_all(&pdu.0).await?;
        Ok(true)
    }

    /// Passes a PDU of the server on; whether the connection goes on.
    async fn answer(
        &mut self,
        pdu: RawPdu,
        server: PduServer,
        state: &Mutex<StreamState>,
    ) -> io::Result<bool> {
        if self.is_dead {
            return Ok(true);
        }
        if pdu.command() != server.writes | ANSWER {
            self.adapter.write_all(&pdu.0).await?;
            return Ok(true);
        }
        if let Some((sequence, fault)) = self.broken
            && sequence == pdu.sequence()
        {
            self.broken = None;
            return self.breaks(fault, &pdu).await;
        }
        let order = lock(state).order;
        match order {
            StreamOrder::Change(change) => self.change(change, &pdu).await?,
            StreamOrder::PassOn | StreamOrder::Break(..) => self.adapter.write_all(&pdu.0).await?,
        }
        Ok(true)
    }

    /// Writes what comes instead of an answer; whether the connection goes on.
    async fn breaks(&mut self, fault: StreamFault, answer: &RawPdu) -> io::Result<bool> {
        let (command, sequence) = (answer.command(), answer.sequence());
        let (octets, goes_on) = match fault {
            StreamFault::Cut => return Ok(false),
            StreamFault::Reset => {
                self.adapter.as_ref().set_zero_linger()?;
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            StreamFault::Silence => return Ok(true),
            StreamFault::Dead => {
                self.is_dead = true;
                return Ok(true);
            }
            StreamFault::Garbage => (vec![0xFF; 64], true),
            StreamFault::Page => (b"HTTP/1.1 200 OK\r\n\r\n<p>declined</p>".to_vec(), true),
            StreamFault::Half => (answer.0[..answer.0.len() - 1].to_vec(), false),
            StreamFault::Drip => {
                for octet in &answer.0[..answer.0.len() - 1] {
                    self.adapter.write_all(&[*octet]).await?;
                    tokio::time::sleep(DRIP).await;
                }
                tokio::time::sleep(HELD).await;
                return Ok(false);
            }
            StreamFault::Unbind => (RawPdu::bare(UNBIND, 0, NEVER_USED).0, true),
            StreamFault::Nack => (RawPdu::bare(GENERIC_NACK, REFUSES, sequence).0, true),
            StreamFault::OtherCommand => {
                (RawPdu::bare(ENQUIRE_LINK_RESP, REFUSES, sequence).0, true)
            }
            StreamFault::OtherSequence => (RawPdu::bare(command, REFUSES, NEVER_USED).0, true),
            StreamFault::Bare => (RawPdu::bare(command, 0, sequence).0, true),
            StreamFault::Unreadable => {
                let body = [0xFF; 80];
                (RawPdu::with_body((command, 0, sequence), &body).0, true)
            }
        };
        self.adapter.write_all(&octets).await?;
        Ok(goes_on)
    }

    /// Writes an answer otherwise.
    async fn change(&mut self, change: AnswerChange, answer: &RawPdu) -> io::Result<()> {
        let (command, sequence) = (answer.command(), answer.sequence());
        let octets = match change {
            AnswerChange::Twice => [answer.0.as_slice(), &answer.0].concat(),
            AnswerChange::ThenRefused => [
                answer.0.as_slice(),
                &RawPdu::bare(command, REFUSES, sequence).0,
            ]
            .concat(),
            AnswerChange::Slow => {
                for octet in &answer.0 {
                    self.adapter.write_all(&[*octet]).await?;
                    tokio::time::sleep(DRIP).await;
                }
                return Ok(());
            }
            AnswerChange::Reordered | AnswerChange::Crossed => {
                let Some(first) = self.kept.take() else {
                    self.kept = Some(answer.clone());
                    return Ok(());
                };
                if change == AnswerChange::Reordered {
                    [answer.0.as_slice(), &first.0].concat()
                } else {
                    let crossed = (first.under(sequence), answer.under(first.sequence()));
                    [crossed.0.0, crossed.1.0].concat()
                }
            }
            AnswerChange::Status(status) => RawPdu::bare(command, status, sequence).0,
        };
        self.adapter.write_all(&octets).await
    }
}
