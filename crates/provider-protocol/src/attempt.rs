//! The attempt: what is submitted, and the object that every answer about it is. An answer must
//! echo what it is about; what it does not say must not be filled in from the request.

use crate::amount::Amount;
use crate::document::{DocumentError, word};
use crate::family::{read_order, write_order};
use crate::moment::Moment;
use domain::order::{Order, Service};
use domain::provider::{Refusal, RefusalKind};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fmt;
use std::time::Duration;

/// The code of a refusal by a seal: the reference was never seen, and is refused for ever.
pub const SEALED: &str = "sealed";

/// The code of a refusal of a request that was first seen after its `notAfter`.
pub const EXPIRED: &str = "expired";

/// Longest reference in bytes that the protocol carries.
pub const REFERENCE_BYTES_MAX: usize = 128;

/// `POST /attempts`: what is to be delivered, once.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptRequest {
    /// The idempotency key: bound for ever to this very request.
    pub reference: String,
    /// The service, such as `airtime`.
    pub service: String,
    /// The order, as the service defines it.
    pub order: Box<RawValue>,
    /// The value to deliver.
    pub amount: Amount,
    /// The moment after which it must not be delivered.
    pub not_after: Moment,
    /// What the provider calls it in its catalogue, where the operator of the gateway listed that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<String>,
}

/// Orders hold names, texts and numbers, so logs show none of it.
impl fmt::Debug for AttemptRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AttemptRequest")
            .field("reference", &self.reference)
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

impl AttemptRequest {
    /// The request for an order.
    ///
    /// # Errors
    /// When the order is longer than a reader accepts.
    pub fn new(
        reference: &ProviderReference,
        order: &Order,
        not_after: Timestamp,
    ) -> Result<Self, DocumentError> {
        Ok(Self {
            reference: reference.as_str().to_owned(),
            service: order.service().code().to_owned(),
            order: write_order(order)?,
            amount: order.amount().into(),
            not_after: not_after.into(),
            offer: None,
        })
    }

    /// The reference, where it can be one.
    ///
    /// # Errors
    /// When it is empty, too long, or has characters that no path carries.
    pub fn reference(&self) -> Result<ProviderReference, DocumentError> {
        read_reference(&self.reference)
    }

    /// What is ordered.
    ///
    /// # Errors
    /// When the service is not known, or the order cannot be read as one of it.
    pub fn order(&self) -> Result<Order, DocumentError> {
        let service = word(Service::from_code(&self.service), "service")?;
        read_order(service, &self.order, self.amount.positive("amount")?)
    }
}

/// Reads a reference as it stands in a document or, decoded, in a path.
///
/// # Errors
/// When it is empty, too long, or has characters that no path carries.
pub fn read_reference(text: &str) -> Result<ProviderReference, DocumentError> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'-');
    if (1..=REFERENCE_BYTES_MAX).contains(&text.len()) && text.bytes().all(allowed) {
        return Ok(ProviderReference::from_echo(text));
    }
    let reason =
        format!("must be 1 to {REFERENCE_BYTES_MAX} characters out of A-Z a-z 0-9 . _ : -");
    Err(DocumentError::field("reference", reason))
}

/// Where an attempt stands. States only move forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AttemptState {
    /// Delivered, with everything that was bought. It may become reversed, and nothing else.
    Delivered,
    /// Not delivered, now or later.
    Declined,
    /// Accepted, or under way. Nothing is decided.
    Pending,
    /// Delivered, and taken back since, in full.
    Reversed,
    /// The provider does not know either.
    Unknown,
    /// In the answer to a query: no trace of the reference.
    Absent,
    /// A word that is not listed; it says nothing.
    #[serde(other)]
    Unlisted,
}

