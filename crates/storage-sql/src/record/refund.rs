//! Refunds read back, with what was decided and what the ledger says of them. A row must pass every
//! rule that a fresh refund passes.

use super::RecordError;
use super::scalar::{valid, word};
use crate::PART;
use domain::account::AccountId;
use domain::money::{Currency, Money};
use domain::operator::OperatorName;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::refund::{
    RefundChannel, RefundDecision, RefundReason, RefundRequest, RefundSettlement, RefundState,
    RefundVerdict,
};
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};

/// A refund as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefundRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// The merchant's reference.
    pub reference: String,
    /// The reference of the payment.
    pub original: String,
    /// The number of the payment.
    pub payment: i64,
    /// How much was asked for, in minor units.
    pub amount: i64,
    /// In which currency.
    pub currency: String,
    /// Whether it is the whole price, which was not named.
    pub is_whole: bool,
    /// Why.
    pub reason: String,
    /// The word of the verdict that the reference decides.
    pub forced: Option<String>,
    /// When it was asked for, in milliseconds.
    pub created_at: i64,
    /// What was decided.
    pub decision: Option<RefundDecisionRow>,
    /// How much the gateway gave back, in minor units, and when; where it did.
    pub credited: Option<(i64, i64)>,
    /// How much the provider gave back, in minor units, and when; where it did.
    pub returned: Option<(i64, i64)>,
}

/// A decision as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefundDecisionRow {
    /// The word of the verdict.
    pub verdict: String,
    /// Who decided.
    pub decided_by: String,
    /// The second operator.
    pub confirmed_by: Option<String>,
    /// When, in milliseconds.
    pub at: i64,
}

impl RefundDecisionRow {
    /// The row of a decision.
    pub fn of(decision: &RefundDecision) -> Self {
        let second = decision.confirmed_by.as_ref();
        Self {
            verdict: decision.verdict.code().to_owned(),
            decided_by: decision.by.as_str().to_owned(),
            confirmed_by: second.map(|actor| actor.as_str().to_owned()),
            at: decision.at.as_millis(),
        }
    }

    fn read(&self) -> Result<RefundDecision, RecordError> {
        let second = self.confirmed_by.as_deref().map(OperatorName::parse);
        Ok(RefundDecision {
            verdict: word(RefundVerdict::from_code(&self.verdict), "verdict")?,
            by: valid(OperatorName::parse(&self.decided_by), "decided_by")?,
            confirmed_by: valid(second.transpose(), "confirmed_by")?,
            at: Timestamp::from_millis(self.at),
        })
    }
}

impl RefundRow {
    /// The row of a refund that nothing was decided of.
    pub fn of(refund: &RefundRequest) -> Self {
        let stored = |number: TransactionNumber| i64::try_from(number.get()).unwrap_or(i64::MAX);
        Self {
            account: refund.account.as_str().to_owned(),
            number: stored(refund.number),
            reference: refund.reference.as_str().to_owned(),
            original: refund.original.as_str().to_owned(),
            payment: stored(refund.transaction),
            amount: refund.amount.minor(),
            currency: refund.amount.currency().code().to_owned(),
            is_whole: refund.is_whole,
            reason: refund.reason.as_str().to_owned(),
            forced: refund.forced.map(|verdict| verdict.code().to_owned()),
            created_at: refund.created_at.as_millis(),
            ..Self::default()
        }
    }

    /// The refund, and what became of it.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the refund.
    pub fn restore(&self) -> Result<RefundState, PortError> {
        self.read().map_err(|error| {
            let what = format!("refund {} of {} cannot be read", self.number, self.account);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<RefundState, RecordError> {
        let number = |stored: i64, field| {
            let number = u64::try_from(stored).unwrap_or_default();
            valid(TransactionNumber::try_new(number), field)
        };
        let forced = self.forced.as_deref();
        let forced = forced.map(|code| word(RefundVerdict::from_code(code), "forced"));
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let amount = |minor, field| {
            let amount = Money::from_minor(minor, currency);
            let fits = amount.is_positive() && minor <= Money::MAX_MINOR;
            fits.then_some(amount).ok_or(RecordError::Value(field))
        };
        // What the gateway gave is what was asked for; that the provider takes the delivery back
        // later changes nothing of it.
        let settled = match (self.credited, self.returned) {
            (Some(credited), _) => Some((RefundChannel::Credit, credited)),
            (None, Some(returned)) => Some((RefundChannel::Provider, returned)),
            (None, None) => None,
        };
        let settled = settled.map(|(by, (minor, at))| {
            Ok(RefundSettlement {
                by,
                amount: amount(minor, "settled")?,
                at: Timestamp::from_millis(at),
            })
        });
        Ok(RefundState {
            request: RefundRequest {
                account: valid(AccountId::parse(&self.account), "account")?,
                number: number(self.number, "number")?,
                reference: valid(MerchantReference::parse(&self.reference), "reference")?,
                original: valid(MerchantReference::parse(&self.original), "original")?,
                transaction: number(self.payment, "payment")?,
                amount: amount(self.amount, "amount")?,
                is_whole: self.is_whole,
                reason: valid(RefundReason::parse(&self.reason), "reason")?,
                forced: forced.transpose()?,
                created_at: Timestamp::from_millis(self.created_at),
            },
            decision: self
                .decision
                .as_ref()
                .map(RefundDecisionRow::read)
                .transpose()?,
            settled: settled.transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{refund, refund_decision};

    #[test]
    fn a_refund_is_read_back_as_it_was_written() {
        let made = refund("shop", 7, "back-1");
        let mut row = RefundRow::of(&made);
        let state = row.restore().unwrap();
        assert_eq!(
            (state.request, state.decision, state.settled),
            (made, None, None)
        );
        let decision = refund_decision(RefundVerdict::Approved);
        row.decision = Some(RefundDecisionRow::of(&decision));
        row.returned = Some((100_000, 8));
        assert_eq!(row.restore().unwrap().decision, Some(decision));
        let by_provider = row.restore().unwrap().settled.unwrap();
        assert_eq!(by_provider.by, RefundChannel::Provider);
        row.credited = Some((4_000_000, 9));
        let settled = row.restore().unwrap().settled.unwrap();
        assert_eq!(settled.amount.to_string(), "40,000.00");
        assert_eq!(settled.by, RefundChannel::Credit);
        assert_eq!(settled.at, Timestamp::from_millis(9));
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut RefundRow); 11] = [
            |row| row.account = "a b".into(),
            |row| row.number = 0,
            |row| row.reference = "a b".into(),
            |row| row.original = "a b".into(),
            |row| row.payment = 0,
            |row| row.amount = 0,
            |row| row.currency = "USD".into(),
            |row| row.reason = " ".into(),
            |row| row.forced = Some("perhaps".into()),
            |row| row.credited = Some((-1, 0)),
            |row| row.decision = Some(RefundDecisionRow::default()),
        ];
        for break_it in broken {
            let mut row = RefundRow::of(&refund("shop", 7, "back-1"));
            break_it(&mut row);
            let error = row.restore().unwrap_err();
            assert!(error.to_string().contains("refund"), "{error}");
        }
    }
}
