//! Openings, of one transaction or of all of a batch. A refused one must leave nothing behind.

use super::{BatchPlanner, Known};
use crate::PART;
use crate::planner::plan::{LineEvent, NewEvent};
use domain::account::AccountStatus;
use domain::batch::BatchOpening;
use domain::change_set::{Opening, Origin};
use domain::money::Money;
use domain::spending::{DailySpending, OverDailyLimit};
use domain::statement::StatementEntry;
use domain::transaction::Transaction;
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use std::borrow::Cow;

impl<'a> BatchPlanner<'a> {
    pub(super) fn open(&mut self, opening: &'a Opening) -> Result<CommitOutcome, PortError> {
        let tx = &opening.transaction;
        if let Some(refused) = self.may_not_be_opened(opening)? {
            return Ok(refused);
        }
        let transfers = opening.transfers().map(Cow::Borrowed);
        let moved = match self.movement(&tx.account, transfers) {
            Ok(moved) => moved,
            Err(immovable) => return immovable.into_verdict(),
        };
        let charged = match self.charged(std::slice::from_ref(opening))? {
            Ok(charged) => charged,
            Err(over) => return Ok(CommitOutcome::OverDailyLimit(over.limit)),
        };
        let (entry, fallen_below) = self.accept(moved);
        self.spend(tx, |wallet| wallet.counting(charged));
        self.notify_low_balance((tx, entry), fallen_below);
        self.credit_payees(tx, entry);
        self.opened(opening);
        Ok(CommitOutcome::Done)
    }

    /// All payments of a batch or none: nothing is noted before each may be opened and the wallet
    /// holds the prices of all.
    pub(super) fn open_batch(
        &mut self,
        opening: &'a BatchOpening,
    ) -> Result<CommitOutcome, PortError> {
        let (batch, items) = (opening.batch(), opening.items());
        for item in items.iter().take(1) {
            if let Some(refused) = self.may_not_open(item)? {
                return Ok(refused);
            }
        }
        if let Some(earlier) = self.batches.under_key_of(batch)? {
            return Ok(CommitOutcome::BatchTaken(earlier));
        }
        let reference = (batch.account.as_str(), batch.reference.as_str());
        if let Some(earlier) = self.references.get(&reference) {
            return Ok(CommitOutcome::ReferenceTaken(self.transaction(*earlier)?));
        }
        if let Some(earlier) = self.batches.under(reference)? {
            return Ok(CommitOutcome::BatchTaken(earlier));
        }
        for item in items {
            if let Some(refused) = self.may_not_be_opened(item)? {
                return Ok(refused);
            }
        }
        let holds = items.iter().map(|item| Cow::Borrowed(&item.hold));
        let moved = match self.movement(&batch.account, holds) {
            Ok(moved) => moved,
            Err(immovable) => return immovable.into_verdict(),
        };
        let charged = match self.charged(items)? {
            Ok(charged) => charged,
            Err(over) => return Ok(CommitOutcome::OverDailyLimit(over.limit)),
        };
        let (first, fallen_below) = self.accept(moved);
        if let Some((last, before)) = items.split_last() {
            self.spend(&last.transaction, |wallet| wallet.counting(charged));
            // What is left is known once the last of them is paid for.
            let entry = first.saturating_add(before.len());
            self.notify_low_balance((&last.transaction, entry), fallen_below);
        }
        for item in items {
            self.opened(item);
        }
        self.batches.insert(batch);
        self.plan.batches.push(opening);
        Ok(CommitOutcome::Done)
    }

    /// What counts against the limit of the day once all of these are accepted, which are charged
    /// to one wallet.
    fn charged(
        &self,
        items: &[Opening],
    ) -> Result<Result<DailySpending, OverDailyLimit>, PortError> {
        let Some(first) = items.first() else {
            return Err(PortError::new(PART, "an opening of nothing"));
        };
        let tx = &first.transaction;
        let currency = tx.quote.price.currency();
        let state = self.wallet_state((&tx.account, currency))?;
        let before = state.map_or(DailySpending::none(currency), |it| it.wallet.spending);
        let charged = items.iter().try_fold(before, |spent, item| {
            spent.with(&item.transaction, item.day)
        });
        Ok(charged)
    }

