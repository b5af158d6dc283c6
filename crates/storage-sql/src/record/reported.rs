//! Records of what providers reported of attempts beside their outcomes. Where a provider reported
//! nothing, nothing is written.

use super::RecordError;
use super::scalar::{MoneyRecord, Text};
use domain::provider::{AttemptDetails, ProviderTransactionId};
use domain::transaction::{AttemptNumber, ReportedDetails, Transaction};
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct DetailsRecord<'a> {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    id: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    cost: Option<MoneyRecord<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    commission: Option<MoneyRecord<'a>>,
}

impl<'a> From<&'a AttemptDetails> for DetailsRecord<'a> {
    fn from(details: &'a AttemptDetails) -> Self {
        Self {
            id: details.id.as_ref().map(|id| id.as_str().into()),
            cost: details.cost.map(Into::into),
            commission: details.commission.map(Into::into),
        }
    }
}

impl DetailsRecord<'_> {
    fn restore(self) -> Result<AttemptDetails, RecordError> {
        let field = RecordError::Value("reported");
        let id = match self.id {
            Some(text) => Some(ProviderTransactionId::parse(&text).ok_or(field)?),
            None => None,
        };
        let money = |money: MoneyRecord<'_>| money.restore("reported");
        Ok(AttemptDetails {
            id,
            cost: self.cost.map(money).transpose()?,
            commission: self.commission.map(money).transpose()?,
        })
    }
}

/// A stored progress, read for what was reported alone.
#[derive(Debug, Deserialize)]
struct ReportedOnly<'a> {
    #[serde(borrow, default)]
    reported: Vec<DetailsRecord<'a>>,
}

/// What was reported of one attempt, out of the stored progress of its transaction.
///
/// # Errors
/// When the progress is no such record.
pub fn reported_of(progress: &str, attempt: AttemptNumber) -> Result<AttemptDetails, RecordError> {
    let read: ReportedOnly<'_> =
        serde_json::from_str(progress).map_err(|_| RecordError::Value("reported"))?;
    Ok(restored(read.reported)?.of(attempt).clone())
}

/// The records of what was reported of a transaction's attempts, first to last.
pub(super) fn of(tx: &Transaction) -> Vec<DetailsRecord<'_>> {
    if tx.reported.is_empty() {
        return Vec::new();
    }
    tx.reported.iter().map(Into::into).collect()
}

/// What was reported of the attempts, from its records.
pub(super) fn restored(records: Vec<DetailsRecord<'_>>) -> Result<ReportedDetails, RecordError> {
    let mut records = records.into_iter();
    let mut next = || records.next().unwrap_or_default().restore();
    let reported = ReportedDetails::new(next()?, next()?);
    match records.next() {
        None => Ok(reported),
        Some(_) => Err(RecordError::Value("reported")),
    }
}
