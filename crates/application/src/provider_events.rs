//! Applying what providers report without being asked: deliveries taken back, and what became of
//! messages. A change that cannot be applied must not stop the others, and must not be lost: it
//! waits in the dead-letter list. Applying the same change twice must do nothing the second time.

mod dead_letters;

use crate::gateway::Gateway;
use crate::record::Driver;
use domain::provider::{ProviderId, QueryOutcome};
use domain::reference::ProviderReference;
use domain::reference_settlement::SettledAs;
use domain::transaction::{AttemptNumber, Observation, Transaction};
use ports::changes::{ChangeId, CursorMove};
use ports::provider::{Changes, Provider};
use ports::{PortError, PortErrorKind};
use std::error::Error;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// How many pages of one provider's changes are read in a row: a long history is caught up with
/// soon after a start, and no provider holds up the others for ever.
const PAGES_MAX: usize = 64;

/// How often in a row applying one change may fail with a failure that names no record. The next
/// one is put down to the change itself: a store that has failed altogether cannot take it as a
/// dead letter either, so nothing is passed over while it is away.
const FAILURES_MAX: u32 = 5;

/// What providers report, one after the other.
#[derive(Debug)]
pub(crate) struct ChangesFeed {
    readers: Vec<Reader>,
}

/// Reads the changes of one provider.
#[derive(Debug)]
struct Reader {
    provider: Arc<dyn Provider>,
    /// Where it reads on; `None` until the stored cursor was read.
    place: Option<FeedPosition>,
    /// The position of the change that failed last, and how often in a row.
    failing: (u64, u32),
}

/// How far a reader has come.
#[derive(Debug, Clone, Copy)]
struct FeedPosition {
    next: u64,
    /// The furthest stored cursor that was seen. One that is behind it means that the store was set
    /// back.
    stored: u64,
}

/// Why a change was not applied.
#[derive(Debug)]
enum NotApplied {
    /// For a reason of its own, for people: the others may be applied all the same.
    Item(String),
    /// The store or the provider failed: the same again may work.
    Store(PortError),
}

impl ChangesFeed {
    /// Goes on from the stored cursors.
    pub(crate) fn new(gateway: &Gateway) -> Self {
        let mut feed = Self {
            readers: Vec::new(),
        };
        feed.take_up_accounts(gateway);
        feed
    }

    /// Takes up accounts that were added or opened again; each goes on where it was.
    fn take_up_accounts(&mut self, gateway: &Gateway) {
        for provider in gateway.providers_in_force().distinct() {
            let mut readers = self.readers.iter_mut();
            match readers.find(|it| it.provider.id() == provider.id()) {
                Some(reader) => reader.provider = provider,
                None => self.readers.push(Reader {
                    provider,
                    place: None,
                    failing: (0, 0),
                }),
            }
        }
    }

    /// Applies changes, again and again, until it is stopped.
    pub(crate) async fn run(mut self, gateway: &Gateway, stop: &CancellationToken) {
        let pause = gateway.parts().settings.changes_interval;
        while !stop.is_cancelled() {
            self.ingest(gateway).await;
            gateway.pause(pause, stop).await;
        }
    }

    /// Applies every change since the last time, and tries the dead letters that are due. Where the
    /// store fails, the rest of the provider's changes is read again from the same place.
    pub(crate) async fn ingest(&mut self, gateway: &Gateway) {
        self.take_up_accounts(gateway);
        for reader in &mut self.readers {
            if let Err(error) = reader.read_on(gateway).await {
                let provider = reader.provider.id();
                let cause = error.source().map(ToString::to_string);
                tracing::warn!(%provider, %error, cause, "changes were not applied");
            }
        }
        if let Err(error) = gateway.retry_dead_letters().await {
            let cause = error.source().map(ToString::to_string);
            tracing::warn!(%error, cause, "dead letters were not tried again");
        }
    }
}

/// A record that cannot be read is no reason to keep the other messages waiting.
fn unless_unreadable(provider: &ProviderId, taken: Result<(), PortError>) -> Result<(), PortError> {
    match taken {
        Err(error) if error.trouble == PortErrorKind::Record => {
            tracing::warn!(%provider, %error, "an incoming message was not taken");
            Ok(())
        }
        other => other,
    }
}

