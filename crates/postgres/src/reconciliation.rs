//! Suspending payments over a database that may have been set back, and resuming them. What a
//! person acknowledged must be in the database itself, with what the comparison found.

use crate::acknowledging;
use crate::connection::{self, StatementAnswer};
use crate::database_identity;
use crate::error::failed;
use crate::store::PostgresStore;
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
    NotedColumns, RECOGNISED_BY_FORM, comparison, noted, providers, suspension_reason, unsettled,
};

const SUSPENSION: &str = "
    SELECT to_char(suspended_since AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),
    suspended_reason,
        clearance
    FROM database_identity WHERE suspended_since IS NOT NULL";

const HAS_TRANSACTIONS: &str = "SELECT EXISTS (SELECT 1 FROM transactions)";

const HAS_QUEUED: &str = "
    SELECT EXISTS (SELECT 1 FROM queue WHERE claim_email IS NULL AND claim_phone IS NULL)";

/// The number of the last suspension, with nothing and with each place in the list of attempts that
/// has no row and was not booked from the provider's record either.
pub(crate) const WITHOUT_ROW: &str = "
    SELECT suspension, NULL::bigint FROM database_identity
    UNION ALL
    SELECT 0, wanted.place - 1
    FROM unnest($1::text[], $2::text[], $3::smallint[], $4::text[]) WITH ORDINALITY
        AS wanted (account, reference, attempt, provider_reference, place)
    WHERE NOT EXISTS (
        SELECT 1 FROM transactions AS t
        WHERE t.account = ANY (ARRAY[wanted.account COLLATE \"POSIX\"])
            AND t.reference = wanted.reference
            AND (
                t.state = 'booked' OR EXISTS (
                    SELECT 1 FROM attempts_open AS o
                    WHERE o.account = ANY (ARRAY[t.account]) AND o.transaction = t.number
                        AND o.number >= wanted.attempt
                ) OR EXISTS (
                    SELECT 1 FROM attempts_ended AS e
                    WHERE e.account = ANY (ARRAY[t.account]) AND e.transaction = t.number
                        AND e.number >= wanted.attempt
                )
            )
    ) AND NOT EXISTS (
        SELECT 1 FROM unsettled_references AS u
        WHERE u.provider_reference = ANY (ARRAY[wanted.provider_reference])
            AND u.settlement IN ('charged', 'absorbed')
    )";

/// Whether the journal is known, and whether another instance serves the database.
const KNOWN: &str = "
    SELECT EXISTS (SELECT 1 FROM journals WHERE id = $1),
        EXISTS (
            SELECT 1 FROM instances
            WHERE token IS NOT NULL AND token <> $2
                AND seen_at > clock_timestamp() - interval '10 s'
        )";

const REGISTER: &str = "
    INSERT INTO journals (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET ended_at = NULL";

const COMPARED: &str = "UPDATE journals SET compared = $3, missing = $2 WHERE id = $1";

/// Ends a suspension: from now on this is the database that is promised from. The number goes by
/// the seconds since 2026: the one in an older copy may be lower than what was seen since.
macro_rules! resume {
    ($guard:literal) => {
        concat!(
            "UPDATE database_identity AS g SET
                number = greatest(
                    g.number + 1, (extract(epoch FROM clock_timestamp()) - 1767225600)::integer
                ),
                system_identifier = p.system_identifier, timeline = p.timeline,
                database = p.database, relation = p.relation,
                suspended_since = NULL, suspended_reason = NULL, clearance = 'journals'
            FROM present_identity() AS p
            WHERE g.suspended_since IS NOT NULL",
            $guard
        )
    };
}

pub(crate) use resume;

/// Ends a suspension that journals clear, once each that is in use was compared and found whole.
const RESUME: &str = resume!(
    " AND g.clearance = 'journals' AND NOT EXISTS (
        SELECT 1 FROM journals
        WHERE ended_at IS NULL AND (compared IS DISTINCT FROM g.suspension OR missing > 0)
    )"
);

const RELEASE: &str = "
    UPDATE journals SET ended_at = clock_timestamp() WHERE id = $1 AND missing = 0";

const JOURNALS: &str = "
    SELECT j.id, j.ended_at IS NULL, j.compared IS NOT DISTINCT FROM g.suspension, j.missing
    FROM journals AS j, database_identity AS g ORDER BY j.id";

/// Looks at every attempt: nothing else asks for one by its provider reference, so there is no
/// index for it, and payments are seldom suspended.
const MISSING: &str = "
    SELECT reference FROM unnest($1::text[]) AS asked (reference)
    EXCEPT SELECT provider_reference FROM attempts_ended
    EXCEPT SELECT provider_reference FROM attempts_open
    ORDER BY 1";

const NOTED: &str = "
    SELECT provider_reference, settlement, amount, currency
    FROM unsettled_references WHERE provider = $1 ORDER BY provider_reference";

const SETTLED_AS: &str = "
    SELECT provider_reference, settlement, amount, currency
    FROM unsettled_references WHERE provider_reference = $1";

const NOTED_AS: &str = "
    SELECT provider_reference, settlement, amount, currency FROM unsettled_references
    WHERE account = '' AND reference = ANY ($1::text[]) ORDER BY provider_reference";

const UNSETTLED: &str = "
    SELECT provider_reference, provider,
        to_char(noted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')
    FROM unsettled_references WHERE settled_at IS NULL ORDER BY noted_at, provider_reference";

#[async_trait]
impl Reconciliation for PostgresStore {
    async fn suspension(&self) -> Result<Option<Suspension>, PortError> {
        let found: Option<(String, String, String)> = sqlx::query_as(SUSPENSION)
            .fetch_optional(&self.steps)
            .in_time()
            .await
            .map_err(failed("look whether payments are suspended"))?;
        Ok(found.map(|(since, because, clearance)| Suspension {
            since,
            because,
            clearance: Clearance::from_code(&clearance),
        }))
    }

    async fn suspend(&self, because: &str, clearance: Clearance) -> Result<(), PortError> {
        database_identity::suspend(&self.steps, &suspension_reason(because), clearance).await
    }

    async fn has_transactions(&self) -> Result<bool, PortError> {
        sqlx::query_scalar(HAS_TRANSACTIONS)
            .fetch_one(&self.steps)
            .in_time()
            .await
            .map_err(failed("look for transactions"))
    }

    async fn has_queued(&self) -> Result<bool, PortError> {
        sqlx::query_scalar(HAS_QUEUED)
            .fetch_one(&self.steps)
            .in_time()
            .await
            .map_err(failed("look for queued transactions"))
    }

    async fn compare(&self, attempts: &[ReferencedAttempt]) -> Result<Comparison, PortError> {
        let accounts: Vec<_> = attempts.iter().map(|key| key.account.as_str()).collect();
        let references: Vec<_> = attempts.iter().map(|key| key.reference.as_str()).collect();
        let numbers: Vec<_> = attempts
            .iter()
            .map(|key| i16::from(key.attempt.get()))
            .collect();
        let known_by = attempts.iter().map(|key| key.provider_reference.as_str());
        let known_by: Vec<&str> = known_by.collect();
        let rows: Vec<(i64, Option<i64>)> = sqlx::query_as(WITHOUT_ROW)
            .bind(accounts)
            .bind(references)
            .bind(numbers)
            .bind(known_by)
            .fetch_all(&self.steps)
            .in_time()
            .await
            .map_err(failed("look for journalled attempts"))?;
        comparison(&rows)
    }

    async fn register(&self, journal: &JournalId) -> Result<Registered, PortError> {
        let (known, beside_others): (bool, bool) = sqlx::query_as(KNOWN)
            .bind(&journal.0)
            .bind(self.shared.place.token().unwrap_or_default())
            .fetch_one(&self.steps)
            .in_time()
            .await
            .map_err(failed("look for a journal"))?;
        self.on_journal(REGISTER, journal, "register a journal")
            .await?;
        Ok(match (known, beside_others) {
            (true, _) => Registered::Known,
            (false, true) => Registered::NewBesideOthers,
            (false, false) => Registered::New,
        })
    }

    async fn compared(
        &self,
        journal: &JournalId,
        missing: u64,
        since: SuspensionNumber,
    ) -> Result<(), PortError> {
        sqlx::query(COMPARED)
            .bind(&journal.0)
            .bind(i64::try_from(missing).unwrap_or(i64::MAX))
            .bind(since.0)
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("note that a journal was compared"))?;
        let resumed = sqlx::query(RESUME).execute(&self.steps).in_time().await;
        let resumed = resumed.map_err(failed("resume payments"))?;
        if resumed.rows_affected() > 0 {
            tracing::info!("payments are resumed: every journal in use is whole in the database");
        }
        Ok(())
    }

    async fn release(&self, journal: &JournalId) -> Result<(), PortError> {
        self.on_journal(RELEASE, journal, "release a journal").await
    }

    async fn journals(&self) -> Result<Vec<JournalState>, PortError> {
        let rows: Vec<(String, bool, bool, i64)> = sqlx::query_as(JOURNALS)
            .fetch_all(&self.steps)
            .in_time()
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
        let mut connection = self.at_leisure().await?;
        let missing: Vec<String> = sqlx::query_scalar(MISSING)
            .bind(asked)
            .fetch_all(&mut connection)
            .await
            .map_err(failed("look for references of a provider"))?;
        connection::close(connection).await;
        let missing = missing.into_iter();
        Ok(missing.map(ProviderReference::from_echo).collect())
    }

    async fn acknowledge(&self, word: &Acknowledgement) -> Result<AcknowledgeOutcome, PortError> {
        let mut connection = self.at_leisure().await?;
        acknowledging::keep(&mut connection, word).await
    }

    async fn unsettled(&self) -> Result<Vec<UnsettledReference>, PortError> {
        let rows: Vec<(String, String, String)> = sqlx::query_as(UNSETTLED)
            .fetch_all(&self.steps)
            .in_time()
            .await
            .map_err(failed("list the references to settle"))?;
        rows.into_iter().map(unsettled).collect()
    }

    async fn recognised_by_form(&self) -> Result<Vec<ProviderId>, PortError> {
        let rows: Vec<String> = sqlx::query_scalar(RECOGNISED_BY_FORM)
            .fetch_all(&self.steps)
            .in_time()
            .await
            .map_err(failed("list who is recognised by a form"))?;
        providers(&rows)
    }

    async fn noted(&self, provider: &ProviderId) -> Result<Vec<NotedReference>, PortError> {
        let mut connection = self.at_leisure().await?;
        let rows: Vec<NotedColumns> = sqlx::query_as(NOTED)
            .bind(provider.as_str())
            .fetch_all(&mut connection)
            .await
            .map_err(failed("list the references of a provider"))?;
        connection::close(connection).await;
        rows.into_iter().map(noted).collect()
    }

    async fn settled_as(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<SettledAs>, PortError> {
        let row: Option<NotedColumns> = sqlx::query_as(SETTLED_AS)
            .bind(reference.as_str())
            .fetch_optional(&self.steps)
            .in_time()
            .await
            .map_err(failed("look what a reference was settled as"))?;
        let found = row.map(noted).transpose()?;
        Ok(found.and_then(|it| it.settled_as))
    }

    async fn noted_as(
        &self,
        undated: &[UndatedReference],
    ) -> Result<Vec<NotedReference>, PortError> {
        let wanted: Vec<&str> = undated.iter().map(UndatedReference::as_str).collect();
        let rows: Vec<NotedColumns> = sqlx::query_as(NOTED_AS)
            .bind(wanted)
            .fetch_all(&self.steps)
            .in_time()
            .await
            .map_err(failed("look for references without a date"))?;
        rows.into_iter().map(noted).collect()
    }
}

impl PostgresStore {
    async fn on_journal(
        &self,
        sql: &'static str,
        journal: &JournalId,
        what: &'static str,
    ) -> Result<(), PortError> {
        let done = sqlx::query(sql)
            .bind(&journal.0)
            .execute(&self.steps)
            .in_time()
            .await;
        done.map_err(failed(what)).map(drop)
    }
}
