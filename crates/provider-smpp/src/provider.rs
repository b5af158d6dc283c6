//! The provider: messages are sent in parts, and what comes is handed over. A part must be written
//! once, in one session, and nothing may be concluded from silence.

use crate::binds::Binds;
use crate::codes::{InvalidVendorStatuses, StatusTable};
use crate::deliveries::Deliveries;
use crate::link::SmppDialler;
use crate::message::{MessageForm, SmppMessage, is_served};
use crate::outcome::{PartResult, PartsResult, of_parts};
use crate::people::{People, PeopleSettings};
use crate::receipt::in_answer;
use crate::sending::Budget;
use crate::settings::SmppSettings;
use async_trait::async_trait;
use domain::family::AbsenceEnds;
use domain::order::{Order, Service};
use domain::provider::{
    AbsencePolicy, AttemptDetails, Fulfilment, ProviderId, ProviderTransactionId, QueryOutcome,
    Receipt, Submission, SubmitOutcome,
};
use domain::reference::ProviderReference;
use domain::sms::{Dispatch, MessageOrder};
use outbound_http::tls::ClientTlsError;
use ports::clock::Clock;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Provider, ProviderAnswer};
use ports::receipts::{
    Acceptance, AcceptedMessage, AcceptedPart, MessageExtent, ReceiptBook, Receipts,
};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Interval;

/// One account at an SMSC.
#[derive(Debug)]
pub struct SmppProvider {
    id: ProviderId,
    pub(crate) settings: SmppSettings,
    table: Arc<StatusTable>,
    binds: Arc<Binds>,
    clock: Arc<dyn Clock>,
    /// Gives each part its moment, in the order they come.
    pub(crate) throughput: tokio::sync::Mutex<Option<Interval>>,
    book: Mutex<Option<Arc<dyn ReceiptBook>>>,
}

