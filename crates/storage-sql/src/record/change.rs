//! What providers reported without being asked, as records. They must keep what is needed to apply
//! it later, exactly as it was reported.

use super::RecordError;
use super::fulfilment::FulfilmentRecord;
use super::proof::RefusalRecord;
use super::scalar::{MoneyRecord, Text, valid};
use super::{VERSION, read};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::provider::{ProviderId, QueryOutcome, Receipt};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::changes::{ChangeId, ChangeStatus, Cursor, DeadLetter};
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// A finding as a document of JSON.
#[derive(Debug, Serialize, Deserialize)]
struct FindingRecord<'a> {
    v: u32,
    #[serde(borrow)]
    finding: Reported<'a>,
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives only while a record is written or read"
)]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reported<'a> {
    Delivered {
        #[serde(borrow)]
        reference: Text<'a>,
        #[serde(borrow)]
        amount: MoneyRecord<'a>,
        #[serde(borrow)]
        fulfilment: FulfilmentRecord<'a>,
    },
    #[serde(borrow)]
    Declined(RefusalRecord<'a>),
    Pending,
    NotFound,
    Reversed,
    Unknown,
}

impl<'a> From<&'a QueryOutcome> for Reported<'a> {
    fn from(finding: &'a QueryOutcome) -> Self {
        match finding {
            QueryOutcome::Delivered(receipt) => Self::Delivered {
                reference: receipt.reference.as_str().into(),
                amount: receipt.amount.into(),
                fulfilment: (&receipt.fulfilment).into(),
            },
            QueryOutcome::Declined(refusal) => Self::Declined(refusal.into()),
            QueryOutcome::Pending => Self::Pending,
            QueryOutcome::NotFound => Self::NotFound,
            QueryOutcome::Reversed => Self::Reversed,
            QueryOutcome::Unknown => Self::Unknown,
        }
    }
}

impl Reported<'_> {
    fn restore(self) -> Result<QueryOutcome, RecordError> {
        Ok(match self {
            Self::Delivered {
                reference,
                amount,
                fulfilment,
            } => QueryOutcome::Delivered(Receipt {
                reference: ProviderReference::from_echo(reference.into_owned()),
                amount: amount.restore("amount")?,
                fulfilment: fulfilment.restore()?,
            }),
            Self::Declined(refusal) => QueryOutcome::Declined(refusal.restore()),
            Self::Pending => QueryOutcome::Pending,
            Self::NotFound => QueryOutcome::NotFound,
            Self::Reversed => QueryOutcome::Reversed,
            Self::Unknown => QueryOutcome::Unknown,
        })
    }
}

/// What a provider reported, as it is stored: sealed, for there may be a meter token in it.
///
/// # Errors
/// When it cannot be written, which no finding is known for.
pub fn finding(letter: &DeadLetter, cipher: &FieldCipher) -> Result<String, PortError> {
    let record = FindingRecord {
        v: VERSION,
        finding: (&letter.finding).into(),
    };
    let text = serde_json::to_string(&record)
        .map_err(|error| PortError::caused(PART, "write what a provider reported", error))?;
    let id = &letter.id;
    let position = id.position.to_string();
    let place = place(id.provider.as_str(), &position, id.reference.as_str());
    cipher.seal(&place, &text)
}

/// What names a change, sealed together with what was reported.
const fn place<'a>(provider: &'a str, position: &'a str, reference: &'a str) -> [&'a str; 4] {
    ["dead_letters.outcome", provider, position, reference]
}

/// A position as it is stored.
///
/// # Errors
/// When it is beyond 63 bits.
pub fn position(position: u64) -> Result<i64, PortError> {
    i64::try_from(position).map_err(|_| {
        let what = format!("position {position} of a provider's changes is beyond 63 bits");
        PortError::new(PART, what).with_nothing_done()
    })
}

/// How far a provider's changes were read, as stored: the position and the moment.
pub fn cursor((position, read_at): (i64, i64)) -> Cursor {
    Cursor {
        position: u64::try_from(position).unwrap_or_default(),
        read_at: Timestamp::from_millis(read_at),
    }
}

/// A dead letter as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeadLetterRow {
    /// The provider that reported it.
    pub provider: String,
    /// Its position among the changes of the provider.
    pub position: i64,
    /// The attempt it is about.
    pub reference: String,
    /// What was reported, a document.
    pub finding: String,
    /// Why it could not be applied.
    pub reason: String,
    /// When it was first seen, in milliseconds.
    pub first_seen_at: i64,
    /// When it was last tried, in milliseconds.
    pub tried_at: i64,
    /// How often it was tried.
    pub tries: i64,
    /// When it may be tried again, in milliseconds.
    pub due_at: Option<i64>,
    /// When it was applied, in milliseconds.
    pub resolved_at: Option<i64>,
}

impl DeadLetterRow {
    /// The letter the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the change.
    pub fn restore(&self, cipher: &FieldCipher) -> Result<DeadLetter, PortError> {
        self.read(cipher).map_err(|error| {
            let (position, provider) = (self.position, &self.provider);
            let what = format!("dead letter {position} of {provider} cannot be read");
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self, cipher: &FieldCipher) -> Result<DeadLetter, RecordError> {
        let position = self.position.to_string();
        let place = place(&self.provider, &position, &self.reference);
        let finding = cipher.open(&place, self.finding.clone());
        let record: FindingRecord<'_> =
            read("finding", &finding, |record: &FindingRecord<'_>| record.v)?;
        let standing = match (self.due_at, self.resolved_at) {
            (Some(due_at), None) => ChangeStatus::Open {
                due_at: Timestamp::from_millis(due_at),
            },
            (None, Some(at)) => ChangeStatus::Resolved {
                at: Timestamp::from_millis(at),
            },
            (Some(_), Some(_)) | (None, None) => return Err(RecordError::Value("resolved_at")),
        };
        Ok(DeadLetter {
            id: ChangeId {
                provider: valid(ProviderId::parse(&self.provider), "provider")?,
                position: valid(u64::try_from(self.position), "position")?,
                reference: ProviderReference::from_echo(self.reference.clone()),
            },
            finding: record.finding.restore()?,
            reason: self.reason.clone(),
            first_seen_at: Timestamp::from_millis(self.first_seen_at),
            tried_at: Timestamp::from_millis(self.tried_at),
            tries: valid(u32::try_from(self.tries), "tries")?,
            status: standing,
        })
    }
}
