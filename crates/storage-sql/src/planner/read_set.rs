//! What must be read before a batch can be judged, and what was read. Everything is borrowed from
//! the change sets; it must be sorted, so that a store that locks rows locks them in one order.

mod vouchers;

use super::notifications::{events_of, events_of_opening};
use crate::field_cipher::FieldCipher;
use crate::record::{
    AccountRow, BatchRow, CollectedRow, FundingRow, NotedRow, SubscriberRow, TransactionRow,
};
use crate::row_macs::{RowAuthenticity, RowMacs};
use domain::account::AccountId;
use domain::change_set::{ChangeSet, Opening, Origin, StateChange};
use domain::collection::{BankSession, CollectionSource};
use domain::event::EventKind;
use domain::idempotency::IdempotencyKey;
use domain::ledger::{LedgerAccount, Transfer, TransferKind};
use domain::money::{Currency, Money};
use domain::reference::{MerchantReference, TransactionNumber, UndatedReference};
use domain::reference_settlement::{ReferenceSettlement, SettledAs};
use domain::transaction::State;
use domain::voucher::VoucherStep;
use std::collections::{BTreeMap, BTreeSet, HashMap};
pub use vouchers::{VoucherReads, VoucherRows};

/// What a batch would take from what can be spent of a wallet and add to it, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flow {
    taken: i64,
    added: i64,
}

