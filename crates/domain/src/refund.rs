//! Refunds: a merchant asks for the price of a delivered payment, persons decide, and the gateway
//! gives it back. A payment must be refunded once, and never beside a reversal by its provider.

use crate::account::AccountId;
use crate::money::Money;
use crate::operator::OperatorName;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::text::{self, UnfitLine};
use crate::time::Timestamp;
use crate::transaction::{State, Status, Transaction};

/// How many refunds of an account may wait: persons decide each by hand, and their rows are kept
/// for ever.
pub const REFUNDS_OPEN_MAX: u32 = 100;

/// Why a merchant asks for a refund: one line of 1–200 characters, without blanks at either end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RefundReason(String);

impl RefundReason {
    /// Most characters: two sentences, which the list of an operator shows whole.
    pub const LENGTH_MAX: usize = 200;

    /// Reads a reason; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, UnfitLine> {
        text::line(text, Self::LENGTH_MAX).map(|text| Self(text.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a merchant asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRefund {
    /// The merchant's reference of the refund.
    pub reference: MerchantReference,
    /// The reference of the payment.
    pub original: MerchantReference,
    /// How much; the whole price where it is not said.
    pub amount: Option<Money>,
    /// Why.
    pub reason: RefundReason,
}

/// A refund as it was asked for, which never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRequest {
    /// Whose.
    pub account: AccountId,
    /// The gateway's number of it, unique in the account among refunds.
    pub number: TransactionNumber,
    /// The merchant's reference, unique in the account among refunds for ever.
    pub reference: MerchantReference,
    /// The reference of the payment.
    pub original: MerchantReference,
    /// The number of the payment.
    pub transaction: TransactionNumber,
    /// How much, at most the price of the payment.
    pub amount: Money,
    /// Whether the merchant asked for the whole price without naming it.
    pub is_whole: bool,
    /// Why.
    pub reason: RefundReason,
    /// What its reference decides of it, where the account is one to try things with.
    pub forced: Option<RefundVerdict>,
    /// When it was asked for.
    pub created_at: Timestamp,
}

impl RefundRequest {
    /// Whether it is what is wanted now.
    pub fn is_of(&self, wanted: &NewRefund) -> bool {
        let asked = (!self.is_whole).then_some(self.amount);
        (&self.reference, &self.original, asked, &self.reason)
            == (
                &wanted.reference,
                &wanted.original,
                wanted.amount,
                &wanted.reason,
            )
    }
}

/// Whether a refund is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundVerdict {
    /// It is.
    Approved,
    /// It is not.
    Refused,
}

impl RefundVerdict {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Approved, Self::Refused];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Refused => "refused",
        }
    }

    /// What the reference of a refund decides in the test environment: `0001` at its end refuses
    /// it, `0002` leaves it to an operator, and every other approves it.
    pub fn forced_by(reference: &MerchantReference) -> Option<Self> {
        let reference = reference.as_str();
        if reference.ends_with("0001") {
            Some(Self::Refused)
        } else if reference.ends_with("0002") {
            None
        } else {
            Some(Self::Approved)
        }
    }

    /// The verdict of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.code() == code)
    }
}

/// What was decided of a refund, for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundDecision {
    /// What.
    pub verdict: RefundVerdict,
    /// Who.
    pub by: OperatorName,
    /// The second, different operator, where two were needed.
    pub confirmed_by: Option<OperatorName>,
    /// When.
    pub at: Timestamp,
}

/// What a payment was given back by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundSettlement {
    /// How.
    pub by: RefundChannel,
    /// How much came back to the account.
    pub amount: Money,
    /// When.
    pub at: Timestamp,
}

/// Who gives the price of a payment back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundChannel {
    /// The gateway, at its own cost.
    Credit,
    /// The provider, by taking the delivery back.
    Provider,
}

impl RefundChannel {
    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Provider => "provider",
        }
    }
}

/// What became of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundStatus {
    /// It waits for persons, or to be booked.
    Pending,
    /// The money came back.
    Completed,
    /// A person refused it.
    Refused,
}

impl RefundStatus {
    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Completed => "Completed",
            Self::Refused => "Refused",
        }
    }

    /// The status that every transaction has.
    pub const fn of_transaction(self) -> Status {
        match self {
            Self::Pending => Status::Pending,
            Self::Completed => Status::Successful,
            Self::Refused => Status::Failed,
        }
    }
}

