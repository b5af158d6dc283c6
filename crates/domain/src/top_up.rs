//! Top-ups: money that a merchant says it will pay in. A top-up must never move money: only
//! the operator's confirmation that the money arrived does, as a funding of its own reference.

use crate::account::AccountId;
use crate::bank::{AccountNumber, GroupLabel};
use crate::money::{Currency, Money};
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use crate::transaction::Status;
use std::time::Duration;

/// How long a top-up is open: transfers between banks that are held up arrive within days,
/// and the operator should not look for money that does not come any more.
pub const TOP_UP_OPEN_FOR: Duration = Duration::from_hours(7 * 24);

/// How many open top-ups an account has: the operator looks for the money of each by hand, and
/// rows of top-ups are kept for ever.
pub const TOP_UPS_OPEN_MAX: u32 = 100;

/// The smallest top-up: NGN 100.00. The operator finds and confirms each by hand, which costs more
/// than less is worth.
pub const TOP_UP_MIN: Money = Money::from_minor(10_000, Currency::Ngn);

/// The largest top-up: NGN 100,000,000.00, far above what one transfer between banks may carry.
/// What is larger is a mistake of digits.
pub const TOP_UP_MAX: Money = Money::from_minor(10_000_000_000, Currency::Ngn);

/// How the money comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TopUpChannel {
    /// By a transfer to the bank account that the operator names.
    Transfer,
    /// As merchant and operator agree between themselves: cash, a cheque, another account.
    Manual,
}

impl TopUpChannel {
    /// Every channel.
    pub const ALL: [Self; 2] = [Self::Transfer, Self::Manual];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Transfer => "transfer",
            Self::Manual => "manual",
        }
    }

    /// The channel of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.code() == code)
    }
}

/// The bank account of the operator that merchants pay to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivingAccount {
    /// The bank that keeps it, by its legal name.
    pub bank: GroupLabel,
    /// Its number.
    pub number: AccountNumber,
    /// Who holds it.
    pub name: GroupLabel,
}

/// Why an amount is not one of a top-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTopUpAmount {
    /// Below [`TOP_UP_MIN`].
    #[error("is too small; the smallest is {TOP_UP_MIN}")]
    TooSmall,
    /// Above [`TOP_UP_MAX`].
    #[error("is too large; the largest is {TOP_UP_MAX}")]
    TooLarge,
    /// Not in money, of which alone there are top-ups: message credits are bought with it.
    #[error("must be in NGN")]
    OtherCurrency,
}

/// What a merchant says it will pay in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTopUp {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// How much.
    pub amount: Money,
    /// How.
    pub channel: TopUpChannel,
}

impl NewTopUp {
    /// Checks an amount.
    ///
    /// # Errors
    /// Refuses what is not between [`TOP_UP_MIN`] and [`TOP_UP_MAX`], and message credits.
    pub fn check(amount: Money) -> Result<(), InvalidTopUpAmount> {
        match amount.currency() {
            Currency::Crd => Err(InvalidTopUpAmount::OtherCurrency),
            Currency::Ngn if amount.minor() < TOP_UP_MIN.minor() => {
                Err(InvalidTopUpAmount::TooSmall)
            }
            Currency::Ngn if amount.minor() > TOP_UP_MAX.minor() => {
                Err(InvalidTopUpAmount::TooLarge)
            }
            Currency::Ngn => Ok(()),
        }
    }
}

/// A top-up as it is stored, which never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountTopUp {
    /// Whose.
    pub account: AccountId,
    /// The gateway's number of it, unique in the account among top-ups.
    pub number: TransactionNumber,
    /// The merchant's reference, unique in the account among top-ups for ever.
    pub reference: MerchantReference,
    /// How much was announced.
    pub amount: Money,
    /// How it comes.
    pub channel: TopUpChannel,
    /// When it was announced.
    pub created_at: Timestamp,
    /// From when on it counts as failed, unless it was confirmed.
    pub expires_at: Timestamp,
}

impl AccountTopUp {
    /// The reference under which its confirmation books the money. It follows from the number, so
    /// that a second confirmation finds the reference taken.
    pub fn funding_reference(&self) -> MerchantReference {
        MerchantReference::of_top_up(self.number)
    }

    /// Whether it is what is wanted now.
    pub fn is_of(&self, wanted: &NewTopUp) -> bool {
        let Self {
            reference,
            amount,
            channel,
            ..
        } = self;
        (reference, amount, channel) == (&wanted.reference, &wanted.amount, &wanted.channel)
    }
}

