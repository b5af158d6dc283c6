//! Receives messages of the other instances and publishes those of this one. No request may ever
//! wait for it: without the others, every instance goes on by itself.

use crate::gateway::{Gateway, Parts};
use ports::PortError;
use ports::peers::{PeerEvent, PeerMessage};
pub use ports::peers::{RateLimitClass, UsageDelta};
use std::convert::Infallible;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it is checked whether the line is silent while no request asks for anything.
const SILENCE_WATCH: Duration = Duration::from_millis(250);

/// Budgets that the instances share.
pub trait Budgets: Debug + Send + Sync {
    /// What was spent here since this was last asked, each account and class once.
    fn used_here(&self) -> Vec<UsageDelta>;

    /// Takes out of the budgets here what other instances let through, at an uptime of this one.
    fn used_elsewhere(&self, spent: &[UsageDelta], uptime: Duration);
}

/// Nothing is shared: the budgets of a process that admits no request.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBudgets;

impl Budgets for NoBudgets {
    fn used_here(&self) -> Vec<UsageDelta> {
        Vec::new()
    }

    fn used_elsewhere(&self, _spent: &[UsageDelta], _uptime: Duration) {}
}

/// Whether publishing works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PublishState {
    Working,
    Failing,
}

impl Gateway {
    /// Receives messages of the other instances and publishes usage, until it is stopped.
    pub async fn listen(self, budgets: Arc<dyn Budgets>, stop: CancellationToken) {
        tokio::join!(
            self.subscribe(&*budgets, &stop),
            self.publish(&*budgets, &stop),
            self.watch_silence(&stop),
        );
    }

    async fn subscribe(&self, budgets: &dyn Budgets, stop: &CancellationToken) {
        tokio::select! {
            never = self.receive_next(budgets) => match never {},
            () = stop.cancelled() => {}
        }
    }

    async fn receive_next(&self, budgets: &dyn Budgets) -> Infallible {
        let remembered = self.remembered();
        let mut asked = remembered.ask();
        loop {
            match self.parts().peers.subscribe().await {
                PeerEvent::Message(PeerMessage::AccountChanged(id)) => remembered.forget(&id),
                PeerEvent::Message(PeerMessage::Usage(spent)) => {
                    budgets.used_elsewhere(&spent, self.uptime());
                }
                PeerEvent::Alive => {
                    remembered.changes_seen_until(asked);
                    asked = remembered.ask();
                }
                PeerEvent::Missed => {
                    tracing::info!("words of other instances may have been missed");
                    remembered.forget_all();
                    asked = remembered.ask();
                }
            }
        }
    }

    /// Publishes usage again and again, and a last time when it is stopped. Usage that cannot be
    /// published is dropped: by the time it could be, the others' budgets are full again.
    async fn publish(&self, budgets: &dyn Budgets, stop: &CancellationToken) {
        let interval = self.parts().settings.spent_interval;
        let mut state = PublishState::Working;
        while !stop.is_cancelled() {
            self.pause(interval, stop).await;
            let published = self.publish_pending(&budgets.used_here()).await;
            state = match (state, published) {
                (PublishState::Working, Err(error)) => {
                    tracing::warn!(%error, "usage of this instance is not published to the others");
                    PublishState::Failing
                }
                (PublishState::Failing, Err(_)) => PublishState::Failing,
                (PublishState::Working | PublishState::Failing, Ok(())) => PublishState::Working,
            };
        }
    }

    async fn publish_pending(&self, spent: &[UsageDelta]) -> Result<(), PortError> {
        let Parts {
            peers, settings, ..
        } = self.parts();
        for entries in spent.chunks(UsageDelta::IN_A_WORD) {
            let published = peers.publish(PeerMessage::Usage(entries.to_vec()));
            let published = self.within(settings.peers_silence_max, published).await;
            published
                .unwrap_or_else(|| Err(PortError::new("peers", "a word was not taken in time")))?;
        }
        Ok(())
    }

    /// Logs that the line is silent even while no request asks for anything.
    async fn watch_silence(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            self.pause(SILENCE_WATCH, stop).await;
            self.remembered().look_for_silence();
        }
    }
}
