//! The stored balance of a merchant's two accounts. It must never be changed but by the transfers
//! that touch it.

use super::{LedgerAccount, Transfer};
use crate::account::AccountId;
use crate::money::{Currency, Money};

/// What a merchant can spend and what is set aside; neither is ever below zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wallet {
    /// Whose wallet.
    pub account: AccountId,
    /// What can be spent.
    pub available: Money,
    /// What is set aside for open transactions.
    pub held: Money,
}

/// A transfer would take a wallet below zero, or beyond the largest amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the wallet does not hold enough")]
pub struct InsufficientFunds;

impl Wallet {
    /// An empty wallet.
    pub fn new(account: AccountId, currency: Currency) -> Self {
        Self {
            account,
            available: Money::zero(currency),
            held: Money::zero(currency),
        }
    }

    /// The wallet after a transfer; transfers between other accounts leave it as it is.
    ///
    /// # Errors
    /// Refuses a transfer that would leave either balance below zero, in another currency, or
    /// beyond the largest amount.
    pub fn after(&self, transfer: &Transfer) -> Result<Self, InsufficientFunds> {
        let mut after = self.clone();
        if let Some(balance) = after.balance_mut(&transfer.debit) {
            *balance = balance
                .checked_sub(transfer.amount)
                .filter(|left| left.minor() >= 0)
                .ok_or(InsufficientFunds)?;
        }
        if let Some(balance) = after.balance_mut(&transfer.credit) {
            *balance = balance
                .checked_add(transfer.amount)
                .ok_or(InsufficientFunds)?;
        }
        Ok(after)
    }

    fn balance_mut(&mut self, account: &LedgerAccount) -> Option<&mut Money> {
        match account {
            LedgerAccount::Available(id) if *id == self.account => Some(&mut self.available),
            LedgerAccount::Held(id) if *id == self.account => Some(&mut self.held),
            LedgerAccount::Available(_)
            | LedgerAccount::Held(_)
            | LedgerAccount::Float(_)
            | LedgerAccount::CommissionRevenue
            | LedgerAccount::ChargesRevenue
            | LedgerAccount::Funding
            | LedgerAccount::Loss => None,
        }
    }
}
