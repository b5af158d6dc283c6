//! What both stores write of a reconciliation in the same way. It must not decide when payments are
//! suspended or resumed.

use crate::PART;
use crate::record::NotedRow;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use ports::PortError;
use ports::journal::JournalId;
use ports::reconciliation::{
    AcknowledgeOutcome, Comparison, JournalState, MissingReference, NotedReference,
    SuspensionNumber, UnsettledReference,
};
use serde::Serialize;

/// Longest reason that is stored, in characters: a sentence.
const REASON_MAX: usize = 500;

/// The providers of references that do not say whose they are and wait, or were booked, by name.
pub const RECOGNISED_BY_FORM: &str = "
    SELECT DISTINCT provider FROM unsettled_references
    WHERE account = '' AND (settlement IS NULL OR settlement IN ('charged', 'absorbed'))
    ORDER BY provider";

/// A reason as it is stored.
pub fn suspension_reason(because: &str) -> String {
    because.chars().take(REASON_MAX).collect()
}

/// A reference that a provider knows and the store does not, as a row: the provider's, the account
/// and the merchant's reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissingRow(pub String, pub String, pub String);

impl MissingRow {
    /// References as they are noted. One that does not say whose it is has an empty account, and in
    /// the place of the merchant's reference what is left of it without its date, or all of it.
    pub fn all(missing: &[MissingReference]) -> Vec<Self> {
        let one = |missing: &MissingReference| {
            let whole = missing.reference.to_string();
            if let Some((account, name, _)) = missing.reference.parts() {
                return Self(whole, account.to_string(), name.to_string());
            }
            let undated = missing.undated.as_ref().map(ToString::to_string);
            Self(whole.clone(), String::new(), undated.unwrap_or(whole))
        };
        missing.iter().map(one).collect()
    }
}

/// What a comparison found: one row with the number of the last suspension, and one for each place
/// without a row.
///
/// # Errors
/// When nothing says how often payments were suspended.
pub fn comparison(rows: &[(i64, Option<i64>)]) -> Result<Comparison, PortError> {
    let number = rows.iter().find(|(_, place)| place.is_none());
    let (number, _) = number.ok_or_else(|| {
        PortError::new(
            PART,
            "the row that says whether payments are suspended is gone",
        )
    })?;
    let places = rows.iter().filter_map(|(_, place)| *place);
    let mut without_row: Vec<_> = places
        .filter_map(|place| usize::try_from(place).ok())
        .collect();
    without_row.sort_unstable();
    Ok(Comparison {
        without_row,
        suspension: SuspensionNumber(*number),
    })
}

/// What becomes of a word where these of the wanted providers were not compared.
///
/// # Errors
/// When one of them has no identity of a provider.
pub fn waits_for(uncompared: &[String]) -> Result<AcknowledgeOutcome, PortError> {
    Ok(AcknowledgeOutcome::Waits(providers(uncompared)?))
}

/// Identities of providers as stored.
///
/// # Errors
/// When one of them is none.
pub fn providers(stored: &[String]) -> Result<Vec<ProviderId>, PortError> {
    let providers = stored.iter().map(|id| ProviderId::parse(id));
    let providers = providers.collect::<Result<_, _>>();
    providers.map_err(|error| PortError::caused(PART, "read the names of providers", error))
}

/// A stored reference that waits to be settled: the provider's reference, the provider, since when.
///
/// # Errors
/// When the row holds no identity of a provider.
pub fn unsettled(
    (reference, provider, since): (String, String, String),
) -> Result<UnsettledReference, PortError> {
    let provider = ProviderId::parse(&provider)
        .map_err(|error| PortError::caused(PART, "read a reference to settle", error))?;
    Ok(UnsettledReference {
        reference: ProviderReference::from_echo(reference),
        provider,
        since,
    })
}

/// A noted reference as stored: the provider's reference, what it was settled as, and the amount
/// with its currency.
pub type NotedColumns = (String, Option<String>, Option<i64>, Option<String>);

/// A noted reference read back.
///
/// # Errors
/// When what it was settled as is none of what this gateway knows.
pub fn noted(
    (provider_reference, settlement, amount, currency): NotedColumns,
) -> Result<NotedReference, PortError> {
    let row = NotedRow {
        provider_reference,
        settlement,
        amount,
        currency,
        ..NotedRow::default()
    };
    let settled_as = row.settled_as();
    let settled_as =
        settled_as.map_err(|error| PortError::caused(PART, "read a settled reference", error))?;
    Ok(NotedReference {
        reference: ProviderReference::from_echo(row.provider_reference),
        settled_as,
    })
}

/// A journal as stored: its identity, whether it is in use, whether it was compared since payments
/// were suspended, and how many of its attempts had no row.
pub fn journal((id, in_use, compared, missing): (String, bool, bool, i64)) -> JournalState {
    JournalState {
        journal: JournalId(id),
        in_use,
        compared,
        missing: u64::try_from(missing).unwrap_or_default(),
    }
}
