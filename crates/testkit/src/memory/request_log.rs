//! Requests of accounts, as the port says it.

use super::MemoryStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::request_log::{LoggedRequest, RequestLogQuery};
use domain::statement::Sort;
use ports::PortError;
use ports::request_log::{RequestExcess, RequestLog, RequestLogPage};

#[async_trait]
impl RequestLog for MemoryStore {
    async fn record_requests(&self, requests: &[LoggedRequest]) -> Result<(), PortError> {
        self.tables().request_log.extend_from_slice(requests);
        Ok(())
    }

    async fn logged_requests(
        &self,
        account: &AccountId,
        query: &RequestLogQuery,
    ) -> Result<RequestLogPage, PortError> {
        let tables = self.tables();
        let own = tables.request_log.iter();
        let mut own: Vec<_> = own.filter(|row| row.request.account == *account).collect();
        let total = own.len();
        own.retain(|row| query.wants(&row.request));
        own.sort_by_key(|row| (row.request.at, row.number));
        if query.sort == Sort::Descending {
            own.reverse();
        }
        let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let part = own.iter().skip(offset).take(query.length as usize);
        Ok(RequestLogPage {
            requests: part.copied().cloned().collect(),
            total: total as u64,
            found: own.len() as u64,
        })
    }

    async fn forget_excess(&self, excess: RequestExcess<'_>) -> Result<u64, PortError> {
        let mut tables = self.tables();
        let own = tables.request_log.iter();
        let own = own.filter(|row| row.request.account == *excess.account);
        let mut numbers: Vec<_> = own.map(|row| (row.request.at, row.number)).collect();
        numbers.sort_unstable();
        let beyond = numbers.len().saturating_sub(excess.kept as usize);
        numbers.truncate(beyond.min(excess.most as usize));
        tables.request_log.retain(|row| {
            row.request.account != *excess.account
                || !numbers.contains(&(row.request.at, row.number))
        });
        Ok(numbers.len() as u64)
    }
}
