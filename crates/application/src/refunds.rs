//! Refunds: a merchant asks, operators decide, and the gateway gives the price back at its own
//! cost. The money must come back by a step of the payment itself, which happens once.

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::record::Driver;
use crate::request_error::RequestError;
use domain::account::{Account, AccountId};
use domain::environment::Environment;
use domain::idempotency::IdempotencyKey;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::refund::{
    GrantedRefund, NewRefund, NotRefundable, RefundDecision, RefundRequest, RefundState,
    RefundVerdict, refundable,
};
use domain::transaction::Observation;
use ports::PortError;
use ports::batches::PageOf;
pub use ports::refunds::RefundPage;
use ports::refunds::{RefundCreation, RefundDeciding};

/// How many numbers are drawn for a refund: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// Why a request about a refund is refused.
#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    /// The account has no payment under the reference.
    #[error("no such payment")]
    PaymentUnknown,
    /// The payment cannot be refunded, or not with this amount.
    #[error("the payment {0}")]
    NotRefundable(NotRefundable),
    /// Another refund of the payment waits or was given.
    #[error("another refund of the payment was asked for")]
    PaymentTaken,
    /// The account asked for another one under the reference.
    #[error("the reference was used for another refund")]
    ReferenceTaken(MerchantReference),
    /// As many refunds of the account wait as may.
    #[error("too many refunds wait")]
    TooMany,
    /// The account asked for none under the reference.
    #[error("no such refund")]
    Unknown,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for RefundError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// A refund, and whether the request asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundResult {
    /// The refund, and what became of it.
    pub state: RefundState,
    /// Whether an earlier request had asked for it.
    pub replay: ReplayMark,
}

/// Why a decision of a refund is not taken.
#[derive(Debug, thiserror::Error)]
pub enum RefundDecisionRefused {
    /// The account asked for no such refund.
    #[error("the account asked for no refund under this reference")]
    Unknown,
    /// It was decided otherwise.
    #[error("the refund was {} before", .0.code())]
    Decided(RefundVerdict),
    /// The provider gave the price back before anything was decided.
    #[error("its provider gave the price of the payment back, which completed the refund")]
    GivenByProvider,
    /// It needs a second person, and none is named.
    #[error("this amount needs a second, different person to confirm")]
    SecondPersonNeeded,
    /// It was approved, and the payment took no refund.
    #[error("it is approved, and its payment takes no refund as it is now")]
    NotGiven,
    /// The store failed.
    #[error("the store failed")]
    Store(#[from] PortError),
}

impl Gateway {
    /// Asks for a refund; where the merchant's key of the request asked for it before, that one is
    /// answered as it is now. In the test environment its reference decides at once.
    ///
    /// # Errors
    /// Refuses what was not delivered, was given back, or is asked for a second time; a reference
    /// and a key that were used for another one; and one refund too many.
    pub async fn ask_for_refund(
        &self,
        merchant: &Merchant,
        wanted: NewRefund,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<RefundResult, RefundError> {
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("refund", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            let account = &merchant.account;
            if retry_key.is_some() {
                let earlier = self.parts().refunds.numbered_refund(&account.id, number);
                if let Some(earlier) = earlier.await? {
                    return self.asked_before(earlier, &wanted).await;
                }
            }
            self.refuse_used_reference(&account.id, &wanted).await?;
            let mut refund = self.refund_request(account, &wanted, number).await?;
            refund.forced = match account.environment {
                Environment::Live => None,
                Environment::Test => RefundVerdict::forced_by(&wanted.reference),
            };
            if self.create(&refund).await? {
                return self.asked(refund).await;
            }
        }
        Err(no_number_left())
    }

    /// A refund that an operator begins, without a request of the merchant. Where it was begun
    /// before under the same reference, that one is answered; nothing is given back yet.
    ///
    /// # Errors
    /// Refuses what was not delivered, was given back, or is asked for a second time, and a
    /// reference that was used for another one.
    pub async fn refund_by_operator(
        &self,
        account: &Account,
        wanted: &NewRefund,
    ) -> Result<RefundState, RefundError> {
        if let Some(earlier) = self.refund_of(&account.id, &wanted.reference).await? {
            return if earlier.request.is_of(wanted) {
                Ok(earlier)
            } else {
                Err(RefundError::ReferenceTaken(wanted.reference.clone()))
            };
        }
        for _ in 0..DRAWS_MAX {
            let number = self.parts().ids.transaction_number();
            let refund = self.refund_request(account, wanted, number).await?;
            if self.create(&refund).await? {
                return Ok(RefundState {
                    request: refund,
                    decision: None,
                    settled: None,
                });
            }
        }
        Err(no_number_left())
    }

    /// Stores a refund; `false` where its number is taken, so that another is drawn, or the request
    /// that has it is looked for.
    async fn create(&self, refund: &RefundRequest) -> Result<bool, RefundError> {
        match self.parts().refunds.create_refund(refund).await? {
            RefundCreation::Done => Ok(true),
            RefundCreation::NumberTaken => Ok(false),
            RefundCreation::ReferenceTaken => {
                Err(RefundError::ReferenceTaken(refund.reference.clone()))
            }
            RefundCreation::PaymentTaken => Err(RefundError::PaymentTaken),
            RefundCreation::TooMany => Err(RefundError::TooMany),
            RefundCreation::AccountUnknown => {
                let what = "a known account was not found as its refund was stored";
                Err(PortError::new("refunds", what).into())
            }
        }
    }

    /// One of the merchant's refunds.
    ///
    /// # Errors
    /// Refuses a reference under which the merchant asked for none.
    pub async fn refund(
        &self,
        merchant: &Merchant,
        reference: &MerchantReference,
    ) -> Result<RefundState, RefundError> {
        let found = self.refund_of(&merchant.account.id, reference).await?;
        found.ok_or(RefundError::Unknown)
    }

    /// A part of the merchant's refunds.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn refunds(
        &self,
        merchant: &Merchant,
        page: PageOf,
    ) -> Result<RefundPage, RefundError> {
        let refunds = &self.parts().refunds;
        Ok(refunds.refunds(&merchant.account.id, page).await?)
    }

