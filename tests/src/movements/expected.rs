//! What the statement must say after a load, as the answers to it have it.

use crate::purchases::{PurchaseEnd, TestPurchase};
use std::collections::{BTreeMap, BTreeSet};

/// Money that was announced and is confirmed by the operator.
#[derive(Debug, Clone)]
pub struct AnnouncedTopUp {
    pub reference: String,
    pub amount: &'static str,
}

/// Which lines of which currency: a reference, or what is narrated where there is none.
pub(super) type LineKey = (&'static str, String);

/// What a load must have booked.
#[derive(Debug, Default)]
pub struct ExpectedBooks {
    /// What the lines of the payer come to, in minor units.
    pub(super) lines: BTreeMap<LineKey, i64>,
    /// The same of the recipient.
    pub(super) received: BTreeMap<LineKey, i64>,
    /// What is held for those who have no account yet, in minor units.
    pub(super) unclaimed: i64,
    /// Payments, which cost what their reports say.
    pub(super) payments: Vec<TestPurchase>,
    /// Payments whose price was given back.
    pub(super) given_back: BTreeSet<String>,
    /// Subscriptions, by number: their runs are payments.
    pub(super) subscriptions: Vec<String>,
    /// Files of reports, by number.
    pub(super) reports: Vec<String>,
    /// How often each step was taken.
    pub(super) steps: BTreeMap<&'static str, usize>,
}

impl ExpectedBooks {
    /// The payments whose outcome only their reports say.
    #[must_use]
    pub fn payments(&self) -> &[TestPurchase] {
        &self.payments
    }

    /// How often each step was taken.
    #[must_use]
    pub const fn steps(&self) -> &BTreeMap<&'static str, usize> {
        &self.steps
    }

    pub(super) fn line(&mut self, currency: &'static str, key: impl Into<String>, amount: i64) {
        *self.lines.entry((currency, key.into())).or_default() += amount;
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (key, amount) in other.lines {
            *self.lines.entry(key).or_default() += amount;
        }
        for (key, amount) in other.received {
            *self.received.entry(key).or_default() += amount;
        }
        self.unclaimed += other.unclaimed;
        self.payments.extend(other.payments);
        self.given_back.extend(other.given_back);
        self.subscriptions.extend(other.subscriptions);
        self.reports.extend(other.reports);
        for (step, count) in other.steps {
            *self.steps.entry(step).or_default() += count;
        }
    }

    /// Adds the lines of payments that have come to their end, whose reports say what they cost.
    pub(super) fn add_payments(&mut self, endings: &[PurchaseEnd]) {
        for ending in endings {
            let reference = &ending.purchase.reference;
            let is_given_back = self.given_back.contains(reference);
            let taken = ending.charged() + ending.suspended();
            self.line("NGN", reference, if is_given_back { 0 } else { -taken });
        }
    }
}
