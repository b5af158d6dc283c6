//! Messages between instances over the notifications of the database. Every role that may connect
//! has access to these, so each message is sealed. A message that cannot be read must count as
//! missed, never as absent; one that is forged or sent again must have no effect.

use crate::connection::{self, StatementAnswer};
use crate::error::{PART, failed};
use crate::sealing::{LetIn, MessageSealing, SealedMessage, Unsealed};
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use ports::PortError;
use ports::peers::{PeerEvent, PeerMessage, Peers, RateLimitClass, UsageDelta};
use sqlx::Row as _;
use sqlx::postgres::{PgConnectOptions, PgListener, PgNotification};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Interval, MissedTickBehavior, timeout};

/// Names an account that changed; sent by the commit that changes it.
pub(crate) const ACCOUNT_CHANGED: &str = "manilla_account";

/// What accounts spent, from one instance to the others.
const SPENT: &str = "manilla_spent";

/// An instance calls itself, to learn whether the line works.
const CALL: &str = "manilla_call";

/// The pause between two calls where nothing is said: a revoked key is let in for as long as a dead
/// line is taken for a silent one.
const CALL_EVERY: Duration = Duration::from_millis(200);

/// A call that has not come back when the next so many were due will not: the line is dead.
const OVERDUE_MAX: u32 = 6;

/// How long opening a line, or calling on it, may take.
const WITHIN: Duration = Duration::from_millis(1_500);

/// A notification need not survive a crash, so its commit does not wait for the disk. It answers
/// with the time of the database.
const NOTIFY: &str = "
    SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2),
        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// So many calls are made between two lines of the log about refused messages: a minute.
const CALLS_BETWEEN_LINES: u32 = 300;

/// The pause before a line is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(250);

/// The line to the other instances, and who is believed on it; lines break, and what was let in is
/// remembered all the same.
#[derive(Debug)]
pub(crate) struct NotifyChannel(Mutex<(Option<Listening>, Gate)>);

impl NotifyChannel {
    /// Earlier usage is ignored.
    pub(crate) fn since(database_time: u64) -> Self {
        Self(Mutex::new((None, Gate::since(database_time))))
    }
}

/// The line does not work any more.
struct Broken;

/// A channel that works, or is not yet known to be broken.
struct Listening {
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

#[async_trait]
impl Peers for PostgresStore {
    async fn publish(&self, word: PeerMessage) -> Result<(), PortError> {
        let (channel, text) = match word {
            // The commit that changed it has said it.
            PeerMessage::AccountChanged(_) => return Ok(()),
            PeerMessage::Usage(spent) => (SPENT, written(&spent)),
        };
        let text = message(&self.shared.sealing, channel, text)?;
        notify(self, channel, &text).await
    }

