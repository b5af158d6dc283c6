//! Committing change sets. Every guard must be looked at before anything is changed.

use super::reconciliation::Wanted;
use super::{MemoryStore, MemoryTables, TransactionRow, unreadable};
use async_trait::async_trait;
use domain::account::{AccountId, AccountStatus};
use domain::change_set::{ChangeSet, Funding, Opening, Origin, StateChange};
use domain::event::EventKind;
use domain::ledger::{Transfer, TransferKind, Unbookable, Wallet};
use domain::money::{Currency, Money};
use domain::reference::MerchantReference;
use domain::time::Timestamp;
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
            ChangeSet::OpenBatch(opening) => Ok(tables.open_batch(&opening)),
            ChangeSet::Advance(advance) => tables.advance(*advance),
            ChangeSet::Settle(settlement) => Ok(tables.settle(&settlement)),
            ChangeSet::Collect(payment) => Ok(tables.collect(&payment)),
            ChangeSet::Voucher(step) => Ok(tables.voucher(&step)),
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
        let fallen_below = self.fallen_below(&wallets);
        self.put_wallets(wallets);
        self.transfers
            .push((funding.account.clone(), funding.transfer()));
        self.fundings.push(funding.clone());
        let wallet = (&funding.account, funding.amount.currency());
        if funding.amount.is_positive() || fallen_below.is_some() {
            self.notify_statement_entry(wallet, fallen_below);
        }
        CommitOutcome::Done
    }

    fn open(&mut self, opening: Opening) -> CommitOutcome {
        if let Some(refused) = self.may_not_be_opened(&opening) {
            return refused;
        }
        let owner = opening.transaction.account.clone();
        let transfers: Vec<_> = opening.transfers().cloned().collect();
        let after = self.wallets_after(&transfers);
        let fallen_below = after.ok().and_then(|after| self.fallen_below(&after));
        let opened = self.open_silently(opening);
        if let Some(below) = fallen_below.filter(|_| opened == CommitOutcome::Done) {
            self.notify_statement_entry((&owner, below.currency()), Some(below));
        }
        opened
    }

    /// Why nothing may be opened for the account now, whatever it is.
    pub(super) fn may_not_open(&self, opening: &Opening) -> Option<CommitOutcome> {
        let is_request = opening.origin == Origin::Request;
        if is_request && self.reconciliation.is_suspended() {
            return Some(CommitOutcome::Suspended);
        }
        let Some(owner) = self.account(&opening.transaction.account) else {
            return Some(CommitOutcome::AccountUnknown);
        };
        if !is_request {
            return None;
        }
        if owner.account.status == AccountStatus::Suspended {
            return Some(CommitOutcome::AccountSuspended);
        }
        let service = opening.transaction.order.service();
        let breach = owner.frozen.breach(service);
        breach.map(CommitOutcome::Frozen)
    }

    /// Why it is refused, but for the money it needs.
    pub(super) fn may_not_be_opened(&self, opening: &Opening) -> Option<CommitOutcome> {
        if let Some(refused) = self.may_not_open(opening) {
            return Some(refused);
        }
        let is_request = opening.origin == Origin::Request;
        let tx = &opening.transaction;
        let environment = self.account(&tx.account).map(|it| it.account.environment);
        if let Some(earlier) = self.under_same_key(tx) {
            return Some(CommitOutcome::KeyTaken(Box::new(earlier)));
        }
        if let Some(earlier) = self.under_reference(&tx.account, &tx.reference) {
            return Some(CommitOutcome::ReferenceTaken(Box::new(earlier)));
        }
        if let Some(earlier) = self.batch_under(&tx.account, &tx.reference) {
            return Some(CommitOutcome::BatchTaken(Box::new(earlier.batch().clone())));
        }
        let wanted = Wanted {
            account: &tx.account,
            name: &tx.reference,
            undated: &opening.undated,
        };
        if is_request && self.reconciliation.is_unsettled(wanted) {
            return Some(CommitOutcome::ReferenceUnsettled);
        }
        if self.reconciliation.is_booked(wanted) {
            return Some(CommitOutcome::ReferenceSettled);
        }
        let is_sent = tx.order.service().has_provider();
        if is_request && is_sent && Some(self.environment(tx.provider())) != environment {
            return Some(CommitOutcome::OtherEnvironment);
        }
        if let Some(refused) = self.refused_by_payee(tx, opening.origin) {
            return Some(refused);
        }
        let is_taken = self.numbered(&tx.account, tx.number).is_some();
        is_taken.then_some(CommitOutcome::NumberTaken)
    }

    /// Opens what may be opened, if the wallet holds the price.
    pub(super) fn open_silently(&mut self, opening: Opening) -> CommitOutcome {
        let transfers: Vec<_> = opening.transfers().cloned().collect();
        let wallets = match self.wallets_after(&transfers) {
            Ok(wallets) => wallets,
            Err(unbookable) => return verdict(unbookable),
        };
        if !self.has_payees(&transfers) {
            return CommitOutcome::AccountUnknown;
        }
        if let Some(over) = self.charge(&opening) {
            return over;
        }
        self.put_balances(wallets);
        self.reconciliation.reopened(&opening.transaction);
        let owner = &opening.transaction.account;
        self.append_transfers(owner, transfers);
        for event in opening.events() {
            self.events.push((owner.clone(), *event));
            self.notify(&opening.transaction, event);
        }
        self.transactions.push(TransactionRow {
            leased: is_being_sent(&opening.transaction),
            claimed: false,
            unconfirmed: false,
            due_at: opening.booking.is_none().then_some(opening.due_at),
            transaction: opening.transaction,
        });
        CommitOutcome::Done
    }

    /// Notifies of a wallet that is low now and was not before.
    pub(super) fn notify_if_low(&mut self, wallet: (&AccountId, Currency), before: &Self) {
        let wallets = self.accounts.iter().flat_map(|row| row.wallets.clone());
        if let Some(below) = before.fallen_below(&wallets.collect::<Vec<_>>()) {
            self.notify_statement_entry(wallet, Some(below));
        }
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
        let is_over = matches!(tx.state, State::Cancelled(_) | State::Booked(_));
        if (kind == Some(EventKind::Begun) || is_over)
            && advance.origin == Origin::Request
            && let Some(refused) = self.may_leave_the_queue(&advance)
        {
            return Ok(refused);
        }
        let begins = kind.is_some_and(|kind| BEGINNINGS.contains(&kind));
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
        if let Some(refused) = self.refused_by_payee(tx, advance.origin) {
            return Ok(refused);
        }
        let wallets = match self.wallets_after(&advance.transfers) {
            Ok(wallets) => wallets,
            Err(unbookable) => return Ok(verdict(unbookable)),
        };
        if !self.has_payees(&advance.transfers) {
            return Ok(CommitOutcome::AccountUnknown);
        }
        self.put_wallets(wallets);
        self.give_back(&advance);
        if begins {
            self.reconciliation.reopened(tx);
        }
        self.append_transfers(owner, advance.transfers);
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
            unconfirmed: false,
            due_at: advance.due_at.or(send_from(&advance.transaction)),
            transaction: advance.transaction,
        };
        Ok(CommitOutcome::Done)
    }

    /// Appends what a transaction of an account moves, and notifies others that it pays.
    fn append_transfers(&mut self, owner: &AccountId, transfers: Vec<Transfer>) {
        for transfer in transfers {
            let payee = payee(&transfer);
            let currency = transfer.amount.currency();
            let account = payee.clone().unwrap_or_else(|| owner.clone());
            self.transfers.push((account, transfer));
            if let Some(payee) = payee {
                self.notify_statement_entry((&payee, currency), None);
            }
        }
    }

    /// Whether the other accounts that are paid are there.
    fn has_payees(&self, transfers: &[Transfer]) -> bool {
        let mut payees = transfers.iter().filter_map(payee);
        payees.all(|payee| self.account(&payee).is_some())
    }

    /// Why the other account may not be paid by a transaction.
    fn refused_by_payee(&self, tx: &Transaction, origin: Origin) -> Option<CommitOutcome> {
        let other = &self.account(&tx.payee()?.account)?.account;
        if other.environment != self.account(&tx.account)?.account.environment {
            return Some(CommitOutcome::OtherEnvironment);
        }
        let is_refused = origin == Origin::Request && other.status == AccountStatus::Suspended;
        is_refused.then_some(CommitOutcome::AccountSuspended)
    }

    /// Why what is queued may be neither sent nor cancelled now.
    fn may_leave_the_queue(&self, advance: &StateChange) -> Option<CommitOutcome> {
        let tx = &advance.transaction;
        let row = self.account(&tx.account);
        let status = row.map(|row| row.account.status);
        let breach = row.and_then(|row| row.frozen.breach(tx.order.service()));
        let is_sent = !matches!(tx.state, State::Cancelled(_));
        let wanted = Wanted {
            account: &tx.account,
            name: &tx.reference,
            undated: &advance.undated,
        };
        if self.reconciliation.is_suspended() {
            Some(CommitOutcome::Suspended)
        } else if status == Some(AccountStatus::Suspended) && is_sent {
            Some(CommitOutcome::AccountSuspended)
        } else if let Some(breach) = breach.filter(|_| is_sent) {
            Some(CommitOutcome::Frozen(breach))
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

    pub(super) fn under_reference(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Option<Transaction> {
        let row = self.transaction_where(|earlier| {
            earlier.account == *account && earlier.reference == *reference
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

    /// Puts wallets whose spending was counted since they were worked out.
    fn put_balances(&mut self, wallets: Vec<Wallet>) {
        let kept = self.accounts.iter_mut().flat_map(|row| &mut row.wallets);
        for (kept, wallet) in kept.zip(wallets) {
            *kept = wallet.counting(kept.spending);
        }
    }

    pub(super) fn put_wallets(&mut self, wallets: Vec<Wallet>) {
        let kept = self.accounts.iter_mut().flat_map(|row| &mut row.wallets);
        for (kept, wallet) in kept.zip(wallets) {
            *kept = wallet;
        }
    }
}

/// What begins an attempt.
const BEGINNINGS: [EventKind; 3] = [EventKind::Begun, EventKind::Reopened, EventKind::Resent];

/// From when on what stays in the queue may be sent.
const fn send_from(tx: &Transaction) -> Option<Timestamp> {
    match &tx.state {
        State::Queued(queued) => Some(queued.send_from),
        State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Failed(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    }
}

/// The other account that a transfer of a transaction pays.
fn payee(transfer: &Transfer) -> Option<AccountId> {
    let is_credit = transfer.kind == TransferKind::UserCredit;
    let holder = transfer.credit.holder().filter(|_| is_credit)?;
    AccountId::parse(holder).ok()
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
