//! Committing change sets. Every guard must be looked at before anything is changed.

use super::reconciliation::Wanted;
use super::{MemoryStore, MemoryTables, TransactionRow, unreadable};
use async_trait::async_trait;
use domain::account::AccountStatus;
use domain::change_set::{ChangeSet, Funding, Opening, Origin, StateChange};
use domain::event::EventKind;
use domain::ledger::{Transfer, Unbookable, Wallet};
use domain::money::Money;
use domain::transaction::{State, Transaction};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::{PortError, PortErrorKind};

#[async_trait]
impl LedgerStore for MemoryStore {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        let mut tables = self.tables();
        match change {
            ChangeSet::Fund(funding) => Ok(tables.fund(&funding)),
            ChangeSet::Open(opening) => Ok(tables.open(*opening)),
            ChangeSet::Advance(advance) => tables.advance(*advance),
            ChangeSet::Settle(settlement) => Ok(tables.settle(&settlement)),
        }
    }
}

impl MemoryTables {
    pub(super) fn fund(&mut self, funding: &Funding) -> CommitOutcome {
        if self.account(&funding.account).is_none() {
            return CommitOutcome::AccountUnknown;
        }
        let same = |earlier: &Funding| {
            earlier.account == funding.account && earlier.reference == funding.reference
        };
        if let Some(earlier) = self.fundings.iter().find(|earlier| same(earlier)) {
            return CommitOutcome::FundingTaken(earlier.amount);
        }
        let wallets = match self.wallets_after(&[funding.transfer()]) {
            Ok(wallets) => wallets,
            Err(unbookable) => return verdict(unbookable),
        };
        self.put_wallets(wallets);
        self.transfers
            .push((funding.account.clone(), funding.transfer()));
        self.fundings.push(funding.clone());
        let wallet = (&funding.account, funding.amount.currency());
        self.notify_statement_entry(wallet, None);
        CommitOutcome::Done
    }

    fn open(&mut self, opening: Opening) -> CommitOutcome {
        let is_request = opening.origin == Origin::Request;
        if is_request && self.reconciliation.is_suspended() {
            return CommitOutcome::Suspended;
        }
        let tx = &opening.transaction;
        let Some(owner) = self.account(&tx.account) else {
            return CommitOutcome::AccountUnknown;
        };
        if is_request && owner.account.status == AccountStatus::Suspended {
            return CommitOutcome::AccountSuspended;
        }
        if let Some(earlier) = self.under_same_key(tx) {
            return CommitOutcome::KeyTaken(Box::new(earlier));
        }
        if let Some(earlier) = self.under_same_reference(tx) {
            return CommitOutcome::ReferenceTaken(Box::new(earlier));
        }
        let wanted = Wanted {
            account: &tx.account,
            name: &tx.reference,
            undated: &opening.undated,
        };
        if is_request && self.reconciliation.is_unsettled(wanted) {
            return CommitOutcome::ReferenceUnsettled;
        }
        if self.reconciliation.is_booked(wanted) {
            return CommitOutcome::ReferenceSettled;
        }
        if is_request && self.environment(tx.provider()) != owner.account.environment {
            return CommitOutcome::OtherEnvironment;
        }
        if self.numbered(&tx.account, tx.number).is_some() {
            return CommitOutcome::NumberTaken;
        }
        let wallets = match self.wallets_after(std::slice::from_ref(&opening.hold)) {
            Ok(wallets) => wallets,
            Err(unbookable) => return verdict(unbookable),
        };
        let fallen_below = self.fallen_below(&wallets);
        self.put_wallets(wallets);
        self.reconciliation.reopened(&opening.transaction);
        let owner = &opening.transaction.account;
        self.transfers.push((owner.clone(), opening.hold));
        self.events.push((owner.clone(), opening.event));
        self.notify(&opening.transaction, &opening.event);
        let owner = owner.clone();
        self.transactions.push(TransactionRow {
            leased: is_being_sent(&opening.transaction),
            claimed: false,
            transaction: opening.transaction,
            due_at: Some(opening.due_at),
        });
        if let Some(below) = fallen_below {
            self.notify_statement_entry((&owner, below.currency()), Some(below));
        }
        CommitOutcome::Done
    }

