//! `POST /messaging/whatsapp`. It must not know any numbering plan, sender or template.

use crate::attribute::{
    CONTENT, FIELD_VALUE, MEDIA_URL, MESSAGE_TYPE, SENDER, TEMPLATE_LANGUAGE, TEMPLATE_NAME,
    TEMPLATE_PARAMETERS,
};
use crate::attributes::Attributes;
use crate::messaging::delivery::{self, DeliveryWords};
use crate::messaging::parties;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::country::CountryCode;
use domain::messaging::{MessageLine, MessageText, MessageUrl};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::sms::SenderSerial;
use domain::transaction::Transaction;
use domain::whatsapp::{
    TEMPLATE_PARAMETERS_MAX, TemplateLanguage, TemplateName, TemplateUse, WhatsappContent,
    WhatsappMessage, WhatsappOrder,
};
use std::convert::Infallible;

/// What is said of a message on its way.
const WORDS: DeliveryWords = DeliveryWords {
    pending: "The message is on its way to WhatsApp.",
    submitted: "WhatsApp has the message, the person's device not yet.",
    delivered: "The person's device has the message.",
};

/// Why a text or a file is refused whose person has not written lately.
pub const CONVERSATION_CLOSED: &str = "is outside the 24 hours after the person's last message to \
                                       this sender; send a template";

/// To whom a text or a file would be sent, where that can be read of a request.
pub fn asked_conversation(
    attributes: &Attributes,
) -> Option<(PhoneNumber, CountryCode, SenderSerial)> {
    let mut reader = FieldReader::new(attributes, Handling::Lenient);
    let country = reader.country().ok()?;
    let number = reader.phone().ok()?;
    let sender = reader.required(&SENDER, SenderSerial::parse).ok()?;
    match reader.word(&MESSAGE_TYPE, &KINDS).ok()? {
        Kind::Text | Kind::Media => Some((number, country, sender)),
        Kind::Template => None,
    }
}

/// What `type` can be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Template,
    Media,
}

const KINDS: [(&str, Kind); 3] = [
    (WhatsappContent::KINDS[0], Kind::Text),
    (WhatsappContent::KINDS[1], Kind::Template),
    (WhatsappContent::KINDS[2], Kind::Media),
];

/// Reads a message; `status` is called with the number where it and its country could be read.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<WhatsappMessage, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let parties = parties::parse(&mut reader, status);
    let kind = reader.word(&MESSAGE_TYPE, &KINDS);
    let content = content(&mut reader, kind, handling);
    reader.finish(|| {
        Ok(WhatsappMessage {
            reference: reference?,
            parties: parties?,
            content: content?,
        })
    })
}

/// What the message says. What belongs to another type is refused: which of the two was meant would
/// be a guess.
fn content(
    reader: &mut FieldReader<'_>,
    kind: Result<Kind, InvalidField>,
    handling: Handling,
) -> Result<WhatsappContent, InvalidField> {
    match kind {
        Ok(Kind::Text) => {
            let text = |text: &str| MessageText::parse(text, WhatsappContent::TEXT_MAX);
            let text = reader.required(&CONTENT, text);
            let template = no_template(reader, "a text");
            let media = reader.excluded(&MEDIA_URL, "a text");
            text.and_then(|text| template.and(media).map(|()| WhatsappContent::Text(text)))
        }
        Ok(Kind::Template) => {
            let template = template(reader, handling);
            let text = reader.excluded(&CONTENT, "a template");
            let media = reader.excluded(&MEDIA_URL, "a template");
            template.and_then(|it| text.and(media).map(|()| WhatsappContent::Template(it)))
        }
        Ok(Kind::Media) => {
            let url = reader.required(&MEDIA_URL, MessageUrl::parse);
            let caption = |text: &str| MessageText::parse(text, WhatsappContent::CAPTION_MAX);
            let caption = reader.optional(&CONTENT, caption);
            let template = no_template(reader, "a file");
            let (url, caption) = (url?, caption?);
            template.map(|()| WhatsappContent::Media { url, caption })
        }
        Err(unread) => {
            // Whether they are right depends on the type.
            let any = |_: &str| Ok::<(), Infallible>(());
            let parameters = template_parameters(reader, handling);
            let others = [&CONTENT, &TEMPLATE_NAME, &TEMPLATE_LANGUAGE, &MEDIA_URL];
            let others = others.map(|attribute| reader.optional(attribute, any).err());
            let faults = [parameters.err()].into_iter().chain(others);
            Err(faults.flatten().next().unwrap_or(unread))
        }
    }
}

fn template(reader: &mut FieldReader<'_>, handling: Handling) -> Result<TemplateUse, InvalidField> {
    let name = reader.required(&TEMPLATE_NAME, TemplateName::parse);
    let language = reader.required(&TEMPLATE_LANGUAGE, TemplateLanguage::parse);
    let parameters = template_parameters(reader, handling);
    Ok(TemplateUse {
        name: name?,
        language: language?,
        parameters: parameters?,
    })
}

fn template_parameters(
    reader: &mut FieldReader<'_>,
    handling: Handling,
) -> Result<Vec<MessageLine>, InvalidField> {
    let read = |object: &Attributes| {
        let mut reader = FieldReader::new(object, handling);
        let value = reader.required(&FIELD_VALUE, |text| {
            MessageLine::parse(text, WhatsappContent::PARAMETER_MAX)
        });
        reader.finish(|| value)
    };
    reader.optional_objects(&TEMPLATE_PARAMETERS, TEMPLATE_PARAMETERS_MAX, read)
}

fn no_template(reader: &mut FieldReader<'_>, by: &str) -> Result<(), InvalidField> {
    let name = reader.excluded(&TEMPLATE_NAME, by);
    let language = reader.excluded(&TEMPLATE_LANGUAGE, by);
    let parameters = reader.excluded(&TEMPLATE_PARAMETERS, by);
    name.and(language).and(parameters)
}

/// A message as its answer and its report show it.
pub(crate) fn view(transaction: &Transaction, order: &WhatsappOrder, zone: &Zone) -> Object {
    let cost = transaction.quote.price;
    let template = order.content.template();
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .and(delivery::view(transaction, &WORDS, zone))
        .and(parties::view(&order.parties))
        .with("type", order.content.kind())
        .with("content", order.content.text().map(MessageText::as_str))
        .with("tplName", template.map(|it| it.name.as_str()))
        .with("tplLanguage", template.map(|it| it.language.as_str()))
        .with("mediaUrl", order.content.media().map(MessageUrl::as_str))
        .with("cost", cost)
        .with("currency", cost.currency().code())
}
