//! Payments that are suspended because the store may be older than what was promised from it, and
//! what it takes to resume them: journals that are found whole in the store, or a person who has
//! compared the store with what providers did.

use crate::PortError;
use crate::journal::JournalId;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference, UndatedReference};
use domain::reference_settlement::SettledAs;
use domain::transaction::AttemptNumber;

/// Why nothing new is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspension {
    /// Since when, as the store writes moments.
    pub since: String,
    /// What was noticed, one sentence.
    pub because: String,
    /// What ends it.
    pub clearance: Clearance,
}

/// What ends a suspension, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Clearance {
    /// Every journal that was in use is found whole in the store.
    Journals,
    /// A person acknowledges what was lost beside the payments, which journals have restored.
    Person,
    /// A person has compared the store with the records of the providers: no journal says what it
    /// lacks.
    Records,
}

impl Clearance {
    /// The word it is stored as.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Journals => "journals",
            Self::Person => "person",
            Self::Records => "records",
        }
    }

    /// The clearance of a stored word; an unknown word needs the most.
    pub fn from_code(code: &str) -> Self {
        let all = [Self::Journals, Self::Person];
        let known = all.into_iter().find(|it| it.code() == code);
        known.unwrap_or(Self::Records)
    }
}

/// An attempt as a journal names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferencedAttempt {
    /// Whose transaction it belongs to.
    pub account: AccountId,
    /// The merchant's reference of the transaction.
    pub reference: MerchantReference,
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// What its provider knows it by.
    pub provider_reference: ProviderReference,
}

/// What a comparison of attempts with a store found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The places in the list of attempts that have no row, rising.
    pub without_row: Vec<usize>,
    /// The number of the last suspension in the very store that was looked at.
    pub suspension: SuspensionNumber,
}

/// The number of a suspension, rising by one; a store that was never suspended is at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SuspensionNumber(pub i64);

/// Whether a store knew a journal when it was registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Registered {
    /// It did.
    Known,
    /// It did not, and other instances serve the store: they vouch for it.
    NewBesideOthers,
    /// It did not, and no other instance serves the store.
    New,
}

/// A journal as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalState {
    /// Which.
    pub journal: JournalId,
    /// Whether it is in use: no instance ended it, and no person gave it up.
    pub in_use: bool,
    /// Whether it was compared with the store since payments were suspended.
    pub compared: bool,
    /// How many of its attempts had no row then.
    pub missing: u64,
}

/// A person's word that payments may be resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    /// The operator who acknowledges it.
    pub by: String,
    /// With whose references the store was compared.
    pub provider: ProviderId,
    /// How many references were compared.
    pub compared: u64,
    /// Those the provider knows and the store did not. Nothing is opened under the merchants'
    /// references that they stand for until each is settled. One whose attempt is stored by now is
    /// settled as reopened.
    pub missing: Vec<MissingReference>,
    /// Whose references must have been compared before payments are resumed: every provider that
    /// something may have been sent to. Where the journals say what is missing, that is none.
    pub wanted: Vec<ProviderId>,
}

/// A reference that a provider knows and the store did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingReference {
    /// What the provider knows it by.
    pub reference: ProviderReference,
    /// The same without its date, where it has the form of the provider's own.
    pub undated: Option<UndatedReference>,
}

impl From<ProviderReference> for MissingReference {
    /// A reference that says itself whose it is, or is none of ours.
    fn from(reference: ProviderReference) -> Self {
        Self {
            reference,
            undated: None,
        }
    }
}

/// What came of a person's word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcknowledgeOutcome {
    /// Payments are resumed.
    Resumed,
    /// It is kept, and payments stay suspended until these providers were compared as well.
    Waits(Vec<ProviderId>),
    /// Payments were not suspended, so nothing was kept.
    NotSuspended,
}

/// A reference that a provider knows and the store does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsettledReference {
    /// What the provider knows it by.
    pub reference: ProviderReference,
    /// Which provider.
    pub provider: ProviderId,
    /// Since when, as the store writes moments.
    pub since: String,
}

/// A reference that was found with a provider and not in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedReference {
    /// What the provider knows it by.
    pub reference: ProviderReference,
    /// What it was settled as, once it was.
    pub settled_as: Option<SettledAs>,
}

