//! The record of an RCS message that its platform took over.

use super::messaging::MessageDeliveryRecord;
use crate::record::RecordError;
use domain::rcs::RcsDelivery;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct RcsDeliveryRecord<'a> {
    #[serde(borrow)]
    message: MessageDeliveryRecord<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capable: Option<bool>,
    #[serde(default)]
    fallback_used: bool,
}

impl From<&RcsDelivery> for RcsDeliveryRecord<'_> {
    fn from(delivery: &RcsDelivery) -> Self {
        Self {
            message: (&delivery.message()).into(),
            capable: delivery.capable(),
            fallback_used: delivery.fallback_used(),
        }
    }
}

impl RcsDeliveryRecord<'_> {
    pub(super) fn restore(self) -> Result<RcsDelivery, RecordError> {
        let message = self.message.restore()?;
        Ok(if self.fallback_used {
            RcsDelivery::by_sms(message, self.capable)
        } else {
            RcsDelivery::by_rcs(message, self.capable)
        })
    }
}
