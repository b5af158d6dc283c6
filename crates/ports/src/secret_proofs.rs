//! Which secrets a store was used with, by what they make of a constant. A gateway with others must
//! be refused: under another pepper no API key is recognised, and under other keys nothing that is
//! sealed in the store can be opened. It must not hold a secret.

use crate::PortError;
use async_trait::async_trait;

/// What a proof is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretKind {
    /// The pepper that API keys are hashed under.
    Pepper,
    /// A generation of the key ring.
    Key,
}

impl SecretKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Pepper, Self::Key];

    /// The word of records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pepper => "pepper",
            Self::Key => "key",
        }
    }

    /// Reads the word of a record.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// What a secret makes of a constant. It does not reveal the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecretProof {
    /// What it is of.
    pub kind: SecretKind,
    /// The number of the generation; 1 for the pepper.
    pub generation: u32,
    /// What it makes of the constant.
    pub proof: [u8; 32],
}

/// Proofs of the secrets a store was used with.
#[async_trait]
pub trait SecretProofs: Send + Sync + std::fmt::Debug {
    /// Those accepted last, by kind and generation; none where the store was never used.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn accepted_proofs(&self) -> Result<Vec<SecretProof>, PortError>;

    /// Adds to those accepted what is not among them yet. Where there is one of the same kind and
    /// generation already, that one stays.
    ///
    /// # Errors
    /// When the store failed.
    async fn add_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError>;

    /// Accepts proofs in place of all before, which are kept as they were.
    ///
    /// # Errors
    /// When the store failed.
    async fn replace_proofs(&self, proofs: &[SecretProof]) -> Result<(), PortError>;
}
