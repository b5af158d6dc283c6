//! A payment with all effects of its observations. It must take each step as it is observed.

use crate::checks::check_step;
use crate::said::ProviderStatement;
use crate::sample;
use crate::sample::Product;
use domain::change_set::{Opening, StateChange};
use domain::event::EventKind;
use domain::ledger::{LedgerAccount, Transfer, TransferKind, Wallet};
use domain::money::Money;
use domain::provider::AbsencePolicy;
use domain::time::Timestamp;
use domain::transaction::{Disproven, Queued, State, Transaction, Transition};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A transaction with all transfers and events of its steps.
pub(crate) struct History {
    pub(crate) tx: Transaction,
    pub(crate) wallet: Wallet,
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) events: Vec<EventKind>,
}

pub(crate) const FUNDED: i64 = 1_000_000;

impl History {
    pub(crate) fn open(product: Product) -> Self {
        let start = Timestamp::from_millis(0);
        Self::opened(sample::draft(product).open(start, start))
    }

    pub(crate) fn queue(product: Product, queued: Queued) -> Self {
        let start = Timestamp::from_millis(0);
        Self::opened(sample::draft(product).queue(start, queued))
    }

    fn opened(opening: Opening) -> Self {
        let currency = opening.transaction.quote.price.currency();
        let mut wallet = Wallet::new(sample::account(), currency);
        wallet.available = Money::from_minor(FUNDED, currency);
        Self {
            tx: opening.transaction,
            wallet: wallet.after(&opening.hold).unwrap(),
            transfers: vec![opening.hold],
            events: vec![opening.event.kind],
        }
    }

    /// Applies an observation and checks the step it leads to.
    pub(crate) fn observe(
        &mut self,
        said: ProviderStatement,
        profile: &AbsencePolicy,
    ) -> Result<(), TestCaseError> {
        let before = self.tx.clone();
        let (next, observation) = (said.next(&before), said.observation(&before));
        match sample::applied(&before, &observation, (said.at(), profile), next.as_ref()) {
            Transition::Unchanged(same) => prop_assert_eq!(*same, before),
            Transition::Changed(advance) => {
                check_step(&before, &advance)?;
                let StateChange {
                    transaction,
                    transfers,
                    event,
                    ..
                } = *advance;
                for transfer in transfers {
                    let after = self.wallet.after(&transfer);
                    prop_assert!(after.is_ok(), "{transfer:?} does not fit {:?}", self.wallet);
                    self.wallet = after.unwrap();
                    self.transfers.push(transfer);
                }
                self.events.extend(event.map(|event| event.kind));
                self.tx = transaction;
            }
        }
        Ok(())
    }

    pub(crate) fn count(&self, kind: TransferKind) -> usize {
        let of_kind = |transfer: &&Transfer| transfer.kind == kind;
        self.transfers.iter().filter(of_kind).count()
    }

    pub(crate) fn reported(&self, kind: EventKind) -> usize {
        self.events
            .iter()
            .filter(|reported| **reported == kind)
            .count()
    }

    /// What every account holds after all transfers, each of which must be a transfer at all.
    pub(crate) fn balances(&self) -> Result<BTreeMap<LedgerAccount, i64>, TestCaseError> {
        let mut balances = BTreeMap::new();
        for transfer in &self.transfers {
            prop_assert!(transfer.amount.is_positive());
            prop_assert_ne!(&transfer.debit, &transfer.credit);
            prop_assert_eq!(transfer.transaction, Some(self.tx.number));
            let amount = transfer.amount.minor();
            *balances.entry(transfer.debit.clone()).or_default() -= amount;
            *balances.entry(transfer.credit.clone()).or_default() += amount;
        }
        Ok(balances)
    }

    /// Every attempt that is held to be disproven.
    pub(crate) fn disproven(&self) -> Vec<&Disproven> {
        let failed = match &self.tx.state {
            State::Failed(disproven) => Some(disproven),
            State::Queued(_)
            | State::Sending(_)
            | State::InDoubt(_)
            | State::Review(_)
            | State::Successful(_)
            | State::Reversed(_)
            | State::Cancelled(_)
            | State::Booked(_) => None,
        };
        self.tx.earlier.iter().chain(failed).collect()
    }
}
