//! What must be read before a batch can be judged, and what was read. Everything is borrowed from
//! the change sets; it must be sorted, so that a store that locks rows locks them in one order.

use super::telling::told_by;
use crate::record::{AccountRow, FundingRow, HearerRow, TransactionRow};
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use domain::idempotency::IdempotencyKey;
use domain::ledger::{LedgerAccount, Transfer};
use domain::money::Currency;
use domain::reference::{MerchantReference, TransactionNumber};
use std::collections::BTreeSet;

/// What a batch needs to know.
#[derive(Debug, Default)]
pub struct Needs<'a> {
    /// Wallets that count, each with the status of its account.
    pub wallets: BTreeSet<(&'a AccountId, Currency)>,
    /// Transactions by the number they have in their account, to move on or to find taken.
    pub numbers: BTreeSet<(&'a AccountId, TransactionNumber)>,
    /// Transactions by reference, to find taken.
    pub references: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
    /// Transactions by idempotency key, to find taken.
    pub keys: BTreeSet<(&'a AccountId, &'a IdempotencyKey)>,
    /// Accounts that are told of events, if they have somewhere to be told.
    pub hearing: BTreeSet<&'a AccountId>,
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
                self.wallets
                    .insert((&funding.account, funding.amount.currency()));
                self.fundings.insert((&funding.account, &funding.reference));
            }
            ChangeSet::Open(opening) => {
                let tx = &opening.transaction;
                self.wallets
                    .insert((&tx.account, tx.quote.price.currency()));
                self.numbers.insert((&tx.account, tx.number));
                self.references.insert((&tx.account, &tx.reference));
                if let Some(idempotency) = &tx.idempotency {
                    self.keys.insert((&tx.account, &idempotency.key));
                }
                self.touched_by(std::slice::from_ref(&opening.hold));
            }
            ChangeSet::Advance(advance) => {
                let tx = &advance.transaction;
                self.numbers.insert((&tx.account, tx.number));
                self.touched_by(&advance.transfers);
                self.hearing.extend(told_by(advance));
            }
        }
    }

    fn touched_by(&mut self, transfers: &'a [Transfer]) {
        for transfer in transfers {
            let currency = transfer.amount.currency();
            let merchants = [&transfer.debit, &transfer.credit]
                .into_iter()
                .filter_map(merchant);
            self.wallets.extend(merchants.map(|id| (id, currency)));
        }
    }
}

/// The merchant whose wallet a ledger account belongs to.
pub(super) fn merchant(account: &LedgerAccount) -> Option<&AccountId> {
    match account {
        LedgerAccount::Available(id) | LedgerAccount::Held(id) => Some(id),
        LedgerAccount::Float(_)
        | LedgerAccount::CommissionRevenue
        | LedgerAccount::ChargesRevenue
        | LedgerAccount::VatPayable
        | LedgerAccount::LevyPayable
        | LedgerAccount::Funding
        | LedgerAccount::Loss => None,
    }
}

/// What a store holds of what a batch needs. What is not there does not exist.
#[derive(Debug, Default)]
pub struct WorkingSet {
    /// Wallets with the status of their accounts.
    pub wallets: Vec<AccountRow>,
    /// Every transaction that has one of the numbers, references or keys.
    pub transactions: Vec<TransactionRow>,
    /// Fundings that were made.
    pub fundings: Vec<FundingRow>,
    /// The enabled endpoints of the accounts that are told of events.
    pub hearers: Vec<HearerRow>,
    /// Whether nothing new may be opened, see [`Committed::Held`](ports::books::Committed::Held).
    pub held: bool,
}
