//! Proofs of secrets, as a map for each acceptance.

use super::MemoryStore;
use async_trait::async_trait;
use ports::PortError;
use ports::secret_proofs::{SecretProof, SecretProofs};
use std::collections::BTreeMap;

#[async_trait]
impl SecretProofs for MemoryStore {
    async fn accepted_proofs(&self) -> Result<Vec<SecretProof>, PortError> {
        let tables = self.tables();
        let accepted = tables.secret_proofs.last().into_iter().flatten();
        let accepted = accepted.map(|((kind, generation), proof)| SecretProof {
            kind: *kind,
            generation: *generation,
            proof: *proof,
        });
        Ok(accepted.collect())
    }

    async fn add_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError> {
        let tables = &mut self.tables().secret_proofs;
        if tables.is_empty() {
            tables.push(BTreeMap::default());
        }
        if let Some(newest) = tables.last_mut() {
            for it in proofs {
                newest.entry((it.kind, it.generation)).or_insert(it.proof);
            }
        }
        Ok(())
    }

    async fn replace_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError> {
        let proofs = proofs.iter();
        let next = proofs.map(|it| ((it.kind, it.generation), it.proof));
        self.tables().secret_proofs.push(next.collect());
        Ok(())
    }
}
