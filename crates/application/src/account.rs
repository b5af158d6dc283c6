//! An account's own money, read. Nothing here may write.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::ledger::Wallet;
use domain::statement::{StatementPage, StatementQuery};

impl Gateway {
    /// What the merchant can spend and what is held, in each currency in the order of
    /// [`domain::money::Currency::ALL`].
    ///
    /// # Errors
    /// When the store failed.
    pub async fn balance(&self, merchant: &Merchant) -> Result<Vec<Wallet>, RequestError> {
        let account = &merchant.account;
        Ok(self.parts().transactions.wallets(&account.id).await?)
    }

    /// A part of the merchant's statement.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn statement(
        &self,
        merchant: &Merchant,
        query: &StatementQuery,
    ) -> Result<StatementPage, RequestError> {
        Ok(self
            .parts()
            .transactions
            .statement(&merchant.account.id, query)
            .await?)
    }
}