/// The object of an attempt, the same in the answers to submissions, queries and seals.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptAnswer {
    /// The reference the provider knows it by.
    pub reference: String,
    /// The service. Left out, as the amount and the beneficiary are, where the provider was never
    /// given it: of an absent attempt, and of one that was sealed before it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// What the provider delivered or will deliver, by its own record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// To whom: the `number` of the order, by its own record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beneficiary: Option<String>,
    /// Where it stands.
    pub state: AttemptState,
    /// The provider's own identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_reference: Option<String>,
    /// What was handed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Box<RawValue>>,
    /// Why it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<RefusalDocument>,
    /// As of when the provider says so.
    pub at: Moment,
    /// Counts the moves of the state; more is later.
    pub sequence: u64,
    /// What the provider charged for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Amount>,
    /// What the provider pays for selling it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commission: Option<Amount>,
    /// What is left in our account at the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<Amount>,
}

/// Receipts hold tokens, which are worth their money, so logs show none of it.
impl fmt::Debug for AttemptAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AttemptAnswer")
            .field("reference", &self.reference)
            .field("state", &self.state)
            .field("refusal", &self.refusal)
            .field("sequence", &self.sequence)
            .finish_non_exhaustive()
    }
}

impl AttemptAnswer {
    /// An answer that says a state of a reference and nothing else yet.
    pub fn new(reference: &ProviderReference, state: AttemptState, at: Timestamp) -> Self {
        Self {
            reference: reference.as_str().to_owned(),
            service: None,
            amount: None,
            beneficiary: None,
            state,
            provider_reference: None,
            receipt: None,
            refusal: None,
            at: at.into(),
            sequence: state.sequence(),
            cost: None,
            commission: None,
            balance: None,
        }
    }

    /// The refusal as the gateway reads it; `None` where its kind is not listed.
    pub fn refusal(&self) -> Option<Refusal> {
        self.refusal.as_ref()?.refusal()
    }
}

impl AttemptState {
    /// The number of the move that leads to it, where a provider counts no finer.
    pub const fn sequence(self) -> u64 {
        match self {
            Self::Absent | Self::Unlisted => 0,
            Self::Pending | Self::Unknown => 1,
            Self::Delivered | Self::Declined => 2,
            Self::Reversed => 3,
        }
    }
}

/// A definite no, with whose fault it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RefusalDocument {
    /// `order`, `account`, `moment` or `lookalike`.
    pub kind: String,
    /// A code of the list in the capabilities.
    pub code: String,
    /// The provider's words.
    pub reason: String,
    /// After what time to try again, where the fault is the moment's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
}

impl From<&Refusal> for RefusalDocument {
    fn from(refusal: &Refusal) -> Self {
        let retry_after = match refusal.kind {
            RefusalKind::Moment { retry_after } => retry_after,
            RefusalKind::Order | RefusalKind::Account | RefusalKind::Lookalike => None,
        };
        Self {
            kind: kind_word(refusal.kind).to_owned(),
            code: refusal.code.clone(),
            reason: refusal.reason.clone(),
            retry_after_seconds: retry_after.map(|after| after.as_secs()),
        }
    }
}

impl RefusalDocument {
    /// The refusal; `None` where its kind is not listed.
    pub fn refusal(&self) -> Option<Refusal> {
        let retry_after = self.retry_after_seconds.map(Duration::from_secs);
        let kind = match self.kind.as_str() {
            "order" => RefusalKind::Order,
            "account" => RefusalKind::Account,
            "moment" => RefusalKind::Moment { retry_after },
            "lookalike" => RefusalKind::Lookalike,
            _ => return None,
        };
        Some(Refusal {
            kind,
            code: self.code.clone(),
            reason: self.reason.clone(),
        })
    }
}

/// The word of a kind of refusal.
pub(crate) const fn kind_word(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Order => "order",
        RefusalKind::Account => "account",
        RefusalKind::Moment { .. } => "moment",
        RefusalKind::Lookalike => "lookalike",
    }
}

/// The refusal of a seal. The order is not at fault: it never came, or came after the seal.
pub fn sealed() -> Refusal {
    Refusal {
        kind: RefusalKind::Moment { retry_after: None },
        code: SEALED.to_owned(),
        reason: "the reference was sealed before any request under it".to_owned(),
    }
}

/// The refusal of a request that came too late. The order is not at fault.
pub fn expired() -> Refusal {
    Refusal {
        kind: RefusalKind::Moment { retry_after: None },
        code: EXPIRED.to_owned(),
        reason: "the request came after its notAfter".to_owned(),
    }
}
