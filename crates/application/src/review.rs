//! What persons decide. Above a limit two different persons are needed, and no decision is made
//! without evidence named.

use crate::gateway::Gateway;
use crate::record::Driver;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::transaction::{
    Evidence, Observation, Proof, Reversed, Ruling, State, Transaction, Verdict,
};
use ports::PortError;
use ports::backlog::OpenState;

/// Why a ruling was not taken.
#[derive(Debug, thiserror::Error)]
pub enum RulingRefused {
    /// No such transaction.
    #[error("the account has no transaction under this reference")]
    Unknown,
    /// The transaction does not wait for a person.
    #[error("the transaction is not under review")]
    NotInReview,
    /// No name or no evidence.
    #[error("who decides and on what evidence must both be named")]
    Unfounded,
    /// The amount is above the limit for one person.
    #[error("this amount needs a second, different person to confirm")]
    SecondPersonNeeded,
    /// What is said to have been delivered does not complete the order.
    #[error("what was delivered does not complete the order; a prepaid meter needs its token")]
    Incomplete,
    /// The store failed.
    #[error("the store failed")]
    Store(#[from] PortError),
}

impl Gateway {
    /// Transactions that wait for a person, oldest first.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn reviews(&self, limit: u32) -> Result<Vec<Transaction>, PortError> {
        self.unsettled(OpenState::Review, limit).await
    }

    /// Transactions in a state that is not final, those accepted first.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn unsettled(
        &self,
        state: OpenState,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        self.parts().transactions.unsettled(state, limit).await
    }

    /// The transaction of an account under a reference, of any family.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn under_reference(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError> {
        self.parts()
            .transactions
            .by_reference(account, reference)
            .await
    }

    /// Settles a transaction under review by a ruling.
    ///
    /// # Errors
    /// See [`RulingRefused`]; nothing was changed, unless the store failed: then the transaction
    /// shows whether the ruling was stored.
    pub async fn rule(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
        ruling: Ruling,
    ) -> Result<Transaction, RulingRefused> {
        let stored = self.under_reference(account, reference).await?;
        let transaction = stored.ok_or(RulingRefused::Unknown)?;
        self.may_rule(&transaction, &ruling)?;
        let observation = Observation::Ruling(ruling.clone());
        let settled = self
            .settle_attempt(transaction, &observation.into(), Driver::Recovery)
            .await?;
        // It may have been settled meanwhile, and perhaps the other way.
        if ruling_of(&settled) == Some(&ruling) {
            Ok(settled)
        } else {
            Err(RulingRefused::NotInReview)
        }
    }

    /// Whether a ruling may be made.
    ///
    /// # Errors
    /// See [`RulingRefused`].
    pub fn may_rule(
        &self,
        transaction: &Transaction,
        ruling: &Ruling,
    ) -> Result<(), RulingRefused> {
        if !matches!(transaction.state, State::Review(_)) {
            return Err(RulingRefused::NotInReview);
        }
        if ruling.by.trim().is_empty() || ruling.evidence.trim().is_empty() {
            return Err(RulingRefused::Unfounded);
        }
        let limit = self.parts().settings.dual_control_above;
        let confirmed = ruling
            .confirmed_by
            .as_deref()
            .map(str::trim)
            .is_some_and(|second| {
                !second.is_empty() && !second.eq_ignore_ascii_case(ruling.by.trim())
            });
        if transaction.quote.amount.minor() > limit.minor() && !confirmed {
            return Err(RulingRefused::SecondPersonNeeded);
        }
        match &ruling.verdict {
            Verdict::Delivered(fulfilment) if !fulfilment.completes(&transaction.order) => {
                Err(RulingRefused::Incomplete)
            }
            Verdict::Delivered(_) | Verdict::NotDelivered => Ok(()),
        }
    }
}

/// The ruling that settled a transaction, where one did.
fn ruling_of(transaction: &Transaction) -> Option<&Ruling> {
    match &transaction.state {
        State::Successful(delivered) | State::Reversed(Reversed { delivered, .. }) => {
            match &delivered.evidence {
                Evidence::Ruled(ruling) => Some(ruling),
                Evidence::Answered | Evidence::Found => None,
            }
        }
        State::Failed(state) => match &state.proof {
            Proof::Ruled(ruling) => Some(ruling),
            Proof::NotSent | Proof::Refused(_) | Proof::Absent(_) | Proof::TakenBack => None,
        },
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    }
}
