//! What must be read before a batch can be judged, and what was read. Everything is borrowed from
//! the change sets; it must be sorted, so that a store that locks rows locks them in one order.

use crate::record::{AccountRow, TransactionRow};
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use domain::idempotency::IdempotencyKey;
use domain::ledger::{LedgerAccount, Transfer};
use domain::reference::{MerchantReference, TransactionNumber};
use std::collections::BTreeSet;

/// What a batch needs to know.
#[derive(Debug, Default)]
pub struct Needs<'a> {
    /// Accounts whose status and wallet count.
    pub accounts: BTreeSet<&'a AccountId>,
    /// Transactions by number, to move on or to find taken.
    pub numbers: BTreeSet<TransactionNumber>,
    /// Transactions by reference, to find taken.
    pub references: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
    /// Transactions by idempotency key, to find taken.
    pub keys: BTreeSet<(&'a AccountId, &'a IdempotencyKey)>,
    /// Funding references, to find taken.
    pub fundings: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
}

impl<'a> Needs<'a> {
    /// What these change sets need.
    pub fn of(changes: &'a [ChangeSet]) -> Self {
        let mut needs = Self::default();
        for change in changes {
            needs.add(change);
        }
        needs
    }

    fn add(&mut self, change: &'a ChangeSet) {
        match change {
            ChangeSet::Fund(funding) => {
                self.accounts.insert(&funding.account);
                self.fundings.insert((&funding.account, &funding.reference));
            }
            ChangeSet::Open(opening) => {
                let tx = &opening.transaction;
                self.accounts.insert(&tx.account);
                self.numbers.insert(tx.number);
                self.references.insert((&tx.account, &tx.reference));
                if let Some(idempotency) = &tx.idempotency {
                    self.keys.insert((&tx.account, &idempotency.key));
                }
                self.touched_by(std::slice::from_ref(&opening.hold));
            }
            ChangeSet::Advance(advance) => {
                self.numbers.insert(advance.transaction.number);
                self.touched_by(&advance.transfers);
            }
        }
    }

    fn touched_by(&mut self, transfers: &'a [Transfer]) {
        let legs = transfers
            .iter()
            .flat_map(|transfer| [&transfer.debit, &transfer.credit]);
        self.accounts.extend(legs.filter_map(merchant));
    }
}

/// The merchant whose wallet a ledger account belongs to.
pub(super) fn merchant(account: &LedgerAccount) -> Option<&AccountId> {
    match account {
        LedgerAccount::Available(id) | LedgerAccount::Held(id) => Some(id),
        LedgerAccount::Float(_)
        | LedgerAccount::CommissionRevenue
        | LedgerAccount::ChargesRevenue
        | LedgerAccount::Funding
        | LedgerAccount::Loss => None,
    }
}

/// What a store holds of what a batch needs. What is not there does not exist.
#[derive(Debug, Default)]
pub struct WorkingSet {
    /// Accounts with their wallets.
    pub accounts: Vec<AccountRow>,
    /// Every transaction that has one of the numbers, references or keys.
    pub transactions: Vec<TransactionRow>,
    /// Account and reference of fundings that were made, and how much in minor units.
    pub fundings: Vec<(String, String, i64)>,
}
