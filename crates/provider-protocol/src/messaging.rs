//! What messages to a person's app share in the protocol: the parties in an order, and what a
//! receipt says of the way to the device.

use crate::document::{DocumentError, valid};
use crate::moment::Moment;
use domain::country::CountryCode;
use domain::messaging::{MessageDelivery, MessageParties, MessageStatus};
use domain::phone::PhoneNumber;
use domain::sms::{SenderName, SenderSerial};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PartiesDocument {
    number: String,
    country: String,
    operator_name: String,
    sender: String,
    sender_id: String,
}

impl From<&MessageParties> for PartiesDocument {
    fn from(parties: &MessageParties) -> Self {
        Self {
            number: parties.number.digits().to_owned(),
            country: parties.country.to_string(),
            operator_name: parties.network.clone(),
            sender: parties.sender_name.as_str().to_owned(),
            sender_id: parties.sender.as_str().to_owned(),
        }
    }
}

impl PartiesDocument {
    pub(crate) fn read(self) -> Result<MessageParties, DocumentError> {
        Ok(MessageParties {
            number: valid(PhoneNumber::parse(&self.number), "order.number")?,
            country: valid(CountryCode::parse(&self.country), "order.country")?,
            network: self.operator_name,
            sender: valid(SenderSerial::parse(&self.sender_id), "order.senderId")?,
            sender_name: valid(SenderName::recorded(&self.sender), "order.sender")?,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageDeliveryDocument {
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_at: Option<Moment>,
}

impl From<MessageDelivery> for MessageDeliveryDocument {
    fn from(delivery: MessageDelivery) -> Self {
        Self {
            status: delivery.status.code().to_owned(),
            read_at: delivery.read_at.map(Moment::from),
        }
    }
}

impl From<MessageDeliveryDocument> for MessageDelivery {
    /// A word that is not listed says no more than that the platform does not know.
    fn from(document: MessageDeliveryDocument) -> Self {
        let status = MessageStatus::from_code(&document.status);
        let status = status.unwrap_or(MessageStatus::Unknown);
        let read_at = document.read_at.map(Timestamp::from);
        Self {
            status,
            read_at: read_at.filter(|_| status == MessageStatus::Read),
        }
    }
}
