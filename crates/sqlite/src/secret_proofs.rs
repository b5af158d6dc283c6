//! Proofs of the secrets the database was used with. A row must never be changed: those before the
//! newest acceptance show what was sealed under other secrets.

use crate::error::failed;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use ports::PortError;
use ports::secret_proofs::{SecretProof, SecretProofs};
use storage_sql::record::secret_proof;

const ACCEPTED: &str = "
    SELECT kind, generation, proof FROM secret_proofs
    WHERE acceptance = (SELECT max(acceptance) FROM secret_proofs)
    ORDER BY kind DESC, generation";

/// The number of an acceptance is above zero: 0 stands for the one in force, or the first.
const NUMBER: &str = "SELECT coalesce(max(acceptance), 0) FROM secret_proofs";

const ADD: &str = "
    INSERT INTO secret_proofs (acceptance, kind, generation, proof) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT DO NOTHING";

#[async_trait]
impl SecretProofs for SqliteStore {
    async fn accepted_proofs(&self) -> Result<Vec<SecretProof>, PortError> {
        let rows: Vec<(String, i64, Vec<u8>)> = sqlx::query_as(ACCEPTED)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read proofs of secrets"))?;
        rows.into_iter().map(secret_proof).collect()
    }

    async fn add_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError> {
        let proofs = proofs.to_vec();
        self.writer
            .alone(move |writer| Box::pin(writer.write_proofs(proofs, Acceptance::Newest)))
            .await?
    }

    async fn replace_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError> {
        let proofs = proofs.to_vec();
        self.writer
            .alone(move |writer| Box::pin(writer.write_proofs(proofs, Acceptance::Next)))
            .await?
    }
}

/// Which acceptance proofs belong to.
#[derive(Debug, Clone, Copy)]
enum Acceptance {
    Newest,
    Next,
}

impl SqliteWriter {
    async fn write_proofs(
        &mut self,
        proofs: Vec<SecretProof>,
        acceptance: Acceptance,
    ) -> Result<(), PortError> {
        let mut step = self.step().await?;
        let newest: i64 = sqlx::query_scalar(NUMBER)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("read the number of the acceptance"))?;
        let number = match acceptance {
            Acceptance::Newest => newest.max(1),
            Acceptance::Next => newest.saturating_add(1),
        };
        for proof in &proofs {
            sqlx::query(ADD)
                .bind(number)
                .bind(proof.kind.code())
                .bind(i64::from(proof.generation))
                .bind(proof.proof.as_slice())
                .execute(&mut *step)
                .await
                .map_err(failed("add a proof of a secret"))?;
        }
        step.commit().await.map_err(failed("commit proofs"))
    }
}
