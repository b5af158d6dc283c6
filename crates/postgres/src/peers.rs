//! What instances tell each other, carried by the database's own notifications. A word that cannot
//! be read must count as missed, never as nothing.

use crate::error::failed;
use crate::store::Store;
use async_trait::async_trait;
use domain::account::AccountId;
use ports::PortError;
use ports::peers::{Class, Heard, Peers, Spent, Word};
use sqlx::postgres::{PgListener, PgNotification, PgPool};
use std::fmt::Write;
use std::time::Duration;
use tokio::sync::Mutex;

/// Names an account that changed; sent by the commit that changes it.
pub(crate) const ACCOUNT_CHANGED: &str = "manilla_account";

/// What accounts spent, from one instance to the others.
const SPENT: &str = "manilla_spent";

/// An instance calls itself, to learn whether the line works.
const CALL: &str = "manilla_call";

/// The pause between two calls where nothing is said: a revoked key is let in for as long as a dead
/// line is taken for a silent one.
const CALL_EVERY: Duration = Duration::from_millis(200);

/// A call that has not come back after this will not: the line is dead.
const CALLED_BACK_WITHIN: Duration = Duration::from_millis(1_500);

/// The pause before a line is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(250);

/// The line to the other instances.
#[derive(Debug, Default)]
pub(crate) struct Line(Mutex<Listening>);

#[derive(Default)]
struct Listening {
    listener: Option<PgListener>,
    calls: u64,
}

impl std::fmt::Debug for Listening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_open = self.listener.is_some();
        f.debug_struct("Listening")
            .field("is_open", &is_open)
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
        let mut listening = self.line.0.lock().await;
        let Some(listener) = listening.listener.take() else {
            listening.listener = Some(self.listen().await);
            return Heard::Missed;
        };
        listening.calls += 1;
        let call = format!("{} {}", self.origin, listening.calls);
        let mut ear = Ear {
            store: self,
            listener,
            call,
        };
        let heard = ear.hear().await;
        if heard != Heard::Missed {
            listening.listener = Some(ear.listener);
        }
        heard
    }
}

impl Store {
    /// A line that works; however long it takes.
    async fn listen(&self) -> PgListener {
        loop {
            match listener(&self.steps).await {
                Ok(listener) => return listener,
                Err(error) => tracing::debug!(%error, "no line to the other instances yet"),
            }
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }
}

async fn listener(pool: &PgPool) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    // A line that broke is told of as such; a new one is made by the next call.
    listener.eager_reconnect(false);
    listener.listen_all([ACCOUNT_CHANGED, SPENT, CALL]).await?;
    Ok(listener)
}

async fn notify(pool: &PgPool, channel: &str, text: &str) -> Result<(), PortError> {
    let told = sqlx::query("SELECT pg_notify($1, $2)")
        .bind(channel)
        .bind(text)
        .execute(pool)
        .await;
    told.map_err(failed("tell the other instances")).map(drop)
}

/// One listening, until something is heard.
struct Ear<'a> {
    store: &'a Store,
    listener: PgListener,
    call: String,
}

impl Ear<'_> {
    async fn hear(&mut self) -> Heard {
        let silence = tokio::time::sleep(CALL_EVERY);
        tokio::pin!(silence);
        loop {
            tokio::select! {
                biased;
                said = self.listener.try_recv() => {
                    if let Some(heard) = self.understood(said) {
                        return heard;
                    }
                }
                () = &mut silence => break,
            }
        }
        let answered = tokio::time::timeout(CALLED_BACK_WITHIN, self.call());
        answered.await.unwrap_or(Heard::Missed)
    }

    /// Calls oneself and listens until the call, or something else, is heard.
    async fn call(&mut self) -> Heard {
        if let Err(error) = notify(&self.store.steps, CALL, &self.call).await {
            tracing::debug!(%error, "the line to the other instances is down");
            return Heard::Missed;
        }
        loop {
            let said = self.listener.try_recv().await;
            if let Some(heard) = self.understood(said) {
                return heard;
            }
        }
    }

    /// What was said; nothing where it was not meant for this instance.
    fn understood(&self, said: Result<Option<PgNotification>, sqlx::Error>) -> Option<Heard> {
        let Ok(Some(said)) = said else {
            return Some(Heard::Missed);
        };
        match said.channel() {
            CALL => (said.payload() == self.call).then_some(Heard::Alive),
            ACCOUNT_CHANGED => Some(
                AccountId::parse(said.payload())
                    .map_or(Heard::Missed, |id| Heard::Word(Word::AccountChanged(id))),
            ),
            SPENT => match read(said.payload()) {
                Some((origin, _)) if origin == self.store.origin => None,
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
