//! Suspending payments over a file that may have been set back, and resuming them. What a person
//! acknowledged must be in the file itself, with what the comparison found.

use crate::error::failed;
use crate::rows::json;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::provider::ProviderId;
use domain::reference::{ProviderReference, UndatedReference};
use domain::reference_settlement::SettledAs;
use ports::PortError;
use ports::journal::JournalId;
use ports::reconciliation::{
    AcknowledgeOutcome, Acknowledgement, Clearance, Comparison, JournalState, NotedReference,
    Reconciliation, ReferencedAttempt, Registered, Suspension, SuspensionNumber,
    UnsettledReference,
};
use storage_sql::reconciliation::{
    NotedColumns, RECOGNISED_BY_FORM, noted, providers, suspension_reason,
};

const SUSPENSION: &str = "
    SELECT strftime('%Y-%m-%dT%H:%M:%SZ', since / 1000, 'unixepoch'), reason, clearance
    FROM suspension WHERE since IS NOT NULL";

/// A weaker clearance never takes the place of a stronger one.
const SUSPEND: &str = "
    UPDATE suspension SET
        number = number + (since IS NULL),
        since = coalesce(since, unixepoch() * 1000),
        reason = ?1, clearance = ?2
    WHERE since IS NULL OR clearance < ?2";

const HAS_TRANSACTIONS: &str = "SELECT EXISTS (SELECT 1 FROM transactions)";

const HAS_QUEUED: &str = "
    SELECT EXISTS (SELECT 1 FROM queue WHERE claim_email IS NULL AND claim_phone IS NULL)";

/// The number of the last suspension, with nothing and with each place in the list of attempts that
/// has no row and was not booked from the provider's record either.
pub(crate) const WITHOUT_ROW: &str = "
    SELECT number, NULL FROM suspension WHERE one = 1
    UNION ALL
    SELECT 0, wanted.key FROM json_each(?1) AS wanted
    WHERE NOT EXISTS (
        SELECT 1 FROM transactions AS t CROSS JOIN attempts AS a ON a.transaction_id = t.id
        WHERE t.account = wanted.value ->> 0 AND t.reference = wanted.value ->> 1
            AND a.number >= wanted.value ->> 2
    ) AND NOT EXISTS (
        SELECT 1 FROM transactions AS t
        WHERE t.account = wanted.value ->> 0 AND t.reference = wanted.value ->> 1
            AND t.state = 'booked'
    ) AND NOT EXISTS (
        SELECT 1 FROM unsettled_references AS u
        WHERE u.provider_reference = wanted.value ->> 3
            AND u.settlement IN ('charged', 'absorbed')
    )";

const IS_KNOWN: &str = "SELECT EXISTS (SELECT 1 FROM journals WHERE id = ?1)";

const REGISTER: &str = "
    INSERT INTO journals (id, registered_at) VALUES (?1, unixepoch() * 1000)
    ON CONFLICT (id) DO UPDATE SET ended_at = NULL";

const COMPARED: &str = "
    UPDATE journals SET compared = ?3, missing = ?2 WHERE id = ?1";

/// Ends a suspension that journals clear, once each that is in use was compared and found whole.
const RESUME: &str = "
    UPDATE suspension SET since = NULL, reason = NULL
    WHERE since IS NOT NULL AND clearance = 'journals' AND NOT EXISTS (
        SELECT 1 FROM journals
        WHERE ended_at IS NULL AND (compared IS NOT suspension.number OR missing > 0)
    )";

const RELEASE: &str = "
    UPDATE journals SET ended_at = unixepoch() * 1000 WHERE id = ?1 AND missing = 0";

const JOURNALS: &str = "
    SELECT id, ended_at IS NULL, compared IS (SELECT number FROM suspension), missing
    FROM journals ORDER BY id";

