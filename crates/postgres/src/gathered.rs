//! Reads that come together are one statement: whatever is asked while a read is under way goes
//! into the next one. A lone question must not wait for others.

use crate::connection;
use crate::error::PART;
use async_trait::async_trait;
use ports::{PortError, PortErrorKind};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use std::fmt;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc, oneshot};

/// Most questions asked together: beyond it the fixed cost of a statement is nothing beside them.
const TOGETHER_MAX: usize = 64;

/// Most questions that wait, half a second of work; more are refused at once.
const WAITING_MAX: usize = 8192;

/// A question that one statement answers for many.
#[async_trait]
pub(crate) trait QueuedQuery: Sized + Send + Sync + 'static {
    /// What one of them is answered.
    type Answer: Send + 'static;

    /// The answers, one for each question, in their order.
    async fn ask(
        connection: &mut PgConnection,
        questions: &[Self],
    ) -> Result<Vec<Self::Answer>, PortError>;
}

struct PendingQuery<Q: QueuedQuery> {
    question: Q,
    reply: oneshot::Sender<Result<Q::Answer, PortError>>,
}

/// The questions that wait, in front of a few connections that answer them.
pub(crate) struct Gathered<Q: QueuedQuery>(mpsc::Sender<PendingQuery<Q>>);

impl<Q: QueuedQuery> fmt::Debug for Gathered<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gathered").finish_non_exhaustive()
    }
}

impl<Q: QueuedQuery> Gathered<Q> {
    /// Starts so many connections on the runtime this is called in; they end with the last handle.
    pub(crate) fn new(options: &PgConnectOptions, connections: u32) -> Self {
        let (asked, waiting) = mpsc::channel(WAITING_MAX);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..connections {
            let reader = Reader {
                options: connection::reading(options),
                connection: None,
                waiting: Arc::clone(&waiting),
            };
            #[expect(
                clippy::disallowed_methods,
                reason = "a reader ends when its queue is closed, and has nothing to finish then"
            )]
            tokio::spawn(reader.run());
        }
        Self(asked)
    }

    /// What a question is answered.
    pub(crate) async fn ask(&self, question: Q) -> Result<Q::Answer, PortError> {
        let (reply, answer) = oneshot::channel();
        let asked = PendingQuery { question, reply };
        self.0.try_send(asked).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                PortError::new(PART, format!("{WAITING_MAX} reads are waiting already"))
                    .with_trouble(PortErrorKind::Busy)
            }
            mpsc::error::TrySendError::Closed(_) => closed(),
        })?;
        answer.await.map_err(|_| closed())?
    }
}

fn closed() -> PortError {
    PortError::new(PART, "the store is closed")
}

struct Reader<Q: QueuedQuery> {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    waiting: Arc<Mutex<mpsc::Receiver<PendingQuery<Q>>>>,
}

impl<Q: QueuedQuery> Reader<Q> {
    async fn run(mut self) {
        let mut together = Vec::with_capacity(TOGETHER_MAX);
        loop {
            let count = self
                .waiting
                .lock()
                .await
                .recv_many(&mut together, TOGETHER_MAX)
                .await;
            if count == 0 {
                break;
            }
            self.answer(std::mem::take(&mut together)).await;
        }
        if let Some(connection) = self.connection {
            connection::close(connection).await;
        }
    }

    /// Answers every question, also those whose caller no longer waits.
    async fn answer(&mut self, asked: Vec<PendingQuery<Q>>) {
        let (questions, replies): (Vec<_>, Vec<_>) = asked
            .into_iter()
            .map(|asked| (asked.question, asked.reply))
            .unzip();
        let found = match self.ask(&questions).await {
            // The server may have been restarted since the last question.
            Err(error)
                if error.trouble == PortErrorKind::Unreachable && self.connection.is_some() =>
            {
                self.connection = None;
                self.ask(&questions).await
            }
            found => found,
        };
        match found {
            Ok(found) => {
                for (reply, answer) in replies.into_iter().zip(found) {
                    let _ = reply.send(Ok(answer));
                }
            }
            Err(error) => {
                self.connection = None;
                for reply in replies {
                    let again = PortError::new(PART, &error.what).with_trouble(error.trouble);
                    let _ = reply.send(Err(again));
                }
            }
        }
    }

    async fn ask(&mut self, questions: &[Q]) -> Result<Vec<Q::Answer>, PortError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => connection::connect(&self.options).await?,
        };
        Q::ask(self.connection.insert(connection), questions).await
    }
}
