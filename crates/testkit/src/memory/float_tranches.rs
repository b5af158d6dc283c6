//! Reserves of our money at providers, as a map.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::float_reserve::{FloatReserve, TrancheGrant, TrancheHolder, TrancheRequest};
use domain::ledger::LedgerAccount;
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::State;
use ports::PortError;
use ports::float_tranches::FloatTranches;

#[async_trait]
impl FloatTranches for MemoryStore {
    async fn lease(
        &self,
        request: &TrancheRequest,
        now: Timestamp,
    ) -> Result<TrancheGrant, PortError> {
        let tables = &mut self.tables();
        let reserve = tables.reserves.get(&request.provider).cloned();
        let mut reserve = reserve.unwrap_or(FloatReserve::UNKNOWN);
        if reserve.must_count(request, now) {
            let left = Money::from_minor(tables.left(&request.provider), Currency::Ngn);
            reserve = reserve.counted(left, request, now);
        }
        let (reserve, grant) = reserve.lease(request, now);
        tables.reserves.insert(request.provider.clone(), reserve);
        Ok(grant)
    }

    async fn release(&self, holder: TrancheHolder) -> Result<(), PortError> {
        for reserve in self.tables().reserves.values_mut() {
            let before = reserve.tranches.len();
            reserve.tranches.retain(|it| it.holder != holder);
            if reserve.tranches.len() < before {
                reserve.counted_at = None;
            }
        }
        Ok(())
    }
}

impl MemoryTables {
    /// What was paid in, less what was taken, less what open attempts cost, in kobo.
    fn left(&self, provider: &ProviderId) -> i64 {
        let paid = self.prefundings.iter();
        let paid = paid.filter(|it| it.provider == *provider);
        let paid = paid.filter(|it| it.amount.currency() == Currency::Ngn);
        let paid: i64 = paid.map(|it| it.amount.minor()).sum();
        let account = LedgerAccount::Float(provider.clone());
        let open = self.transactions.iter().map(|row| &row.transaction);
        let open = open.filter(|tx| {
            let is_open = matches!(
                tx.state,
                State::Sending(_) | State::InDoubt(_) | State::Review(_)
            );
            is_open && tx.provider() == provider && tx.quote.cost.currency() == Currency::Ngn
        });
        let open: i64 = open.map(|tx| tx.quote.cost.minor()).sum();
        paid - self.balance(&account, Currency::Ngn) - open
    }
}
