//! Approvals. A payment must be approved by another user than the one who asked for it, once, and
//! leave the queue as any other does.

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::record::{Driver, Recorded};
use crate::request_error::RequestError;
use domain::batch::Batch;
use domain::reference::MerchantReference;
use domain::statement::Sort;
use domain::transaction::{
    ApprovalDecision, ApprovalForbidden, ApprovalVerdict, CancelCause, Observation, State,
    Transaction,
};
use ports::PortError;
use ports::batches::PageOf;
use ports::ledger_store::CommitOutcome;
use ports::spending_limits::ApprovalPage;
use tokio::sync::oneshot;
use tracing::Instrument;

/// How many payments of a batch are read at a time.
const ITEMS_AT_A_TIME: u32 = 100;

/// What was decided by a request, or before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedPayments {
    /// The payments: one, or those of a batch that waited.
    pub payments: Vec<Transaction>,
    /// Whether this request decided of any.
    pub replay: ReplayMark,
}

/// Why nothing is decided.
#[derive(Debug, thiserror::Error)]
pub enum ApprovalError {
    /// The account has no payment and no batch of the reference.
    #[error("no such payment")]
    Unknown,
    /// The payment needs no approval.
    #[error("the payment needs no approval")]
    NotNeeded,
    /// It is a payment of a batch, and decided of with it.
    #[error("the payment is decided of with its batch")]
    OfBatch,
    /// It was decided before, otherwise.
    #[error("the payment was decided of before")]
    Decided(ApprovalVerdict),
    /// Its time is over, or it was cancelled.
    #[error("the payment was cancelled")]
    Cancelled(CancelCause),
    /// The key may not decide.
    #[error("the key may not decide of the payment")]
    Forbidden(ApprovalForbidden),
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for ApprovalError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

impl Gateway {
    /// A part of the payments of the merchant that wait for an approval.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn awaiting_approval(
        &self,
        merchant: &Merchant,
        page: PageOf,
    ) -> Result<ApprovalPage, RequestError> {
        let waiting = &self.parts().spending_limits;
        Ok(waiting
            .awaiting_approval(&merchant.account.id, page)
            .await?)
    }

    /// Decides of a payment that waits, or of all payments of a batch that do. Repeating a decision
    /// changes nothing more. Once it is begun, a client that hangs up does not stop it half way.
    ///
    /// # Errors
    /// Refuses a payment that needs no approval, was decided of otherwise, is decided of with its
    /// batch, or is cancelled by now, and a key that may not decide. Of a batch some may be decided
    /// of when the store fails.
    pub async fn decide(
        &self,
        merchant: &Merchant,
        (reference, verdict): (&MerchantReference, ApprovalVerdict),
    ) -> Result<DecidedPayments, ApprovalError> {
        let (gateway, merchant) = (self.clone(), merchant.clone());
        let reference = reference.clone();
        let (reply, decided) = oneshot::channel();
        let work = async move {
            let decided = gateway.decide_all(&merchant, &reference, verdict).await;
            // The client may be gone; what is decided stays so.
            let _ = reply.send(decided);
        };
        let span = tracing::Span::current();
        self.tasks().start_payment(work.instrument(span))?;
        let gone = || PortError::new("approvals", "the decision ended without a result");
        decided.await.map_err(|_| gone())?
    }

    async fn decide_all(
        &self,
        merchant: &Merchant,
        reference: &MerchantReference,
        verdict: ApprovalVerdict,
    ) -> Result<DecidedPayments, ApprovalError> {
        let account = &merchant.account.id;
        let payments = &self.parts().transactions;
        if let Some(payment) = payments.by_reference(account, reference).await? {
            if payment.approval.is_some_and(|it| it.batch.is_some()) {
                return Err(ApprovalError::OfBatch);
            }
            let (payment, replay) = self.decide_one(merchant, payment, verdict).await?;
            return Ok(DecidedPayments {
                payments: vec![payment],
                replay,
            });
        }
        let batch = self.parts().batches.batch(account, reference).await?;
        let (batch, _) = batch.ok_or(ApprovalError::Unknown)?;
        self.decide_batch(merchant, &batch, verdict).await
    }

