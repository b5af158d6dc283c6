//! The invariants, computed from the lists in the plainest way. A check must look at everything and
//! trust no other check.

mod batches;
mod bookings;
mod collections;
mod deliveries;
mod environments;
mod final_states;
mod invoices;
mod money;
mod recurring;
mod refunds;
mod spending;
mod top_ups;
mod transit;
mod vouchers;

use super::changes::is_open as is_unapplied;
use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::event::Event;
use domain::ledger::{LedgerAccount, Transfer, TransferKind, actual_cost};
use domain::money::Currency;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, Disproven, State, Status, Transaction};
use ports::PortError;
use ports::audit::{Audit, Booked, BookedState, CheckOutcome, CheckResult, OFFENCES_MAX, Serving};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long a due transaction may wait for recovery while a server runs.
const OVERDUE_AFTER: Duration = Duration::from_mins(2);

/// How far away an undecided transaction may be due: no lease or pause is longer.
const PUT_OFF_MAX: Duration = Duration::from_hours(1);

#[async_trait]
impl Audit for MemoryStore {
    async fn audit(&self, now: Timestamp, serving: Serving) -> Result<Vec<CheckResult>, PortError> {
        let tables = self.tables();
        Ok(vec![
            tables.i1_every_transfer_balances(),
            tables.i2_wallets_agree(),
            tables.i3_one_hold_one_settlement(),
            tables.i4_one_attempt_open(),
            tables.i5_earlier_attempts_disproven(),
            tables.i6_success_is_delivery(),
            tables.i10_references_are_unique(),
            tables.i11_events_have_no_gap(),
            tables.i13_nothing_due_waits(now, serving),
            tables.i14_final_states_stay(),
            tables.i15_the_sum_is_zero(),
            tables.i16_the_price_is_what_moved(),
            tables.i17_deliveries_show_events(),
            tables.i18_changes_are_applied(),
            tables.i21_costs_are_booked(),
            tables.i22_attempts_stay_in_their_environment(),
            tables.i23_batches_are_whole(),
            tables.i24_nothing_stays_in_transit(),
            tables.i26_no_day_costs_more_than_counts(),
            tables.i27_confirmations_have_their_top_ups(),
            tables.i28_refunds_were_approved(),
            tables.i29_codes_hold_what_the_ledger_says(),
            tables.i30_runs_have_their_payments(),
            tables.i31_payments_are_booked_once(),
            tables.i32_invoices_are_numbered_and_billed(),
            tables.i34_appointments_share_no_time(),
        ])
    }

    async fn attempts(&self, provider: &ProviderId) -> Result<Vec<Booked>, PortError> {
        let tables = self.tables();
        let booked = tables.all().flat_map(|tx| attempts_of(tx, provider));
        Ok(booked.collect())
    }
}

/// The attempts of a transaction at a provider.
fn attempts_of(tx: &Transaction, provider: &ProviderId) -> Vec<Booked> {
    let booked = |attempt: AttemptNumber, state: BookedState| Booked {
        reference: tx.provider_reference(attempt),
        state,
        amount: tx.order.amount(),
        id: tx.reported.of(attempt).id.clone(),
        cost: actual_cost(
            match state {
                BookedState::Delivered => tx.charged().cost,
                BookedState::Open
                | BookedState::Reversed
                | BookedState::Lost
                | BookedState::Disproven => tx.quote.cost,
            },
            tx.reported.of(attempt).cost,
        ),
    };
    let ended = |ended: &Disproven| {
        let state = if ended.is_loss() {
            BookedState::Lost
        } else {
            BookedState::Disproven
        };
        booked(ended.attempt, state)
    };
    let mut attempts: Vec<Booked> = tx.earlier.iter().map(ended).collect();
    let current = |attempt| match &tx.state {
        State::Sending(_) | State::InDoubt(_) | State::Review(_) => {
            Some(booked(attempt, BookedState::Open))
        }
        State::Successful(_) => Some(booked(attempt, BookedState::Delivered)),
        State::Reversed(_) => Some(booked(attempt, BookedState::Reversed)),
        State::Failed(disproven) => Some(ended(disproven)),
        State::Queued(_) | State::Cancelled(_) | State::Booked(_) => None,
    };
    attempts.extend(tx.attempt().and_then(current));
    let earlier = tx.earlier.iter().map(|ended| ended.attempt);
    let made = earlier.chain(tx.attempt()).zip(attempts);
    let there = made.filter(|(attempt, _)| tx.provider_of(*attempt) == provider);
    there.map(|(_, booked)| booked).collect()
}

