//! Finding transactions by reference: whatever is asked for while a question is under way goes into
//! the next one together. A lone question must not wait for company.

use crate::connection::{self, Answer};
use crate::error::{PART, failed};
use crate::rows::{TRANSACTION_COLUMNS, stored, transaction_columns};
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;
use ports::{PortError, Trouble};
use sqlx::Row;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgRow};
use std::sync::Arc;
use storage_sql::record::TransactionRow;
use tokio::sync::{Mutex, mpsc, oneshot};

/// Most questions asked together: beyond it the fixed cost of a statement is nothing beside them.
const TOGETHER_MAX: usize = 64;

/// Most questions that wait, half a second of work; more are refused at once.
const WAITING_MAX: usize = 8192;

/// Each transaction that is there, with the place of its question.
pub(crate) const FIND: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", wanted.place
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (account, reference, place)
    JOIN transactions AS t ON t.account = ANY (ARRAY[wanted.account COLLATE \"POSIX\"])
        AND t.reference = wanted.reference"
);

struct Question {
    account: AccountId,
    reference: MerchantReference,
    reply: oneshot::Sender<Result<Option<TransactionRow>, PortError>>,
}

/// The questions that wait, in front of a few connections that answer them.
#[derive(Debug)]
pub(crate) struct Lookups(mpsc::Sender<Question>);

impl Lookups {
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

    /// The transaction an account made under a reference.
    pub(crate) async fn find(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError> {
        let (reply, answer) = oneshot::channel();
        let question = Question {
            account: account.clone(),
            reference: reference.clone(),
            reply,
        };
        self.0.try_send(question).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => PortError::new(
                PART,
                format!("{WAITING_MAX} questions for transactions are waiting already"),
            )
            .with_trouble(Trouble::Busy),
            mpsc::error::TrySendError::Closed(_) => closed(),
        })?;
        let found = answer.await.map_err(|_| closed())??;
        found.as_ref().map(TransactionRow::restore).transpose()
    }
}

fn closed() -> PortError {
    PortError::new(PART, "the store is closed")
}

struct Reader {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    waiting: Arc<Mutex<mpsc::Receiver<Question>>>,
}

impl Reader {
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

    /// Answers every question; one that nobody waits for any more is answered in vain.
    async fn answer(&mut self, questions: Vec<Question>) {
        let found = match self.ask(&questions).await {
            // The server may have been restarted since the last question.
            Err(error) if error.trouble == Trouble::Unreachable && self.connection.is_some() => {
                self.connection = None;
                self.ask(&questions).await
            }
            found => found,
        };
        match found {
            Ok(mut found) => {
                for (place, question) in questions.into_iter().enumerate() {
                    let row = found.get_mut(place).and_then(Option::take);
                    let _ = question.reply.send(Ok(row));
                }
            }
            Err(error) => {
                self.connection = None;
                for question in questions {
                    let told = PortError::new(PART, &error.what).with_trouble(error.trouble);
                    let _ = question.reply.send(Err(told));
                }
            }
        }
    }

    /// What is found for each question, by its place.
    async fn ask(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Option<TransactionRow>>, PortError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => connection::connect(&self.options).await?,
        };
        let connection = self.connection.insert(connection);
        let columns: (Vec<&str>, Vec<&str>) = questions
            .iter()
            .map(|question| (question.account.as_str(), question.reference.as_str()))
            .unzip();
        let rows = sqlx::query(FIND)
            .bind(columns.0)
            .bind(columns.1)
            .fetch_all(connection)
            .in_time()
            .await
            .map_err(failed("find transactions by reference"))?;
        let mut found = Vec::new();
        found.resize_with(questions.len(), || None);
        for row in &rows {
            let place = place(row).map_err(failed("read the place of a transaction"))?;
            if let Some(slot) = found.get_mut(place) {
                *slot = Some(stored(row)?);
            }
        }
        Ok(found)
    }
}

/// Places are counted from 1.
fn place(row: &PgRow) -> Result<usize, sqlx::Error> {
    let place: i64 = row.try_get(TRANSACTION_COLUMNS)?;
    Ok(usize::try_from(place).unwrap_or_default().wrapping_sub(1))
}
