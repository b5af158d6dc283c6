//! The guards, in their order, one change set after the other: each sees what the ones before it
//! did. A change set must be judged wholly before anything of it is noted.

mod batches;
mod booking;
mod collecting;
mod environments;
mod opening;
mod queueing;
mod settling;
mod vouchers;

use super::notifications::Subscribers;
use super::plan::{BatchPlan, LineEvent, Movement, NewEvent, NewTransfer};
use super::read_set::{WorkingSet, begins_an_attempt, leaves_the_queue};
use super::wallet_state::WalletState;
use crate::PART;
use crate::record::{RecordError, TransactionRow, authentic};
use batches::PlannedBatches;
use collecting::PlannedSessions;
use domain::account::{AccountId, AccountStatus};
use domain::change_set::{ChangeSet, Funding, Origin, StateChange};
use domain::money::{Currency, Money};
use domain::statement::StatementEntry;
use domain::transaction::{State, Transaction};
use environments::Environments;
use ports::ledger_store::CommitOutcome;
use ports::{PortError, PortErrorKind};
use settling::PlannedSettlement;
use std::borrow::Cow;
use std::collections::HashMap;
use vouchers::PlannedVouchers;

/// Judges change sets in order over what the store holds.
pub fn plan<'a>(changes: &'a [ChangeSet], known: &'a WorkingSet) -> BatchPlan<'a> {
    let mut planner = BatchPlanner::new(known);
    for change in changes {
        let verdict = match change {
            ChangeSet::Fund(funding) => planner.fund(funding),
            ChangeSet::Open(opening) => planner.open(opening),
            ChangeSet::OpenBatch(opening) => planner.open_batch(opening),
            ChangeSet::Advance(advance) => planner.advance(advance),
            ChangeSet::Settle(settlement) => planner.settle(settlement),
            ChangeSet::Collect(payment) => planner.collect(payment),
            ChangeSet::Voucher(step) => planner.voucher(step),
        };
        // What cannot be judged is not written.
        let verdict = verdict.map_err(PortError::with_nothing_done);
        planner.plan.verdicts.push(verdict);
    }
    planner.into_plan()
}

/// The latest known form of a transaction. Rows are decoded only when a caller must see them.
#[derive(Clone, Copy)]
enum Known<'a> {
    Stored(&'a TransactionRow),
    Planned(&'a Transaction),
}

impl Known<'_> {
    fn version(self) -> Option<u32> {
        match self {
            Self::Stored(row) => u32::try_from(row.version).ok(),
            Self::Planned(tx) => Some(tx.version),
        }
    }

    /// Whether this is the transaction that was opened as `tx`, not another under its number.
    fn is(self, tx: &Transaction) -> bool {
        let reference = match self {
            Self::Stored(row) => row.reference.as_str(),
            Self::Planned(tx) => tx.reference.as_str(),
        };
        reference == tx.reference.as_str()
    }

    /// Refuses to move a transaction on whose row was changed by other means.
    fn is_authentic(self, tx: &Transaction) -> Result<(), PortError> {
        match self {
            Self::Stored(row) => {
                let refused = |error| unreadable_transaction(tx, error);
                authentic(row.authenticity).map_err(refused)
            }
            Self::Planned(_) => Ok(()),
        }
    }

    fn transaction(self) -> Result<Box<Transaction>, PortError> {
        match self {
            Self::Stored(row) => row.restore().map(Box::new),
            Self::Planned(tx) => Ok(Box::new(tx.clone())),
        }
    }
}

type Name<'a> = (&'a str, &'a str);

/// The account of a transaction and the number it has there.
type Id<'a> = (&'a str, u64);

/// The account and currency of a wallet.
type Key<'a> = (&'a str, Currency);

struct BatchPlanner<'a> {
    plan: BatchPlan<'a>,
    /// Where in `wallet_states` a wallet is.
    wallets: HashMap<Key<'a>, usize>,
    wallet_states: Vec<PlannedBatch>,
    transactions: HashMap<Id<'a>, Known<'a>>,
    references: HashMap<Name<'a>, Id<'a>>,
    keys: HashMap<Name<'a>, Id<'a>>,
    batches: PlannedBatches<'a>,
    /// What was paid in under each name.
    fundings: HashMap<Name<'a>, Result<Money, RecordError>>,
    /// Where in the plan the movement of a transaction is.
    movements: HashMap<Id<'a>, usize>,
    subscribers: Subscribers<'a>,
    /// Whether nothing new may be opened.
    held: bool,
    /// References that only a provider knew.
    noted: Vec<PlannedSettlement<'a>>,
    environments: Environments<'a>,
    vouchers: PlannedVouchers<'a>,
    sessions: PlannedSessions<'a>,
}