/// One check being made: offences are collected, then judged.
struct Check {
    invariant: &'static str,
    rule: &'static str,
    examined: u64,
    offences: Vec<String>,
}

impl Check {
    fn new(invariant: &'static str, rule: &'static str) -> Self {
        Self {
            invariant,
            rule,
            examined: 0,
            offences: Vec::new(),
        }
    }

    fn row(&mut self, holds: bool, offence: impl FnOnce() -> String) {
        self.examined += 1;
        if !holds && self.offences.len() < OFFENCES_MAX {
            self.offences.push(offence());
        }
    }

    fn result(self) -> CheckResult {
        let outcome = if self.offences.is_empty() {
            CheckOutcome::Holds {
                examined: self.examined,
            }
        } else {
            CheckOutcome::Broken {
                offences: self.offences,
            }
        };
        CheckResult {
            invariant: self.invariant,
            rule: self.rule,
            outcome,
        }
    }
}

impl MemoryTables {
    fn all(&self) -> impl Iterator<Item = &Transaction> {
        self.transactions.iter().map(|row| &row.transaction)
    }

    fn transfers_of(&self, tx: &Transaction, kind: TransferKind) -> Vec<&Transfer> {
        let of_it = |owner: &AccountId, transfer: &Transfer| {
            *owner == tx.account && transfer.transaction == Some(tx.number) && transfer.kind == kind
        };
        let transfers = self.transfers.iter();
        transfers
            .filter_map(|(owner, transfer)| of_it(owner, transfer).then_some(transfer))
            .collect()
    }

    fn events_of(&self, tx: &Transaction) -> Vec<Event> {
        let of_it = |owner: &AccountId, event: &Event| {
            *owner == tx.account && event.transaction == tx.number
        };
        let events = self.events.iter();
        events
            .filter_map(|(owner, event)| of_it(owner, event).then_some(*event))
            .collect()
    }

    /// Credits less debits of a ledger account in a currency, in minor units.
    pub(super) fn balance(&self, account: &LedgerAccount, currency: Currency) -> i64 {
        let signed = |transfer: &Transfer| {
            let credit = if transfer.credit == *account {
                transfer.amount.minor()
            } else {
                0
            };
            let debit = if transfer.debit == *account {
                transfer.amount.minor()
            } else {
                0
            };
            credit - debit
        };
        let transfers = self.transfers.iter().map(|(_, transfer)| transfer);
        let in_currency = |transfer: &&Transfer| transfer.amount.currency() == currency;
        transfers.filter(in_currency).map(signed).sum()
    }

    fn i1_every_transfer_balances(&self) -> CheckResult {
        let mut check = Check::new(
            "I1",
            "Every transfer moves an amount above zero between two accounts",
        );
        for (_, transfer) in &self.transfers {
            let holds = transfer.amount.is_positive() && transfer.debit != transfer.credit;
            check.row(holds, || format!("{transfer:?}"));
        }
        check.result()
    }

    fn i2_wallets_agree(&self) -> CheckResult {
        let rule = "Wallets are never below zero, agree with the ledger, and hold what is open";
        let mut check = Check::new("I2", rule);
        for wallet in self.accounts.iter().flat_map(|row| &row.wallets) {
            let (id, currency) = (&wallet.account, wallet.currency());
            let open = self.all().filter(|tx| {
                tx.account == *id && tx.quote.price.currency() == currency && is_open(tx)
            });
            let open: i64 = open.map(|tx| tx.quote.price.minor()).sum();
            let available = self.balance(&LedgerAccount::Available(id.clone()), currency);
            let held = self.balance(&LedgerAccount::Held(id.clone()), currency);
            let kept = (wallet.available.minor(), wallet.held.minor());
            let holds = kept == (available, held) && available >= 0 && held == open;
            check.row(holds, || {
                let code = currency.code();
                format!("{id} {code}: {kept:?}, ledger {available} and {held}, open {open}")
            });
        }
        check.result()
    }

    fn i3_one_hold_one_settlement(&self) -> CheckResult {
        let rule = "One hold per transaction; one capture, release or transfer out exactly when it \
                    is final";
        let mut check = Check::new("I3", rule);
        for tx in self.all() {
            let count = |kind| self.transfers_of(tx, kind).len();
            let holds = count(TransferKind::Hold);
            let settled = count(TransferKind::Capture)
                + count(TransferKind::Release)
                + count(TransferKind::TransferOut);
            let expected = usize::from(!is_open(tx));
            check.row(holds == 1 && settled == expected, || {
                format!(
                    "{}: {holds} holds, {settled} settlements, {:?}",
                    tx.number,
                    tx.status()
                )
            });
        }
        check.result()
    }

