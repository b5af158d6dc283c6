//! What every lookup at a biller or bank has in common. It must not know what is looked up.

use crate::gateway::{Gateway, Merchant};
use ports::banks::BankAccounts;
use ports::bills::BillAccounts;
use ports::cards::PaymentCards;
use ports::exchange::ExchangeQuotes;
use ports::mobile_money::MobileWallets;
use ports::provider::{LookupFailure, Meters, Smartcards};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// The lookups for the accounts of one environment.
#[derive(Debug, Clone)]
pub struct Lookups {
    /// Meters.
    pub meters: Arc<dyn Meters>,
    /// Smartcards.
    pub smartcards: Arc<dyn Smartcards>,
    /// Billers' customers.
    pub bill_accounts: Arc<dyn BillAccounts>,
    /// Bank accounts.
    pub bank_accounts: Arc<dyn BankAccounts>,
    /// Mobile money wallets.
    pub mobile_wallets: Arc<dyn MobileWallets>,
    /// Cards, by their tokens.
    pub cards: Arc<dyn PaymentCards>,
    /// Quotes of transfers abroad.
    pub exchange_quotes: Arc<dyn ExchangeQuotes>,
}

impl Lookups {
    /// Those that one adapter answers.
    pub fn all<L>(lookups: &Arc<L>) -> Self
    where
        L: Meters
            + Smartcards
            + BillAccounts
            + BankAccounts
            + MobileWallets
            + PaymentCards
            + ExchangeQuotes
            + 'static,
    {
        Self {
            meters: Arc::clone(lookups) as _,
            smartcards: Arc::clone(lookups) as _,
            bill_accounts: Arc::clone(lookups) as _,
            bank_accounts: Arc::clone(lookups) as _,
            mobile_wallets: Arc::clone(lookups) as _,
            cards: Arc::clone(lookups) as _,
            exchange_quotes: Arc::clone(lookups) as _,
        }
    }
}

impl Gateway {
    /// The lookups that a merchant's requests go to.
    pub(crate) fn lookups(&self, merchant: &Merchant) -> &Lookups {
        self.parts().lookups.of(merchant.account.environment)
    }

    /// What is answered within the time a lookup may take. An answer about another than was asked
    /// for is unusable: it would have us pay for a stranger's.
    pub(crate) async fn looked_up<T>(
        &self,
        asked: impl Future<Output = Result<T, LookupFailure>>,
        is_asked_for: impl FnOnce(&T) -> bool,
    ) -> Result<T, LookupFailure> {
        let deadline = self.parts().settings.lookup_deadline;
        self.looked_up_within(deadline, asked, is_asked_for).await
    }

    /// As [`Self::looked_up`], within a time of its own.
    pub(crate) async fn looked_up_within<T>(
        &self,
        deadline: Duration,
        asked: impl Future<Output = Result<T, LookupFailure>>,
        is_asked_for: impl FnOnce(&T) -> bool,
    ) -> Result<T, LookupFailure> {
        let answer = self.within(deadline, asked).await;
        let found = answer.unwrap_or(Err(LookupFailure::Unreachable))?;
        is_asked_for(&found)
            .then_some(found)
            .ok_or(LookupFailure::Unusable)
    }
}
