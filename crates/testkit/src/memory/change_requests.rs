//! What operators ask for over HTTP, as a list.

use super::MemoryStore;
use async_trait::async_trait;
use domain::operations::change_request::ChangeRequest;
use ports::PortError;
use ports::change_requests::ChangeRequestStore;
use ports::operators::Appended;

#[async_trait]
impl ChangeRequestStore for MemoryStore {
    async fn append(&self, request: &ChangeRequest) -> Result<Appended, PortError> {
        let requests = &mut self.tables().change_requests;
        if u64::try_from(requests.len()).ok() != request.number.checked_sub(1) {
            return Ok(Appended::Behind);
        }
        requests.push(request.clone());
        Ok(Appended::Done)
    }

    async fn newest(&self, limit: u32) -> Result<Vec<ChangeRequest>, PortError> {
        let tables = self.tables();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let newest = tables.change_requests.iter().rev().take(limit);
        Ok(newest.cloned().collect())
    }

    async fn last_number(&self) -> Result<u64, PortError> {
        Ok(self.tables().change_requests.len() as u64)
    }

    async fn request(&self, number: u64) -> Result<Option<ChangeRequest>, PortError> {
        let tables = self.tables();
        let mut requests = tables.change_requests.iter();
        Ok(requests.find(|it| it.number == number).cloned())
    }
}
