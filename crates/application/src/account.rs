//! An account's own money, read. Nothing here may write.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::credential::KeyRecord;
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

    /// The keys that open the merchant's account, oldest first, as they are now.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn keys(&self, merchant: &Merchant) -> Result<Vec<KeyRecord>, RequestError> {
        let known = self.parts().accounts.credentials(&merchant.account.id);
        Ok(known.await?.map(|known| known.keys).unwrap_or_default())
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
