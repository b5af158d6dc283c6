//! One wallet of a merchant while a batch is judged. Its balances must change by transfers only,
//! and each change of what can be spent is one more line of the statement.

use crate::record::{AccountRow, RecordError, authentic};
use domain::account::AccountStatus;
use domain::environment::Environment;
use domain::freeze::FrozenServices;
use domain::ledger::{LedgerAccount, Transfer, Unbookable, Wallet};
use domain::money::Money;
use domain::statement::Direction;

/// A wallet with its statement counters, and what of its account decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletState {
    /// Whether the account may buy.
    pub status: AccountStatus,
    /// Whether its money is real.
    pub environment: Environment,
    /// What of the account is frozen.
    pub frozen: FrozenServices,
    /// The balances.
    pub wallet: Wallet,
    /// How many debits the statement has.
    pub debits: u64,
    /// How many credits the statement has.
    pub credits: u64,
}

impl WalletState {
    /// The state a row holds.
    pub(super) fn restore(row: &AccountRow) -> Result<Self, RecordError> {
        authentic(row.authenticity)?;
        let count = |stored: i64| {
            u64::try_from(stored).map_err(|_| RecordError::Value("statement counter"))
        };
        Ok(Self {
            status: row.status()?,
            environment: row.environment()?,
            frozen: row.frozen_services(),
            wallet: row.wallet()?,
            debits: count(row.debits)?,
            credits: count(row.credits)?,
        })
    }

    /// The state after a transfer, and the line it makes on the statement, if it makes one.
    pub(super) fn after(
        &self,
        transfer: &Transfer,
    ) -> Result<(Self, Option<NewStatementEntry>), Unbookable> {
        let mut after = Self {
            wallet: self.wallet.after(transfer)?,
            frozen: self.frozen.clone(),
            ..*self
        };
        let owner = &self.wallet.account;
        let ours = |leg: &LedgerAccount| matches!(leg, LedgerAccount::Available(id) if id == owner);
        let direction = if ours(&transfer.debit) {
            after.debits = after.debits.saturating_add(1);
            Direction::Debit
        } else if ours(&transfer.credit) {
            after.credits = after.credits.saturating_add(1);
            Direction::Credit
        } else {
            return Ok((after, None));
        };
        let position = after.debits.saturating_add(after.credits);
        let nth = match direction {
            Direction::Debit => after.debits,
            Direction::Credit => after.credits,
        };
        let line = NewStatementEntry {
            direction,
            position,
            nth,
            available_after: after.wallet.available,
        };
        Ok((after, Some(line)))
    }
}

/// A line of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewStatementEntry {
    /// Debit or credit.
    pub direction: Direction,
    /// Its place among all lines of the wallet, from 1 without a gap: pages are cut by it.
    pub position: u64,
    /// Its place among the lines of its direction, from 1 without a gap.
    pub nth: u64,
    /// What can be spent after it.
    pub available_after: Money,
}