impl Reader {
    async fn read_on(&mut self, gateway: &Gateway) -> Result<(), PortError> {
        let mut place = self.feed_position(gateway).await?;
        for _ in 0..PAGES_MAX {
            let read_at = gateway.now();
            let from = place.next;
            let changes = gateway.ask_for_changes(&self.provider, from).await?;
            for (position, (reference, finding)) in (from..).zip(changes.findings) {
                let id = ChangeId {
                    provider: self.provider.id().clone(),
                    position,
                    reference,
                };
                self.apply(gateway, (id, finding)).await?;
            }
            for report in changes.messages {
                let taken = gateway.take_message(self.provider.id(), report).await;
                unless_unreadable(self.provider.id(), taken)?;
            }
            if changes.next <= from {
                return Ok(());
            }
            place.next = changes.next;
            if place.next > place.stored {
                let step = CursorMove {
                    provider: self.provider.id().clone(),
                    from: place.stored,
                    to: place.next,
                    read_at,
                };
                let stored = gateway.parts().changes.advance(&step).await?;
                if stored < place.stored {
                    // It was set back while the page was read: the next round begins there.
                    return Ok(());
                }
                place.stored = stored;
            }
            self.place = Some(place);
        }
        Ok(())
    }

    /// Where to read on. After a start, and after the store was set back, that is some way behind
    /// the stored cursor: a provider may insert a change before others that it reported earlier.
    async fn feed_position(&mut self, gateway: &Gateway) -> Result<FeedPosition, PortError> {
        let stored = gateway.parts().changes.cursor(self.provider.id()).await?;
        let stored = stored.map_or(0, |cursor| cursor.position);
        let place = match self.place {
            Some(place) if stored >= place.stored => FeedPosition { stored, ..place },
            Some(_) | None => FeedPosition {
                next: stored.saturating_sub(gateway.parts().settings.changes_window),
                stored,
            },
        };
        self.place = Some(place);
        Ok(place)
    }

    async fn apply(
        &mut self,
        gateway: &Gateway,
        (id, finding): (ChangeId, QueryOutcome),
    ) -> Result<(), PortError> {
        match gateway.apply(&id, finding.clone()).await {
            Ok(()) => Ok(()),
            Err(NotApplied::Item(reason)) => gateway.set_aside(id, finding, reason).await,
            Err(NotApplied::Store(error)) if self.is_passed_over(&id, &error) => {
                gateway.set_aside(id, finding, explained(&error)).await
            }
            Err(NotApplied::Store(error)) => Err(error),
        }
    }

    /// Whether a failure that names no record has come so often that it is put down to the change.
    fn is_passed_over(&mut self, id: &ChangeId, error: &PortError) -> bool {
        match error.trouble {
            PortErrorKind::Busy | PortErrorKind::Unreachable => return false,
            PortErrorKind::Failed | PortErrorKind::Record => {}
        }
        let (position, times) = self.failing;
        let times = if position == id.position {
            times.saturating_add(1)
        } else {
            1
        };
        self.failing = (id.position, times);
        times > FAILURES_MAX
    }
}

impl Gateway {
    /// Asks for as long as a call may take: a provider that hangs must not hold up the others.
    async fn ask_for_changes(
        &self,
        provider: &Arc<dyn Provider>,
        cursor: u64,
    ) -> Result<Changes, PortError> {
        let answer = provider.changes_since(cursor);
        let answer = self.within(self.parts().settings.call_deadline, answer);
        let late = || PortError::new("provider", "no changes before the deadline");
        answer.await.unwrap_or_else(|| Err(late()))
    }

