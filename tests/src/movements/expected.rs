//! What the statement must say after a load, as the answers to it have it.

use crate::provider_journal::ProviderAction;
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

/// What the lines under one key come to, and how many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LineSum {
    pub(super) amount: i64,
    pub(super) lines: u32,
}

impl LineSum {
    pub(super) const fn add(&mut self, amount: i64) {
        self.amount += amount;
        self.lines += 1;
    }
}

/// What a load must have booked.
#[derive(Debug, Default)]
pub struct ExpectedBooks {
    /// The lines of the payer.
    pub(super) lines: BTreeMap<LineKey, LineSum>,
    /// The same of the recipient.
    pub(super) received: BTreeMap<LineKey, LineSum>,
    /// What is held for those who have no account yet, in minor units.
    pub(super) unclaimed: i64,
    /// Payments, which cost what their reports say.
    pub(super) payments: Vec<TestPurchase>,
    /// Payments whose price was given back.
    pub(super) given_back: BTreeSet<String>,
    /// Payouts that waited for an approval, and whether they were approved.
    pub(super) decided: BTreeMap<String, bool>,
    /// Subscriptions, by number: their runs are payments.
    pub(super) subscriptions: Vec<String>,
    /// Files of reports, by number.
    pub(super) reports: Vec<String>,
    /// How often each step was taken.
    pub(super) steps: BTreeMap<&'static str, usize>,
}

impl ExpectedBooks {
    /// How often each step was taken.
    #[must_use]
    pub const fn steps(&self) -> &BTreeMap<&'static str, usize> {
        &self.steps
    }

    pub(super) fn line(&mut self, currency: &'static str, key: impl Into<String>, amount: i64) {
        let lines = self.lines.entry((currency, key.into()));
        lines.or_default().add(amount);
    }

    pub(super) fn merge(&mut self, other: Self) {
        // References, and so keys, are of one client.
        self.lines.extend(other.lines);
        self.received.extend(other.received);
        self.unclaimed += other.unclaimed;
        self.payments.extend(other.payments);
        self.given_back.extend(other.given_back);
        self.decided.extend(other.decided);
        self.subscriptions.extend(other.subscriptions);
        self.reports.extend(other.reports);
        for (step, count) in other.steps {
            *self.steps.entry(step).or_default() += count;
        }
    }

    /// Adds the lines of payments that have come to their end: the price of each that was delivered
    /// or is held, which comes back where it was given back. What failed is not expected to have
    /// any: its price was taken and came back, or was never taken.
    pub(super) fn add_payments(&mut self, endings: &[PurchaseEnd]) {
        for ending in endings {
            let reference = &ending.purchase.reference;
            let taken = ending.charged() + ending.suspended();
            if taken > 0 {
                self.line("NGN", reference, -taken);
            }
            if self.given_back.contains(reference) {
                self.line("NGN", reference, taken);
            }
        }
    }

    /// Demands that what was approved was delivered, and that what was refused was not sent. An
    /// approved payout whose server was killed after it wrote the attempt and before it sent it has
    /// no trace at its provider, which is no proof for a payout: a person decides about it.
    pub(super) fn check_decisions(&self, endings: &[PurchaseEnd]) {
        for ending in endings {
            let end = (ending.status.as_deref(), ending.action);
            let holds = match self.decided.get(&ending.purchase.reference) {
                Some(true) => {
                    end == (Some("Successful"), ProviderAction::Delivered)
                        || ending.waits_for_a_person()
                }
                Some(false) => end == (Some("Failed"), ProviderAction::Nothing),
                None => continue,
            };
            assert!(holds, "{ending:?}");
        }
    }
}
