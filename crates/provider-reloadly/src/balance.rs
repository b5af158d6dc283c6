//! What is left of our money at Reloadly. It must never be taken for the ledger's.

use crate::answer::{naira, read};
use crate::provider::ReloadlyProvider;
use domain::money::Money;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AccountBalance {
    balance: Box<RawValue>,
    currency_code: String,
}

impl ReloadlyProvider {
    /// The balance in naira; `None` where it is not answered, or the account is kept in another
    /// currency.
    pub async fn balance(&self) -> Option<Money> {
        let answer = self.question("accounts/balance".to_owned()).await?;
        if answer.unexpected_status().is_some() {
            return None;
        }
        let balance: AccountBalance = read(&answer.body)?;
        naira(Some(&balance.currency_code), Some(&balance.balance))
    }
}
