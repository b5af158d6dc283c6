//! The journal entry of the attempt that a flow is about to send. Nothing may be sent without one
//! that is durable and confirmed.

use crate::gateway::Gateway;
use domain::transaction::Transaction;
use ports::journal::{EntryId, Journal};
use std::sync::Arc;

/// An entry that was appended, or not: then it is tried once more before the attempt is sent.
#[derive(Debug)]
pub(crate) struct Entry {
    journal: Arc<dyn Journal>,
    id: Option<EntryId>,
}

/// The entry of an attempt that is stored; without one nothing is sent.
#[derive(Debug)]
pub(crate) struct Confirmed(bool);

impl Entry {
    /// Appends the attempt that a transaction is about to make.
    pub(crate) async fn append(gateway: &Gateway, transaction: &Transaction) -> Self {
        let journal = Arc::clone(&gateway.parts().journal);
        let id = match journal.append(transaction).await {
            Ok(id) => Some(id),
            Err(error) => {
                let number = transaction.number;
                tracing::error!(%error, txnReference = %number, "an attempt was not journalled");
                None
            }
        };
        Self { journal, id }
    }

    /// Of what makes no attempt.
    pub(super) fn none(gateway: &Gateway) -> Self {
        let journal = Arc::clone(&gateway.parts().journal);
        Self { journal, id: None }
    }

    /// The store refused the attempt: it will not be sent.
    pub(crate) fn void(&self) {
        if let Some(id) = self.id {
            self.journal.void(id);
        }
    }

    /// The store holds the attempt.
    pub(crate) fn confirm(self) -> Confirmed {
        let confirmed = self.id.map(|id| self.journal.confirm(id));
        match confirmed {
            Some(Ok(())) => Confirmed(true),
            Some(Err(error)) => {
                tracing::error!(%error, "a journal entry was not confirmed");
                Confirmed(false)
            }
            None => Confirmed(false),
        }
    }
}

impl Confirmed {
    /// Whether the attempt of a stored transaction may be sent, as far as the journal goes. An
    /// attempt without an entry gets one now, and one whose entry failed is tried once more.
    pub(super) async fn or_retried(
        entry: Option<Self>,
        gateway: &Gateway,
        transaction: &Transaction,
    ) -> bool {
        let confirmed = entry.is_some_and(|Self(confirmed)| confirmed);
        confirmed || Entry::append(gateway, transaction).await.confirm().0
    }
}