/// Looks at every attempt: nothing else asks for one by its provider reference that often.
pub(crate) const MISSING: &str = "
    SELECT wanted.value FROM json_each(?1) AS wanted
    WHERE NOT EXISTS (SELECT 1 FROM attempts AS a WHERE a.provider_reference = wanted.value)
    ORDER BY 1";

const NOTED: &str = "
    SELECT provider_reference, settlement, amount, currency
    FROM unsettled_references WHERE provider = ?1 ORDER BY provider_reference";

pub(crate) const SETTLED_AS: &str = "
    SELECT provider_reference, settlement, amount, currency
    FROM unsettled_references WHERE provider_reference = ?1";

const NOTED_AS: &str = "
    SELECT u.provider_reference, u.settlement, u.amount, u.currency
    FROM json_each(?1) AS wanted CROSS JOIN unsettled_references AS u
        ON u.account = '' AND u.reference = wanted.value
    ORDER BY u.provider_reference";

const UNSETTLED: &str = "
    SELECT provider_reference, provider,
        strftime('%Y-%m-%dT%H:%M:%SZ', noted_at / 1000, 'unixepoch')
    FROM unsettled_references WHERE settled_at IS NULL ORDER BY noted_at, provider_reference";

#[async_trait]
impl Reconciliation for SqliteStore {
    async fn suspension(&self) -> Result<Option<Suspension>, PortError> {
        let found: Option<(String, String, String)> = sqlx::query_as(SUSPENSION)
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("look whether payments are suspended"))?;
        Ok(found.map(|(since, because, clearance)| Suspension {
            since,
            because,
            clearance: Clearance::from_code(&clearance),
        }))
    }

    async fn suspend(&self, because: &str, clearance: Clearance) -> Result<(), PortError> {
        let because = suspension_reason(because);
        self.step("suspend payments", move |writer| {
            Box::pin(async move {
                sqlx::query(SUSPEND)
                    .bind(because)
                    .bind(clearance.code())
                    .execute(writer.connection())
                    .await
                    .map(drop)
            })
        })
        .await
    }

    async fn has_transactions(&self) -> Result<bool, PortError> {
        sqlx::query_scalar(HAS_TRANSACTIONS)
            .fetch_one(&self.reads)
            .await
            .map_err(failed("look for transactions"))
    }

    async fn has_queued(&self) -> Result<bool, PortError> {
        sqlx::query_scalar(HAS_QUEUED)
            .fetch_one(&self.reads)
            .await
            .map_err(failed("look for queued transactions"))
    }

    async fn compare(&self, attempts: &[ReferencedAttempt]) -> Result<Comparison, PortError> {
        let wanted: Vec<_> = attempts
            .iter()
            .map(|key| {
                (
                    key.account.as_str(),
                    key.reference.as_str(),
                    key.attempt.get(),
                    key.provider_reference.as_str(),
                )
            })
            .collect();
        let rows: Vec<(i64, Option<i64>)> = sqlx::query_as(WITHOUT_ROW)
            .bind(json(&wanted)?)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("look for journalled attempts"))?;
        storage_sql::reconciliation::comparison(&rows)
    }

    async fn register(&self, journal: &JournalId) -> Result<Registered, PortError> {
        let known: bool = sqlx::query_scalar(IS_KNOWN)
            .bind(&journal.0)
            .fetch_one(&self.reads)
            .await
            .map_err(failed("look for a journal"))?;
        self.on_journal(REGISTER, journal, "register a journal")
            .await?;
        Ok(if known {
            Registered::Known
        } else {
            Registered::New
        })
    }

    async fn compared(
        &self,
        journal: &JournalId,
        missing: u64,
        since: SuspensionNumber,
    ) -> Result<(), PortError> {
        let (journal, missing) = (
            journal.0.clone(),
            i64::try_from(missing).unwrap_or(i64::MAX),
        );
        self.step("note that a journal was compared", move |writer| {
            Box::pin(async move {
                sqlx::query(COMPARED)
                    .bind(journal)
                    .bind(missing)
                    .bind(since.0)
                    .execute(writer.connection())
                    .await?;
                sqlx::query(RESUME)
                    .execute(writer.connection())
                    .await
                    .map(drop)
            })
        })
        .await
    }

    async fn release(&self, journal: &JournalId) -> Result<(), PortError> {
        self.on_journal(RELEASE, journal, "release a journal").await
    }

    async fn journals(&self) -> Result<Vec<JournalState>, PortError> {
        let rows: Vec<(String, bool, bool, i64)> = sqlx::query_as(JOURNALS)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the journals"))?;
        Ok(rows
            .into_iter()
            .map(storage_sql::reconciliation::journal)
            .collect())
    }

    async fn missing(
        &self,
        references: &[ProviderReference],
    ) -> Result<Vec<ProviderReference>, PortError> {
        let asked: Vec<&str> = references.iter().map(ProviderReference::as_str).collect();
        let missing: Vec<String> = sqlx::query_scalar(MISSING)
            .bind(json(&asked)?)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("look for references of a provider"))?;
        Ok(missing
            .into_iter()
            .map(ProviderReference::from_echo)
            .collect())
    }

    async fn acknowledge(&self, word: &Acknowledgement) -> Result<AcknowledgeOutcome, PortError> {
        let word = word.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.acknowledge(word)))
            .await?
    }

    async fn unsettled(&self) -> Result<Vec<UnsettledReference>, PortError> {
        let rows: Vec<(String, String, String)> = sqlx::query_as(UNSETTLED)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the references to settle"))?;
        rows.into_iter()
            .map(storage_sql::reconciliation::unsettled)
            .collect()
    }

    async fn recognised_by_form(&self) -> Result<Vec<ProviderId>, PortError> {
        let rows: Vec<String> = sqlx::query_scalar(RECOGNISED_BY_FORM)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list who is recognised by a form"))?;
        providers(&rows)
    }

    async fn noted(&self, provider: &ProviderId) -> Result<Vec<NotedReference>, PortError> {
        let rows: Vec<NotedColumns> = sqlx::query_as(NOTED)
            .bind(provider.as_str())
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the references of a provider"))?;
        rows.into_iter().map(noted).collect()
    }

    async fn settled_as(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<SettledAs>, PortError> {
        let row: Option<NotedColumns> = sqlx::query_as(SETTLED_AS)
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("look what a reference was settled as"))?;
        let found = row.map(noted).transpose()?;
        Ok(found.and_then(|it| it.settled_as))
    }

    async fn noted_as(
        &self,
        undated: &[UndatedReference],
    ) -> Result<Vec<NotedReference>, PortError> {
        let wanted: Vec<_> = undated.iter().map(UndatedReference::as_str).collect();
        let rows: Vec<NotedColumns> = sqlx::query_as(NOTED_AS)
            .bind(json(&wanted)?)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("look for references without a date"))?;
        rows.into_iter().map(noted).collect()
    }
}

type Run<'a> = storage_sql::group_commit::QueuedWork<'a, Result<(), sqlx::Error>>;

impl SqliteStore {
    /// Runs statements on the writer, between two batches.
    async fn step(
        &self,
        what: &'static str,
        run: impl for<'a> FnOnce(&'a mut SqliteWriter) -> Run<'a> + Send + 'static,
    ) -> Result<(), PortError> {
        let ended = self.writer.alone(run).await?;
        ended.map_err(failed(what))
    }

    async fn on_journal(
        &self,
        sql: &'static str,
        journal: &JournalId,
        what: &'static str,
    ) -> Result<(), PortError> {
        let journal = journal.0.clone();
        self.step(what, move |writer| {
            Box::pin(async move {
                let done = sqlx::query(sql).bind(journal).execute(writer.connection());
                done.await.map(drop)
            })
        })
        .await
    }
}