/// What a batch needs to know.
#[derive(Debug, Default)]
pub struct ReadSet<'a> {
    /// Wallets that count, each with the status of its account, and what the batch asks of it.
    pub wallets: BTreeMap<(&'a AccountId, Currency), Flow>,
    /// Transactions by the number they have in their account, to move on or to find taken.
    pub numbers: BTreeSet<(&'a AccountId, TransactionNumber)>,
    /// Transactions and batches by reference, to find taken.
    pub references: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
    /// Transactions by idempotency key, to find taken.
    pub keys: BTreeSet<(&'a AccountId, &'a IdempotencyKey)>,
    /// Batches by idempotency key, to find taken.
    pub batch_keys: BTreeSet<(&'a AccountId, &'a IdempotencyKey)>,
    /// Accounts with public events, whose endpoints are read.
    pub hearing: BTreeSet<&'a AccountId>,
    /// Funding references, to find taken.
    pub fundings: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
    /// Merchants' references under which references that only a provider knew may be noted, each
    /// with its account; a reference that is none of ours has no account.
    pub noted: BTreeSet<(&'a str, &'a str)>,
    /// What is known of codes.
    pub vouchers: VoucherReads<'a>,
    /// Sessions of payments to collections, to find taken.
    pub sessions: BTreeSet<(CollectionSource, &'a BankSession)>,
}

impl<'a> ReadSet<'a> {
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
                let wallet = (&funding.account, funding.amount.currency());
                let flow = self.wallets.entry(wallet).or_default();
                let minor = funding.amount.minor();
                flow.added = flow.added.saturating_add(minor.max(0));
                flow.taken = flow.taken.saturating_add(minor.min(0).saturating_neg());
                self.fundings.insert((&funding.account, &funding.reference));
                self.hearing.insert(&funding.account);
            }
            ChangeSet::Open(opening) => self.opening(opening),
            ChangeSet::OpenBatch(opening) => {
                let batch = opening.batch();
                self.references.insert((&batch.account, &batch.reference));
                if let Some(idempotency) = &batch.idempotency {
                    self.batch_keys.insert((&batch.account, &idempotency.key));
                }
                for item in opening.items() {
                    self.opening(item);
                }
            }
            ChangeSet::Advance(advance) => {
                let tx = &advance.transaction;
                self.numbers.insert((&tx.account, tx.number));
                self.touched_by(&advance.transfers);
                self.hearing.extend(events_of(advance));
                if begins_an_attempt(advance) || leaves_the_queue(advance) {
                    self.noted
                        .insert((tx.account.as_str(), tx.reference.as_str()));
                }
                if leaves_by_decision(advance) {
                    self.noted_without_date(&advance.undated);
                    let wallet = (&tx.account, tx.quote.price.currency());
                    self.wallets.entry(wallet).or_default();
                }
            }
            ChangeSet::Settle(settlement) => self.settling(settlement),
            ChangeSet::Collect(payment) => {
                let wallet = (&payment.account, payment.amount.currency());
                let flow = self.wallets.entry(wallet).or_default();
                flow.added = flow.added.saturating_add(payment.amount.minor());
                self.sessions.insert((payment.source, &payment.session));
                self.hearing.insert(&payment.account);
            }
            ChangeSet::Voucher(step) => {
                let flow = self.wallets.entry(step.wallet()).or_default();
                flow.taken = flow.taken.saturating_add(may_take(step));
                self.vouchers.add(step);
            }
        }
    }

    fn opening(&mut self, opening: &'a Opening) {
        let tx = &opening.transaction;
        self.wallets
            .entry((&tx.account, tx.quote.price.currency()))
            .or_default();
        self.numbers.insert((&tx.account, tx.number));
        self.references.insert((&tx.account, &tx.reference));
        self.noted
            .insert((tx.account.as_str(), tx.reference.as_str()));
        self.noted_without_date(&opening.undated);
        if let Some(idempotency) = &tx.idempotency {
            self.keys.insert((&tx.account, &idempotency.key));
        }
        self.hearing.extend(events_of_opening(opening));
        self.touched_by(opening.transfers());
    }

    /// Every wallet of the account counts: whatever is opened under the reference at the same time
    /// waits for one of them, and sees then that it is settled.
    fn settling(&mut self, settlement: &'a ReferenceSettlement) {
        self.noted_without_date(settlement.undated());
        // One whose form was not recognised when it was noted is there as a whole.
        self.noted.insert(("", settlement.reference().as_str()));
        let Some((account, reference, _)) = settlement.parts() else {
            return;
        };
        for currency in Currency::ALL {
            self.wallets.entry((account, currency)).or_default();
        }
        if let SettledAs::Charged(amount) = settlement.settled_as() {
            let flow = self.wallets.entry((account, amount.currency()));
            let flow = flow.or_default();
            flow.taken = flow.taken.saturating_add(amount.minor());
        }
        self.references.insert((account, reference));
        self.noted.insert((account.as_str(), reference.as_str()));
    }

    fn noted_without_date(&mut self, undated: &'a [UndatedReference]) {
        self.noted
            .extend(undated.iter().map(|it| ("", it.as_str())));
    }

    fn touched_by(&mut self, transfers: impl IntoIterator<Item = &'a Transfer>) {
        for transfer in transfers {
            let currency = transfer.amount.currency();
            if let Some(id) = merchant(&transfer.debit) {
                let flow = self.wallets.entry((id, currency)).or_default();
                flow.taken = flow
                    .taken
                    .saturating_add(spendable(&transfer.debit, transfer));
            }
            if let Some(id) = merchant(&transfer.credit) {
                let flow = self.wallets.entry((id, currency)).or_default();
                flow.added = flow
                    .added
                    .saturating_add(spendable(&transfer.credit, transfer));
                if transfer.kind == TransferKind::UserCredit {
                    self.hearing.insert(id);
                }
            }
        }
    }

    /// Accounts whose endpoints must be read as well, since the batch may take their balance below
    /// its threshold. Few have one and few batches come near it, so the endpoints of others are not
    /// read.
    pub fn may_fall_low(&self, known: &WorkingSet) -> BTreeSet<&'a AccountId> {
        let rows = known.wallets.iter();
        let rows = rows.filter_map(|row| Some((row, row.low_balance_threshold?)));
        let mut rows = rows.peekable();
        if rows.peek().is_none() {
            return BTreeSet::new();
        }
        let flows = self.wallets.iter();
        let flows = flows.map(|(key, flow)| ((key.0.as_str(), key.1.code()), (key.0, flow)));
        let flows: HashMap<_, _> = flows.collect();
        let warned = rows.filter_map(|(row, below)| {
            let (id, flow) = flows.get(&(row.id.as_str(), row.currency.as_str()))?;
            let may_be_above = row.available.saturating_add(flow.added) >= below;
            let may_be_low = row.available.saturating_sub(flow.taken) < below;
            (flow.taken > 0 && may_be_above && may_be_low).then_some(*id)
        });
        warned.filter(|id| !self.hearing.contains(id)).collect()
    }
}

/// Whether a step begins an attempt.
pub(super) fn begins_an_attempt(advance: &StateChange) -> bool {
    let kind = advance.event.map(|event| event.kind);
    let begins = [EventKind::Begun, EventKind::Reopened, EventKind::Resent];
    kind.is_some_and(|kind| begins.contains(&kind))
}

/// Whether a step is about to send what was queued, or pays it to another account.
pub(super) fn sends_what_was_queued(advance: &StateChange) -> bool {
    advance.event.map(|event| event.kind) == Some(EventKind::Begun)
        || matches!(advance.transaction.state, State::Booked(_))
}

/// Whether a step takes a transaction out of the queue that no journal shows to have left it: what
/// a store that was set back has in its queue may have been sent.
pub(super) fn leaves_by_decision(advance: &StateChange) -> bool {
    let kind = advance.event.map(|event| event.kind);
    leaves_the_queue(advance)
        && kind != Some(EventKind::Reopened)
        && advance.origin == Origin::Request
}

