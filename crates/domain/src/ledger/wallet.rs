//! The stored balance of a merchant's two accounts. It must never be changed but by the transfers
//! that touch it.

use super::{LedgerAccount, Transfer, TransferKind};
use crate::account::AccountId;
use crate::money::{Currency, Money};
use crate::spending::DailySpending;
use crate::transaction::StateChange;

/// What a merchant can spend and what is set aside in one currency; neither is ever below zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wallet {
    /// Whose wallet.
    pub account: AccountId,
    /// What can be spent.
    pub available: Money,
    /// What is set aside for open transactions.
    pub held: Money,
    /// The balance below which an event is sent to the account.
    pub low_balance_threshold: Option<Money>,
    /// What counts against the limit of a day.
    pub spending: DailySpending,
}

/// Why a wallet cannot take a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unbookable {
    /// A debit would take a balance below zero.
    #[error("the wallet does not hold enough")]
    InsufficientFunds,
    /// A credit would take a balance beyond [`Money::MAX_MINOR`].
    #[error("the wallet cannot hold more")]
    BalanceLimit,
}

impl Wallet {
    /// An empty wallet.
    pub fn new(account: AccountId, currency: Currency) -> Self {
        Self {
            account,
            available: Money::zero(currency),
            held: Money::zero(currency),
            low_balance_threshold: None,
            spending: DailySpending::none(currency),
        }
    }

    /// The currency it is kept in.
    pub const fn currency(&self) -> Currency {
        self.available.currency()
    }

    /// The wallet after a transfer; transfers between other accounts leave it as it is.
    ///
    /// # Errors
    /// Refuses a transfer that would leave either balance below zero, in another currency, or
    /// beyond the largest amount.
    pub fn after(&self, transfer: &Transfer) -> Result<Self, Unbookable> {
        let mut after = self.clone();
        if let Some(balance) = after.balance_mut(&transfer.debit) {
            *balance = balance
                .checked_sub(transfer.amount)
                .filter(|left| left.minor() >= 0)
                .ok_or(Unbookable::InsufficientFunds)?;
        }
        if let Some(balance) = after.balance_mut(&transfer.credit) {
            *balance = balance
                .checked_add(transfer.amount)
                .ok_or(Unbookable::BalanceLimit)?;
        }
        Ok(after)
    }

    /// The same, with so much that counts against the limit of a day.
    #[must_use]
    pub fn counting(&self, spending: DailySpending) -> Self {
        Self {
            spending,
            ..self.clone()
        }
    }

    /// The wallet after a step of a payment from it: a price that is given back counts no more.
    #[must_use]
    pub fn advanced(&self, advance: &StateChange) -> Self {
        let mut transfers = advance.transfers.iter();
        let is_released = transfers.any(|transfer| transfer.kind == TransferKind::Release);
        let mut after = self.clone();
        if is_released {
            after.spending = self.spending.without(&advance.transaction);
        }
        after
    }

