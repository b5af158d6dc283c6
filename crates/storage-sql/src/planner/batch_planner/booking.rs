//! Books the transfers of a change set on the wallet states of the batch. Nothing may be noted
//! before the whole change set can be booked.

use super::{BatchPlanner, PlannedBatch};
use crate::PART;
use crate::planner::plan::{LineEvent, NewTransfer};
use crate::planner::read_set::merchant;
use crate::planner::wallet_state::NewStatementEntry;
use crate::planner::wallet_state::WalletState;
use domain::account::AccountId;
use domain::ledger::{LedgerAccount, Transfer, TransferKind, Unbookable, Wallet};
use domain::money::Money;
use domain::transaction::Transaction;
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use std::borrow::Cow;

/// What the transfers of one change set do, before it is accepted.
#[derive(Default)]
pub(super) struct BookedMovement<'a> {
    /// Each with its place among the wallet states of the batch.
    wallet_states: Vec<(usize, WalletState)>,
    entries: Vec<NewTransfer<'a>>,
}

/// Why transfers cannot be made.
pub(super) enum Immovable {
    Verdict(CommitOutcome),
    Fault(PortError),
}

impl Immovable {
    pub(super) fn into_verdict(self) -> Result<CommitOutcome, PortError> {
        match self {
            Self::Verdict(verdict) => Ok(verdict),
            Self::Fault(fault) => Err(fault),
        }
    }
}

impl<'a> BatchPlanner<'a> {
    /// What transfers do to the wallet states they touch, none of it noted yet.
    pub(super) fn movement(
        &self,
        owner: &'a AccountId,
        transfers: impl IntoIterator<Item = Cow<'a, Transfer>>,
    ) -> Result<BookedMovement<'a>, Immovable> {
        let mut moved = BookedMovement::default();
        for transfer in transfers {
            let line = self.book(&transfer, &mut moved.wallet_states)?;
            let owner = payee(&transfer).unwrap_or(owner);
            moved.entries.push(NewTransfer {
                owner,
                transfer,
                line,
            });
        }
        Ok(moved)
    }

    /// Takes one transfer through the wallet states it touches.
    fn book(
        &self,
        transfer: &Transfer,
        wallet_states: &mut Vec<(usize, WalletState)>,
    ) -> Result<Option<NewStatementEntry>, Immovable> {
        if between_merchants(transfer) {
            let what = format!(
                "{} between two merchants has no statement",
                transfer.kind.code()
            );
            return Err(Immovable::Fault(PortError::new(PART, what)));
        }
        let Some(id) = [&transfer.debit, &transfer.credit]
            .into_iter()
            .find_map(merchant)
        else {
            return Ok(None);
        };
        let wallet = (id, transfer.amount.currency());
        let unknown = Immovable::Verdict(CommitOutcome::AccountUnknown);
        let Some(place) = self.wallets.get(&(id.as_str(), wallet.1)).copied() else {
            return Err(unknown);
        };
        let index = wallet_states.iter().position(|(known, _)| *known == place);
        let before = match index.and_then(|index| wallet_states.get(index)) {
            Some((_, state)) => state,
            None => self
                .wallet_state(wallet)
                .map_err(Immovable::Fault)?
                .ok_or(unknown)?,
        };
        let (after, line) = before
            .after(transfer)
            .map_err(|unbookable| Immovable::Verdict(verdict(unbookable)))?;
        match index.and_then(|index| wallet_states.get_mut(index)) {
            Some((_, state)) => *state = after,
            None => wallet_states.push((place, after)),
        }
        Ok(line)
    }

    /// Links what other accounts were paid, among the entries from `first` on, to the transaction
    /// that paid it, and notifies their endpoints.
    pub(super) fn credit_payees(&mut self, tx: &'a Transaction, first: usize) {
        let entries = self.plan.entries.iter().enumerate().skip(first);
        let credits = entries.filter(|(_, it)| it.transfer.kind == TransferKind::UserCredit);
        let credits: Vec<_> = credits.map(|(entry, it)| (it.owner, entry)).collect();
        for (account, entry) in credits {
            self.plan.user_credits.push((tx, entry));
            self.notify_statement_entry((account, entry), |line| LineEvent {
                line,
                low_balance_threshold: None,
            });
        }
    }

    /// Notes what a payment does to what counts against the limit of a day.
    pub(super) fn spend(&mut self, tx: &Transaction, after: impl FnOnce(&Wallet) -> Wallet) {
        let wallet = (tx.account.as_str(), tx.quote.price.currency());
        let place = self.wallets.get(&wallet).copied();
        let kept = place.and_then(|place| self.wallet_states.get_mut(place));
        if let Some(kept) = kept
            && let Ok(state) = &mut kept.state
        {
            state.wallet = after(&state.wallet);
        }
    }

    /// Notes what transfers did; returns the index of the first of them, and what a wallet fell
    /// below by them.
    pub(super) fn accept(&mut self, moved: BookedMovement<'a>) -> (usize, Option<Money>) {
        let mut fallen_below = None;
        for (place, state) in moved.wallet_states {
            if let Some(kept) = self.wallet_states.get_mut(place) {
                if let Ok(before) = &kept.state {
                    fallen_below = fallen_below.or(before.wallet.fallen_below(&state.wallet));
                }
                *kept = PlannedBatch {
                    state: Ok(state),
                    changed: true,
                };
            }
        }
        let first = self.plan.entries.len();
        self.plan.entries.extend(moved.entries);
        (first, fallen_below)
    }
}

/// The other account that a transfer of a transaction pays.
fn payee<'a>(transfer: &Cow<'a, Transfer>) -> Option<&'a AccountId> {
    match transfer {
        Cow::Borrowed(transfer) if transfer.kind == TransferKind::UserCredit => {
            merchant(&transfer.credit)
        }
        Cow::Borrowed(_) | Cow::Owned(_) => None,
    }
}

const fn verdict(unbookable: Unbookable) -> CommitOutcome {
    match unbookable {
        Unbookable::InsufficientFunds => CommitOutcome::InsufficientFunds,
        Unbookable::BalanceLimit => CommitOutcome::BalanceLimit,
    }
}

fn between_merchants(transfer: &Transfer) -> bool {
    let owner = |leg: &LedgerAccount| merchant(leg).cloned();
    match (owner(&transfer.debit), owner(&transfer.credit)) {
        (Some(debit), Some(credit)) => debit != credit,
        (Some(_) | None, None) | (None, Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::between_merchants;
    use domain::account::AccountId;
    use domain::ledger::{LedgerAccount, Transfer, TransferKind};
    use domain::money::{Currency, Money};
    use domain::time::Timestamp;

    #[test]
    fn a_transfer_between_two_merchants_is_seen() {
        let of = |id| AccountId::parse(id).unwrap();
        let transfer = |debit, credit| Transfer {
            transaction: None,
            kind: TransferKind::Hold,
            debit,
            credit,
            amount: Money::from_minor(100, Currency::Ngn),
            narration: None,
            at: Timestamp::from_millis(0),
        };
        let available = |id| LedgerAccount::Available(of(id));
        let held = |id| LedgerAccount::Held(of(id));
        assert!(between_merchants(&transfer(
            available("shop"),
            held("kiosk")
        )));
        assert!(!between_merchants(&transfer(
            available("shop"),
            held("shop")
        )));
        let charges = LedgerAccount::ChargesRevenue;
        assert!(!between_merchants(&transfer(held("shop"), charges)));
    }
}
