//! What a biller answers about a customer. It must not need the journal.

use super::account::account;
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::bill::{BillAccount, BillQuery};
use ports::bills::BillAccounts;
use ports::catalogue::Catalogue as _;
use ports::provider::LookupFailure;

#[async_trait]
impl BillAccounts for Simulator {
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        self.reach("bill", query.number.digits()).await?;
        let biller = self.catalogue.biller(query.category, &query.biller);
        let biller = biller.ok_or(LookupFailure::Unknown)?;
        let asked = (query, self.clock.now());
        Ok(account(self.settings.seed, biller, asked))
    }
}
