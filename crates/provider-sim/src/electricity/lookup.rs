//! What a distribution company answers about a meter. It must not need the journal.

use super::meter::{last_purchase, meter};
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::billing::Billing;
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use ports::provider::{LookupFailure, Meters};

#[async_trait]
impl Meters for Simulator {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        self.reach("meter", number.digits()).await?;
        let record = self.catalogue.record(disco).ok_or(LookupFailure::Unknown)?;
        let mut meter = meter(self.settings.seed, record, (number, billing));
        last_purchase(self.settings.seed, &mut meter, self.clock.now());
        Ok(meter)
    }
}
