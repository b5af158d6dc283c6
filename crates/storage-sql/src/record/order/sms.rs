//! The record of a text message. It must hold the number of parts that was billed, never count them
//! again.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, country, valid, word};
use domain::phone::PhoneNumber;
use domain::sms::{
    Content, Encoding, FieldNaming, MessageKind, MessageOrder, PARTS_MAX, Segments, SenderName,
    SenderSerial,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct MessageRecord<'a> {
    #[serde(borrow)]
    number: Text<'a>,
    country: u16,
    #[serde(borrow)]
    network: Text<'a>,
    #[serde(borrow)]
    sender: Text<'a>,
    #[serde(borrow)]
    sender_name: Text<'a>,
    #[serde(borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    content: Text<'a>,
    #[serde(borrow)]
    encoding: Text<'a>,
    parts: u8,
    #[serde(borrow)]
    variant: Text<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

impl<'a> From<&'a MessageOrder> for MessageRecord<'a> {
    fn from(order: &'a MessageOrder) -> Self {
        Self {
            number: order.number.digits().into(),
            country: order.country.get(),
            network: (&order.network).into(),
            sender: order.sender.as_str().into(),
            sender_name: order.sender_name.as_str().into(),
            kind: order.kind.code().into(),
            content: order.content.as_str().into(),
            encoding: order.segments.encoding.code().into(),
            parts: order.segments.parts,
            variant: order.variant.code().into(),
            amount: order.amount.into(),
        }
    }
}

impl MessageRecord<'_> {
    pub(super) fn restore(self) -> Result<MessageOrder, RecordError> {
        let segments = Segments {
            encoding: word(Encoding::from_code(&self.encoding), "encoding")?,
            parts: self.parts,
        };
        if !(1..=PARTS_MAX).contains(&segments.parts) {
            return Err(RecordError::Value("parts"));
        }
        Ok(MessageOrder {
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            country: country(self.country)?,
            network: self.network.into_owned(),
            sender: valid(SenderSerial::parse(&self.sender), "sender")?,
            sender_name: valid(SenderName::recorded(&self.sender_name), "sender_name")?,
            kind: word(MessageKind::from_code(&self.kind), "kind")?,
            content: valid(Content::parse(&self.content), "content")?,
            segments,
            variant: word(FieldNaming::from_code(&self.variant), "variant")?,
            amount: self.amount.restore("amount")?,
        })
    }
}
