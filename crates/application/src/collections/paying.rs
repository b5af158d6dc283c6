//! Payments to collections as they are reported: by a bank through its operator, or by the sandbox
//! at the wish of its merchant. A session must be credited once, whatever reports it again.

use super::{CollectedResult, CollectionError};
use crate::gateway::{Gateway, Merchant};
use crate::hex::hex;
use crate::payment::ReplayMark;
use crate::prefixed_parts::PrefixedParts;
use crate::request_error::RequestError;
use crate::retried_number::number_of;
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use domain::collection::{
    BankSession, CollectedPayment, Collection, CollectionPayer, CollectionSource,
};
use domain::environment::Environment;
use domain::money::Money;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::PortError;
use ports::collections::CollectionName;
use ports::ledger_store::CommitOutcome;

/// Bytes of the hash that a simulated session is: 30 digits and letters, as many as the sessions of
/// banks have.
const SESSION_BYTES: usize = 15;

/// A payment that a test account wants to be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulatedPayment {
    /// The merchant's reference of the request: another one is another payment.
    pub reference: MerchantReference,
    /// The collection.
    pub collection: TransactionNumber,
    /// How much.
    pub amount: Money,
    /// Who pays.
    pub payer: CollectionPayer,
}

/// A payment that a bank reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentReport {
    /// The session.
    pub session: BankSession,
    /// How much arrived.
    pub amount: Money,
    /// Who paid.
    pub payer: CollectionPayer,
    /// When the bank took it.
    pub paid_at: Timestamp,
}

impl Gateway {
    /// The collection that payers reach by a number, of whatever account, for its operator.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn collection_of_payee(&self, payee: &str) -> Result<Option<Collection>, PortError> {
        self.parts().collections.collection_of_payee(payee).await
    }

    /// The payment of a session of the operator's bank, for its operator.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn payment_of_session(
        &self,
        session: &BankSession,
    ) -> Result<Option<CollectedPayment>, PortError> {
        let collections = &self.parts().collections;
        let source = CollectionSource::Bank;
        collections.collected_payment(source, session).await
    }

    /// A reported payment to a collection as it is credited, with what is charged for it now.
    pub fn payment_to(
        &self,
        collection: &Collection,
        (source, report): (CollectionSource, PaymentReport),
    ) -> Result<CollectedPayment, PortError> {
        let at = self.now();
        Ok(CollectedPayment {
            account: collection.account.clone(),
            number: self.payment_number(source, &report.session)?,
            collection: collection.number,
            reference: collection.reference.clone(),
            source,
            session: report.session,
            amount: report.amount,
            fee: self.parts().collection_terms.charges.of(report.amount, at),
            payer: report.payer,
            paid_at: report.paid_at,
            at,
        })
    }

    /// Pays a collection of a test account from the sandbox. A repeated request is answered with
    /// the payment of the first.
    ///
    /// # Errors
    /// Refuses live accounts, a collection that is not the merchant's, and a reference
    /// that was used for another payment.
    pub async fn simulate_payment(
        &self,
        merchant: &Merchant,
        wanted: SimulatedPayment,
    ) -> Result<CollectedResult, CollectionError> {
        match merchant.account.environment {
            Environment::Test => {}
            Environment::Live => return Err(CollectionError::NotSimulated),
        }
        let state = self.numbered(merchant, wanted.collection).await?;
        let state = state.ok_or(CollectionError::Unknown)?;
        let report = PaymentReport {
            session: self.simulated_session(&merchant.account.id, wanted.reference.as_str())?,
            amount: wanted.amount,
            payer: wanted.payer,
            paid_at: self.now(),
        };
        let of = (CollectionSource::Sandbox, report);
        let payment = self.payment_to(&state.collection, of)?;
        let (payment, replay) = match self.credit_payment(payment.clone()).await? {
            None => (payment, ReplayMark::New),
            Some(earlier) if earlier.is_of(&payment) => (earlier, ReplayMark::Replayed),
            Some(_) => return Err(CollectionError::PaymentTaken),
        };
        let name = CollectionName::Number(payment.collection);
        let collections = &self.parts().collections;
        let state = collections.collection(&merchant.account.id, name).await?;
        Ok(CollectedResult {
            payment,
            state: state.ok_or(CollectionError::Unknown)?,
            replay,
        })
    }

    /// Credits a payment, once for its session; `Some` where the session was credited before, with
    /// that payment.
    ///
    /// # Errors
    /// Where it cannot be booked. Unless the error says that nothing was done it may have been:
    /// reported again, it is credited once.
    pub async fn credit_payment(
        &self,
        payment: CollectedPayment,
    ) -> Result<Option<CollectedPayment>, CollectionError> {
        let change = ChangeSet::Collect(Box::new(payment));
        match self.parts().ledger.commit(change).await? {
            CommitOutcome::Done => Ok(None),
            CommitOutcome::SessionTaken(earlier) => Ok(Some(*earlier)),
            CommitOutcome::BalanceLimit => Err(CollectionError::BalanceLimit),
            other @ (CommitOutcome::Suspended
            | CommitOutcome::AccountUnknown
            | CommitOutcome::AccountSuspended
            | CommitOutcome::Frozen(_)
            | CommitOutcome::InsufficientFunds
            | CommitOutcome::KeyTaken(_)
            | CommitOutcome::ReferenceTaken(_)
            | CommitOutcome::BatchTaken(_)
            | CommitOutcome::ReferenceUnsettled
            | CommitOutcome::ReferenceSettled
            | CommitOutcome::SettlementUnfounded
            | CommitOutcome::OtherEnvironment
            | CommitOutcome::FundingTaken(_)
            | CommitOutcome::NumberTaken
            | CommitOutcome::OverDailyLimit(_)
            | CommitOutcome::VersionConflict(_)
            | CommitOutcome::VoucherRefused(_)) => {
                let what = format!("a payment to a collection cannot be booked: {other:?}");
                Err(PortError::new("books", what).with_nothing_done().into())
            }
        }
    }

    /// The number of the payment of a session: the same however often it is reported, so that two
    /// that record it at once draw no other.
    fn payment_number(
        &self,
        source: CollectionSource,
        session: &BankSession,
    ) -> Result<TransactionNumber, PortError> {
        let message = PrefixedParts::after(b"payment").with_each([source.code(), session.as_str()]);
        let hash = self.parts().pepper.first().authenticate(message.as_bytes());
        number_of(&hash)
    }

    /// The session of a simulated payment: one for each reference of an account.
    pub(super) fn simulated_session(
        &self,
        account: &AccountId,
        reference: &str,
    ) -> Result<BankSession, RequestError> {
        let parts = [account.as_str(), reference];
        let message = PrefixedParts::after(b"session").with_each(parts);
        let hash = self.parts().pepper.first().authenticate(message.as_bytes());
        let session = hex(hash.iter().take(SESSION_BYTES));
        let session = BankSession::parse(&session);
        session.map_err(|_| PortError::new("ids", "a session that is none").into())
    }
}