/// The state of a wallet the batch touches.
struct PlannedBatch {
    state: Result<WalletState, RecordError>,
    /// Whether the batch leaves it otherwise than it found it.
    changed: bool,
}

impl<'a> BatchPlanner<'a> {
    fn new(known: &'a WorkingSet) -> Self {
        let mut planner = Self {
            plan: BatchPlan::default(),
            wallets: HashMap::with_capacity(known.wallets.len()),
            wallet_states: Vec::with_capacity(known.wallets.len()),
            transactions: HashMap::with_capacity(known.transactions.len()),
            references: HashMap::with_capacity(known.transactions.len()),
            keys: HashMap::new(),
            batches: PlannedBatches::of(&known.batches),
            fundings: HashMap::with_capacity(known.fundings.len()),
            movements: HashMap::new(),
            subscribers: Subscribers::new(&known.subscribers),
            held: known.held,
            noted: known.noted.iter().map(PlannedSettlement::of).collect(),
            environments: Environments::of(known),
            vouchers: PlannedVouchers::of(&known.vouchers),
            sessions: PlannedSessions::of(&known.collected),
        };
        for row in &known.wallets {
            // A wallet in a currency this gateway does not know is none that a change set can name.
            if let Some(currency) = Currency::from_code(&row.currency) {
                let key = (row.id.as_str(), currency);
                planner.wallets.insert(key, planner.wallet_states.len());
                planner.wallet_states.push(PlannedBatch {
                    state: WalletState::restore(row),
                    changed: false,
                });
            }
        }
        for row in &known.transactions {
            // A number outside its range can be no one's; it is found by its reference only.
            let number = u64::try_from(row.number).unwrap_or_default();
            let id = (row.account.as_str(), number);
            planner.transactions.insert(id, Known::Stored(row));
            planner
                .references
                .insert((&row.account, &row.reference), id);
            if let Some(key) = &row.idempotency_key {
                planner.keys.insert((&row.account, key), id);
            }
        }
        for row in &known.fundings {
            let name = (row.account.as_str(), row.reference.as_str());
            planner.fundings.insert(name, row.amount());
        }
        planner
    }

