//! Whether attempts may be sent, asked of the database for all that ask at one moment. The answer
//! must be made from the rows and the clock of the database alone.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::gathered::QueuedQuery;
use crate::rows::key;
use async_trait::async_trait;
use ports::PortError;
use ports::transactions::AttemptKey;
use sqlx::postgres::PgConnection;

/// The places of the attempts that are being sent by the instance that asks, as it recorded them,
/// and that no other may claim now. `coalesce` keeps the server from the index of what is due,
/// which it would walk through while the table is small.
pub(crate) const MAY_SEND: &str = "
    SELECT asked.place
    FROM unnest($1::text[], $2::bigint[], $3::smallint[], $4::integer[], $5::bigint[])
        WITH ORDINALITY AS asked (account, transaction, attempt, version, instance, place)
    JOIN attempts_open AS a ON a.account = ANY (ARRAY[asked.account COLLATE \"C\"])
        AND a.transaction = asked.transaction
    JOIN transactions AS t ON t.account = ANY (ARRAY[asked.account COLLATE \"C\"])
        AND t.number = asked.transaction
    WHERE a.number = asked.attempt AND a.state = 'sending' AND NOT a.leased
        AND a.instance IS NOT DISTINCT FROM asked.instance AND t.version = asked.version
        AND coalesce(a.due_at, 0) > (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// Asks whether an attempt may be sent by an instance.
pub(crate) struct MaySend {
    pub(crate) attempt: AttemptKey,
    pub(crate) instance: Option<i64>,
}

#[async_trait]
impl QueuedQuery for MaySend {
    type Answer = bool;

    async fn ask(
        connection: &mut PgConnection,
        questions: &[Self],
    ) -> Result<Vec<Self::Answer>, PortError> {
        let attempts = || questions.iter().map(|question| &question.attempt);
        let accounts: Vec<_> = attempts().map(|attempt| attempt.account.as_str()).collect();
        let numbers: Vec<_> = attempts().map(|attempt| key(attempt.number)).collect();
        let of_transaction: Vec<_> = attempts()
            .map(|attempt| i16::from(attempt.attempt.get()))
            .collect();
        // A version beyond what the column holds is in no row.
        let versions: Vec<_> = attempts()
            .map(|attempt| i32::try_from(attempt.version).unwrap_or(-1))
            .collect();
        let instances: Vec<_> = questions.iter().map(|question| question.instance).collect();
        let places: Vec<i64> = sqlx::query_scalar(MAY_SEND)
            .bind(accounts)
            .bind(numbers)
            .bind(of_transaction)
            .bind(versions)
            .bind(instances)
            .fetch_all(connection)
            .in_time()
            .await
            .map_err(failed("look whether attempts may be sent"))?;
        let mut may_send = vec![false; questions.len()];
        for place in places {
            // Places are counted from 1.
            let place = usize::try_from(place).unwrap_or_default().wrapping_sub(1);
            if let Some(slot) = may_send.get_mut(place) {
                *slot = true;
            }
        }
        Ok(may_send)
    }
}
