//! What a bank answers about an account. It must not need the journal.

use super::account::account;
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankAccount, BankIdentifier};
use ports::banks::BankAccounts;
use ports::provider::LookupFailure;

#[async_trait]
impl BankAccounts for Simulator {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        self.reach("account", number.digits()).await?;
        Ok(account(self.settings.seed, bank, number))
    }
}