    fn into_plan(mut self) -> BatchPlan<'a> {
        let changed = self.wallet_states.into_iter().filter(|kept| kept.changed);
        self.plan
            .wallet_states
            .extend(changed.filter_map(|kept| kept.state.ok()));
        self.plan
    }

    fn fund(&mut self, funding: &'a Funding) -> Result<CommitOutcome, PortError> {
        let wallet = (&funding.account, funding.amount.currency());
        if self.wallet_state(wallet)?.is_none() {
            return Ok(CommitOutcome::AccountUnknown);
        }
        let name = (funding.account.as_str(), funding.reference.as_str());
        match self.fundings.get(&name) {
            Some(Ok(amount)) => return Ok(CommitOutcome::FundingTaken(*amount)),
            Some(Err(error)) => return Err(unreadable(&funding.account, error)),
            None => {}
        }
        let moved = match self.movement(&funding.account, [Cow::Owned(funding.transfer())]) {
            Ok(moved) => moved,
            Err(immovable) => return immovable.into_verdict(),
        };
        let (entry, fallen_below) = self.accept(moved);
        self.fundings.insert(name, Ok(funding.amount));
        self.plan.fundings.push((funding, entry));
        // A correction downwards is no credit: it is announced where the balance becomes low.
        if funding.amount.is_positive() || fallen_below.is_some() {
            self.notify_statement_entry((&funding.account, entry), |line| LineEvent {
                line,
                low_balance_threshold: fallen_below,
            });
        }
        Ok(CommitOutcome::Done)
    }

    fn advance(&mut self, advance: &'a StateChange) -> Result<CommitOutcome, PortError> {
        let tx = &advance.transaction;
        let id = (tx.account.as_str(), tx.number.get());
        let known = self.transactions.get(&id).copied();
        let Some(known) = known.filter(|known| known.is(tx)) else {
            return Err(never_opened(tx));
        };
        known.is_authentic(tx)?;
        if known.version() != Some(advance.expected_version()) {
            return Ok(CommitOutcome::VersionConflict(known.transaction()?));
        }
        if let Some(refused) = self.may_leave_the_queue(advance)? {
            return Ok(refused);
        }
        let begins = begins_an_attempt(advance);
        let name = (tx.account.as_str(), tx.reference.as_str());
        if begins && self.settlement_state(name, &[])?.is_booked {
            return Ok(CommitOutcome::ReferenceSettled);
        }
        if begins && !self.environments.one_for_all_attempts(tx)? {
            return Ok(CommitOutcome::OtherEnvironment);
        }
        if let Some(refused) = self.refused_by_payee(tx, advance.origin)? {
            return Ok(refused);
        }
        let moved = match self.movement(&tx.account, advance.transfers.iter().map(Cow::Borrowed)) {
            Ok(moved) => moved,
            Err(immovable) => return immovable.into_verdict(),
        };
        let (entry, _) = self.accept(moved);
        self.spend(tx, |wallet| wallet.advanced(advance));
        self.credit_payees(tx, entry);
        if begins {
            self.reopened(tx, tx.updated_at);
        }
        if leaves_the_queue(advance) {
            self.plan.unqueued.push(tx);
        } else if let State::Queued(queued) = &tx.state {
            let due_at = advance.due_at.unwrap_or(queued.send_from);
            self.plan.requeued.push((tx, due_at));
        }
        self.transactions.insert(id, Known::Planned(tx));
        let reported = advance.event.iter().map(|event| NewEvent {
            account: &tx.account,
            event,
        });
        self.plan.events.extend(reported);
        self.plan.announced.extend(self.subscribers.of(advance));
        let movements = &mut self.plan.movements;
        let earlier = self
            .movements
            .get(&id)
            .and_then(|index| movements.get_mut(*index));
        if let Some(movement) = earlier {
            movement.advance = advance;
        } else {
            self.movements.insert(id, movements.len());
            movements.push(Movement {
                advance,
                from_version: advance.expected_version(),
            });
        }
        Ok(CommitOutcome::Done)
    }

    /// Why the other account may not be paid by a transaction: it is of another environment, or
    /// suspended. What a journal shows was paid to it before it was.
    fn refused_by_payee(
        &self,
        tx: &Transaction,
        origin: Origin,
    ) -> Result<Option<CommitOutcome>, PortError> {
        let Some(payee) = tx.payee() else {
            return Ok(None);
        };
        let currency = tx.quote.price.currency();
        let own = self.wallet_state((&tx.account, currency))?;
        let other = self.wallet_state((&payee.account, currency))?;
        let Some((own, other)) = own.zip(other) else {
            return Ok(None);
        };
        if own.environment != other.environment {
            return Ok(Some(CommitOutcome::OtherEnvironment));
        }
        let is_refused = origin == Origin::Request && other.status == AccountStatus::Suspended;
        Ok(is_refused.then_some(CommitOutcome::AccountSuspended))
    }

    /// Notifies endpoints of the account of a statement entry that the plan makes.
    fn notify_statement_entry(
        &mut self,
        (account, entry): (&'a AccountId, usize),
        observation: impl FnOnce(StatementEntry) -> LineEvent,
    ) {
        let line = self
            .plan
            .entries
            .get(entry)
            .and_then(NewTransfer::statement);
        let reported = line.map(|line| {
            self.subscribers
                .of_statement_entry(account, observation(line))
        });
        self.plan.announced.extend(reported.into_iter().flatten());
    }

    fn wallet_state(
        &self,
        (account, currency): (&AccountId, Currency),
    ) -> Result<Option<&WalletState>, PortError> {
        let place = self.wallets.get(&(account.as_str(), currency));
        let kept = place.and_then(|place| self.wallet_states.get(*place));
        match kept.map(|kept| &kept.state) {
            None => Ok(None),
            Some(Ok(state)) => Ok(Some(state)),
            Some(Err(error)) => Err(unreadable(account, error)),
        }
    }

    fn transaction(&self, id: Id<'_>) -> Result<Box<Transaction>, PortError> {
        let known = self.transactions.get(&id);
        known.map_or_else(
            || {
                let (account, number) = id;
                Err(PortError::new(
                    PART,
                    format!("transaction {number} of {account} is not in the working set"),
                ))
            },
            |known| known.transaction(),
        )
    }
}

fn unreadable(account: &AccountId, error: &RecordError) -> PortError {
    let what = format!("account {account} cannot be read: {error}");
    PortError::new(PART, what).with_trouble(PortErrorKind::Record)
}

fn unreadable_transaction(tx: &Transaction, error: RecordError) -> PortError {
    let what = format!(
        "transaction {} of {} cannot be moved on",
        tx.number, tx.account
    );
    PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
}

fn never_opened(tx: &Transaction) -> PortError {
    let (number, account, reference) = (tx.number, &tx.account, &tx.reference);
    PortError::new(
        PART,
        format!("advance transaction {number} of {account}, {reference}, which was never opened"),
    )
    .with_trouble(PortErrorKind::Record)
}
