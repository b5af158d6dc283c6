//! Proofs of secrets as rows.

use super::RecordError;
use crate::PART;
use ports::PortError;
use ports::secret_proofs::{SecretKind, SecretProof};

/// A proof as it is stored: its kind, its generation, and its bytes.
///
/// # Errors
/// When the row breaks a rule.
pub fn secret_proof(
    (kind, generation, proof): (String, i64, Vec<u8>),
) -> Result<SecretProof, PortError> {
    let read = || {
        Ok(SecretProof {
            kind: SecretKind::from_code(&kind).ok_or(RecordError::Value("kind"))?,
            generation: u32::try_from(generation).map_err(|_| RecordError::Value("generation"))?,
            proof: <[u8; 32]>::try_from(proof.as_slice())
                .map_err(|_| RecordError::Value("proof"))?,
        })
    };
    read().map_err(|error: RecordError| {
        PortError::caused(PART, "a proof of a secret cannot be read", error)
    })
}