/// Whether a funding of this reference confirms a top-up, so that nothing else may be booked under
/// it.
pub fn confirms_top_up(reference: &MerchantReference) -> bool {
    let number = reference
        .as_str()
        .strip_prefix(MerchantReference::TOP_UP_PREFIX);
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()))
}

/// What the operator confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopUpConfirmation {
    /// How much arrived and was credited; it may differ from what was announced.
    pub amount: Money,
    /// When it was credited.
    pub at: Timestamp,
}

/// A top-up and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopUpState {
    /// The top-up.
    pub top_up: AccountTopUp,
    /// Its funding, where the ledger holds one.
    pub confirmed: Option<TopUpConfirmation>,
}

impl TopUpState {
    /// The status at a moment. Money that arrives after the end is credited still, so that a failed
    /// one may become successful.
    pub fn status(&self, now: Timestamp) -> Status {
        match self.confirmed {
            Some(_) => Status::Successful,
            None if now < self.top_up.expires_at => Status::Pending,
            None => Status::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn top_up() -> AccountTopUp {
        let created_at = Timestamp::from_millis(1_000);
        AccountTopUp {
            account: AccountId::parse("shop").unwrap(),
            number: TransactionNumber::try_new(TransactionNumber::MAX).unwrap(),
            reference: MerchantReference::parse("top-1").unwrap(),
            amount: naira(10_000),
            channel: TopUpChannel::Transfer,
            created_at,
            expires_at: created_at.plus(TOP_UP_OPEN_FOR),
        }
    }

    #[test]
    fn an_amount_is_between_two_limits_and_in_money() {
        for minor in [10_000, 10_000_000_000] {
            assert_eq!(NewTopUp::check(naira(minor)), Ok(()));
        }
        let refused = |amount| NewTopUp::check(amount).unwrap_err().to_string();
        assert_eq!(
            refused(naira(9_999)),
            "is too small; the smallest is 100.00"
        );
        assert_eq!(
            refused(naira(10_000_000_001)),
            "is too large; the largest is 100,000,000.00"
        );
        let credits = Money::from_minor(10_000, Currency::Crd);
        assert_eq!(refused(credits), "must be in NGN");
    }

    #[test]
    fn the_status_follows_from_the_funding_and_the_time() {
        let top_up = top_up();
        let (last, end) = (
            top_up.expires_at.minus(Duration::from_millis(1)),
            top_up.expires_at,
        );
        let mut state = TopUpState {
            top_up,
            confirmed: None,
        };
        assert_eq!(state.status(last), Status::Pending);
        assert_eq!(state.status(end), Status::Failed);
        state.confirmed = Some(TopUpConfirmation {
            amount: naira(1),
            at: end,
        });
        assert_eq!(state.status(last), Status::Successful);
        assert_eq!(state.status(end), Status::Successful);
    }

    #[test]
    fn the_reference_of_a_confirmation_follows_from_the_number_and_is_recognised() {
        let reference = top_up().funding_reference();
        assert_eq!(reference.as_str(), "topup:9007199254740991");
        assert!(confirms_top_up(&reference));
        for other in ["topup:", "topup:7a", "topup-7", "bank-7", "xtopup:7"] {
            let other = MerchantReference::parse(other).unwrap();
            assert!(!confirms_top_up(&other), "{other}");
        }
    }

    #[test]
    fn a_channel_is_read_back_from_its_word() {
        for channel in TopUpChannel::ALL {
            assert_eq!(TopUpChannel::from_code(channel.code()), Some(channel));
        }
        assert_eq!(TopUpChannel::from_code("card"), None);
    }

    #[test]
    fn a_retry_says_the_same_of_everything() {
        let wanted = NewTopUp {
            reference: MerchantReference::parse("top-1").unwrap(),
            amount: naira(10_000),
            channel: TopUpChannel::Transfer,
        };
        assert!(top_up().is_of(&wanted));
        let others = [
            NewTopUp {
                reference: MerchantReference::parse("top-2").unwrap(),
                ..wanted.clone()
            },
            NewTopUp {
                amount: naira(10_001),
                ..wanted.clone()
            },
            NewTopUp {
                channel: TopUpChannel::Manual,
                ..wanted
            },
        ];
        for other in others {
            assert!(!top_up().is_of(&other), "{other:?}");
        }
    }
}
