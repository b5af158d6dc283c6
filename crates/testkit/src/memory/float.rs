//! Our money at providers, as lists.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::float::{LedgerFloat, Prefunding};
use domain::ledger::LedgerAccount;
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use ports::PortError;
use ports::float::{PrefundOutcome, ProviderFloats};

#[async_trait]
impl ProviderFloats for MemoryStore {
    async fn prefund(&self, prefunding: &Prefunding) -> Result<PrefundOutcome, PortError> {
        let tables = &mut *self.tables();
        let entered = &mut tables.prefundings;
        let same = |it: &&Prefunding| {
            it.provider == prefunding.provider && it.reference == prefunding.reference
        };
        if let Some(before) = entered.iter().find(same) {
            return Ok(PrefundOutcome::Taken(before.amount));
        }
        entered.push(prefunding.clone());
        if let Some(reserve) = tables.reserves.get_mut(&prefunding.provider) {
            reserve.counted_at = None;
        }
        Ok(PrefundOutcome::Done)
    }

    async fn floats(&self, provider: &ProviderId) -> Result<Vec<LedgerFloat>, PortError> {
        let tables = self.tables();
        let mut currencies = Currency::ALL.to_vec();
        currencies.sort_by_key(|currency| currency.code());
        let floats = currencies.into_iter();
        Ok(floats.filter_map(|it| tables.float(provider, it)).collect())
    }
}

impl MemoryTables {
    /// `None` where nothing moved.
    fn float(&self, provider: &ProviderId, currency: Currency) -> Option<LedgerFloat> {
        let account = LedgerAccount::Float(provider.clone());
        let paid = self.prefundings.iter();
        let paid = paid.filter(|it| it.provider == *provider && it.amount.currency() == currency);
        let paid: Vec<i64> = paid.map(|it| it.amount.minor()).collect();
        let moved = self.transfers.iter().any(|(_, it)| {
            (it.debit == account || it.credit == account) && it.amount.currency() == currency
        });
        (moved || !paid.is_empty()).then(|| LedgerFloat {
            prefunded: Money::from_minor(paid.iter().sum(), currency),
            spent: Money::from_minor(self.balance(&account, currency), currency),
        })
    }
}
