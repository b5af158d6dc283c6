//! The record of who sends a message to whom, as a part of the record of its order.

use crate::record::RecordError;
use crate::record::scalar::{Text, country, valid};
use domain::messaging::MessageParties;
use domain::phone::PhoneNumber;
use domain::sms::{SenderName, SenderSerial};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PartiesRecord<'a> {
    #[serde(borrow)]
    number: Text<'a>,
    country: u16,
    #[serde(borrow)]
    network: Text<'a>,
    #[serde(borrow)]
    sender: Text<'a>,
    #[serde(borrow)]
    sender_name: Text<'a>,
}

impl<'a> From<&'a MessageParties> for PartiesRecord<'a> {
    fn from(parties: &'a MessageParties) -> Self {
        Self {
            number: parties.number.digits().into(),
            country: parties.country.get(),
            network: (&parties.network).into(),
            sender: parties.sender.as_str().into(),
            sender_name: parties.sender_name.as_str().into(),
        }
    }
}

impl PartiesRecord<'_> {
    pub(super) fn restore(self) -> Result<MessageParties, RecordError> {
        Ok(MessageParties {
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            country: country(self.country)?,
            network: self.network.into_owned(),
            sender: valid(SenderSerial::parse(&self.sender), "sender")?,
            sender_name: valid(SenderName::recorded(&self.sender_name), "sender_name")?,
        })
    }
}