    /// Decides of the payments of a batch in their order. It stops at the first that was decided of
    /// otherwise: of two persons who decide differently at the same time one comes first.
    async fn decide_batch(
        &self,
        merchant: &Merchant,
        batch: &Batch,
        verdict: ApprovalVerdict,
    ) -> Result<DecidedPayments, ApprovalError> {
        let mut decided = Vec::new();
        let (mut cancelled, mut replay) = (None, ReplayMark::Replayed);
        for offset in (0..u64::from(batch.count)).step_by(ITEMS_AT_A_TIME as usize) {
            let page = PageOf {
                offset,
                length: ITEMS_AT_A_TIME,
                sort: Sort::Ascending,
            };
            let items = &self.parts().batches;
            let items = items.batch_items(&batch.account, batch.number, page);
            for item in items.await? {
                match self.decide_one(merchant, item, verdict).await {
                    Ok((payment, mark)) => {
                        decided.push(payment);
                        if mark == ReplayMark::New {
                            replay = mark;
                        }
                    }
                    // What was cancelled since is no reason to leave the others.
                    Err(error @ ApprovalError::Cancelled(_)) => cancelled = Some(error),
                    Err(error) => return Err(error),
                }
            }
        }
        match cancelled {
            Some(error) if decided.is_empty() => Err(error),
            Some(_) | None => Ok(DecidedPayments {
                payments: decided,
                replay,
            }),
        }
    }

    async fn decide_one(
        &self,
        merchant: &Merchant,
        payment: Transaction,
        verdict: ApprovalVerdict,
    ) -> Result<(Transaction, ReplayMark), ApprovalError> {
        let by = merchant.key_holder();
        let approval = payment.approval.ok_or(ApprovalError::NotNeeded)?;
        let allowed = approval.may_be_decided(verdict, by);
        allowed.map_err(ApprovalError::Forbidden)?;
        if !payment.awaits_approval() {
            return Self::decided_before(payment, verdict);
        }
        let at = self.now();
        let decision = ApprovalDecision { verdict, by, at };
        let observed = Observation::Decision(decision).into();
        let recorded = self.record(payment, &observed, Driver::Recovery).await?;
        let after = match recorded {
            Recorded::Stored(after) => *after,
            Recorded::Refused(refused) => return Err(not_recorded(&refused).into()),
        };
        let ours = after.approval.and_then(|it| it.decision) == Some(decision);
        if !ours {
            return Self::decided_before(after, verdict);
        }
        let (number, key) = (after.number, by.key);
        tracing::info!(txnReference = %number, %key, ?verdict, "another user decided of a payment");
        self.queue_changed().notify_one();
        Ok((after, ReplayMark::New))
    }

    /// Answers a decision of a payment that does not wait any more.
    fn decided_before(
        payment: Transaction,
        verdict: ApprovalVerdict,
    ) -> Result<(Transaction, ReplayMark), ApprovalError> {
        let decision = payment.approval.and_then(|it| it.decision);
        match decision {
            Some(decision) if decision.verdict == verdict => Ok((payment, ReplayMark::Replayed)),
            Some(decision) => Err(ApprovalError::Decided(decision.verdict)),
            None => Err(match payment.state {
                State::Cancelled(cancelled) => ApprovalError::Cancelled(cancelled.cause),
                State::Queued(_)
                | State::Sending(_)
                | State::InDoubt(_)
                | State::Review(_)
                | State::Successful(_)
                | State::Failed(_)
                | State::Reversed(_)
                | State::Booked(_) => ApprovalError::NotNeeded,
            }),
        }
    }
}

/// Why a decision was not stored.
fn not_recorded(refused: &CommitOutcome) -> RequestError {
    match refused {
        CommitOutcome::Suspended => RequestError::ReconciliationRequired,
        CommitOutcome::ReferenceUnsettled => RequestError::ReferenceUnsettled,
        CommitOutcome::ReferenceSettled => RequestError::ReferenceSettled,
        CommitOutcome::AccountSuspended | CommitOutcome::AccountUnknown => RequestError::Suspended,
        CommitOutcome::Frozen(breach) => (*breach).into(),
        CommitOutcome::Done
        | CommitOutcome::KeyTaken(_)
        | CommitOutcome::ReferenceTaken(_)
        | CommitOutcome::BatchTaken(_)
        | CommitOutcome::SettlementUnfounded
        | CommitOutcome::OtherEnvironment
        | CommitOutcome::FundingTaken(_)
        | CommitOutcome::NumberTaken
        | CommitOutcome::InsufficientFunds
        | CommitOutcome::OverDailyLimit(_)
        | CommitOutcome::BalanceLimit
        | CommitOutcome::VersionConflict(_)
        | CommitOutcome::SessionTaken(_)
        | CommitOutcome::VoucherRefused(_) => {
            let what = format!("answered a decision with {refused:?}");
            PortError::new("books", what).into()
        }
    }
}
