//! Duplicates: requests that repeat an earlier one. Nothing is ever executed here, and a request of
//! another account reveals nothing.

use crate::gateway::Gateway;
use crate::payment::window::is_answer;
use crate::payment::{PaymentResult, ReplayMark};
use crate::request_error::RequestError;
use domain::idempotency::Idempotency;
use domain::transaction::Transaction;

impl Gateway {
    /// Answers a request whose reference or idempotency key already has a transaction.
    pub(crate) async fn resolve_duplicate(
        &self,
        earlier: Transaction,
        idempotency: Option<&Idempotency>,
    ) -> Result<PaymentResult, RequestError> {
        let Some(ours) = idempotency else {
            return Err(reference_taken(earlier));
        };
        match &earlier.idempotency {
            Some(theirs) if theirs == ours => self.replay(earlier).await,
            Some(theirs) if theirs.key == ours.key => Err(RequestError::KeyReused),
            Some(_) | None => Err(reference_taken(earlier)),
        }
    }

    /// Waits a little for a first request that is still being answered.
    async fn replay(&self, earlier: Transaction) -> Result<PaymentResult, RequestError> {
        let parts = self.parts();
        // Slept and not computed: a clock that is set back must not make a client wait for hours.
        let patience = parts.clock.sleep(parts.settings.replay_wait);
        tokio::pin!(patience);
        let mut transaction = earlier;
        while self.is_being_answered(&transaction) {
            tokio::select! {
                biased;
                () = &mut patience => return Err(RequestError::InProgress),
                () = parts.clock.sleep(parts.settings.replay_poll) => {}
            }
            let (account, reference) = (&transaction.account, &transaction.reference);
            if let Some(now) = parts.transactions.by_reference(account, reference).await? {
                transaction = now;
            }
        }
        Ok(PaymentResult {
            transaction,
            replay: ReplayMark::Replayed,
        })
    }

    fn is_being_answered(&self, transaction: &Transaction) -> bool {
        let window = self.parts().settings.answer_window;
        !is_answer(transaction) && self.now().since(transaction.opened_at) < window
    }
}

fn reference_taken(earlier: Transaction) -> RequestError {
    RequestError::ReferenceTaken {
        service: earlier.order.service(),
        reference: earlier.reference,
    }
}
