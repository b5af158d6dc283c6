//! Messages between instances over the notifications of the database. Every role that may connect
//! has access to these, so each message is sealed. A message that cannot be read must count as
//! missed, never as absent; one that is forged or sent again must have no effect.

pub(crate) mod channel;
pub(crate) mod message;
mod message_filter;

use crate::store::PostgresStore;
use async_trait::async_trait;
use channel::{Broken, Listening, Notifier};
use message::{SPENT, message, written};
use ports::PortError;
use ports::peers::{PeerEvent, PeerMessage, Peers};

#[async_trait]
impl Peers for PostgresStore {
    async fn publish(&self, word: PeerMessage) -> Result<(), PortError> {
        let (channel, text) = match word {
            // The commit that changed it has said it.
            PeerMessage::AccountChanged(_) => return Ok(()),
            PeerMessage::Usage(spent) => (SPENT, written(&spent)),
        };
        let text = message(&self.shared.sealing, channel, text)?;
        self.notifier().notify(channel, &text).await
    }

    async fn subscribe(&self) -> PeerEvent {
        let mut notifier = self.channel.0.lock().await;
        let (notifier, filter) = &mut *notifier;
        // A caller that stops waiting in between leaves no channel, and the next call finds that
        // out.
        let Some(mut listening) = notifier.take() else {
            *notifier = Some(Listening::open(&self.shared.options).await);
            return PeerEvent::Missed;
        };
        match listening.next(self.notifier(), filter).await {
            Ok(received) => {
                *notifier = Some(listening);
                received
            }
            Err(Broken) => PeerEvent::Missed,
        }
    }
}

impl PostgresStore {
    fn notifier(&self) -> Notifier<'_> {
        Notifier {
            connections: &self.steps,
            sealing: &self.shared.sealing,
        }
    }
}
