//! Text messages in the protocol. The number of parts is what was paid for; a provider must not
//! count them again.

use crate::document::{DocumentError, valid, word};
use crate::family::{FamilyDocuments, OrderContext};
use domain::country::CountryCode;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::sms::{
    Content, DeliveryStatus, Dispatch, Encoding, FieldNaming, MessageKind, MessageOrder, PARTS_MAX,
    Segments, SenderName, SenderSerial,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageOrderDocument {
    number: String,
    country: String,
    operator_name: String,
    sender: String,
    sender_id: String,
    kind: String,
    content: String,
    encoding: String,
    parts: u8,
}

/// The status of each part, in the order of the parts.
#[derive(Serialize, Deserialize)]
pub(crate) struct DispatchDocument {
    parts: Vec<String>,
}

pub(crate) struct SmsDocuments;

impl FamilyDocuments for SmsDocuments {
    type Order = MessageOrder;
    type OrderDocument = MessageOrderDocument;
    type ReceiptDocument = DispatchDocument;

    fn order(order: &MessageOrder) -> MessageOrderDocument {
        MessageOrderDocument {
            number: order.number.digits().to_owned(),
            country: order.country.to_string(),
            operator_name: order.network.clone(),
            sender: order.sender_name.as_str().to_owned(),
            sender_id: order.sender.as_str().to_owned(),
            kind: order.kind.code().to_owned(),
            content: order.content.as_str().to_owned(),
            encoding: order.segments.encoding.code().to_owned(),
            parts: order.segments.parts,
        }
    }

    fn read_order(
        document: MessageOrderDocument,
        ordered: OrderContext,
    ) -> Result<MessageOrder, DocumentError> {
        let segments = Segments {
            encoding: word(Encoding::from_code(&document.encoding), "order.encoding")?,
            parts: document.parts,
        };
        if !(1..=PARTS_MAX).contains(&segments.parts) {
            let reason = format!("must be from 1 to {PARTS_MAX}");
            return Err(DocumentError::field("order.parts", reason));
        }
        Ok(MessageOrder {
            number: valid(PhoneNumber::parse(&document.number), "order.number")?,
            country: valid(CountryCode::parse(&document.country), "order.country")?,
            network: document.operator_name,
            sender: valid(SenderSerial::parse(&document.sender_id), "order.senderId")?,
            sender_name: valid(SenderName::recorded(&document.sender), "order.sender")?,
            kind: word(MessageKind::from_code(&document.kind), "order.kind")?,
            content: valid(Content::parse(&document.content), "order.content")?,
            segments,
            // How a merchant names its fields is no concern of a provider.
            variant: FieldNaming::A,
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<DispatchDocument> {
        let parts = fulfilment.dispatch()?.parts().iter();
        Some(DispatchDocument {
            parts: parts.map(|part| part.code().to_owned()).collect(),
        })
    }

    fn read_receipt(
        document: Option<DispatchDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        // A word that is not listed says no more than that the network does not know.
        let status =
            |part: &String| DeliveryStatus::from_code(part).unwrap_or(DeliveryStatus::Unknown);
        let parts = document.parts.iter().map(status).collect();
        let dispatch = Dispatch::try_from_parts(parts);
        Ok(Some(Fulfilment::Sms(valid(dispatch, "receipt.parts")?)))
    }
}
