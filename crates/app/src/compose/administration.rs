//! What operators ask of a running server, by the code of their commands. It must sign nothing by
//! itself.

use std::collections::HashSet;
use std::sync::Arc;

use application::administration::Administration;
use application::credentials::Pepper;
use application::operators::NotSigned;
use application::operators::change_requests::{NotRequested, TrackedRequest};
use async_trait::async_trait;
use domain::float::LedgerFloat;
use domain::float_forecast::{BalanceReading, FloatForecast};
use domain::money::{Currency, Money};
use domain::operations::change_request::{ChangeReason, ChangeRequestState, RequestedChange};
use domain::operations::{CaseOverview, FloatOverview};
use domain::operator::OperatorName;
use domain::provider::ProviderId;
use ports::{PortError, PortErrorKind};
use tokio::sync::Mutex;

use super::AdminContext;
use super::storage::Storage;
use crate::commands::case::{CaseScope, open_cases};
use crate::config::Config;
use crate::failure::Failure;

/// The use cases of operators over an open store.
#[derive(Debug)]
struct HttpAdministration {
    context: AdminContext,
    scope: CaseScope,
    /// Held while cases are gathered: that reads the whole ledger.
    gathering: Mutex<()>,
}

/// The use cases of operators of a server.
pub(super) fn of(config: &Config, storage: &Storage, pepper: &Pepper) -> Arc<dyn Administration> {
    Arc::new(HttpAdministration {
        context: AdminContext::over(config, storage.clone(), pepper.clone()),
        scope: CaseScope::of(config),
        gathering: Mutex::default(),
    })
}

#[async_trait]
impl Administration for HttpAdministration {
    async fn authenticate(&self, name: &str, key: &str) -> Result<Option<OperatorName>, NotSigned> {
        self.context.operators.authenticate(name, key).await
    }

    async fn cases(&self) -> Result<Vec<CaseOverview>, PortError> {
        // One at a time: payments need the database too.
        let Ok(_alone) = self.gathering.try_lock() else {
            let busy = PortError::new("cases", "another request is gathering them");
            return Err(busy.with_trouble(PortErrorKind::Busy).with_nothing_done());
        };
        let cases = open_cases(&self.context, &self.scope).await;
        let mut cases = cases.map_err(|failure| failed(&failure))?;
        let asked = self.decisions_awaiting_approval().await?;
        for case in &mut cases {
            case.awaits_approval = asked.contains(&case.id);
        }
        Ok(cases)
    }

    async fn floats(&self) -> Result<Vec<FloatOverview>, PortError> {
        let mut all = Vec::new();
        for provider in self.scope.providers() {
            all.extend(self.floats_at(provider).await?);
        }
        Ok(all)
    }

    async fn ask(
        &self,
        credentials: (&str, &str),
        wanted: (RequestedChange, ChangeReason),
    ) -> Result<TrackedRequest, NotRequested> {
        self.context.change_requests.ask(credentials, wanted).await
    }

    async fn change_requests(&self) -> Result<Vec<TrackedRequest>, NotSigned> {
        self.context.change_requests.newest().await
    }
}

impl HttpAdministration {
    /// The cases of which an operator asked for a decision that no other has granted yet.
    async fn decisions_awaiting_approval(&self) -> Result<HashSet<String>, PortError> {
        let requests = self.context.change_requests.newest().await;
        let requests = requests
            .map_err(|error| PortError::caused("cases", "reading what was asked for", error))?;
        let waiting = requests
            .into_iter()
            .filter(|it| it.state == ChangeRequestState::Required);
        let cases = waiting.filter_map(|it| match it.request.change {
            RequestedChange::Resolve(case, _) => Some(case),
            RequestedChange::Pause(_)
            | RequestedChange::Resume(_)
            | RequestedChange::Maintenance(_)
            | RequestedChange::MaintenanceEnd(_) => None,
        });
        Ok(cases.collect())
    }

    async fn floats_at(&self, provider: &ProviderId) -> Result<Vec<FloatOverview>, PortError> {
        let last = self.context.readings.last(provider).await?;
        let forecast = match &last {
            Some(last) => {
                let from = last.read_at.minus(FloatForecast::LOOKS_BACK);
                let readings = self.context.readings.since(provider, from).await?;
                FloatForecast::of(&readings)
            }
            None => None,
        };
        let ledger = self.context.floats.floats(provider).await?;
        Ok(overview(provider, &ledger, (last.as_ref(), forecast)))
    }
}

/// The rows of one provider: of each currency that moved or is left there.
fn overview(
    provider: &ProviderId,
    ledger: &[LedgerFloat],
    (last, forecast): (Option<&BalanceReading>, Option<FloatForecast>),
) -> Vec<FloatOverview> {
    let mut currencies: Vec<Currency> = ledger.iter().map(|it| it.spent.currency()).collect();
    let said = last.map_or(Currency::Ngn, |it| it.balance.available.currency());
    if !currencies.contains(&said) {
        currencies.push(said);
    }
    let row = |currency: Currency| {
        let zero = Money::zero(currency);
        let mut known = ledger.iter();
        let known = known.find(|it| it.spent.currency() == currency);
        let left = known.map_or(Some(zero), LedgerFloat::left);
        let last = last.filter(|it| it.balance.available.currency() == currency);
        // What is held is still ours until it is taken.
        let whole = last.and_then(|it| {
            let held = it.balance.held.unwrap_or(zero);
            it.balance.available.checked_add(held)
        });
        let difference = whole.zip(left);
        FloatOverview {
            provider: provider.clone(),
            currency,
            ledger: left,
            said: whole,
            difference: difference.and_then(|(whole, left)| whole.checked_sub(left)),
            is_low: last.map(|it| it.is_low),
            lasts: forecast.filter(|_| last.is_some()).and_then(|it| it.lasts),
            read_at: last.map(|it| it.read_at),
        }
    };
    currencies.into_iter().map(row).collect()
}

/// What a command would have said.
fn failed(failure: &Failure) -> PortError {
    let what = failure.message().unwrap_or_default();
    PortError::new("administration", what).with_nothing_done()
}

#[cfg(test)]
mod tests {
    use domain::float::ProviderBalance;
    use domain::time::Timestamp;

    use super::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    #[test]
    fn a_difference_is_of_what_was_read_with_what_is_held() {
        let provider = ProviderId::parse("shop").unwrap();
        let ledger = LedgerFloat {
            prefunded: naira(100_000),
            spent: naira(30_000),
        };
        let unread = overview(&provider, &[ledger], (None, None));
        assert_eq!(unread.len(), 1);
        assert_eq!(unread[0].ledger, Some(naira(70_000)));
        assert_eq!((unread[0].said, unread[0].difference), (None, None));
        let at = Timestamp::from_millis(5);
        let read = BalanceReading {
            provider: provider.clone(),
            balance: ProviderBalance {
                available: naira(69_000),
                held: Some(naira(500)),
                at,
            },
            read_at: at,
            is_low: true,
        };
        let [row] = &overview(&provider, &[ledger], (Some(&read), None))[..] else {
            panic!("one currency");
        };
        assert_eq!(
            (row.said, row.difference),
            (Some(naira(69_500)), Some(naira(-500)))
        );
        assert_eq!(
            (row.is_low, row.read_at, row.lasts),
            (Some(true), Some(at), None)
        );
        let nothing = overview(&provider, &[], (None, None));
        assert_eq!(nothing[0].ledger, Some(naira(0)));
    }
}
