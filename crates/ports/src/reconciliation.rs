//! Books that may be older than what was promised from them, and what it takes to open them again.
//! They must be opened by a person alone, who has compared them with what providers did.

use crate::PortError;
use async_trait::async_trait;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;

/// Why nothing new is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Since when, as the store writes moments.
    pub since: String,
    /// What was noticed, one sentence.
    pub because: String,
}

/// A person's word that the books may be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Who says so.
    pub by: String,
    /// With whose references the books were compared.
    pub provider: ProviderId,
    /// How many references were compared.
    pub compared: u64,
    /// Those the provider knows and the books do not.
    pub missing: Vec<ProviderReference>,
}

/// Holding books and opening them again.
#[async_trait]
pub trait Reconciliation: Send + Sync + std::fmt::Debug {
    /// Why the books are held, if they are.
    ///
    /// # Errors
    /// When the store failed.
    async fn hold(&self) -> Result<Option<Hold>, PortError>;

    /// Of some references of a provider, those that no attempt in the books has.
    ///
    /// # Errors
    /// When the store failed.
    async fn missing(
        &self,
        references: &[ProviderReference],
    ) -> Result<Vec<ProviderReference>, PortError>;

    /// Opens the books that are held, and keeps the word for ever; `false` where they are not held.
    ///
    /// # Errors
    /// When the store failed.
    async fn acknowledge(&self, word: &Acknowledgement) -> Result<bool, PortError>;
}
