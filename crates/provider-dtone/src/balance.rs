//! What is left of our money at DT One. It must never be taken for the ledger's.

use crate::answer::naira;
use crate::provider::DtoneProvider;
use domain::float::ProviderBalance;
use domain::money::Currency;
use ports::PortError;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Debug, Deserialize)]
struct BalanceInUnit {
    unit: String,
    available: Box<RawValue>,
    #[serde(default)]
    holding: Option<Box<RawValue>>,
}

/// What errors are about.
const PART: &str = "dtone";

impl DtoneProvider {
    /// What is available in naira; `None` of an account that is kept in another currency.
    pub(crate) async fn naira_balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        let answer = self.question("balances".to_owned()).await;
        let answer = answer.filter(|it| it.unexpected_status().is_none());
        let answer = answer.ok_or_else(|| PortError::new(PART, "the balance was not answered"))?;
        let unusable = || PortError::new(PART, "the answer holds no balance that can be read");
        let balances: Vec<BalanceInUnit> =
            serde_json::from_slice(&answer.body).map_err(|_| unusable())?;
        let mut ours = balances.iter().filter(|it| it.unit == Currency::Ngn.code());
        let balance = match (ours.next(), ours.next()) {
            (None, _) => return Ok(None),
            (Some(balance), None) => balance,
            (Some(_), Some(_)) => return Err(unusable()),
        };
        let held = balance.holding.as_ref();
        Ok(Some(ProviderBalance {
            available: naira(balance.available.get()).ok_or_else(unusable)?,
            held: held.and_then(|held| naira(held.get())),
            at: self.clock.now(),
        }))
    }
}
