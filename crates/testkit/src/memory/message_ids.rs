//! What providers call messages and their parts. An identity must mean the message that was given
//! it last.

use super::MemoryStore;
use async_trait::async_trait;
use domain::provider::{ProviderId, ProviderTransactionId};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::PortError;
use ports::receipts::{Acceptance, AcceptedMessage, KnownPart, MessageIds};

/// One identity of a provider.
#[derive(Debug, Clone)]
pub(super) struct RememberedId {
    provider: ProviderId,
    id: ProviderTransactionId,
    part: KnownPart,
    at: Timestamp,
}

#[async_trait]
impl MessageIds for MemoryStore {
    async fn remember(
        &self,
        provider: &ProviderId,
        message: &AcceptedMessage,
        now: Timestamp,
    ) -> Result<(), PortError> {
        let mut tables = self.tables();
        for accepted in &message.accepted {
            let is_known = |it: &RememberedId| it.provider == *provider && it.id == accepted.id;
            tables.message_ids.retain(|it| !is_known(it));
            tables.message_ids.push(RememberedId {
                provider: provider.clone(),
                id: accepted.id.clone(),
                part: KnownPart {
                    reference: message.reference.clone(),
                    extent: accepted.extent,
                    parts: message.parts,
                    acceptance: message.acceptance,
                },
                at: now,
            });
        }
        Ok(())
    }

    async fn known_part(
        &self,
        provider: &ProviderId,
        id: &ProviderTransactionId,
    ) -> Result<Option<KnownPart>, PortError> {
        let tables = self.tables();
        let mut known = tables.message_ids.iter();
        let found = known.find(|it| it.provider == *provider && it.id == *id);
        Ok(found.map(|it| it.part.clone()))
    }

    async fn accepted_whole(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Result<Option<u8>, PortError> {
        let tables = self.tables();
        let mut known = tables.message_ids.iter();
        let found = known.find(|it| {
            it.provider == *provider
                && it.part.reference == *reference
                && it.part.acceptance == Acceptance::Whole
        });
        Ok(found.map(|it| it.part.parts))
    }

    async fn forget(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let mut tables = self.tables();
        let mut forgotten = 0;
        tables.message_ids.sort_by_key(|it| it.at);
        tables.message_ids.retain(|it| {
            let goes = it.at < before && forgotten < u64::from(most);
            forgotten += u64::from(goes);
            !goes
        });
        Ok(forgotten)
    }
}
