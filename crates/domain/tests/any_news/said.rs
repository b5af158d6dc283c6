//! What can be heard of a payment, sensible or not. It must not know what it leads to.

use crate::sample;
use crate::sample::Product;
use domain::provider::{Finding, Outcome, Profile, Receipt, UnknownCause};
use domain::sms::DeliveryStatus;
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, News, Transaction, Verdict};
use proptest::prelude::*;
use std::time::Duration;

/// Something said, before it is known of which transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    Yes,
    OtherAmount,
    WithoutToken,
    No,
    NotSent,
    Pending,
    NotFound,
    Reversed,
    Unknown,
    Takeover,
    RuledYes,
    RuledNo,
    /// What became of the two parts of a message.
    Told(DeliveryStatus, DeliveryStatus),
}

pub(crate) const WORDS: [Word; 18] = [
    Word::Yes,
    Word::OtherAmount,
    Word::WithoutToken,
    Word::No,
    Word::NotSent,
    Word::Pending,
    Word::NotFound,
    Word::Reversed,
    Word::Unknown,
    Word::Takeover,
    Word::RuledYes,
    Word::RuledNo,
    Word::Told(DeliveryStatus::Submitted, DeliveryStatus::Unknown),
    Word::Told(DeliveryStatus::Buffered, DeliveryStatus::Pending),
    Word::Told(DeliveryStatus::Delivered, DeliveryStatus::Buffered),
    Word::Told(DeliveryStatus::Submitted, DeliveryStatus::Delivered),
    Word::Told(DeliveryStatus::Delivered, DeliveryStatus::Delivered),
    Word::Told(DeliveryStatus::Expired, DeliveryStatus::Delivered),
];

/// A word, of which attempt, as an answer or a finding, and when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said {
    pub(crate) word: Word,
    pub(crate) attempt: AttemptNumber,
    pub(crate) asked: bool,
    pub(crate) minutes: u64,
}

pub(crate) fn said() -> impl Strategy<Value = Said> {
    // Two days, so that quarantine and review are passed both ways; clocks may go back.
    let word = proptest::sample::select(&WORDS[..]);
    (word, 1_u8..=2, any::<bool>(), 0_u64..2_880).prop_map(|(word, attempt, asked, minutes)| Said {
        word,
        attempt: AttemptNumber::try_new(attempt).unwrap(),
        asked,
        minutes,
    })
}

pub(crate) fn profile() -> impl Strategy<Value = Profile> {
    let minutes = |most| (0_u64..most).prop_map(Duration::from_mins);
    (minutes(12), 0_u32..6, minutes(4), minutes(60)).prop_map(
        |(quarantine, not_found_min, not_found_spacing, review_after)| Profile {
            quarantine,
            not_found_min,
            not_found_spacing,
            review_after,
        },
    )
}

pub(crate) fn product() -> impl Strategy<Value = Product> {
    proptest::sample::select(&Product::ALL[..])
}

impl Said {
    pub(crate) fn news(self, tx: &Transaction) -> News {
        let attempt = self.attempt;
        let delivered =
            |receipt: Receipt| self.either(Outcome::Delivered, Finding::Delivered, receipt);
        match self.word {
            Word::Yes => delivered(sample::receipt(tx, attempt)),
            Word::OtherAmount => delivered(sample::other_amount(tx, attempt)),
            Word::WithoutToken => delivered(sample::without_token(tx, attempt)),
            Word::No => self.either(Outcome::Declined, Finding::Declined, sample::refusal()),
            Word::NotSent => self.answer(Outcome::NotSent),
            Word::Pending => self.either(|()| Outcome::Pending, |()| Finding::Pending, ()),
            Word::NotFound => self.finding(Finding::NotFound),
            Word::Reversed => self.finding(Finding::Reversed),
            Word::Unknown => {
                let cause = UnknownCause::ConnectionLost;
                self.either(Outcome::Unknown, |_| Finding::Unknown, cause)
            }
            Word::Takeover => News::Takeover { attempt },
            Word::RuledYes => {
                News::Ruling(sample::ruling(Verdict::Delivered(sample::fulfilment(tx))))
            }
            Word::Told(first, second) => delivered(sample::told(tx, attempt, &[first, second])),
            Word::RuledNo => News::Ruling(sample::ruling(Verdict::NotDelivered)),
        }
    }

    fn either<T>(self, answer: fn(T) -> Outcome, finding: fn(T) -> Finding, what: T) -> News {
        if self.asked {
            self.finding(finding(what))
        } else {
            self.answer(answer(what))
        }
    }

    fn answer(self, outcome: Outcome) -> News {
        let attempt = self.attempt;
        News::Answer { attempt, outcome }
    }

    fn finding(self, finding: Finding) -> News {
        let attempt = self.attempt;
        News::Finding { attempt, finding }
    }

    pub(crate) fn at(self) -> Timestamp {
        Timestamp::from_millis(0).plus(Duration::from_mins(self.minutes))
    }
}