    async fn subscribe(&self) -> PeerEvent {
        let mut line = self.line.0.lock().await;
        let (line, gate) = &mut *line;
        // A caller that stops waiting in between leaves no channel, and the next call finds that
        // out.
        let Some(mut listening) = line.take() else {
            *line = Some(Listening::new(self.listen().await));
            return PeerEvent::Missed;
        };
        match listening.next(self, gate).await {
            Ok(received) => {
                *line = Some(listening);
                received
            }
            Err(Broken) => PeerEvent::Missed,
        }
    }
}

impl PostgresStore {
    /// A line that works; however long it takes.
    async fn listen(&self) -> PgListener {
        loop {
            let opened = timeout(WITHIN, listener(&self.shared.options)).await;
            match opened {
                Ok(Ok(listener)) => return listener,
                Ok(Err(error)) => tracing::debug!(%error, "no line to the other instances yet"),
                Err(error) => tracing::debug!(%error, "no line to the other instances yet"),
            }
            tokio::time::sleep(TRY_AGAIN).await;
        }
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

/// A message of this process, sealed for a channel.
pub(crate) fn message(
    sealing: &MessageSealing,
    channel: &str,
    body: Vec<u8>,
) -> Result<String, PortError> {
    let sealed = sealing.seal(channel, body);
    sealed.ok_or_else(|| PortError::new(PART, "a message to the other instances was not sealed"))
}

async fn notify(store: &PostgresStore, channel: &str, text: &str) -> Result<(), PortError> {
    let notified = sqlx::query(NOTIFY)
        .bind(channel)
        .bind(text)
        .fetch_one(&store.steps)
        .in_time()
        .await;
    let now = notified.and_then(|row| row.try_get(2));
    store
        .shared
        .sealing
        .at(now.map_err(failed("notify the other instances"))?);
    Ok(())
}

impl Listening {
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
    async fn next(&mut self, store: &PostgresStore, gate: &mut Gate) -> Result<PeerEvent, Broken> {
        loop {
            tokio::select! {
                biased;
                _ = self.due.tick() => {
                    self.call(store).await?;
                    if gate.has_missed() {
                        return Ok(PeerEvent::Missed);
                    }
                }
                said = self.listener.try_recv() => {
                    let Ok(Some(said)) = said else {
                        return Err(Broken);
                    };
                    if let Some(received) = self.understood((store, gate), &said) {
                        return Ok(received);
                    }
                }
            }
        }
    }

    /// Calls oneself, unless a call is under way.
    async fn call(&mut self, store: &PostgresStore) -> Result<(), Broken> {
        if self.called.is_some() {
            self.overdue += 1;
            return (self.overdue <= OVERDUE_MAX).then_some(()).ok_or(Broken);
        }
        let call = message(&store.shared.sealing, CALL, Vec::new()).map_err(|_| Broken)?;
        let notified = timeout(WITHIN, notify(store, CALL, &call)).await;
        self.called = Some(call);
        self.overdue = 0;
        match notified {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::debug!(%error, "the line to the other instances is down");
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
        (store, gate): (&PostgresStore, &mut Gate),
        said: &PgNotification,
    ) -> Option<PeerEvent> {
        let (sealing, text) = (&store.shared.sealing, said.payload());
        match said.channel() {
            CALL => {
                let called = self.called.take_if(|call| call == text);
                called.map(|_| PeerEvent::Alive)
            }
            ACCOUNT_CHANGED => {
                let message = gate.let_in(sealing, ACCOUNT_CHANGED, text)?;
                let id = str::from_utf8(&message.body).ok();
                let id = id.and_then(|id| AccountId::parse(id).ok());
                Some(id.map_or(PeerEvent::Missed, |id| {
                    PeerEvent::Message(PeerMessage::AccountChanged(id))
                }))
            }
            SPENT => {
                let message = gate.let_in(sealing, SPENT, text)?;
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

/// Who is let in on the line, and how many were not.
#[derive(Debug)]
struct Gate {
    accounts: LetIn,
    spent: LetIn,
    /// An account may have changed: a message came under a key that is not known here.
    unreadable: bool,
    refused: u64,
    logged: u64,
    /// How many calls must be made before the next line of the log.
    calls_left: u32,
}

impl Gate {
    fn since(database_time: u64) -> Self {
        Self {
            // To forget what is remembered is always right, so old news of accounts is news.
            accounts: LetIn::default(),
            spent: LetIn::since(database_time),
            unreadable: false,
            refused: 0,
            logged: 0,
            calls_left: 0,
        }
    }

    /// A message that comes for the first time, from a process that has the key ring.
    fn let_in(
        &mut self,
        sealing: &MessageSealing,
        channel: &str,
        text: &str,
    ) -> Option<SealedMessage> {
        let seen = match channel {
            ACCOUNT_CHANGED => &mut self.accounts,
            _ => &mut self.spent,
        };
        match sealing.open(channel, text) {
            Ok(message) if seen.is_new(&message) => return Some(message),
            Ok(_) | Err(Unsealed::Forged) => {}
            Err(Unsealed::UnknownKey) => self.unreadable |= channel == ACCOUNT_CHANGED,
        }
        self.refused = self.refused.saturating_add(1);
        None
    }

    /// Asked with every call: whether a change of an account may have been missed. It says once in
    /// a while how many messages were refused.
    fn has_missed(&mut self) -> bool {
        self.calls_left = self.calls_left.saturating_sub(1);
        if self.refused > self.logged && self.calls_left == 0 {
            tracing::warn!(
                refused = self.refused,
                "messages between instances were refused: they were forged, sent again, or sealed \
                 under another key ring; let only roles of the gateway connect to the database, \
                 and give every instance the same key ring"
            );
            self.logged = self.refused;
            self.calls_left = CALLS_BETWEEN_LINES;
        }
        std::mem::take(&mut self.unreadable)
    }
}

/// Each entry as the length of the account, the account, its class and its count.
fn written(spent: &[UsageDelta]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in spent {
        let account = entry.account.as_str().as_bytes();
        bytes.push(u8::try_from(account.len()).unwrap_or(u8::MAX));
        bytes.extend_from_slice(account);
        bytes.push(class_byte(entry.class));
        bytes.extend_from_slice(&entry.count.to_be_bytes());
    }
    bytes
}

fn read(mut bytes: &[u8]) -> Option<Vec<UsageDelta>> {
    let mut spent = Vec::new();
    while let Some((length, rest)) = bytes.split_first() {
        let (account, rest) = rest.split_at_checked(usize::from(*length))?;
        let (class, rest) = rest.split_first()?;
        let (count, rest) = rest.split_first_chunk()?;
        spent.push(UsageDelta {
            account: AccountId::parse(str::from_utf8(account).ok()?).ok()?,
            class: RateLimitClass::ALL
                .into_iter()
                .find(|it| class_byte(*it) == *class)?,
            count: u32::from_be_bytes(*count),
        });
        bytes = rest;
    }
    Some(spent)
}

/// A class as it stands in a message; it stays the same in every version.
const fn class_byte(class: RateLimitClass) -> u8 {
    match class {
        RateLimitClass::Payments => b'p',
        RateLimitClass::Reads => b'r',
        RateLimitClass::Lookups => b'l',
    }
}

/// What time the database says it is, in microseconds.
pub(crate) async fn database_time(
    connection: &mut sqlx::postgres::PgConnection,
) -> Result<i64, PortError> {
    sqlx::query_scalar("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        .fetch_one(connection)
        .await
        .map_err(failed("ask the database for the time"))
}

#[cfg(test)]
mod tests {
    use super::{ACCOUNT_CHANGED, CALLS_BETWEEN_LINES, Gate, SPENT, message, read, written};
    use crate::sealing::MessageSealing;
    use key_ring::KeyRing;
    use ports::peers::{RateLimitClass, UsageDelta};
    use testkit::builders::account_id;

    fn sealing(secret: u8, session: u8) -> MessageSealing {
        MessageSealing::new(&KeyRing::generate([secret; 32], ""), [session; 16])
    }

    #[test]
    fn what_was_spent_reads_back_and_what_is_garbled_does_not() {
        let spent = |name: &str, class, count| UsageDelta {
            account: account_id(name),
            class,
            count,
        };
        let all = vec![
            spent("shop", RateLimitClass::Payments, 7),
            spent("mrc_MAMrSp2j3Z", RateLimitClass::Lookups, u32::MAX),
            spent("shop", RateLimitClass::Reads, 0),
        ];
        assert_eq!(read(&written(&all)), Some(all));
        let garbled: [&[u8]; 4] = [
            b"\x04shop",
            b"\x04shopx\0\0\0\x01",
            b"\x00p\0\0\0\x01",
            b"\xff",
        ];
        for garbled in garbled {
            assert_eq!(read(garbled), None, "{garbled:?}");
        }
    }

    #[test]
    fn the_largest_word_fits_into_a_notification() {
        let account = account_id(&"x".repeat(32));
        let (class, count) = (RateLimitClass::Payments, u32::MAX);
        let entry = UsageDelta {
            account,
            class,
            count,
        };
        let body = written(&vec![entry; UsageDelta::IN_A_WORD]);
        let word = message(&sealing(1, 1), SPENT, body).unwrap();
        assert!(word.len() < 8_000, "{}", word.len());
    }

    #[test]
    fn what_is_refused_is_counted_and_logged_once_in_a_while() {
        let (one, other, stranger) = (sealing(1, 1), sealing(1, 2), sealing(2, 3));
        let mut gate = Gate::since(0);
        let sent = message(&one, SPENT, b"x".to_vec()).unwrap();
        assert!(gate.let_in(&other, SPENT, &sent).is_some());
        assert!(gate.let_in(&other, SPENT, &sent).is_none(), "again");
        assert!(gate.let_in(&other, SPENT, "shop").is_none(), "forged");
        assert_eq!((gate.refused, gate.logged), (2, 0));
        assert!(!gate.has_missed());
        assert_eq!(gate.logged, 2);
        assert!(gate.let_in(&other, SPENT, "shop").is_none());
        for _ in 1..CALLS_BETWEEN_LINES {
            assert!(!gate.has_missed());
            assert_eq!(gate.logged, 2);
        }
        assert!(!gate.has_missed());
        assert_eq!(gate.logged, 3);

        let foreign = message(&stranger, SPENT, b"x".to_vec()).unwrap();
        assert!(gate.let_in(&other, SPENT, &foreign).is_none());
        assert!(!gate.has_missed(), "nothing is forgotten for it");
        let foreign = message(&stranger, ACCOUNT_CHANGED, b"shop".to_vec()).unwrap();
        assert!(gate.let_in(&other, ACCOUNT_CHANGED, &foreign).is_none());
        assert!(gate.has_missed(), "an account may have changed");
        assert!(!gate.has_missed(), "once");
    }
}
