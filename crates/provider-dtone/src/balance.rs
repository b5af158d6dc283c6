//! What is left of our money at DT One. It must never be taken for the ledger's.

use crate::answer::naira;
use crate::provider::DtoneProvider;
use domain::money::{Currency, Money};
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Debug, Deserialize)]
struct BalanceInUnit {
    unit: String,
    available: Box<RawValue>,
}

impl DtoneProvider {
    /// What is available in naira; `None` where it is not answered, or the account is kept in
    /// another currency.
    pub async fn balance(&self) -> Option<Money> {
        let answer = self.question("balances".to_owned()).await?;
        if answer.unexpected_status().is_some() {
            return None;
        }
        let balances: Vec<BalanceInUnit> = serde_json::from_slice(&answer.body).ok()?;
        let mut ours = balances.iter().filter(|it| it.unit == Currency::Ngn.code());
        match (ours.next(), ours.next()) {
            (Some(balance), None) => naira(balance.available.get()),
            (None | Some(_), _) => None,
        }
    }
}
