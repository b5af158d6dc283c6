//! One bound session: requests and their answers by sequence number, the check of a silent
//! connection, and taking leave. A PDU must be written whole or the session ends, and a sequence
//! number must mean nothing outside of its session.

use crate::deliveries::Deliveries;
use crate::frame::{Frame, FrameReader, encoded};
use crate::link::SmppStream;
use crate::settings::SmppTimers;
use rusmpp_core::CommandStatus;
use rusmpp_core::command::owned::Command;
use rusmpp_core::pdus::owned::Pdu;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncWriteExt as _, ReadHalf, WriteHalf};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The greatest sequence number (SMPP 3.4 §3.2).
const SEQUENCE_MAX: u32 = 0x7FFF_FFFF;

/// The bit of a command that makes it an answer.
const ANSWER: u32 = 0x8000_0000;

const UNBIND: u32 = 0x06;
const ENQUIRE_LINK: u32 = 0x15;
const DELIVER_SM: u32 = 0x05;

/// The status of an answer to a command that is unknown.
const UNKNOWN_COMMAND: u32 = 0x03;

/// How long one PDU may take to be written: a peer that reads nothing is gone.
const WRITE_WITHIN: Duration = Duration::from_secs(10);

/// How long the answer to taking leave is awaited.
const LEAVE_WITHIN: Duration = Duration::from_secs(5);

/// Reads what comes in a session.
pub(crate) type SessionReader = FrameReader<ReadHalf<Box<dyn SmppStream>>>;

/// A session that is bound.
pub(crate) struct Session {
    /// Shared by those who write; the sequence numbers are given in the order of writing.
    outgoing: tokio::sync::Mutex<Outgoing>,
    waiting: Mutex<HashMap<u32, oneshot::Sender<Frame>>>,
    /// Places for answers that are outstanding.
    pub(crate) window: Arc<Semaphore>,
    window_size: u32,
    /// Cancelled once nothing can be written or comes any more.
    pub(crate) ended: CancellationToken,
    /// Cancelled once nothing new may be submitted.
    pub(crate) leaving: CancellationToken,
    timers: SmppTimers,
}

struct Outgoing {
    stream: WriteHalf<Box<dyn SmppStream>>,
    sequence: u32,
}

/// Why a request has no answer to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotWritten {
    /// Not a byte of it left.
    Nothing,
    /// Some of it may have left.
    Torn,
}

/// An answer that is outstanding.
pub(crate) struct PendingAnswer {
    session: Arc<Session>,
    sequence: u32,
    answer: oneshot::Receiver<Frame>,
}

/// What came of waiting for an answer.
#[derive(Debug)]
pub(crate) enum PartAnswer {
    Frame(Frame),
    /// The connection broke first.
    Lost,
    /// It did not come in time.
    Late,
}