/// Suspending payments and resuming them. References are settled by
/// [`ChangeSet::Settle`](domain::change_set::ChangeSet::Settle).
#[async_trait]
pub trait Reconciliation: Send + Sync + std::fmt::Debug {
    /// Why payments are suspended, if they are.
    ///
    /// # Errors
    /// When the store failed.
    async fn suspension(&self) -> Result<Option<Suspension>, PortError>;

    /// Suspends payments. Where they are suspended already the stronger clearance holds, with its
    /// reason.
    ///
    /// # Errors
    /// When the store failed.
    async fn suspend(&self, because: &str, clearance: Clearance) -> Result<(), PortError>;

    /// Whether any transaction was ever stored: one that is queued here may have been sent by a
    /// process that a restore took back.
    ///
    /// # Errors
    /// When the store failed.
    async fn has_transactions(&self) -> Result<bool, PortError>;

    /// Whether any transaction is queued that a provider is to deliver.
    ///
    /// # Errors
    /// When the store failed.
    async fn has_queued(&self) -> Result<bool, PortError>;

    /// Looks which of some attempts have no row: their transaction is not stored, or has come to no
    /// such attempt. One that was charged or absorbed from the provider's record needs none.
    ///
    /// # Errors
    /// When the store failed.
    async fn compare(&self, attempts: &[ReferencedAttempt]) -> Result<Comparison, PortError>;

    /// Registers a journal that this process writes, as one in use.
    ///
    /// # Errors
    /// When the store failed.
    async fn register(&self, journal: &JournalId) -> Result<Registered, PortError>;

    /// Notes that the whole of a journal was compared with the store since the suspension of that
    /// number began, and how many of its attempts have no row. A suspension that journals clear
    /// ends with the last journal in use that is found whole.
    ///
    /// # Errors
    /// When the store failed.
    async fn compared(
        &self,
        journal: &JournalId,
        missing: u64,
        since: SuspensionNumber,
    ) -> Result<(), PortError>;

    /// Notes that the instance that wrote a journal ended in order.
    ///
    /// # Errors
    /// When the store failed.
    async fn release(&self, journal: &JournalId) -> Result<(), PortError>;

    /// The journals that are or were in use, by identity.
    ///
    /// # Errors
    /// When the store failed.
    async fn journals(&self) -> Result<Vec<JournalState>, PortError>;

    /// Of some references of a provider, those that no attempt in the store has.
    ///
    /// # Errors
    /// When the store failed.
    async fn missing(
        &self,
        references: &[ProviderReference],
    ) -> Result<Vec<ProviderReference>, PortError>;

    /// Keeps the word for ever, where payments are suspended, and resumes them once each provider
    /// that is wanted was compared since they were suspended. A second word about a provider in the
    /// same suspension adds what it found missing. Journals that were not compared when payments
    /// are resumed are no longer in use, and what is queued then is not confirmed, see
    /// [`ClaimedPlace`](crate::transactions::ClaimedPlace).
    ///
    /// # Errors
    /// When the store failed.
    async fn acknowledge(&self, word: &Acknowledgement) -> Result<AcknowledgeOutcome, PortError>;

    /// The references that wait to be settled, oldest first.
    ///
    /// # Errors
    /// When the store failed.
    async fn unsettled(&self) -> Result<Vec<UnsettledReference>, PortError>;

    /// Providers that delivered, or may have, under references that do not say whose they are, by
    /// name: those references are recognised by the form of the provider alone.
    ///
    /// # Errors
    /// When the store failed.
    async fn recognised_by_form(&self) -> Result<Vec<ProviderId>, PortError>;

    /// Every reference that was found with a provider and not in the store, settled or not, by
    /// reference.
    ///
    /// # Errors
    /// When the store failed.
    async fn noted(&self, provider: &ProviderId) -> Result<Vec<NotedReference>, PortError>;

    /// What a reference was settled as; `None` where it waits, or was never noted.
    ///
    /// # Errors
    /// When the store failed.
    async fn settled_as(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<SettledAs>, PortError>;

    /// The references that were noted under forms without a date, settled or not.
    ///
    /// # Errors
    /// When the store failed.
    async fn noted_as(
        &self,
        undated: &[UndatedReference],
    ) -> Result<Vec<NotedReference>, PortError>;
}
