//! Rows of what waits in a store.

use super::endpoint_of_key;
use crate::PART;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::backlog::{AGES, EndpointBacklog, OpenPayments, OpenState, WebhookBacklog};

/// The moments up to which open payments are counted, by all ages but the first, which is any: a
/// clock that was set back makes no payment disappear.
pub fn opened_up_to(now: Timestamp) -> [i64; AGES.len() - 1] {
    let [_, ages @ ..] = AGES;
    ages.map(|age| now.minus(age).as_millis())
}

/// The open payments of a provider in a state.
#[derive(Debug, Clone)]
pub struct OpenPaymentsRow {
    /// Who delivers them.
    pub provider: String,
    /// Where they stand.
    pub state: String,
    /// How many there are, and how many were opened up to each of [`opened_up_to`].
    pub counts: [i64; AGES.len()],
    /// When the oldest was opened.
    pub oldest_at: i64,
}

impl OpenPaymentsRow {
    /// Reads it.
    ///
    /// # Errors
    /// When the provider or the state cannot be one.
    pub fn restore(self) -> Result<OpenPayments, PortError> {
        let unreadable = |what: &str| PortError::new(PART, format!("open payments: {what}"));
        let provider = ProviderId::parse(&self.provider);
        Ok(OpenPayments {
            provider: provider.map_err(|_| unreadable(&self.provider))?,
            state: OpenState::from_code(&self.state).ok_or_else(|| unreadable(&self.state))?,
            older_than: self.counts.map(count),
            oldest_at: Timestamp::from_millis(self.oldest_at),
        })
    }
}

/// The events that wait for an endpoint: whose it is, its number, how many, and since when.
pub type EndpointBacklogColumns = (String, i64, i64, i64);

/// Reads what is not delivered: how many events wait and since when, how many are attempted no
/// more, and what waits for endpoints.
///
/// # Errors
/// When an account or an endpoint cannot be one.
pub fn webhook_backlog(
    (waiting, oldest_at): (i64, Option<i64>),
    given_up: i64,
    behind: Vec<EndpointBacklogColumns>,
) -> Result<WebhookBacklog, PortError> {
    let behind = behind.into_iter().map(endpoint_backlog);
    Ok(WebhookBacklog {
        waiting: count(waiting),
        oldest_at: oldest_at.map(Timestamp::from_millis),
        given_up: count(given_up),
        behind: behind.collect::<Result<_, _>>()?,
    })
}

fn endpoint_backlog(
    (account, endpoint, waiting, oldest_at): EndpointBacklogColumns,
) -> Result<EndpointBacklog, PortError> {
    let unreadable = |error| PortError::caused(PART, "read what waits for an endpoint", error);
    Ok(EndpointBacklog {
        account: AccountId::parse(&account).map_err(unreadable)?,
        endpoint: endpoint_of_key(endpoint)?,
        waiting: count(waiting),
        oldest_at: Timestamp::from_millis(oldest_at),
    })
}

fn count(rows: i64) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}
