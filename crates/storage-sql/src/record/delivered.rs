//! Records of deliveries, with what the gateway gave back for them. Each must hold exactly what its
//! delivery holds.

use super::RecordError;
use super::fulfilment::FulfilmentRecord;
use super::proof::{EvidenceRecord, attempt_number};
use super::scalar::{MoneyRecord, StoredTimestamp, valid};
use domain::reference::TransactionNumber;
use domain::refund::GrantedRefund;
use domain::transaction::Delivered;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DeliveredRecord<'a> {
    attempt: u8,
    #[serde(borrow)]
    pub(super) fulfilment: FulfilmentRecord<'a>,
    #[serde(borrow)]
    evidence: EvidenceRecord<'a>,
    at: StoredTimestamp,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    refund: Option<GrantedRecord<'a>>,
}

impl<'a> From<&'a Delivered> for DeliveredRecord<'a> {
    fn from(delivered: &'a Delivered) -> Self {
        Self {
            attempt: delivered.attempt.get(),
            fulfilment: (&delivered.fulfilment).into(),
            evidence: (&delivered.evidence).into(),
            at: delivered.at.into(),
            refund: delivered.refund.map(GrantedRecord::from),
        }
    }
}

impl DeliveredRecord<'_> {
    pub(super) fn restore(self) -> Result<Delivered, RecordError> {
        Ok(Delivered {
            attempt: attempt_number(self.attempt)?,
            fulfilment: self.fulfilment.restore()?,
            evidence: self.evidence.restore()?,
            at: self.at.into(),
            refund: self.refund.map(GrantedRecord::restore).transpose()?,
        })
    }
}

/// What the gateway gave back for a delivery.
#[derive(Debug, Serialize, Deserialize)]
struct GrantedRecord<'a> {
    number: u64,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    at: StoredTimestamp,
}

impl From<GrantedRefund> for GrantedRecord<'_> {
    fn from(granted: GrantedRefund) -> Self {
        Self {
            number: granted.number.get(),
            amount: granted.amount.into(),
            at: granted.at.into(),
        }
    }
}

impl GrantedRecord<'_> {
    fn restore(self) -> Result<GrantedRefund, RecordError> {
        Ok(GrantedRefund {
            number: valid(TransactionNumber::try_new(self.number), "refund")?,
            amount: self.amount.restore("refund")?,
            at: self.at.into(),
        })
    }
}