    /// Applies one change. A provider is believed about what it was given to deliver, and about
    /// nothing else: no other provider's report moves money here.
    async fn apply(&self, id: &ChangeId, finding: QueryOutcome) -> Result<(), NotApplied> {
        // "Not found" counts only as the answer to a question: what is reported here may be
        // reported again, and would count each time.
        if finding == QueryOutcome::NotFound {
            return Ok(());
        }
        let Some((account, reference, attempt)) = id.reference.parts() else {
            let found = self.attempt_of(&id.provider, &id.reference).await?;
            let Some((transaction, attempt)) = found else {
                let why = "the reference is none that this gateway made";
                return self.accounted_for(id, &finding, why.to_owned()).await;
            };
            return self.settle_change(transaction, (attempt, finding)).await;
        };
        let transactions = &self.parts().transactions;
        let stored = transactions.by_reference(&account, &reference).await?;
        let Some(transaction) = stored else {
            let why = "no transaction is stored under this reference";
            return self.accounted_for(id, &finding, why.to_owned()).await;
        };
        let parts = (account, reference, attempt);
        // What is queued here was sent by a process that a restore took back.
        if transaction.attempt().is_none()
            && self
                .reopen_reference((&id.reference, &id.provider), &parts)
                .await?
        {
            let stored = transactions.by_reference(&parts.0, &parts.1).await?;
            let reopened = stored.unwrap_or(transaction);
            return self.settle_change(reopened, (attempt, finding)).await;
        }
        if Some(attempt) > transaction.attempt() {
            let why = format!("attempt {attempt} of this transaction was never made");
            return self.accounted_for(id, &finding, why).await;
        }
        let provider = transaction.provider_of(attempt);
        if *provider != id.provider {
            return Err(NotApplied::Item(foreign(provider)));
        }
        self.settle_change(transaction, (attempt, finding)).await
    }

    async fn settle_change(
        &self,
        transaction: Transaction,
        (attempt, finding): (AttemptNumber, QueryOutcome),
    ) -> Result<(), NotApplied> {
        let news = Observation::Finding { attempt, finding };
        self.settle_attempt(transaction, &news.into(), Driver::Recovery)
            .await?;
        Ok(())
    }
}

impl Gateway {
    /// A change of what is not stored. A reference that was settled from the provider's record is
    /// accounted for where the change says the same; anything else is for a person, who reads why.
    async fn accounted_for(
        &self,
        id: &ChangeId,
        finding: &QueryOutcome,
        why: String,
    ) -> Result<(), NotApplied> {
        let reconciliation = &self.parts().reconciliation;
        let Some(settled_as) = reconciliation.settled_as(&id.reference).await? else {
            return Err(NotApplied::Item(why));
        };
        let says = match (settled_as, finding) {
            (
                SettledAs::Charged(booked) | SettledAs::Absorbed(booked),
                QueryOutcome::Delivered(receipt),
            ) if receipt.amount == booked && receipt.reference == id.reference =>
            {
                return Ok(());
            }
            (SettledAs::Charged(_) | SettledAs::Absorbed(_), QueryOutcome::Delivered(_)) => {
                "another amount or reference was delivered"
            }
            (SettledAs::NotDelivered, QueryOutcome::Declined(_) | QueryOutcome::Reversed)
            // As for any loss: it stays booked.
            | (SettledAs::Absorbed(_), QueryOutcome::Reversed)
            | (
                _,
                QueryOutcome::Pending | QueryOutcome::NotFound | QueryOutcome::Unknown,
            ) => return Ok(()),
            (SettledAs::Reopened, _) => return Err(NotApplied::Item(why)),
            (SettledAs::Charged(_), QueryOutcome::Reversed) => "it was taken back since",
            (SettledAs::NotDelivered, QueryOutcome::Delivered(_)) => "it was delivered after all",
            (SettledAs::Charged(_) | SettledAs::Absorbed(_), QueryOutcome::Declined(_)) => {
                "it was declined after all"
            }
        };
        let what = format!(
            "the reference was settled as {}, and {says}",
            settled_as.code()
        );
        Err(NotApplied::Item(what))
    }
}

impl From<PortError> for NotApplied {
    fn from(error: PortError) -> Self {
        match error.trouble {
            PortErrorKind::Record => Self::Item(explained(&error)),
            PortErrorKind::Failed | PortErrorKind::Busy | PortErrorKind::Unreachable => {
                Self::Store(error)
            }
        }
    }
}

fn foreign(owner: &ProviderId) -> String {
    format!("the attempt was sent to {owner}, not to this provider")
}

/// An error with everything that caused it, in one line.
fn explained(error: &PortError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// A reference as it can be stored everywhere. One of ours is kept as it is; any other is of no use
/// but to be shown.
fn storable(reference: ProviderReference) -> ProviderReference {
    const SHOWN_MAX: usize = 128;
    if reference.parts().is_some() {
        return reference;
    }
    let shown = |character: char| {
        if character.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            character
        }
    };
    let text: String = reference
        .as_str()
        .chars()
        .map(shown)
        .take(SHOWN_MAX)
        .collect();
    ProviderReference::from_echo(text)
}
