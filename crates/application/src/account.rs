//! An account's own money, read. Nothing here may write.

use crate::gateway::{Gateway, Merchant};
use crate::refused::Refused;
use domain::ledger::Wallet;
use domain::statement::{StatementPage, StatementQuery};

impl Gateway {
    /// What the merchant can spend and what is held.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn balance(&self, merchant: &Merchant) -> Result<Wallet, Refused> {
        let account = &merchant.account;
        let wallet = self.parts().transactions.wallet(&account.id).await?;
        Ok(wallet.unwrap_or_else(|| Wallet::new(account.id.clone(), account.currency)))
    }

    /// A part of the merchant's statement.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn statement(
        &self,
        merchant: &Merchant,
        query: &StatementQuery,
    ) -> Result<StatementPage, Refused> {
        Ok(self
            .parts()
            .transactions
            .statement(&merchant.account.id, query)
            .await?)
    }
}