    fn advance(&mut self, advance: StateChange) -> Result<CommitOutcome, PortError> {
        let (owner, number) = (&advance.transaction.account, advance.transaction.number);
        let expected = advance.expected_version();
        let Some(stored) = self.numbered(owner, number) else {
            let what = format!("advance transaction {number} of {owner}, which was never opened");
            return Err(PortError::new("memory", what).with_trouble(PortErrorKind::Record));
        };
        if self.is_unreadable(owner, &stored.transaction.reference) {
            return Err(unreadable(number));
        }
        if stored.transaction.version != expected {
            let current = stored.transaction.clone();
            return Ok(CommitOutcome::VersionConflict(Box::new(current)));
        }
        let tx = &advance.transaction;
        let kind = advance.event.map(|it| it.kind);
        let is_cancelled = matches!(tx.state, State::Cancelled(_));
        if (kind == Some(EventKind::Begun) || is_cancelled)
            && let Some(refused) = self.may_leave_the_queue(&advance)
        {
            return Ok(refused);
        }
        let begins = [EventKind::Begun, EventKind::Reopened, EventKind::Resent];
        let begins = kind.is_some_and(|kind| begins.contains(&kind));
        let wanted = Wanted {
            account: owner,
            name: &tx.reference,
            undated: &[],
        };
        if begins && self.reconciliation.is_booked(wanted) {
            return Ok(CommitOutcome::ReferenceSettled);
        }
        if begins && !self.in_one_environment(tx) {
            return Ok(CommitOutcome::OtherEnvironment);
        }
        let wallets = match self.wallets_after(&advance.transfers) {
            Ok(wallets) => wallets,
            Err(unbookable) => return Ok(verdict(unbookable)),
        };
        self.put_wallets(wallets);
        if begins {
            self.reconciliation.reopened(tx);
        }
        let transfers = advance.transfers.into_iter();
        self.transfers
            .extend(transfers.map(|transfer| (owner.clone(), transfer)));
        self.events
            .extend(advance.event.map(|event| (owner.clone(), event)));
        if let Some(event) = &advance.event {
            self.notify(&advance.transaction, event);
        }
        let row = self
            .transactions
            .iter_mut()
            .find(|row| row.transaction.account == *owner && row.transaction.number == number)
            .expect("it was found above");
        *row = TransactionRow {
            leased: is_being_sent(&advance.transaction),
            claimed: false,
            transaction: advance.transaction,
            due_at: advance.due_at,
        };
        Ok(CommitOutcome::Done)
    }

    /// Why what is queued may be neither sent nor cancelled now.
    fn may_leave_the_queue(&self, advance: &StateChange) -> Option<CommitOutcome> {
        let tx = &advance.transaction;
        let status = self.account(&tx.account).map(|row| row.account.status);
        let wanted = Wanted {
            account: &tx.account,
            name: &tx.reference,
            undated: &advance.undated,
        };
        if self.reconciliation.is_suspended() {
            Some(CommitOutcome::Suspended)
        } else if status == Some(AccountStatus::Suspended) && tx.attempt().is_some() {
            Some(CommitOutcome::AccountSuspended)
        } else if self.reconciliation.is_unsettled(wanted) {
            Some(CommitOutcome::ReferenceUnsettled)
        } else {
            let is_booked = self.reconciliation.is_booked(wanted);
            is_booked.then_some(CommitOutcome::ReferenceSettled)
        }
    }

    fn under_same_key(&self, tx: &Transaction) -> Option<Transaction> {
        let key = &tx.idempotency.as_ref()?.key;
        let row = self.transaction_where(|earlier| {
            let earlier_key = earlier.idempotency.as_ref().map(|used| &used.key);
            earlier.account == tx.account && earlier_key == Some(key)
        })?;
        Some(row.transaction.clone())
    }

    fn under_same_reference(&self, tx: &Transaction) -> Option<Transaction> {
        let row = self.transaction_where(|earlier| {
            earlier.account == tx.account && earlier.reference == tx.reference
        })?;
        Some(row.transaction.clone())
    }

    /// Every wallet after transfers, each touched by those in its currency, or the refusal of the
    /// first wallet that cannot take them.
    pub(super) fn wallets_after(&self, transfers: &[Transfer]) -> Result<Vec<Wallet>, Unbookable> {
        let after = |wallet: &Wallet| {
            let in_currency =
                |transfer: &&Transfer| transfer.amount.currency() == wallet.currency();
            transfers
                .iter()
                .filter(in_currency)
                .try_fold(wallet.clone(), |wallet, transfer| wallet.after(transfer))
        };
        let wallets = self.accounts.iter().flat_map(|row| &row.wallets);
        wallets.map(after).collect()
    }

    /// What one of the wallets falls below on its way to what it is among others.
    pub(super) fn fallen_below(&self, after: &[Wallet]) -> Option<Money> {
        let kept = self.accounts.iter().flat_map(|row| &row.wallets);
        let mut pairs = kept.zip(after);
        pairs.find_map(|(before, after)| before.fallen_below(after))
    }

    pub(super) fn put_wallets(&mut self, wallets: Vec<Wallet>) {
        let kept = self.accounts.iter_mut().flat_map(|row| &mut row.wallets);
        for (kept, wallet) in kept.zip(wallets) {
            *kept = wallet;
        }
    }
}

pub(super) const fn verdict(unbookable: Unbookable) -> CommitOutcome {
    match unbookable {
        Unbookable::InsufficientFunds => CommitOutcome::InsufficientFunds,
        Unbookable::BalanceLimit => CommitOutcome::BalanceLimit,
    }
}

/// Whether an instance is sending the attempt; it holds the transaction until its due time.
fn is_being_sent(tx: &Transaction) -> bool {
    matches!(tx.state, State::Sending(_))
}
