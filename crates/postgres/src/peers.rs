//! What instances tell each other, carried by the database's own notifications. A word that cannot
//! be read must count as missed, never as nothing.

use crate::connection::{self, Answer};
use crate::error::failed;
use crate::store::Store;
use async_trait::async_trait;
use domain::account::AccountId;
use ports::PortError;
use ports::peers::{Class, Heard, Peers, Spent, Word};
use sqlx::postgres::{PgConnectOptions, PgListener, PgNotification, PgPool};
use std::fmt::Write;
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

/// Nothing of it must survive a crash, so nobody waits for the disk.
const NOTIFY: &str = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

/// The pause before a line is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(250);

/// The line to the other instances.
#[derive(Debug, Default)]
pub(crate) struct Line(Mutex<Option<Listening>>);

/// A line that works, or of which nobody knows yet that it does not.
struct Listening {
    listener: PgListener,
    /// The call that has not come back yet.
    called: Option<String>,
    calls: u64,
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
impl Peers for Store {
    async fn tell(&self, word: Word) -> Result<(), PortError> {
        let (channel, text) = match word {
            // The commit that changed it has said it.
            Word::AccountChanged(_) => return Ok(()),
            Word::Spent(spent) => (SPENT, written(self.origin, &spent)),
        };
        notify(&self.steps, channel, &text).await
    }

    async fn hear(&self) -> Heard {
        let mut line = self.line.0.lock().await;
        // Whoever stops waiting in between leaves no line, and hears so.
        let Some(mut listening) = line.take() else {
            *line = Some(Listening::new(self.listen().await));
            return Heard::Missed;
        };
        let heard = listening.hear(self).await;
        if heard != Heard::Missed {
            *line = Some(listening);
        }
        heard
    }
}

impl Store {
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

/// A line has a connection of its own: one that hangs when it is given up keeps nobody waiting.
async fn listener(options: &PgConnectOptions) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(&connection::steps(options, 1)).await?;
    // A line that broke is told of as such; a new one is made by the next call.
    listener.eager_reconnect(false);
    listener.listen_all([ACCOUNT_CHANGED, SPENT, CALL]).await?;
    Ok(listener)
}

async fn notify(pool: &PgPool, channel: &str, text: &str) -> Result<(), PortError> {
    let told = sqlx::query(NOTIFY)
        .bind(channel)
        .bind(text)
        .execute(pool)
        .in_time()
        .await;
    told.map_err(failed("tell the other instances")).map(drop)
}

impl Listening {
    fn new(listener: PgListener) -> Self {
        let mut due = tokio::time::interval(CALL_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            listener,
            called: None,
            calls: 0,
            due,
            overdue: 0,
        }
    }

    /// Listens until something is heard. Calls go out by time and not by silence: words without end
    /// would keep them from being made.
    async fn hear(&mut self, store: &Store) -> Heard {
        loop {
            tokio::select! {
                biased;
                _ = self.due.tick() => {
                    if !self.call(store).await {
                        return Heard::Missed;
                    }
                }
                said = self.listener.try_recv() => {
                    if let Some(heard) = self.understood(store, said) {
                        return heard;
                    }
                }
            }
        }
    }

    /// Calls oneself, unless a call is under way; whether the line may still work.
    async fn call(&mut self, store: &Store) -> bool {
        if self.called.is_some() {
            self.overdue += 1;
            return self.overdue <= OVERDUE_MAX;
        }
        self.calls = self.calls.wrapping_add(1);
        let call = format!("{} {}", store.origin, self.calls);
        let told = timeout(WITHIN, notify(&store.steps, CALL, &call)).await;
        self.called = Some(call);
        self.overdue = 0;
        match told {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::debug!(%error, "the line to the other instances is down");
                false
            }
            Err(error) => {
                tracing::debug!(%error, "the line to the other instances hangs");
                false
            }
        }
    }

    /// What was said; nothing where it was not meant for this instance.
    fn understood(
        &mut self,
        store: &Store,
        said: Result<Option<PgNotification>, sqlx::Error>,
    ) -> Option<Heard> {
        let Ok(Some(said)) = said else {
            return Some(Heard::Missed);
        };
        match said.channel() {
            CALL => {
                let called = self.called.take_if(|call| call == said.payload());
                called.map(|_| Heard::Alive)
            }
            ACCOUNT_CHANGED => Some(
                AccountId::parse(said.payload())
                    .map_or(Heard::Missed, |id| Heard::Word(Word::AccountChanged(id))),
            ),
            SPENT => match read(said.payload()) {
                Some((origin, _)) if origin == store.origin => None,
                Some((_, spent)) => Some(Heard::Word(Word::Spent(spent))),
                None => Some(Heard::Missed),
            },
            _ => None,
        }
    }
}

/// Who tells, then each entry as account, class and count, one line each.
fn written(origin: i64, spent: &[Spent]) -> String {
    let mut text = origin.to_string();
    for Spent {
        account,
        class,
        count,
    } in spent
    {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{account} {} {count}", class.code());
    }
    text
}

fn read(text: &str) -> Option<(i64, Vec<Spent>)> {
    let mut lines = text.lines();
    let origin = lines.next()?.parse().ok()?;
    let spent = lines.map(|line| {
        let mut words = line.split(' ');
        let account = AccountId::parse(words.next()?).ok()?;
        let code = words.next()?;
        let class = Class::ALL.into_iter().find(|class| class.code() == code)?;
        let count = words.next()?.parse().ok()?;
        Some(Spent {
            account,
            class,
            count,
        })
    });
    Some((origin, spent.collect::<Option<_>>()?))
}

/// A number that tells this process from the others.
pub(crate) async fn origin(
    connection: &mut sqlx::postgres::PgConnection,
) -> Result<i64, PortError> {
    sqlx::query_scalar("SELECT nextval('instances_token')")
        .fetch_one(connection)
        .await
        .map_err(failed("take a number among the instances"))
}

#[cfg(test)]
mod tests {
    use super::{read, written};
    use ports::peers::{Class, Spent};
    use testkit::builders::account_id;

    #[test]
    fn what_was_spent_reads_back_and_what_is_garbled_does_not() {
        let spent = |name: &str, class, count| Spent {
            account: account_id(name),
            class,
            count,
        };
        let all = vec![
            spent("shop", Class::Payments, 7),
            spent("mrc_MAMrSp2j3Z", Class::Lookups, u32::MAX),
        ];
        assert_eq!(read(&written(9, &all)), Some((9, all)));
        for garbled in ["", "x", "9\nshop", "9\nshop payments -1", "9\nshop loans 1"] {
            assert_eq!(read(garbled), None, "{garbled}");
        }
    }

    #[test]
    fn the_largest_word_fits_into_a_notification() {
        let account = account_id(&"x".repeat(32));
        let (class, count) = (Class::Payments, u32::MAX);
        let entry = Spent {
            account,
            class,
            count,
        };
        let word = written(i64::MAX, &vec![entry; Spent::IN_A_WORD]);
        assert!(word.len() < 8_000, "{}", word.len());
    }
}