    /// The refund that an account asked for under a reference, for its operator.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn refund_of(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<RefundState>, PortError> {
        self.parts().refunds.refund(account, reference).await
    }

    /// Refunds that are neither given nor refused, oldest first, for their operator.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn waiting_refunds(
        &self,
        account: Option<&AccountId>,
        limit: u32,
    ) -> Result<Vec<RefundState>, PortError> {
        self.parts().refunds.waiting_refunds(account, limit).await
    }

    /// Stores what operators decided of a refund, and gives the money back where they approved it.
    /// A repeat of the same decision gives what was not given yet, and nothing twice.
    ///
    /// # Errors
    /// See [`RefundDecisionRefused`].
    pub async fn decide_refund(
        &self,
        state: &RefundState,
        decision: &RefundDecision,
    ) -> Result<RefundState, RefundDecisionRefused> {
        let request = &state.request;
        let before = self.reread_refund(request).await?;
        if before.verdict().is_none() {
            self.may_decide(&before, decision)?;
        }
        let decided =
            self.parts()
                .refunds
                .decide_refund(&request.account, request.number, decision);
        if decided.await? == RefundDeciding::Unknown {
            return Err(RefundDecisionRefused::Unknown);
        }
        let state = self.reread_refund(request).await?;
        match state.verdict() {
            Some(verdict) if verdict != decision.verdict => {
                return Err(RefundDecisionRefused::Decided(verdict));
            }
            Some(RefundVerdict::Approved) => {}
            Some(RefundVerdict::Refused) | None => return Ok(state),
        }
        if state.settled.is_some() {
            return Ok(state);
        }
        self.give_back(request).await?;
        let state = self.reread_refund(request).await?;
        match state.settled {
            Some(_) => Ok(state),
            None => Err(RefundDecisionRefused::NotGiven),
        }
    }

    /// Whether a refund that nothing was decided of may be decided so.
    ///
    /// # Errors
    /// Refuses what its provider completed, and an amount that needs a second person.
    pub fn may_decide(
        &self,
        state: &RefundState,
        decision: &RefundDecision,
    ) -> Result<(), RefundDecisionRefused> {
        if state.settled.is_some() {
            return Err(RefundDecisionRefused::GivenByProvider);
        }
        let limit = self.parts().settings.dual_control_above;
        let is_above = state.request.amount.minor() > limit.minor();
        let second = decision.confirmed_by.as_ref();
        let is_confirmed = second.is_some_and(|second| *second != decision.by);
        let gives = decision.verdict == RefundVerdict::Approved;
        if gives && is_above && !is_confirmed {
            return Err(RefundDecisionRefused::SecondPersonNeeded);
        }
        Ok(())
    }

    /// What is asked for, checked against the payment.
    async fn refund_request(
        &self,
        account: &Account,
        wanted: &NewRefund,
        number: TransactionNumber,
    ) -> Result<RefundRequest, RefundError> {
        let payment = self.under_reference(&account.id, &wanted.original).await?;
        let payment = payment.ok_or(RefundError::PaymentUnknown)?;
        let amount = refundable(&payment, wanted.amount).map_err(RefundError::NotRefundable)?;
        Ok(RefundRequest {
            account: account.id.clone(),
            number,
            reference: wanted.reference.clone(),
            original: wanted.original.clone(),
            transaction: payment.number,
            amount,
            is_whole: wanted.amount.is_none(),
            reason: wanted.reason.clone(),
            forced: None,
            created_at: self.now(),
        })
    }

    /// Refuses a reference that was used. Where it was used for the same, what a crash kept from
    /// being given is given.
    async fn refuse_used_reference(
        &self,
        account: &AccountId,
        wanted: &NewRefund,
    ) -> Result<(), RefundError> {
        let Some(earlier) = self.refund_of(account, &wanted.reference).await? else {
            return Ok(());
        };
        if earlier.request.is_of(wanted) {
            self.complete_forced(earlier).await?;
        }
        Err(RefundError::ReferenceTaken(wanted.reference.clone()))
    }

    /// What its reference approves, given where a crash kept it from being given.
    async fn complete_forced(&self, earlier: RefundState) -> Result<RefundState, PortError> {
        let is_forced = earlier.request.forced == Some(RefundVerdict::Approved);
        if !is_forced || earlier.settled.is_some() {
            return Ok(earlier);
        }
        self.give_back(&earlier.request).await?;
        self.reread_refund(&earlier.request).await
    }

    /// What was asked for now, given where its reference decides so.
    async fn asked(&self, refund: RefundRequest) -> Result<RefundResult, RefundError> {
        let state = RefundState {
            request: refund,
            decision: None,
            settled: None,
        };
        Ok(RefundResult {
            state: self.complete_forced(state).await?,
            replay: ReplayMark::New,
        })
    }

    /// What the key of the request asked for before, where it is what is wanted now. What a crash
    /// kept from being given is given now.
    async fn asked_before(
        &self,
        earlier: RefundState,
        wanted: &NewRefund,
    ) -> Result<RefundResult, RefundError> {
        if !earlier.request.is_of(wanted) {
            return Err(RequestError::KeyReused.into());
        }
        Ok(RefundResult {
            state: self.complete_forced(earlier).await?,
            replay: ReplayMark::Replayed,
        })
    }

    async fn reread_refund(&self, refund: &RefundRequest) -> Result<RefundState, PortError> {
        let refunds = &self.parts().refunds;
        let found = refunds.numbered_refund(&refund.account, refund.number);
        let missing = || PortError::new("refunds", "a refund that was stored was not found");
        found.await?.ok_or_else(missing)
    }

    /// Books what was approved, as a step of the payment.
    async fn give_back(&self, refund: &RefundRequest) -> Result<(), PortError> {
        let payment = self.under_reference(&refund.account, &refund.original);
        let payment = payment.await?;
        let payment = payment.filter(|it| it.number == refund.transaction);
        let missing = || PortError::new("refunds", "the payment of a refund was not found");
        let granted = Observation::Refund(GrantedRefund {
            number: refund.number,
            amount: refund.amount,
            at: self.now(),
        });
        let payment = payment.ok_or_else(missing)?;
        self.settle_attempt(payment, &granted.into(), Driver::Recovery)
            .await
            .map(drop)
    }
}

fn no_number_left() -> RefundError {
    PortError::new("refunds", "every number that was drawn is in use").into()
}