/// A refund and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundState {
    /// The refund.
    pub request: RefundRequest,
    /// What was decided.
    pub decision: Option<RefundDecision>,
    /// What the ledger says came back for the payment.
    pub settled: Option<RefundSettlement>,
}

impl RefundState {
    /// What persons decided, or the reference of a test account.
    pub fn verdict(&self) -> Option<RefundVerdict> {
        let decided = self.decision.as_ref().map(|decision| decision.verdict);
        decided.or(self.request.forced)
    }

    /// Its status. A refusal stays one: where the provider gives the price back later, that is a
    /// reversal and no refund. What came back before it was refused stays completed.
    pub fn status(&self) -> RefundStatus {
        let refused_at = match (&self.decision, self.verdict()) {
            (Some(decision), Some(RefundVerdict::Refused)) => Some(decision.at),
            (None, Some(RefundVerdict::Refused)) => Some(self.request.created_at),
            (_, Some(RefundVerdict::Approved) | None) => None,
        };
        match (refused_at, &self.settled) {
            (Some(at), Some(settled)) if settled.at <= at => RefundStatus::Completed,
            (Some(_), _) => RefundStatus::Refused,
            (None, Some(_)) => RefundStatus::Completed,
            (None, None) => RefundStatus::Pending,
        }
    }
}

/// What the gateway gave back for a delivered payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantedRefund {
    /// The number of the refund.
    pub number: TransactionNumber,
    /// How much.
    pub amount: Money,
    /// When.
    pub at: Timestamp,
}

/// Why a payment cannot be refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRefundable {
    /// Its outcome is not known.
    #[error("has no outcome yet; ask for a refund once it is Successful")]
    Open,
    /// The price was given back.
    #[error("was not delivered, and its price was given back")]
    Failed,
    /// The provider took the delivery back.
    #[error("was reversed, and its price was given back")]
    Reversed,
    /// It moved money between wallets, without a provider.
    #[error("moved money between wallets, which is not refunded; ask who received it")]
    Booked,
    /// It cost nothing.
    #[error("cost nothing, so that there is nothing to give back")]
    Free,
    /// It was refunded.
    #[error("was refunded")]
    Refunded,
    /// The amount is above the price.
    #[error("is above the price of the payment, which was {0}")]
    AbovePrice(Money),
    /// The amount is in another currency than the price.
    #[error("must be in {0}, in which the payment was paid")]
    OtherCurrency(&'static str),
}

