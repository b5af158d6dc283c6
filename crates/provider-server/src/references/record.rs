//! One reference as it is stored: a line with its checksum. It must hold what every answer about
//! the reference echoes, and nothing else of the customer.

use domain::money::{Currency, Money};
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A reference and what it is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReferenceRecord {
    pub(crate) reference: ProviderReference,
    /// When it was first seen.
    pub(crate) at: Timestamp,
    pub(crate) fate: ReferenceFate,
}

/// What the first sight of a reference decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReferenceFate {
    /// It was handed to the provider.
    Accepted(BoundRequest),
    /// It came too late and is refused for ever.
    Expired(BoundRequest),
    /// It was sealed before any request and is refused for ever.
    Sealed,
}

/// The request that a reference is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BoundRequest {
    /// The SHA-256 of its body.
    pub(crate) hash: [u8; 32],
    pub(crate) service: Service,
    pub(crate) amount: Money,
    pub(crate) beneficiary: String,
    /// Whether nothing is delivered before there is a token.
    pub(crate) takes_token: bool,
    /// The reference the provider knows it by, where that is another.
    pub(crate) inner: Option<String>,
    pub(crate) adapter_state: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    reference: String,
    at: i64,
    fate: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound: Option<BoundLine>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Accepted,
    Expired,
    Sealed,
}

#[derive(Debug, Serialize, Deserialize)]
struct BoundLine {
    hash: String,
    service: String,
    minor: i64,
    currency: String,
    beneficiary: String,
    takes_token: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    adapter_state: Option<String>,
}

impl ReferenceRecord {
    /// What it is bound to; `None` where it was sealed before any request.
    pub(crate) const fn bound(&self) -> Option<&BoundRequest> {
        match &self.fate {
            ReferenceFate::Accepted(bound) | ReferenceFate::Expired(bound) => Some(bound),
            ReferenceFate::Sealed => None,
        }
    }

    /// The line, line feed included.
    pub(super) fn encode(&self) -> Vec<u8> {
        let fate = match self.fate {
            ReferenceFate::Accepted(_) => Word::Accepted,
            ReferenceFate::Expired(_) => Word::Expired,
            ReferenceFate::Sealed => Word::Sealed,
        };
        let line = Line {
            reference: self.reference.as_str().to_owned(),
            at: self.at.as_millis(),
            fate,
            bound: self.bound().map(BoundLine::from),
        };
        // A line of texts and numbers can always be written.
        let json = serde_json::to_string(&line).unwrap_or_default();
        let checksum = crc32fast::hash(json.as_bytes());
        format!("{checksum:08x} {json}\n").into_bytes()
    }

    /// The record of a line, its line feed taken off; `None` where the line is damaged.
    pub(super) fn decode(line: &[u8]) -> Option<Self> {
        let (checksum, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
        if u32::from_str_radix(checksum, 16).ok()? != crc32fast::hash(json.as_bytes()) {
            return None;
        }
        let line: Line = serde_json::from_str(json).ok()?;
        let bound = match line.bound {
            Some(bound) => Some(bound.restore()?),
            None => None,
        };
        let fate = match (line.fate, bound) {
            (Word::Accepted, Some(bound)) => ReferenceFate::Accepted(bound),
            (Word::Expired, Some(bound)) => ReferenceFate::Expired(bound),
            (Word::Sealed, None) => ReferenceFate::Sealed,
            (Word::Accepted | Word::Expired, None) | (Word::Sealed, Some(_)) => return None,
        };
        Some(Self {
            reference: ProviderReference::from_echo(line.reference),
            at: Timestamp::from_millis(line.at),
            fate,
        })
    }
}

impl From<&BoundRequest> for BoundLine {
    fn from(bound: &BoundRequest) -> Self {
        Self {
            hash: hex(&bound.hash),
            service: bound.service.code().to_owned(),
            minor: bound.amount.minor(),
            currency: bound.amount.currency().code().to_owned(),
            beneficiary: bound.beneficiary.clone(),
            takes_token: bound.takes_token,
            inner: bound.inner.clone(),
            adapter_state: bound.adapter_state.clone(),
        }
    }
}

impl BoundLine {
    fn restore(self) -> Option<BoundRequest> {
        let currency = Currency::from_code(&self.currency)?;
        Some(BoundRequest {
            hash: unhex(&self.hash)?,
            service: Service::from_code(&self.service)?,
            amount: Money::from_minor(self.minor, currency),
            beneficiary: self.beneficiary,
            takes_token: self.takes_token,
            inner: self.inner,
            adapter_state: self.adapter_state,
        })
    }
}

fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing into a text does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        let start = index.checked_mul(2)?;
        *byte = u8::from_str_radix(text.get(start..start.checked_add(2)?)?, 16).ok()?;
    }
    Some(bytes)
}
