//! What an SMSC delivers by itself: receipts, and messages of people. Either must be acknowledged
//! only once it is stored, so that the SMSC repeats it where this process dies.

use crate::codes::StatusTable;
use crate::frame::Frame;
use crate::people::People;
use crate::receipt::{self, DeliverSmReading};
use crate::session::Session;
use crate::settings::MessageIdForm;
use ports::receipts::{DeliveryReceipt, ReceiptBook, ReceiptResult};
use rusmpp_core::pdus::owned::{DeliverSmResp, Pdu};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

/// Receipts that may be applied at a time: beyond them the SMSC is asked to repeat, so that nothing
/// piles up while the store is slow.
const AT_ONCE: usize = 64;

/// How often a receipt is looked up again while its message may still be being stored.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How often a receipt that finds no message is asked for again before it is given up: it may be
/// about a message of another system under the same account, which never finds its message here.
const REPEATS_MAX: u32 = 20;

/// Of how many receipts that is remembered. More than these at once are no ordinary day.
const REMEMBERED_MAX: usize = 1_000;

/// The receiver could not take it now; the SMSC repeats it (`ESME_RX_T_APPN`).
pub(crate) const LATER: u32 = 0x64;

/// The receiver will never take it (`ESME_RX_P_APPN`).
const NEVER: u32 = 0x65;

/// What takes deliveries of one account.
pub(crate) struct Deliveries {
    pub(crate) table: Arc<StatusTable>,
    pub(crate) form: MessageIdForm,
    pub(crate) book: Arc<dyn ReceiptBook>,
    pub(crate) patience: Duration,
    people: Arc<People>,
    tracker: TaskTracker,
    places: Arc<Semaphore>,
    unmatched: Arc<Unmatched>,
}

impl fmt::Debug for Deliveries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deliveries").finish_non_exhaustive()
    }
}

impl Deliveries {
    pub(crate) fn new(
        (table, form): (Arc<StatusTable>, MessageIdForm),
        (book, patience): (Arc<dyn ReceiptBook>, Duration),
        people: Arc<People>,
        tracker: TaskTracker,
    ) -> Self {
        Self {
            table,
            form,
            book,
            patience,
            people,
            tracker,
            places: Arc::new(Semaphore::new(AT_ONCE)),
            unmatched: Arc::default(),
        }
    }

    /// Takes a `deliver_sm`, and answers it in a task of its own.
    pub(crate) async fn take(&self, session: &Arc<Session>, frame: Frame) {
        let command = frame.command();
        let Some(Pdu::DeliverSm(pdu)) = command.as_ref().and_then(|command| command.pdu()) else {
            tracing::warn!("the SMSC delivered what cannot be read");
            return answer(session, frame.sequence, NEVER).await;
        };
        match receipt::read(pdu, &self.table, self.form) {
            DeliverSmReading::Receipt(receipt) => {
                self.apply(session, frame.sequence, receipt).await;
            }
            DeliverSmReading::Unreadable => {
                // Repeating it would not make it readable.
                tracing::warn!("a delivery receipt names no message and is dropped");
                answer(session, frame.sequence, 0).await;
            }
            DeliverSmReading::Unmarked => {
                // Repeating it would not mark it.
                tracing::warn!("a delivery receipt is not marked as one and is dropped");
                answer(session, frame.sequence, 0).await;
            }
            DeliverSmReading::Message => {
                let from = (session, frame.sequence);
                self.people.take(from, pdu, &self.tracker).await;
            }
            DeliverSmReading::Other => {
                tracing::info!("a handset acknowledged a message by itself; that is not taken");
                answer(session, frame.sequence, 0).await;
            }
        }
    }

    async fn apply(&self, session: &Arc<Session>, sequence: u32, receipt: DeliveryReceipt) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return answer(session, sequence, LATER).await;
        };
        let (book, patience) = (Arc::clone(&self.book), self.patience);
        let (session, unmatched) = (Arc::clone(session), Arc::clone(&self.unmatched));
        self.tracker.spawn(async move {
            let result = applied(&*book, &receipt, patience).await;
            let id = receipt.id.as_str();
            let status = match result {
                ReceiptResult::Stored => {
                    unmatched.forget(id);
                    0
                }
                ReceiptResult::Failed => LATER,
                ReceiptResult::Unmatched if unmatched.counted(id) < REPEATS_MAX => LATER,
                ReceiptResult::Unmatched => {
                    let status = receipt.status.code();
                    tracing::error!(
                        id,
                        status,
                        "a receipt is about a message that is not known here and is given up"
                    );
                    unmatched.forget(id);
                    0
                }
            };
            answer(&session, sequence, status).await;
            drop(place);
        });
    }
}

/// Applies a receipt, which may have overtaken the answer that its message is known by.
async fn applied(
    book: &dyn ReceiptBook,
    receipt: &DeliveryReceipt,
    patience: Duration,
) -> ReceiptResult {
    let matched = tokio::time::timeout(patience, async {
        loop {
            match book.apply(receipt).await {
                ReceiptResult::Unmatched => tokio::time::sleep(LOOK_EVERY).await,
                result @ (ReceiptResult::Stored | ReceiptResult::Failed) => return result,
            }
        }
    });
    matched.await.unwrap_or(ReceiptResult::Unmatched)
}

/// Acknowledges what came, or asks for it again.
pub(crate) async fn answer(session: &Session, sequence: u32, status: u32) {
    let pdu = Pdu::DeliverSmResp(DeliverSmResp::default());
    session.respond(sequence, status, pdu).await;
}

/// How often receipts came that found no message.
#[derive(Debug, Default)]
struct Unmatched(Mutex<VecDeque<(String, u32)>>);

impl Unmatched {
    /// Counts one more, and answers how many there were.
    fn counted(&self, id: &str) -> u32 {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, count)) = known.iter_mut().find(|(known, _)| known == id) {
            *count = count.saturating_add(1);
            return *count;
        }
        if known.len() >= REMEMBERED_MAX {
            known.pop_front();
        }
        known.push_back((id.to_owned(), 1));
        1
    }

    fn forget(&self, id: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(known, _)| known != id);
    }
}

#[cfg(test)]
mod tests {
    use super::{REMEMBERED_MAX, Unmatched};

    #[test]
    fn receipts_that_found_no_message_are_counted_by_identity_and_the_oldest_is_forgotten() {
        let unmatched = Unmatched::default();
        let counts = ["a", "b", "a", "b", "a"].map(|id| unmatched.counted(id));
        assert_eq!(counts, [1, 1, 2, 2, 3]);
        unmatched.forget("b");
        assert_eq!(unmatched.counted("b"), 1);
        for n in 0..REMEMBERED_MAX - 2 {
            assert_eq!(unmatched.counted(&format!("other-{n}")), 1);
        }
        assert_eq!(unmatched.counted("a"), 4);
        assert_eq!(unmatched.counted("one more"), 1);
        assert_eq!(unmatched.counted("a"), 1);
    }
}