/// What is given back for a payment: the amount that was asked for, or the whole price.
///
/// # Errors
/// Refuses a payment that was not delivered, or was given back, and more than was charged.
pub fn refundable(
    transaction: &Transaction,
    amount: Option<Money>,
) -> Result<Money, NotRefundable> {
    match &transaction.state {
        State::Successful(delivered) if delivered.refund.is_some() => {
            return Err(NotRefundable::Refunded);
        }
        State::Successful(_) => {}
        State::Failed(_) | State::Cancelled(_) => return Err(NotRefundable::Failed),
        State::Reversed(_) => return Err(NotRefundable::Reversed),
        State::Booked(_) => return Err(NotRefundable::Booked),
        State::Queued(_) | State::Sending(_) | State::InDoubt(_) | State::Review(_) => {
            return Err(NotRefundable::Open);
        }
    }
    let price = transaction.charged().price;
    if !price.is_positive() {
        return Err(NotRefundable::Free);
    }
    let wanted = amount.unwrap_or(price);
    if wanted.currency() != price.currency() {
        return Err(NotRefundable::OtherCurrency(price.currency().code()));
    }
    if wanted.minor() > price.minor() {
        return Err(NotRefundable::AbovePrice(price));
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn number(number: u64) -> TransactionNumber {
        TransactionNumber::try_new(number).unwrap()
    }

    fn request() -> RefundRequest {
        RefundRequest {
            account: AccountId::parse("shop").unwrap(),
            number: number(7),
            reference: MerchantReference::parse("back-1").unwrap(),
            original: MerchantReference::parse("order-1").unwrap(),
            transaction: number(1),
            amount: naira(5_000),
            is_whole: false,
            reason: RefundReason::parse("never arrived").unwrap(),
            forced: None,
            created_at: Timestamp::from_millis(1_000),
        }
    }

    #[test]
    fn a_reason_is_one_line_of_at_most_two_hundred_characters() {
        let longest = "é".repeat(RefundReason::LENGTH_MAX);
        for (text, kept) in [(" never arrived ", "never arrived"), (&longest, &longest)] {
            assert_eq!(RefundReason::parse(text).unwrap().as_str(), kept);
        }
        let refused = |text: &str| RefundReason::parse(text).unwrap_err();
        assert_eq!(refused("  "), UnfitLine::Empty);
        assert_eq!(
            refused(&format!("{longest}x")),
            UnfitLine::TooLong(RefundReason::LENGTH_MAX)
        );
        assert!(matches!(refused("a\nb"), UnfitLine::Unfit(_)));
    }

    #[test]
    fn a_retry_says_the_same_of_everything() {
        let wanted = NewRefund {
            reference: MerchantReference::parse("back-1").unwrap(),
            original: MerchantReference::parse("order-1").unwrap(),
            amount: Some(naira(5_000)),
            reason: RefundReason::parse("never arrived").unwrap(),
        };
        assert!(request().is_of(&wanted));
        let whole = RefundRequest {
            is_whole: true,
            ..request()
        };
        let unsaid = NewRefund {
            amount: None,
            ..wanted.clone()
        };
        assert!(whole.is_of(&unsaid));
        for (request, wanted) in [(&request(), &unsaid), (&whole, &wanted)] {
            assert!(!request.is_of(wanted), "{wanted:?}");
        }
        let other = NewRefund {
            reason: RefundReason::parse("another").unwrap(),
            ..wanted
        };
        assert!(!request().is_of(&other));
    }

    #[test]
    fn the_status_follows_from_the_decision_and_the_ledger() {
        let settled = RefundSettlement {
            by: RefundChannel::Credit,
            amount: naira(5_000),
            at: Timestamp::from_millis(3_000),
        };
        let status = |verdict: Option<RefundVerdict>, settled| {
            let state = RefundState {
                request: request(),
                decision: verdict.map(|verdict| RefundDecision {
                    verdict,
                    by: OperatorName::parse("amaka").unwrap(),
                    confirmed_by: None,
                    at: Timestamp::from_millis(2_000),
                }),
                settled,
            };
            (state.status(), state.status().of_transaction())
        };
        let pending = (RefundStatus::Pending, Status::Pending);
        let completed = (RefundStatus::Completed, Status::Successful);
        let refused = (RefundStatus::Refused, Status::Failed);
        let (yes, no) = (Some(RefundVerdict::Approved), Some(RefundVerdict::Refused));
        assert_eq!(status(None, None), pending);
        assert_eq!(status(yes, None), pending);
        assert_eq!(status(yes, Some(settled)), completed);
        assert_eq!(status(None, Some(settled)), completed);
        assert_eq!(status(no, None), refused);
        assert_eq!(status(no, Some(settled)), refused);
        let before = RefundSettlement {
            at: Timestamp::from_millis(2_000),
            ..settled
        };
        assert_eq!(status(no, Some(before)), completed);
    }

    #[test]
    fn a_verdict_is_read_back_from_its_word() {
        for verdict in RefundVerdict::ALL {
            assert_eq!(RefundVerdict::from_code(verdict.code()), Some(verdict));
        }
        assert_eq!(RefundVerdict::from_code("perhaps"), None);
    }

    #[test]
    fn a_reference_of_the_test_environment_decides() {
        let forced = |text| RefundVerdict::forced_by(&MerchantReference::parse(text).unwrap());
        assert_eq!(forced("back-0001"), Some(RefundVerdict::Refused));
        assert_eq!(forced("back-0002"), None);
        assert_eq!(forced("back-00021"), Some(RefundVerdict::Approved));
        let request = RefundRequest {
            forced: Some(RefundVerdict::Refused),
            ..request()
        };
        let state = RefundState {
            request,
            decision: None,
            settled: None,
        };
        assert_eq!(state.status(), RefundStatus::Refused);
    }
}