/// Why a session could not be bound.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BindError {
    #[error("the SMSC cannot be reached")]
    Connect(#[source] std::io::Error),
    #[error("the SMSC did not answer in time")]
    Late,
    #[error("the connection broke while it was bound")]
    Broken,
    #[error("the SMSC refused the bind with status {0:#010X}")]
    Refused(u32),
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Binds a connection.
    pub(crate) async fn bind(
        stream: Box<dyn SmppStream>,
        request: Pdu,
        (window, timers): (u16, SmppTimers),
    ) -> Result<(Arc<Self>, SessionReader), BindError> {
        let (reading, writing) = tokio::io::split(stream);
        let mut reader = FrameReader::new(reading);
        let mut outgoing = Outgoing {
            stream: writing,
            sequence: 1,
        };
        let bound = async {
            let command = Command::new(CommandStatus::EsmeRok, 1, request);
            let wrote = outgoing.stream.write_all(&encoded(&command)).await;
            wrote.map_err(BindError::Connect)?;
            let flushed = outgoing.stream.flush().await;
            flushed.map_err(BindError::Connect)?;
            loop {
                let frame = reader.next().await.map_err(|_| BindError::Broken)?;
                let frame = frame.ok_or(BindError::Broken)?;
                if frame.id & ANSWER != 0 && frame.sequence == 1 {
                    return Ok(frame.status);
                }
            }
        };
        let status = timeout(timers.bind, bound).await;
        match status.map_err(|_| BindError::Late)?? {
            0 => {}
            refused => return Err(BindError::Refused(refused)),
        }
        let session = Self {
            outgoing: tokio::sync::Mutex::new(outgoing),
            waiting: Mutex::default(),
            window: Arc::new(Semaphore::new(usize::from(window))),
            window_size: u32::from(window),
            ended: CancellationToken::new(),
            leaving: CancellationToken::new(),
            timers,
        };
        Ok((Arc::new(session), reader))
    }

    /// Whether a message may be submitted in it.
    pub(crate) fn is_open(&self) -> bool {
        !self.ended.is_cancelled() && !self.leaving.is_cancelled()
    }

    /// How many answers may be outstanding.
    pub(crate) const fn window_size(&self) -> u32 {
        self.window_size
    }

    /// Writes a request. `before` is called immediately before its first byte, with nothing to wait
    /// for in between, and may still forbid it.
    pub(crate) async fn request<E>(
        self: &Arc<Self>,
        pdu: Pdu,
        before: impl FnOnce() -> Result<(), E>,
    ) -> Result<PendingAnswer, NotWritten> {
        let mut outgoing = self.outgoing.lock().await;
        let sequence = outgoing.next_sequence();
        let (send, answer) = oneshot::channel();
        self.waiting().insert(sequence, send);
        let pending = PendingAnswer {
            session: Arc::clone(self),
            sequence,
            answer,
        };
        // Looked at after the answer can be taken: a session that ends clears what waits.
        if self.ended.is_cancelled() {
            return Err(NotWritten::Nothing);
        }
        let octets = encoded(&Command::new(CommandStatus::EsmeRok, sequence, pdu));
        if before().is_err() {
            return Err(NotWritten::Nothing);
        }
        self.write(&mut outgoing, &octets).await?;
        Ok(pending)
    }

    /// Answers a request of the SMSC.
    pub(crate) async fn respond(&self, sequence: u32, status: u32, pdu: Pdu) {
        let octets = encoded(&Command::new(CommandStatus::from(status), sequence, pdu));
        let mut outgoing = self.outgoing.lock().await;
        if !self.ended.is_cancelled() && self.write(&mut outgoing, &octets).await.is_err() {
            tracing::debug!("an answer was not written: the session has ended");
        }
    }

    /// A PDU of which only a part may have left makes everything after it unreadable, so then the
    /// session ends, also where the caller was dropped meanwhile.
    async fn write(&self, outgoing: &mut Outgoing, octets: &[u8]) -> Result<(), NotWritten> {
        let torn: DropGuard = self.ended.clone().drop_guard();
        let written = timeout(WRITE_WITHIN, async {
            outgoing.stream.write_all(octets).await?;
            outgoing.stream.flush().await
        });
        match written.await {
            Ok(Ok(())) => {
                torn.disarm();
                Ok(())
            }
            Ok(Err(_)) | Err(_) => Err(NotWritten::Torn),
        }
    }

    /// Reads until the session ends.
    pub(crate) async fn run(self: &Arc<Self>, mut reader: SessionReader, deliveries: &Deliveries) {
        let _ended: DropGuard = self.ended.clone().drop_guard();
        let mut asked = false;
        loop {
            let patience = if asked {
                self.timers.enquire_answer
            } else {
                self.timers.enquire
            };
            let read = tokio::select! {
                () = self.ended.cancelled() => break,
                read = timeout(patience, reader.next()) => read,
            };
            match read {
                Ok(Ok(Some(frame))) => {
                    asked = false;
                    self.take(frame, deliveries).await;
                }
                Ok(Ok(None)) => break,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a session with the SMSC broke");
                    break;
                }
                Err(_) if asked => {
                    tracing::warn!("the SMSC no longer answers; the session is given up");
                    break;
                }
                Err(_) => {
                    asked = true;
                    // Its answer counts like anything else that comes.
                    let enquiry = self.request(Pdu::EnquireLink, || Ok::<(), ()>(()));
                    drop(enquiry.await);
                }
            }
        }
        self.ended.cancel();
        self.waiting().clear();
        let mut outgoing = self.outgoing.lock().await;
        let _ = timeout(WRITE_WITHIN, outgoing.stream.shutdown()).await;
    }

    async fn take(self: &Arc<Self>, frame: Frame, deliveries: &Deliveries) {
        if frame.id & ANSWER != 0 {
            let waiting = self.waiting().remove(&frame.sequence);
            // The answer to an enquiry is not awaited, and a late one no longer is.
            if let Some(waiting) = waiting {
                let _ = waiting.send(frame);
            } else if frame.id == ANSWER | 0x04 {
                let (status, sequence) = (frame.status, frame.sequence);
                tracing::warn!(status, sequence, "the SMSC answered a message too late");
            }
            return;
        }
        match frame.id {
            ENQUIRE_LINK => {
                self.respond(frame.sequence, 0, Pdu::EnquireLinkResp).await;
            }
            DELIVER_SM => deliveries.take(self, frame).await,
            UNBIND => {
                self.leaving.cancel();
                self.respond(frame.sequence, 0, Pdu::UnbindResp).await;
                tracing::info!("the SMSC has ended a session");
                self.ended.cancel();
            }
            id => {
                tracing::warn!(id, "the SMSC sent a command that is not known here");
                let nack = Pdu::GenericNack;
                self.respond(frame.sequence, UNKNOWN_COMMAND, nack).await;
            }
        }
    }

    /// Takes leave: waits for the answers that are outstanding, unbinds, and closes.
    pub(crate) async fn leave(self: &Arc<Self>) {
        self.leaving.cancel();
        let all = self.window.acquire_many(self.window_size);
        drop(timeout(self.timers.answer, all).await);
        if let Ok(pending) = self.request(Pdu::Unbind, || Ok::<(), ()>(())).await {
            drop(pending.within(LEAVE_WITHIN).await);
        }
        self.ended.cancel();
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<u32, oneshot::Sender<Frame>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outgoing {
    const fn next_sequence(&mut self) -> u32 {
        self.sequence = if self.sequence >= SEQUENCE_MAX {
            1
        } else {
            self.sequence.saturating_add(1)
        };
        self.sequence
    }
}

impl PendingAnswer {
    /// Waits for the answer.
    pub(crate) async fn within(mut self, patience: Duration) -> PartAnswer {
        match timeout(patience, &mut self.answer).await {
            Ok(Ok(frame)) => PartAnswer::Frame(frame),
            Ok(Err(_)) => PartAnswer::Lost,
            Err(_) => PartAnswer::Late,
        }
    }
}

impl Drop for PendingAnswer {
    fn drop(&mut self) {
        self.session.waiting().remove(&self.sequence);
    }
}
