//! A run of a subscription. What became of its payment must be read from the transaction: the run
//! says what is known of it by itself.

use super::RECURRING_RETRIES_MAX;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;

/// Why nothing was bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunRefusal {
    /// The wallet did not cover the price.
    Balance,
    /// The account's own limits did not allow it.
    Limit,
    /// The amount is not one that may be bought.
    Amount,
    /// The biller does not know the customer any more.
    Customer,
    /// What is ordered is not sold any more, or not to this customer.
    Product,
    /// The sender of the message is not approved.
    Sender,
    /// Another payment has the reference of the run.
    Reference,
    /// A payment under its reference was delivered before a restore, and settled since.
    Settled,
    /// For another reason.
    Other,
}

impl RunRefusal {
    /// Every reason.
    pub const ALL: [Self; 9] = [
        Self::Balance,
        Self::Limit,
        Self::Amount,
        Self::Customer,
        Self::Product,
        Self::Sender,
        Self::Reference,
        Self::Settled,
        Self::Other,
    ];

    /// Its word in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Balance => "balance",
            Self::Limit => "limit",
            Self::Amount => "amount",
            Self::Customer => "customer",
            Self::Product => "product",
            Self::Sender => "sender",
            Self::Reference => "reference",
            Self::Settled => "settled",
            Self::Other => "other",
        }
    }

    /// The reason of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }

    /// Whether buying again may help.
    pub const fn may_pass(self) -> bool {
        match self {
            Self::Balance
            | Self::Limit
            | Self::Amount
            | Self::Customer
            | Self::Product
            | Self::Sender
            | Self::Other => true,
            Self::Reference | Self::Settled => false,
        }
    }
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecurringRunState {
    /// It may be bought at any moment from now on, or have been.
    Begun,
    /// Its payment was opened.
    Bought,
    /// Its payment was opened, and has definitely failed.
    Failed,
    /// It was refused before anything existed.
    Refused(RunRefusal),
    /// It was begun and nothing was bought in its time.
    Missed,
}

impl RecurringRunState {
    /// Its word in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Bought => "bought",
            Self::Failed => "failed",
            Self::Refused(_) => "refused",
            Self::Missed => "missed",
        }
    }

    /// Whether it has a payment.
    pub const fn has_payment(self) -> bool {
        matches!(self, Self::Bought | Self::Failed)
    }

    /// The state of a record; `None` where its parts do not fit.
    pub fn restore(word: &str, refusal: Option<RunRefusal>) -> Option<Self> {
        Some(match (word, refusal) {
            ("begun", None) => Self::Begun,
            ("bought", None) => Self::Bought,
            ("failed", None) => Self::Failed,
            ("missed", None) => Self::Missed,
            ("refused", Some(why)) => Self::Refused(why),
            (_, _) => return None,
        })
    }

    /// Why it was refused.
    pub const fn refusal(self) -> Option<RunRefusal> {
        match self {
            Self::Refused(why) => Some(why),
            Self::Begun | Self::Bought | Self::Failed | Self::Missed => None,
        }
    }
}

/// A run that was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecurringRun {
    /// Its number, from 1 on.
    pub number: u32,
    /// When it was due.
    pub due_at: Timestamp,
    /// How many of its payments have failed before the present one: part of its reference.
    pub tries: u8,
    /// How often it was begun again.
    pub retries: u8,
    /// Where it stands.
    pub state: RecurringRunState,
    /// When it came to stand there.
    pub at: Timestamp,
}

impl RecurringRun {
    /// A run that is begun.
    pub const fn begin((number, due_at): (u32, Timestamp), now: Timestamp) -> Self {
        Self {
            number,
            due_at,
            tries: 0,
            retries: 0,
            state: RecurringRunState::Begun,
            at: now,
        }
    }

    /// The same in another state.
    #[must_use]
    pub const fn in_state(self, state: RecurringRunState, now: Timestamp) -> Self {
        Self {
            state,
            at: now,
            ..self
        }
    }

    /// The run begun once more. Its reference changes only where a payment that has it has failed:
    /// where none is known, one may still be stored under it, and must then be found.
    #[must_use]
    pub const fn again(self, now: Timestamp) -> Self {
        let tries = match self.state {
            RecurringRunState::Failed => self.tries.saturating_add(1),
            RecurringRunState::Begun
            | RecurringRunState::Bought
            | RecurringRunState::Refused(_)
            | RecurringRunState::Missed => self.tries,
        };
        Self {
            tries,
            retries: self.retries.saturating_add(1),
            state: RecurringRunState::Begun,
            at: now,
            ..self
        }
    }

    /// The reference of its present payment, of the subscription of a number.
    pub fn reference_of(&self, subscription: TransactionNumber) -> MerchantReference {
        MerchantReference::of_run(subscription, self.number, self.tries)
    }

    /// Whether its counts can be those of a run.
    pub const fn is_sound(&self) -> bool {
        self.number > 0 && self.tries <= self.retries && self.retries <= RECURRING_RETRIES_MAX
    }
}

const PREFIX: &str = "sub-";

impl MerchantReference {
    /// The reference of a run of the subscription of a number. A merchant may use the same text, so
    /// that a payment under it is that of the run only where its idempotency key says so.
    fn of_run(subscription: TransactionNumber, run: u32, tries: u8) -> Self {
        Self::made(match tries {
            0 => format!("{PREFIX}{subscription}-{run}"),
            again => format!("{PREFIX}{subscription}-{run}-r{again}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    const WHY: RunRefusal = RunRefusal::Balance;

    #[test]
    fn a_state_is_read_back_from_its_word() {
        for state in [
            RecurringRunState::Begun,
            RecurringRunState::Bought,
            RecurringRunState::Failed,
            RecurringRunState::Refused(WHY),
            RecurringRunState::Missed,
        ] {
            let read = RecurringRunState::restore(state.code(), state.refusal());
            assert_eq!(read, Some(state));
            let other = state.refusal().is_none().then_some(WHY);
            assert_eq!(RecurringRunState::restore(state.code(), other), None);
        }
        assert_eq!(RecurringRunState::restore("gone", None), None);
    }

    #[test]
    fn the_reference_changes_only_where_a_payment_has_failed() {
        let run = RecurringRun::begin((1, NOW), NOW);
        let tries = |state| run.in_state(state, NOW).again(NOW).tries;
        assert_eq!(tries(RecurringRunState::Failed), 1);
        for state in [RecurringRunState::Begun, RecurringRunState::Refused(WHY)] {
            assert_eq!(tries(state), 0);
        }
    }

    #[test]
    fn a_reason_is_read_back_from_its_word() {
        for reason in RunRefusal::ALL {
            assert_eq!(RunRefusal::from_code(reason.code()), Some(reason));
        }
        assert_eq!(RunRefusal::from_code("mood"), None);
    }

    proptest! {
        #[test]
        fn references_of_runs_are_distinct_and_well_formed(
            names in prop::collection::vec((1..=TransactionNumber::MAX, 1_u32.., 0_u8..=3), 2),
        ) {
            let of = |&(subscription, run, tries): &(u64, u32, u8)| {
                let number = TransactionNumber::try_new(subscription).unwrap();
                MerchantReference::of_run(number, run, tries)
            };
            let made: BTreeSet<_> = names.iter().map(of).collect();
            prop_assert_eq!(made.len() == 1, names[0] == names[1]);
            for reference in made {
                let parsed = MerchantReference::parse(reference.as_str());
                prop_assert_eq!(parsed, Ok(reference));
            }
        }
    }
}
