//! Seals by themselves, for one that asks for nothing else. A seal that is not confirmed must say
//! that nothing is known.

use crate::provider::HttpProvider;
use async_trait::async_trait;
use domain::provider::QueryOutcome;
use domain::reference::ProviderReference;
use ports::provider::{AttemptQuery, Seals};

#[async_trait]
impl Seals for HttpProvider {
    async fn seal(&self, reference: &ProviderReference) -> QueryOutcome {
        let (verdict, _) = self.sealed(&AttemptQuery::by(reference)).await;
        verdict.found()
    }
}