    fn i4_one_attempt_open(&self) -> CheckResult {
        let mut check = Check::new("I4", "At most one attempt of a transaction is undecided");
        for tx in self.all() {
            let decided: BTreeSet<_> = tx.earlier.iter().map(|ended| ended.attempt).collect();
            let is_decided = tx
                .attempt()
                .is_some_and(|current| decided.contains(&current));
            let once = decided.len() == tx.earlier.len() && !is_decided;
            check.row(once, || format!("{}: {:?}", tx.number, tx.earlier));
        }
        check.result()
    }

    fn i5_earlier_attempts_disproven(&self) -> CheckResult {
        let mut check = Check::new("I5", "Every attempt before the current one was disproven");
        for tx in self.all() {
            let disproven: Vec<_> = tx.earlier.iter().map(|ended| ended.attempt.get()).collect();
            let made: Vec<_> = tx.attempts().map(AttemptNumber::get).collect();
            let expected = made.split_last().map_or(&[][..], |(_, earlier)| earlier);
            check.row(disproven == expected, || {
                format!("{}: {made:?} made, {disproven:?} disproven", tx.number)
            });
        }
        check.result()
    }

    fn i6_success_is_delivery(&self) -> CheckResult {
        let rule = "What was captured was delivered as ordered, and nothing else was";
        let mut check = Check::new("I6", rule);
        for tx in self.all() {
            let captured = self.transfers_of(tx, TransferKind::Capture).len();
            let delivered = tx.state.delivered();
            let complete = delivered.is_none_or(|it| it.fulfilment.completes(&tx.order));
            check.row(
                complete && captured == usize::from(delivered.is_some()),
                || format!("{}: {captured} captures, {:?}", tx.number, tx.status()),
            );
        }
        check.result()
    }

    fn i10_references_are_unique(&self) -> CheckResult {
        let rule = "An account's references, keys, numbers and funding references name one thing";
        let mut check = Check::new("I10", rule);
        let (mut names, mut numbers) = (BTreeSet::new(), BTreeSet::new());
        for tx in self.all() {
            let key = tx.idempotency.as_ref().map(|used| used.key.as_str());
            let fresh_key = key.is_none_or(|key| names.insert((&tx.account, "key", key)));
            let fresh = names.insert((&tx.account, "reference", tx.reference.as_str()));
            let fresh_number = numbers.insert((&tx.account, tx.number));
            check.row(fresh && fresh_key && fresh_number, || {
                format!(
                    "{}: {} of {} is not the only one",
                    tx.number, tx.reference, tx.account
                )
            });
        }
        for funding in &self.fundings {
            let fresh = names.insert((&funding.account, "funding", funding.reference.as_str()));
            check.row(fresh, || {
                format!("funding {} of {}", funding.reference, funding.account)
            });
        }
        check.result()
    }

    fn i11_events_have_no_gap(&self) -> CheckResult {
        let mut check = Check::new(
            "I11",
            "Events of a transaction are numbered 1, 2, 3 to its last",
        );
        for tx in self.all() {
            let reported: Vec<_> = self
                .events_of(tx)
                .iter()
                .map(|event| event.sequence)
                .collect();
            let expected: Vec<_> = (1..=tx.sequence).collect();
            check.row(reported == expected, || {
                format!("{}: {reported:?}", tx.number)
            });
        }
        check.result()
    }

    fn i13_nothing_due_waits(&self, now: Timestamp, serving: Serving) -> CheckResult {
        let rule = "While a server runs, nothing is due for longer than two minutes";
        let mut check = Check::new("I13", rule);
        if serving == Serving::No {
            let reason = "no server runs".to_owned();
            let outcome = CheckOutcome::NotApplicable { reason };
            return CheckResult {
                outcome,
                ..check.result()
            };
        }
        for row in &self.transactions {
            let waiting = row.due_at.is_some_and(|due| now.since(due) > OVERDUE_AFTER);
            let put_off = row.due_at.is_some_and(|due| due.since(now) > PUT_OFF_MAX);
            check.row(!waiting && !put_off, || {
                format!("{}: due {:?}", row.transaction.number, row.due_at)
            });
        }
        check.result()
    }

    fn i18_changes_are_applied(&self) -> CheckResult {
        let mut check = Check::new("I18", "Every change that a provider reported is applied");
        for letter in &self.dead_letters {
            let (id, reason) = (&letter.id, &letter.reason);
            check.row(!is_unapplied(letter), || {
                format!("{} reported {}: {reason}", id.provider, id.reference)
            });
        }
        check.result()
    }
}

fn is_open(tx: &Transaction) -> bool {
    tx.status() == Status::Pending
}
