//! The channel to the other instances. It must be given up once it may have lost a message.

use super::message::{ACCOUNT_CHANGED, CALL, SPENT, message, read};
use super::message_filter::MessageFilter;
use crate::connection::{self, StatementAnswer};
use crate::error::failed;
use crate::sealing::MessageSealing;
use domain::account::AccountId;
use ports::PortError;
use ports::peers::{PeerEvent, PeerMessage};
use sqlx::Row as _;
use sqlx::postgres::{PgConnectOptions, PgListener, PgNotification, PgPool};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Interval, MissedTickBehavior, timeout};

/// The pause between two calls where nothing is said: a revoked key is let in for as long as a dead
/// notifier is taken for a silent one.
const CALL_EVERY: Duration = Duration::from_millis(200);

/// A call that has not come back when the next so many were due will not: the notifier is dead.
const OVERDUE_MAX: u32 = 6;

/// How long opening a notifier, or calling on it, may take.
const WITHIN: Duration = Duration::from_millis(1_500);

/// A notification need not survive a crash, so its commit does not wait for the disk. It answers
/// with the time of the database.
const NOTIFY: &str = "
    SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2),
        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// The pause before a notifier is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(250);

/// The channel of notifications, and the filter of what arrives on it. A connection may break; what
/// the filter accepted is remembered all the same.
#[derive(Debug)]
pub(crate) struct NotifyChannel(pub(super) Mutex<(Option<Listening>, MessageFilter)>);

impl NotifyChannel {
    /// Earlier usage is ignored.
    pub(crate) fn since(database_time: u64) -> Self {
        Self(Mutex::new((None, MessageFilter::since(database_time))))
    }
}

/// The notifier does not work any more.
pub(super) struct Broken;

/// A channel that works, or is not yet known to be broken.
pub(super) struct Listening {
    listener: PgListener,
    /// The call that has not come back yet.
    called: Option<String>,
    /// When a call is due; it keeps its time from one hearing to the next.
    due: Interval,
    /// How often one was due since the call that has not come back.
    overdue: u32,
}

impl std::fmt::Debug for Listening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listening")
            .field("called", &self.called)
            .finish_non_exhaustive()
    }
}

/// How a message is sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notifier<'a> {
    pub(super) connections: &'a PgPool,
    pub(super) sealing: &'a MessageSealing,
}

impl Notifier<'_> {
    pub(super) async fn notify(self, channel: &str, text: &str) -> Result<(), PortError> {
        let notified = sqlx::query(NOTIFY)
            .bind(channel)
            .bind(text)
            .fetch_one(self.connections)
            .in_time()
            .await;
        let now = notified.and_then(|row| row.try_get(2));
        self.sealing
            .at(now.map_err(failed("notify the other instances"))?);
        Ok(())
    }
}

/// A channel has a connection of its own: one that hangs when it is dropped delays no other.
async fn listener(options: &PgConnectOptions) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(&connection::steps(options, 1)).await?;
    // A broken channel is sent as such; the next call makes a new one.
    listener.eager_reconnect(false);
    listener.listen_all([ACCOUNT_CHANGED, SPENT, CALL]).await?;
    Ok(listener)
}

impl Listening {
    /// A channel that works; however long it takes.
    pub(super) async fn open(options: &PgConnectOptions) -> Self {
        loop {
            let opened = timeout(WITHIN, listener(options)).await;
            match opened {
                Ok(Ok(listener)) => return Self::new(listener),
                Ok(Err(error)) => {
                    tracing::debug!(%error, "no connection to the other instances yet");
                }
                Err(error) => tracing::debug!(%error, "no connection to the other instances yet"),
            }
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }

    fn new(listener: PgListener) -> Self {
        let mut due = tokio::time::interval(CALL_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            listener,
            called: None,
            due,
            overdue: 0,
        }
    }

    /// Waits for the next event. Probes go out by time and not by silence: messages without end
    /// would keep them from being sent.
    pub(super) async fn next(
        &mut self,
        notifier: Notifier<'_>,
        filter: &mut MessageFilter,
    ) -> Result<PeerEvent, Broken> {
        loop {
            tokio::select! {
                biased;
                _ = self.due.tick() => {
                    self.call(notifier).await?;
                    if filter.has_missed() {
                        return Ok(PeerEvent::Missed);
                    }
                }
                said = self.listener.try_recv() => {
                    let Ok(Some(said)) = said else {
                        return Err(Broken);
                    };
                    if let Some(received) = self.understood((notifier, filter), &said) {
                        return Ok(received);
                    }
                }
            }
        }
    }

    /// Sends a probe to oneself, unless one is under way.
    async fn call(&mut self, notifier: Notifier<'_>) -> Result<(), Broken> {
        if self.called.is_some() {
            self.overdue += 1;
            return (self.overdue <= OVERDUE_MAX).then_some(()).ok_or(Broken);
        }
        let call = message(notifier.sealing, CALL, Vec::new()).map_err(|_| Broken)?;
        let sent = timeout(WITHIN, notifier.notify(CALL, &call)).await;
        self.called = Some(call);
        self.overdue = 0;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::debug!(%error, "the other instances cannot be notified");
                Err(Broken)
            }
            Err(error) => {
                tracing::debug!(%error, "peer notification channel timed out");
                Err(Broken)
            }
        }
    }

    /// What was said; nothing where it was not meant for this instance, or is not believed.
    fn understood(
        &mut self,
        (notifier, filter): (Notifier<'_>, &mut MessageFilter),
        said: &PgNotification,
    ) -> Option<PeerEvent> {
        let (sealing, text) = (notifier.sealing, said.payload());
        match said.channel() {
            CALL => {
                let called = self.called.take_if(|call| call == text);
                called.map(|_| PeerEvent::Alive)
            }
            ACCOUNT_CHANGED => {
                let message = filter.accept(sealing, ACCOUNT_CHANGED, text)?;
                let id = str::from_utf8(&message.body).ok();
                let id = id.and_then(|id| AccountId::parse(id).ok());
                Some(id.map_or(PeerEvent::Missed, |id| {
                    PeerEvent::Message(PeerMessage::AccountChanged(id))
                }))
            }
            SPENT => {
                let message = filter.accept(sealing, SPENT, text)?;
                if message.session == sealing.session() {
                    return None;
                }
                let spent = read(&message.body);
                Some(spent.map_or(PeerEvent::Missed, |spent| {
                    PeerEvent::Message(PeerMessage::Usage(spent))
                }))
            }
            _ => None,
        }
    }
}
