//! Balances at providers as they were read, as a map.

use super::MemoryStore;
use async_trait::async_trait;
use domain::float_forecast::BalanceReading;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::balance_readings::BalanceReadings;

#[async_trait]
impl BalanceReadings for MemoryStore {
    async fn keep(&self, reading: &BalanceReading) -> Result<(), PortError> {
        let kept = &mut self.tables().balance_readings;
        let (provider, span) = (&reading.provider, BalanceReading::span(reading.read_at));
        let place = kept.entry((provider.clone(), span));
        let place = place.or_insert_with(|| reading.clone());
        if place.read_at <= reading.read_at {
            *place = reading.clone();
        }
        let from = BalanceReading::span(reading.read_at.minus(BalanceReading::KEPT_FOR));
        kept.retain(|(of, span), _| of != provider || from <= *span);
        Ok(())
    }

    async fn since(
        &self,
        provider: &ProviderId,
        from: Timestamp,
    ) -> Result<Vec<BalanceReading>, PortError> {
        let tables = self.tables();
        let kept = tables.balance_readings.values();
        let kept = kept.filter(|it| it.provider == *provider && from <= it.read_at);
        Ok(kept.cloned().collect())
    }

    async fn last(&self, provider: &ProviderId) -> Result<Option<BalanceReading>, PortError> {
        let tables = self.tables();
        let mut kept = tables.balance_readings.values().rev();
        Ok(kept.find(|it| it.provider == *provider).cloned())
    }
}
