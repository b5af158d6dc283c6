//! The journal of this process: handing entries to its writer, and noting what became of them. It
//! must not acknowledge an entry that the writer did not.

use crate::frame::FrameKind;
use crate::mark::JournalMark;
use crate::reader::{FileJournalReader, blocking};
use crate::writer::{Own, QUEUE_MAX, WriteRequest, Writer, fits};
use crate::{JournalError, JournalOptions, PART, record};
use async_trait::async_trait;
use domain::transaction::{AttemptNumber, State, Transaction};
use ports::journal::{AttemptJournal, EntryId, JournalId, JournalReader, JournalledAttempt};
use ports::{PortError, PortErrorKind};
use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// The journal of this process. When it is dropped, what was handed over is written first.
#[derive(Debug)]
pub struct FileJournal {
    pub(crate) own: Arc<Own>,
    pub(crate) reader: Arc<FileJournalReader>,
    pub(crate) options: JournalOptions,
    /// None only while it is dropped.
    queue: Option<SyncSender<WriteRequest>>,
    writer: Option<JoinHandle<()>>,
    /// Keeps other processes away; it is let go of after the writer has ended.
    _lock: File,
}

impl FileJournal {
    pub(crate) fn start(
        (writer, reader): (Writer, FileJournalReader),
        own: Arc<Own>,
        options: JournalOptions,
        lock: File,
    ) -> Result<Self, JournalError> {
        let (queue, requests) = sync_channel(QUEUE_MAX);
        let thread = std::thread::Builder::new().name("attempt-journal".to_owned());
        let writer = thread
            .spawn(move || writer.run(&requests))
            .map_err(JournalError::io(&own.folder.path, "written by a thread"))?;
        Ok(Self {
            own,
            reader: Arc::new(reader),
            options,
            queue: Some(queue),
            writer: Some(writer),
            _lock: lock,
        })
    }

    /// Its identity.
    pub fn id(&self) -> &JournalId {
        &self.own.folder.id
    }

    fn hand_over(&self, request: WriteRequest) -> Result<(), PortError> {
        let refused = |error| match error {
            TrySendError::Full(_) => {
                let what = format!("the journal is saturated: {QUEUE_MAX} are waiting already");
                PortError::new(PART, what).with_trouble(PortErrorKind::Busy)
            }
            TrySendError::Disconnected(_) => gone(),
        };
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        let handed_over = queue.try_send(request);
        handed_over.map_err(|error| refused(error).with_nothing_done())
    }
}

impl Drop for FileJournal {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(writer) = self.writer.take()
            && writer.join().is_err()
        {
            tracing::error!("the writer of the attempt journal panicked");
        }
    }
}

#[async_trait]
impl AttemptJournal for FileJournal {
    async fn append(&self, transaction: &Transaction) -> Result<EntryId, PortError> {
        let (about, text) = prepared(transaction).map_err(PortError::with_nothing_done)?;
        let (reply, answer) = oneshot::channel();
        self.hand_over(WriteRequest { about, text, reply })?;
        answer.await.map_err(|_| gone())?
    }

    fn confirm(&self, entry: EntryId) -> Result<(), PortError> {
        Ok(self.own.note(entry.0, JournalMark::Confirmed)?)
    }

    fn void(&self, entry: EntryId) {
        if let Err(error) = self.own.note(entry.0, JournalMark::Voided) {
            let entry = entry.0;
            tracing::warn!(entry, %error, "an entry of the attempt journal could not be voided");
        }
    }
}

#[async_trait]
impl JournalReader for FileJournal {
    async fn page(
        &self,
        journal: &JournalId,
        before: Option<EntryId>,
        limit: usize,
    ) -> Result<Vec<JournalledAttempt>, PortError> {
        let (reader, journal) = (Arc::clone(&self.reader), journal.clone());
        blocking(move || reader.page(&journal, before, limit)).await
    }

    async fn transaction(
        &self,
        journal: &JournalId,
        entry: EntryId,
    ) -> Result<Transaction, PortError> {
        let (reader, journal) = (Arc::clone(&self.reader), journal.clone());
        blocking(move || reader.transaction(&journal, entry)).await
    }

    async fn journals(&self) -> Result<Vec<JournalId>, PortError> {
        let reader = Arc::clone(&self.reader);
        blocking(move || reader.journals()).await
    }
}

fn gone() -> PortError {
    PortError::new(PART, "the writer of the journal has ended")
}

/// What an entry holds of a transaction that is about to be sent, or that the gateway books alone:
/// that stands in the place of its first attempt.
fn prepared(tx: &Transaction) -> Result<(FrameKind, Vec<u8>), PortError> {
    let (attempt, started_at) = match &tx.state {
        State::Sending(sending) => (sending.attempt, sending.started_at),
        State::Booked(booked) => (AttemptNumber::FIRST, booked.at),
        State::Queued(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Failed(_)
        | State::Reversed(_)
        | State::Cancelled(_) => {
            let what = format!("transaction {} is not about to be sent", tx.number);
            return Err(PortError::new(PART, what));
        }
    };
    let about = FrameKind {
        attempt,
        started_at,
        account: tx.account.clone(),
        reference: tx.reference.clone(),
        provider: tx.provider_of(attempt).clone(),
        provider_reference: tx.provider_reference(attempt),
    };
    let text = record::encode(tx).map_err(|error| {
        PortError::caused(
            PART,
            format!("transaction {} cannot be written", tx.number),
            error,
        )
    })?;
    if !fits(&about, &text) {
        let what = format!("transaction {} is too large for the journal", tx.number);
        return Err(PortError::new(PART, what));
    }
    Ok((about, text))
}