/// Why an account cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenSmppError {
    /// The list of a vendor's statuses cannot be read.
    #[error("the statuses of the vendor {0}")]
    Statuses(#[from] InvalidVendorStatuses),
    /// TLS cannot be set up.
    #[error("the connection to the SMSC cannot be set up")]
    Tls(#[from] ClientTlsError),
}

impl SmppProvider {
    /// Opens an account. Nothing is sent: sessions are bound once receipts can be handed over.
    pub fn open(
        id: ProviderId,
        settings: SmppSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, OpenSmppError> {
        let table = StatusTable::embedded().with_vendor_statuses(&settings.vendor_statuses)?;
        let dialler = SmppDialler::new(settings.target.clone())?;
        Ok(Self {
            id,
            table: Arc::new(table),
            binds: Binds::new(settings.clone(), dialler, Arc::clone(&clock)),
            settings,
            clock,
            throughput: tokio::sync::Mutex::default(),
            book: Mutex::default(),
        })
    }

    fn book(&self) -> Option<Arc<dyn ReceiptBook>> {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        book.clone()
    }

    const fn form(&self) -> MessageForm {
        MessageForm {
            long_messages: self.settings.long_messages,
            reference: self.settings.reference,
            validity: self.settings.validity,
        }
    }

    /// Stores what the SMSC calls the parts, so that their receipts find the attempt.
    async fn remember(&self, message: &AcceptedMessage) {
        let Some(book) = self.book() else {
            return;
        };
        if let Err(error) = book.remember(message).await {
            let reference = &message.reference;
            tracing::error!(
                %error, %reference,
                "what the SMSC calls a message was not stored: its receipts will find nothing"
            );
        }
    }

    fn accepted(
        &self,
        (reference, parts): (&ProviderReference, u8),
        results: &[PartResult],
        acceptance: Acceptance,
    ) -> AcceptedMessage {
        let extent = |index: u8| match results.len() {
            1 => MessageExtent::All,
            _ => MessageExtent::Part(index),
        };
        let accepted = (0_u8..).zip(results).filter_map(|(index, result)| {
            let PartResult::Accepted(id) = result else {
                return None;
            };
            Some(AcceptedPart {
                id: in_answer(id, self.settings.message_ids)?,
                extent: extent(index),
            })
        });
        AcceptedMessage {
            reference: reference.clone(),
            parts,
            acceptance,
            accepted: accepted.collect(),
        }
    }

    async fn submitted(
        &self,
        submission: &Submission,
        order: &MessageOrder,
        permit: &dyn SendPermit,
    ) -> Option<ProviderAnswer<SubmitOutcome>> {
        let budget = Budget::of(submission.deadline, &*self.clock);
        let message = SmppMessage::of(submission, order, &self.form())?;
        let patience = self.settings.timers.room.min(budget.left());
        let room = self.binds.room(message.pdus.len(), patience).await?;
        let results = self.send(message.pdus, &room, (permit, budget)).await;
        drop(room);
        let of_message = (&submission.reference, message.parts);
        let details = details(&results);
        let outcome = match of_parts(&results, &self.table) {
            PartsResult::Accepted => {
                let accepted = self.accepted(of_message, &results, Acceptance::Whole);
                self.remember(&accepted).await;
                SubmitOutcome::Delivered(receipt(submission, message.parts))
            }
            PartsResult::Partial(cause) => {
                let reference = &submission.reference;
                tracing::error!(
                    %reference, ?cause,
                    "the SMSC took some parts of a message and not all; a person decides about it"
                );
                let accepted = self.accepted(of_message, &results, Acceptance::Partial);
                self.remember(&accepted).await;
                SubmitOutcome::Unknown(cause)
            }
            PartsResult::Ended(outcome) => outcome,
        };
        Some(ProviderAnswer { outcome, details })
    }
}

/// SMPP echoes neither reference nor amount: an answer belongs to its request by the sequence
/// number of the session.
fn receipt(submission: &Submission, parts: u8) -> Receipt {
    Receipt {
        reference: submission.reference.clone(),
        amount: submission.order.amount(),
        fulfilment: Fulfilment::Sms(Dispatch::new(parts)),
    }
}

/// What the SMSC calls the parts that it accepted, as many as there is room for.
fn details(results: &[PartResult]) -> AttemptDetails {
    let mut text = String::new();
    for result in results {
        let PartResult::Accepted(id) = result else {
            continue;
        };
        let longer = text.len().saturating_add(id.len()).saturating_add(1);
        if longer > ProviderTransactionId::LENGTH_MAX {
            break;
        }
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(id);
    }
    AttemptDetails {
        id: ProviderTransactionId::parse(&text),
        ..AttemptDetails::default()
    }
}

#[async_trait]
impl Provider for SmppProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    /// No SMSC can be asked by our reference, so silence never proves anything: a person decides.
    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy {
            ends: AbsenceEnds::Search,
            ..AbsencePolicy::CAUTIOUS
        }
    }

    fn serves(&self, order: &Order) -> bool {
        matches!(order, Order::Sms(order) if is_served(order))
    }

    fn receipts(&self) -> Option<&dyn Receipts> {
        Some(self)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let Order::Sms(order) = &submission.order else {
            return SubmitOutcome::NotSent.into();
        };
        if !is_served(order) {
            return SubmitOutcome::NotSent.into();
        }
        let submitted = self.submitted(submission, order, permit).await;
        submitted.unwrap_or_else(|| SubmitOutcome::NotSent.into())
    }

    /// Answered from what was stored when the SMSC had accepted every part: it cannot be asked.
    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let (Some(book), Some(order)) = (self.book(), attempt.order) else {
            return QueryOutcome::Unknown.into();
        };
        match book.accepted_whole(attempt.reference).await {
            Ok(Some(parts)) => QueryOutcome::Delivered(Receipt {
                reference: attempt.reference.clone(),
                amount: order.amount(),
                fulfilment: Fulfilment::Sms(Dispatch::new(parts)),
            })
            .into(),
            Ok(None) => QueryOutcome::Unknown.into(),
            Err(error) => {
                tracing::warn!(%error, "what was accepted of a message could not be looked up");
                QueryOutcome::Unknown.into()
            }
        }
    }
}

#[async_trait]
impl Receipts for SmppProvider {
    fn attach(&self, book: Arc<dyn ReceiptBook>) {
        let mut kept = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.replace(Arc::clone(&book)).is_some() {
            return;
        }
        let statuses = (Arc::clone(&self.table), self.settings.message_ids);
        let reading = PeopleSettings {
            numbers: self.settings.reply_numbers.clone(),
            secret: self.settings.credentials.password.clone(),
            patience: self.settings.timers.parts,
        };
        let people = People::new(reading, Arc::clone(&book), Arc::clone(&self.clock));
        let taking = (book, self.settings.timers.receipt);
        let tracker = self.binds.tracker().clone();
        self.binds
            .keep_up(Deliveries::new(statuses, taking, people, tracker));
    }

    async fn close(&self) {
        self.binds.close().await;
        let mut kept = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        drop(kept.take());
    }
}
