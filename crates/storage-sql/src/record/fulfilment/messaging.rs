//! The record of a message that can be read and that its platform took over.

use crate::record::RecordError;
use crate::record::scalar::{Text, word};
use domain::messaging::{MessageDelivery, MessageStatus};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct MessageDeliveryRecord<'a> {
    #[serde(borrow)]
    status: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_at: Option<i64>,
}

impl From<&MessageDelivery> for MessageDeliveryRecord<'_> {
    fn from(delivery: &MessageDelivery) -> Self {
        Self {
            status: delivery.status.code().into(),
            read_at: delivery.read_at.map(Timestamp::as_millis),
        }
    }
}

impl MessageDeliveryRecord<'_> {
    pub(super) fn restore(self) -> Result<MessageDelivery, RecordError> {
        Ok(MessageDelivery {
            status: word(MessageStatus::from_code(&self.status), "status")?,
            read_at: self.read_at.map(Timestamp::from_millis),
        })
    }
}