    /// What it fell below on the way to what it is `after` something; `None` where it was below
    /// before, or is not now.
    pub fn fallen_below(&self, after: &Self) -> Option<Money> {
        let below = self.low_balance_threshold?;
        let is_low = |wallet: &Self| wallet.available.minor() < below.minor();
        (!is_low(self) && is_low(after)).then_some(below)
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn id(account: &str) -> AccountId {
        AccountId::parse(account).unwrap()
    }

    fn transfer((debit, credit): (LedgerAccount, LedgerAccount), minor: i64) -> Transfer {
        Transfer {
            transaction: None,
            kind: TransferKind::Hold,
            debit,
            credit,
            amount: naira(minor),
            narration: None,
            at: Timestamp::from_millis(0),
        }
    }

    fn hold(minor: i64) -> Transfer {
        let legs = (
            LedgerAccount::Available(id("shop")),
            LedgerAccount::Held(id("shop")),
        );
        transfer(legs, minor)
    }

    fn wallet(available: i64) -> Wallet {
        Wallet {
            available: naira(available),
            ..Wallet::new(id("shop"), Currency::Ngn)
        }
    }

    #[test]
    fn a_hold_moves_money_within_the_wallet() {
        let after = wallet(100).after(&hold(60)).unwrap();
        assert_eq!((after.available, after.held), (naira(40), naira(60)));
    }

    #[test]
    fn the_last_kobo_can_be_spent_and_not_one_more() {
        assert_eq!(wallet(100).after(&hold(100)).unwrap().available, naira(0));
        assert_eq!(
            wallet(100).after(&hold(101)),
            Err(Unbookable::InsufficientFunds)
        );
    }

    #[test]
    fn what_is_not_held_cannot_be_captured() {
        let float = crate::provider::ProviderId::parse("sandbox").unwrap();
        let legs = (LedgerAccount::Held(id("shop")), LedgerAccount::Float(float));
        let capture = transfer(legs, 60);
        let held = wallet(100).after(&hold(60)).unwrap();
        let captured = held.after(&capture).unwrap();
        assert_eq!((captured.available, captured.held), (naira(40), naira(0)));
        assert_eq!(captured.after(&capture), Err(Unbookable::InsufficientFunds));
    }

    #[test]
    fn a_wallet_never_grows_beyond_the_largest_amount() {
        let legs = (LedgerAccount::Funding, LedgerAccount::Available(id("shop")));
        let full = wallet(Money::MAX_MINOR);
        assert_eq!(
            full.after(&transfer(legs, 1)),
            Err(Unbookable::BalanceLimit)
        );
    }

    #[test]
    fn what_others_pay_leaves_it_as_it_is() {
        let others = (
            LedgerAccount::Available(id("other")),
            LedgerAccount::Held(id("other")),
        );
        let own = (LedgerAccount::Funding, LedgerAccount::Loss);
        for legs in [others, own] {
            assert_eq!(wallet(5).after(&transfer(legs, 100)), Ok(wallet(5)));
        }
    }

    #[test]
    fn it_falls_below_a_balance_once_however_far_and_never_by_rising() {
        let warned = |available| Wallet {
            low_balance_threshold: Some(naira(50)),
            ..wallet(available)
        };
        let below = |from, to| warned(from).fallen_below(&warned(to));
        for (from, to) in [(50, 49), (100, 0), (51, 49)] {
            assert_eq!(below(from, to), Some(naira(50)), "{from} to {to}");
        }
        for (from, to) in [(100, 50), (49, 48), (49, 0), (49, 50), (0, 100), (50, 50)] {
            assert_eq!(below(from, to), None, "{from} to {to}");
        }
        assert_eq!(wallet(100).fallen_below(&wallet(0)), None);
    }

    /// Any of the accounts a transfer may touch, the wallet's own more often than not.
    fn account() -> impl Strategy<Value = LedgerAccount> {
        prop_oneof![
            Just(LedgerAccount::Available(id("shop"))),
            Just(LedgerAccount::Held(id("shop"))),
            Just(LedgerAccount::Held(id("other"))),
            Just(LedgerAccount::Funding),
        ]
    }

    /// Two different accounts.
    fn legs() -> impl Strategy<Value = (LedgerAccount, LedgerAccount)> {
        (account(), account()).prop_filter("two accounts", |(debit, credit)| debit != credit)
    }

    proptest! {
        #[test]
        fn a_wallet_is_the_sum_of_its_transfers_and_never_below_zero(
            transfers in vec((legs(), 1_i64..1_000), 0..60),
        ) {
            let mut wallet = wallet(0);
            for (legs, minor) in transfers {
                let transfer = transfer(legs, minor);
                let with = |before: Money, account: LedgerAccount| {
                    let sign = |leg: &LedgerAccount| i64::from(*leg == account);
                    before.minor() + (sign(&transfer.credit) - sign(&transfer.debit)) * minor
                };
                let available = with(wallet.available, LedgerAccount::Available(id("shop")));
                let held = with(wallet.held, LedgerAccount::Held(id("shop")));
                let expected = (available >= 0 && held >= 0)
                    .then(|| (naira(available), naira(held)));
                let after = wallet.after(&transfer);
                let balances = after.as_ref().ok().map(|after| (after.available, after.held));
                prop_assert_eq!(balances, expected);
                wallet = after.unwrap_or(wallet);
            }
        }
    }
}