    /// Why nothing may be opened for an account now, whatever it is.
    fn may_not_open(&self, opening: &Opening) -> Result<Option<CommitOutcome>, PortError> {
        let is_request = opening.origin == Origin::Request;
        if self.held && is_request {
            return Ok(Some(CommitOutcome::Suspended));
        }
        let tx = &opening.transaction;
        let wallet = (&tx.account, tx.quote.price.currency());
        let Some(state) = self.wallet_state(wallet)? else {
            return Ok(Some(CommitOutcome::AccountUnknown));
        };
        if !is_request {
            return Ok(None);
        }
        if state.status == AccountStatus::Suspended {
            return Ok(Some(CommitOutcome::AccountSuspended));
        }
        let breach = state.frozen.breach(tx.order.service());
        Ok(breach.map(CommitOutcome::Frozen))
    }

    /// Why an opening is refused, but for the money it needs.
    fn may_not_be_opened(&self, opening: &Opening) -> Result<Option<CommitOutcome>, PortError> {
        if let Some(refused) = self.may_not_open(opening)? {
            return Ok(Some(refused));
        }
        let is_request = opening.origin == Origin::Request;
        let tx = &opening.transaction;
        let account = tx.account.as_str();
        let key = tx.idempotency.as_ref().map(|it| (account, it.key.as_str()));
        if let Some(earlier) = key.and_then(|key| self.keys.get(&key)) {
            return Ok(Some(CommitOutcome::KeyTaken(self.transaction(*earlier)?)));
        }
        let reference = (account, tx.reference.as_str());
        if let Some(earlier) = self.references.get(&reference) {
            let earlier = self.transaction(*earlier)?;
            return Ok(Some(CommitOutcome::ReferenceTaken(earlier)));
        }
        if let Some(earlier) = self.batches.under(reference)? {
            return Ok(Some(CommitOutcome::BatchTaken(earlier)));
        }
        let standing = self.settlement_state(reference, &opening.undated)?;
        if is_request && standing.waits {
            return Ok(Some(CommitOutcome::ReferenceUnsettled));
        }
        if standing.is_booked {
            return Ok(Some(CommitOutcome::ReferenceSettled));
        }
        // What a journal says was sent is recorded, whatever it was.
        let wallet = (&tx.account, tx.quote.price.currency());
        let environment = self.wallet_state(wallet)?.map(|state| state.environment);
        let is_sent = tx.order.service().has_provider();
        if is_request
            && is_sent
            && Some(self.environments.environment(tx.provider())?) != environment
        {
            return Ok(Some(CommitOutcome::OtherEnvironment));
        }
        if let Some(refused) = self.refused_by_payee(tx, opening.origin)? {
            return Ok(Some(refused));
        }
        let id = (account, tx.number.get());
        let is_taken = self.transactions.contains_key(&id);
        Ok(is_taken.then_some(CommitOutcome::NumberTaken))
    }

    /// Notes what is opened; its price is booked.
    fn opened(&mut self, opening: &'a Opening) {
        let tx = &opening.transaction;
        let account = tx.account.as_str();
        let id = (account, tx.number.get());
        self.transactions.insert(id, Known::Planned(tx));
        self.references.insert((account, tx.reference.as_str()), id);
        let key = tx.idempotency.as_ref().map(|it| (account, it.key.as_str()));
        self.keys.extend(key.map(|key| (key, id)));
        self.plan.openings.push(opening);
        self.reopened(tx, opening.event.at);
        let happened = opening.events().map(|event| NewEvent {
            account: &tx.account,
            event,
        });
        self.plan.events.extend(happened);
        self.plan
            .announced
            .extend(self.subscribers.of_booking(opening));
    }

    /// Notifies endpoints of the account that a hold has left it with little.
    fn notify_low_balance(&mut self, (tx, entry): (&'a Transaction, usize), below: Option<Money>) {
        if below.is_some() {
            self.notify_statement_entry((&tx.account, entry), |line| LineEvent {
                line: StatementEntry {
                    transaction: Some((tx.number, tx.reference.clone())),
                    ..line
                },
                low_balance_threshold: below,
            });
        }
    }
}