/// Whether a step takes a transaction out of the queue.
pub(super) fn leaves_the_queue(advance: &StateChange) -> bool {
    let kind = advance.event.map(|event| event.kind);
    matches!(kind, Some(EventKind::Begun | EventKind::Reopened))
        || matches!(
            advance.transaction.state,
            State::Cancelled(_) | State::Booked(_)
        )
}

/// How much of a transfer one of its legs has of what can be spent, in minor units.
const fn spendable(leg: &LedgerAccount, transfer: &Transfer) -> i64 {
    if matches!(leg, LedgerAccount::Available(_)) {
        transfer.amount.minor()
    } else {
        0
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
        | LedgerAccount::Loss
        | LedgerAccount::CostVariance
        | LedgerAccount::CreditSales
        | LedgerAccount::Transit
        | LedgerAccount::Refunds
        | LedgerAccount::Collections
        | LedgerAccount::Adjustments
        | LedgerAccount::Vouchers(_) => None,
    }
}

/// How much a step of codes may take from what can be spent, in minor units: how much a rollback
/// takes is known once its redemption is read.
fn may_take(step: &VoucherStep) -> i64 {
    match step {
        VoucherStep::Issue(issue) => issue.batch.held().map_or(i64::MAX, Money::minor),
        VoucherStep::RollBack(_) => i64::MAX,
        VoucherStep::Redeem(_) | VoucherStep::Void(_) => 0,
    }
}

/// What a store holds of what a batch needs. What is not there does not exist.
#[derive(Debug, Default)]
pub struct WorkingSet {
    /// Wallets with the status of their accounts.
    pub wallets: Vec<AccountRow>,
    /// Every transaction that has one of the numbers, references or keys.
    pub transactions: Vec<TransactionRow>,
    /// Every batch that has one of the references or batch keys.
    pub batches: Vec<BatchRow>,
    /// Fundings that were made.
    pub fundings: Vec<FundingRow>,
    /// The enabled endpoints of the accounts with public events.
    pub subscribers: Vec<SubscriberRow>,
    /// Whether nothing new may be opened, see
    /// [`CommitOutcome::Suspended`](ports::ledger_store::CommitOutcome::Suspended).
    pub held: bool,
    /// References that only a provider knew, settled or not, under those merchants' references.
    pub noted: Vec<NotedRow>,
    /// The environment of every provider that was registered: few, and read whole.
    pub environments: Vec<(String, String)>,
    /// What is known of codes.
    pub vouchers: VoucherRows,
    /// The payments of the sessions.
    pub collected: Vec<CollectedRow>,
}

impl WorkingSet {
    /// Checks the authentication codes of wallets and transactions, where rows must have them. It
    /// must be done before anything is opened: the codes are of what is stored.
    pub fn authenticate(&mut self, macs: &RowMacs) {
        if !macs.are_required() {
            return;
        }
        for wallet in &mut self.wallets {
            wallet.authenticity = macs.check_wallet(wallet);
        }
        for transaction in &mut self.transactions {
            transaction.authenticity = macs.check_transaction(transaction);
        }
    }

    /// How many rows were written by other means than the gateway.
    pub fn altered(&self) -> usize {
        let wallets = self.wallets.iter().map(|it| it.authenticity);
        let transactions = self.transactions.iter().map(|it| it.authenticity);
        let all = wallets.chain(transactions);
        all.filter(|it| *it == RowAuthenticity::Altered).count()
    }

    /// Opens what is sealed of the transactions.
    pub fn open(&mut self, cipher: &FieldCipher) {
        let rows = std::mem::take(&mut self.transactions).into_iter();
        self.transactions = rows.map(|row| row.opened(cipher)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::{begins_an_attempt, leaves_by_decision, leaves_the_queue};
    use domain::event::EventKind;
    use domain::time::Timestamp;
    use testkit::builders::{advance, airtime, delivered};

    #[test]
    fn only_a_step_that_makes_an_attempt_begins_one() {
        let tx = airtime().transaction();
        let mut step = advance(&tx, &delivered(&tx), Timestamp::from_millis(1));
        assert!(!begins_an_attempt(&step) && !leaves_the_queue(&step));
        for kind in [EventKind::Resent, EventKind::Begun, EventKind::Reopened] {
            if let Some(event) = &mut step.event {
                event.kind = kind;
            }
            assert!(begins_an_attempt(&step), "{kind:?}");
            assert_eq!(
                leaves_the_queue(&step),
                kind != EventKind::Resent,
                "{kind:?}"
            );
            assert_eq!(
                leaves_by_decision(&step),
                kind == EventKind::Begun,
                "{kind:?}"
            );
        }
    }
}
