//! Proofs of the secrets the database was used with. A row must never be changed: those before the
//! newest acceptance show what was sealed under other secrets.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::store::PostgresStore;
use async_trait::async_trait;
use ports::PortError;
use ports::secret_proofs::{SecretKind, SecretProof, SecretProofs};
use storage_sql::record::secret_proof;

/// Where the version before was the first to use the database, it wrote the pepper only.
const ACCEPTED: &str = "
    WITH accepted AS (
        SELECT kind, generation, proof FROM secret_proofs
        WHERE acceptance = (SELECT max(acceptance) FROM secret_proofs)
    )
    SELECT kind, generation, proof FROM accepted
    UNION ALL
    SELECT 'pepper', 1, pepper FROM database_identity
    WHERE pepper IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accepted WHERE kind = 'pepper')
    ORDER BY kind DESC, generation";

/// A second command that accepts secrets in the same moment fails at the first row of the number.
const REPLACE: &str = "
    WITH noted AS (UPDATE database_identity SET pepper = coalesce($4, pepper))
    INSERT INTO secret_proofs (acceptance, kind, generation, proof)
    SELECT coalesce((SELECT max(acceptance) FROM secret_proofs), 0) + 1, given.*
    FROM unnest($1::text[], $2::bigint[], $3::bytea[]) AS given";

const ADD: &str = "
    WITH noted AS (UPDATE database_identity SET pepper = $4 WHERE pepper IS NULL)
    INSERT INTO secret_proofs (acceptance, kind, generation, proof)
    SELECT coalesce((SELECT max(acceptance) FROM secret_proofs), 1), given.*
    FROM unnest($1::text[], $2::bigint[], $3::bytea[]) AS given
    ON CONFLICT DO NOTHING";

#[async_trait]
impl SecretProofs for PostgresStore {
    async fn accepted_proofs(&self) -> Result<Vec<SecretProof>, PortError> {
        let rows: Vec<(String, i64, Vec<u8>)> = sqlx::query_as(ACCEPTED)
            .fetch_all(&self.steps)
            .in_time()
            .await
            .map_err(failed("read proofs of secrets"))?;
        rows.into_iter().map(secret_proof).collect()
    }

    async fn add_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError> {
        self.write_proofs(proofs, ADD).await
    }

    async fn replace_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError> {
        self.write_proofs(proofs, REPLACE).await
    }
}

impl PostgresStore {
    async fn write_proofs(
        &self,
        proofs: &[SecretProof],
        statement: &'static str,
    ) -> Result<(), PortError> {
        let kinds = proofs.iter().map(|it| it.kind.code());
        let generations = proofs.iter().map(|it| i64::from(it.generation));
        let bytes = proofs.iter().map(|it| it.proof.as_slice());
        let pepper = proofs.iter().find(|it| it.kind == SecretKind::Pepper);
        sqlx::query(statement)
            .bind(kinds.collect::<Vec<_>>())
            .bind(generations.collect::<Vec<_>>())
            .bind(bytes.collect::<Vec<_>>())
            .bind(pepper.map(|it| it.proof.as_slice()))
            .execute(&self.steps)
            .in_time()
            .await
            .map(drop)
            .map_err(failed("write proofs of secrets"))
    }
}
