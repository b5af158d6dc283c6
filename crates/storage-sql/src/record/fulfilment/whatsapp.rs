//! The record of a WhatsApp message that the platform took over.

use crate::record::RecordError;
use crate::record::scalar::{Text, word};
use domain::time::Timestamp;
use domain::whatsapp::{WhatsappDelivery, WhatsappStatus};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct WhatsappDeliveryRecord<'a> {
    #[serde(borrow)]
    status: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_at: Option<i64>,
}

impl From<&WhatsappDelivery> for WhatsappDeliveryRecord<'_> {
    fn from(delivery: &WhatsappDelivery) -> Self {
        Self {
            status: delivery.status.code().into(),
            read_at: delivery.read_at.map(Timestamp::as_millis),
        }
    }
}

impl WhatsappDeliveryRecord<'_> {
    pub(super) fn restore(self) -> Result<WhatsappDelivery, RecordError> {
        Ok(WhatsappDelivery {
            status: word(WhatsappStatus::from_code(&self.status), "status")?,
            read_at: self.read_at.map(Timestamp::from_millis),
        })
    }
}
