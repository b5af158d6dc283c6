//! What a cable TV provider answers about a card. It must not need the journal.

use super::smartcard::smartcard;
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::subscription::BillerCode;
use ports::provider::{LookupFailure, Smartcards};

#[async_trait]
impl Smartcards for Simulator {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        self.reach("card", number.digits()).await?;
        let record = self.catalogue.cable_record(provider);
        let record = record.ok_or(LookupFailure::Unknown)?;
        let asked = (number, self.clock.now());
        Ok(smartcard(self.settings.seed, record, asked))
    }
}
