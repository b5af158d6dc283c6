//! What is left of our money at Reloadly. It must never be taken for the ledger's.

use crate::answer::{naira, read};
use crate::provider::ReloadlyProvider;
use domain::float::ProviderBalance;
use domain::money::Currency;
use ports::PortError;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AccountBalance {
    balance: Box<RawValue>,
    currency_code: String,
}

/// What errors are about.
const PART: &str = "reloadly";

impl ReloadlyProvider {
    /// The balance in naira; `None` of an account that is kept in another currency.
    pub(crate) async fn naira_balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        let answer = self.question("accounts/balance".to_owned()).await;
        let answer = answer.filter(|it| it.unexpected_status().is_none());
        let answer = answer.ok_or_else(|| PortError::new(PART, "the balance was not answered"))?;
        let unusable = || PortError::new(PART, "the answer holds no balance that can be read");
        let balance: AccountBalance = read(&answer.body).ok_or_else(unusable)?;
        if balance.currency_code != Currency::Ngn.code() {
            return Ok(None);
        }
        let available = naira(Some(&balance.currency_code), Some(&balance.balance));
        Ok(Some(ProviderBalance {
            available: available.ok_or_else(unusable)?,
            held: None,
            at: self.clock.now(),
        }))
    }
}
