//! Incoming messages, as the port says it.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::messaging::{Conversation, IncomingMessage, IncomingMessagesQuery, ProviderMessageId};
use domain::provider::ProviderId;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::webhook::WebhookEvent;
use ports::PortError;
use ports::incoming_messages::{IncomingMessages, IncomingMessagesPage, IncomingRecording};

#[async_trait]
impl IncomingMessages for MemoryStore {
    async fn record_incoming(
        &self,
        message: &IncomingMessage,
    ) -> Result<IncomingRecording, PortError> {
        let mut tables = self.tables();
        let of_provider = |known: &IncomingMessage| {
            known.provider == message.provider && known.received.id == message.received.id
        };
        if tables.incoming_messages.iter().any(of_provider) {
            return Ok(IncomingRecording::Repeated);
        }
        let numbered =
            |known: &IncomingMessage| known.account == message.account && known.id == message.id;
        if tables.incoming_messages.iter().any(numbered) {
            return Ok(IncomingRecording::NumberTaken);
        }
        tables.incoming_messages.push(message.clone());
        tables.announce(&message.account, None, &WebhookEvent::of_incoming(message));
        Ok(IncomingRecording::Recorded)
    }

    async fn has_incoming(
        &self,
        provider: &ProviderId,
        id: &ProviderMessageId,
    ) -> Result<bool, PortError> {
        let tables = self.tables();
        let mut known = tables.incoming_messages.iter();
        Ok(known.any(|it| it.provider == *provider && it.received.id == *id))
    }

    async fn incoming_messages(
        &self,
        account: &AccountId,
        query: &IncomingMessagesQuery,
    ) -> Result<IncomingMessagesPage, PortError> {
        let tables = self.tables();
        let own = tables.incoming_messages.iter();
        let mut own: Vec<_> = own.filter(|it| it.account == *account).collect();
        let total = own.len();
        own.retain(|it| query.wants(&it.received));
        own.sort_by_key(|it| (it.recorded_at, it.id));
        if query.sort == Sort::Descending {
            own.reverse();
        }
        let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let part = own.iter().skip(offset).take(query.length as usize);
        Ok(IncomingMessagesPage {
            messages: part.copied().cloned().collect(),
            total: total as u64,
            found: own.len() as u64,
        })
    }

    async fn last_incoming(
        &self,
        account: &AccountId,
        conversation: Conversation<'_>,
    ) -> Result<Option<Timestamp>, PortError> {
        let tables = self.tables();
        let of_it = tables.incoming_messages.iter().filter(|it| {
            let received = &it.received;
            it.account == *account
                && received.channel == conversation.channel
                && received.number == *conversation.number
                && received.sender == *conversation.sender
        });
        Ok(of_it.map(|it| it.received.received_at).max())
    }
}

impl MemoryTables {
    /// Forgets messages that match, at most so many of them, the oldest first; those whose event is
    /// listed stay.
    pub(super) fn forget_incoming(
        &mut self,
        most: u32,
        matches: impl Fn(&IncomingMessage) -> bool,
    ) -> u64 {
        let mut old: Vec<_> = self.incoming_messages.iter().collect();
        old.sort_by_key(|it| (it.recorded_at, it.id));
        old.retain(|it| {
            let event = WebhookEvent::of_incoming(it).id;
            let mut deliveries = self.deliveries.iter().map(|row| &row.delivery);
            let is_listed =
                deliveries.any(|row| row.account == it.account && row.event.id == event);
            matches(it) && !is_listed
        });
        let old = old.into_iter().take(most as usize);
        let old: Vec<_> = old.map(|it| (it.account.clone(), it.id)).collect();
        self.incoming_messages
            .retain(|it| !old.contains(&(it.account.clone(), it.id)));
        old.len() as u64
    }

    /// Whether so many newer messages of its account follow one.
    pub(super) fn is_followed_by(&self, message: &IncomingMessage, kept: u32) -> bool {
        let newer = self.incoming_messages.iter().filter(|it| {
            it.account == message.account
                && (it.recorded_at, it.id) > (message.recorded_at, message.id)
        });
        newer.count() >= kept as usize
    }
}
