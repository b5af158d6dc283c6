//! `POST /messaging/rcs`. It must not know any numbering plan or sender.

use super::content;
use crate::attributes::Attributes;
use crate::messaging::delivery::{self, DeliveryWords};
use crate::messaging::parties;
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::country::CountryCode;
use domain::messaging::{MessageText, MessageUrl};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::rcs::{RcsDelivery, RcsMessage, RcsOrder};
use domain::transaction::Transaction;

/// What is said of a message on its way by RCS.
const BY_RCS: DeliveryWords = DeliveryWords {
    pending: "The message is on its way to the RCS platform.",
    submitted: "The RCS platform has the message, the person's device not yet.",
    delivered: "The person's device has the message.",
};

/// What is said where a text message was sent instead.
const BY_SMS: DeliveryWords = DeliveryWords {
    submitted: "The text message was sent instead; the person's device does not have it yet.",
    delivered: "The person's device has the message, or the text message that was sent instead.",
    ..BY_RCS
};

/// Reads a message; `status` is called with the number where it and its country could be read.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<RcsMessage, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let parties = parties::parse(&mut reader, status);
    let content = content::parse(&mut reader, handling);
    reader.finish(|| {
        Ok(RcsMessage {
            reference: reference?,
            parties: parties?,
            content: content?,
        })
    })
}

/// A message as its answer and its report show it: cards and suggestions are not repeated.
pub(crate) fn view(transaction: &Transaction, order: &RcsOrder, zone: &Zone) -> Object {
    let delivered = transaction.state.delivered();
    let way = delivered.and_then(|it| it.fulfilment.rcs());
    let fallback = order.content.fallback();
    // Of a message without one, nothing was sent instead, whatever a provider says.
    let fallback_used = fallback.is_some() && way.is_some_and(RcsDelivery::fallback_used);
    let words = if fallback_used { &BY_SMS } else { &BY_RCS };
    let body = order.content.body();
    let cost = transaction.quote.price;
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .and(delivery::view(transaction, words, zone))
        .with("rcsCapable", way.and_then(RcsDelivery::capable))
        .with("fallbackUsed", fallback_used)
        .and(parties::view(&order.parties))
        .with("type", body.kind())
        .with("content", body.text().map(MessageText::as_str))
        .with("mediaUrl", body.file().map(MessageUrl::as_str))
        .with("fallbackContent", fallback.map(|it| it.content.as_str()))
        .with("cost", cost)
        .with("currency", cost.currency().code())
}
