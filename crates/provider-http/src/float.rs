//! Our money at the provider: its balance, and its statement. An answer that cannot be read in full
//! must be an error: what is compared with it would agree by accident.

use crate::exchange::Unsigned;
use crate::provider::{ASK_WITHIN, HttpProvider};
use domain::float::{ProviderBalance, ProviderStatementPage, StatementCursor, StatementPeriod};
use domain::money::Currency;
use domain::time::Timestamp;
use ports::PortError;
use provider_protocol::{BalancesDocument, Feature, Moment, StatementDocument, read, write};

/// What errors name as the part that failed.
const PART: &str = "provider-http";

impl HttpProvider {
    pub(crate) async fn read_balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        if !self.offers(Feature::Balances) {
            return Ok(None);
        }
        let document: BalancesDocument = self.read_float("/balances".to_owned()).await?;
        let balance = document.balance(Currency::Ngn);
        balance.map_err(|error| PortError::caused(PART, "reading the balance", error))
    }

    pub(crate) async fn read_statement(
        &self,
        period: StatementPeriod,
        after: Option<&StatementCursor>,
    ) -> Result<Option<ProviderStatementPage>, PortError> {
        if !self.offers(Feature::Statement) {
            return Ok(None);
        }
        let moment = |at: Timestamp| {
            let written = write(&Moment::from(at)).unwrap_or_default();
            String::from_utf8_lossy(&written)
                .trim_matches('"')
                .to_owned()
        };
        let mut path = format!(
            "/statement?from={}&to={}",
            moment(period.from),
            moment(period.to)
        );
        if let Some(after) = after {
            path = format!("{path}&after={}", after.as_str());
        }
        let document: StatementDocument = self.read_float(path).await?;
        let failed = |error| PortError::caused(PART, "reading the statement", error);
        let page = document.page().map_err(failed)?;
        if let Some(line) = page.lines.iter().find(|line| !period.contains(line.at)) {
            let named = line.reference.as_ref().map_or("", |it| it.as_str());
            let what = format!("the statement has a line of another period, {named}");
            return Err(PortError::new(PART, what));
        }
        Ok(Some(page))
    }

    async fn read_float<T: serde::de::DeserializeOwned>(
        &self,
        path: String,
    ) -> Result<T, PortError> {
        let asked = self.exchanger.ask(Unsigned::Get(path), ASK_WITHIN).await;
        let body = asked.map_err(|error| PortError::caused(PART, "asking", error))?;
        read(&body).map_err(|error| PortError::caused(PART, "reading an answer", error))
    }
}
