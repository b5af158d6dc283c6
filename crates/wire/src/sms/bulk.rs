//! `POST /messaging/bulk`. It must name every message that cannot be read, by its place, and know
//! no numbering plan.

use super::send::too_long;
use crate::attribute::{self, Attribute, COUNTRY, MESSAGE, MESSAGE_TYPE, PHONE, SENDER};
use crate::attributes::Attributes;
use crate::bulk::{ON_FAILURE, named_apart};
use crate::country::{NOT_IN_PLAN, not_served};
use crate::messaging::personal_fields;
use crate::messaging_library::template_id;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use domain::batch::OnFailure;
use domain::country::CountryCode;
use domain::messaging_library::LibraryItemId;
use domain::phone::{NumberStatus, PhoneNumber};
use domain::reference::MerchantReference;
use domain::sms::{
    BulkMessages, Content, FieldNaming, Message, MessageKind, MessageTemplate, PersonalFields,
    SenderSerial,
};
use std::cell::Cell;

/// What all messages have in common, as far as it could be read.
struct Common {
    country: Option<CountryCode>,
    sender: Option<SenderSerial>,
    kind: Option<MessageKind>,
    template: Option<MessageTemplate>,
}

/// The template that a request names; `None` where it names none that can be read.
pub fn named_template(attributes: &Attributes) -> Option<LibraryItemId> {
    let mut reader = FieldReader::new(attributes, Handling::Lenient);
    let named = reader.optional(&attribute::TEMPLATE, template_id);
    named.ok().flatten()
}

/// The reference of a request; `None` where it cannot be read.
pub fn named_reference(attributes: &Attributes) -> Option<MerchantReference> {
    FieldReader::new(attributes, Handling::Lenient)
        .reference()
        .ok()
}

/// Reads a request for many messages, with the text of the template that it names; `status` is
/// called with each number.
pub fn parse(
    attributes: &Attributes,
    (handling, kept): (Handling, Option<MessageTemplate>),
    status: impl Fn(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<BulkMessages, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let on_failure = reader.choice(&attribute::ON_FAILURE, &ON_FAILURE);
    let country = reader.country();
    let sender = reader.required(&SENDER, SenderSerial::parse);
    let kinds = MessageKind::ALL.map(|kind| (kind.code(), kind));
    let kind = reader.word(&MESSAGE_TYPE, &kinds);
    let given = if kept.is_some() {
        &attribute::TEMPLATE
    } else {
        &MESSAGE
    };
    let template = template(&mut reader, kept);
    let plain = plain_fits(&mut reader, given, (kind, &template));
    let common = Common {
        country: country.ok(),
        sender: sender.as_ref().ok().cloned(),
        kind: kind.ok(),
        template: template.as_ref().ok().filter(|_| plain.is_ok()).cloned(),
    };
    let is_served = Cell::new(true);
    let status = |number: &PhoneNumber, country: CountryCode| {
        let found = status(number, country);
        is_served.set(is_served.get() && found != NumberStatus::CountryNotServed);
        found
    };
    let read = |item: &Attributes| read(item, handling, (&common, &status));
    let asked = reader.objects(&attribute::ITEMS, read);
    if let (Ok(country), false) = (country, is_served.get()) {
        reader.object(&COUNTRY, &not_served(country));
    }
    let messages = asked.and_then(|asked| {
        let batch = reference.as_ref().ok();
        named_apart(&mut reader, batch, asked.iter().map(|it| &it.0))?;
        Ok(asked)
    });
    reader.finish(|| {
        let messages = messages?.into_iter().filter_map(|(_, message)| message);
        // Where one is missing, what it needs was refused.
        let (_, _, ()) = (kind?, template?, plain?);
        Ok(BulkMessages {
            reference: reference?,
            on_failure: on_failure?.unwrap_or(OnFailure::Continue),
            sender: sender?,
            country: country?,
            messages: messages.collect(),
        })
    })
}

/// The text is written in the request, or is that of a template: of both, which one was meant would
/// be a guess.
fn template(
    reader: &mut FieldReader<'_>,
    kept: Option<MessageTemplate>,
) -> Result<MessageTemplate, InvalidField> {
    let named = reader.optional(&attribute::TEMPLATE, template_id);
    let written = match kept {
        Some(kept) => reader.excluded(&MESSAGE, "a template").map(|()| Some(kept)),
        None => reader.optional(&MESSAGE, MessageTemplate::parse),
    };
    named?;
    written?.ok_or_else(|| {
        let message = "is required where there is no tplIdentifier; add one of them to the body";
        reader.fault(&MESSAGE, message)
    })
}

/// A text without places is the same for every number, and refused once where it is too long.
fn plain_fits(
    reader: &mut FieldReader<'_>,
    given: &Attribute,
    (kind, template): (
        Result<MessageKind, InvalidField>,
        &Result<MessageTemplate, InvalidField>,
    ),
) -> Result<(), InvalidField> {
    let (Ok(kind), Ok(template)) = (kind, template) else {
        return Ok(());
    };
    if !template.is_plain() {
        return Ok(());
    }
    let content = filled((kind, template), &PersonalFields::new());
    content
        .map(drop)
        .map_err(|message| reader.fault(given, &message))
}

/// The text of one message.
fn filled(
    (kind, template): (MessageKind, &MessageTemplate),
    fields: &PersonalFields,
) -> Result<Content, String> {
    let content = template.fill(fields);
    let content = content.map_err(|unfilled| unfilled.to_string())?;
    match too_long(kind, &content) {
        Some(message) => Err(message),
        None => Ok(content),
    }
}

/// Reads one message; none where something that all have in common could not be read.
fn read(
    attributes: &Attributes,
    handling: Handling,
    (common, status): (&Common, &impl Fn(&PhoneNumber, CountryCode) -> NumberStatus),
) -> Result<(MerchantReference, Option<Message>), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let number = reader.required(&PHONE, PhoneNumber::parse);
    let mut network = None;
    if let (Ok(number), Some(country)) = (&number, common.country) {
        match status(number, country) {
            NumberStatus::Exists(brand) => network = brand,
            NumberStatus::NotInPlan => reader.object(&PHONE, NOT_IN_PLAN),
            NumberStatus::CountryNotServed => {}
        }
    }
    let fields = personal_fields::read(&mut reader, &attribute::PERSONAL_FIELDS, handling);
    let content = match (&fields, common.kind, &common.template) {
        (Ok(fields), Some(kind), Some(template)) => match filled((kind, template), fields) {
            Ok(content) => Some(content),
            Err(message) => {
                reader.object(&attribute::PERSONAL_FIELDS, &message);
                None
            }
        },
        _ => None,
    };
    reader.finish(|| {
        let reference = reference?;
        let (number, _) = (number?, fields?);
        let parts = (common.country, common.sender.clone(), common.kind, content);
        let (Some(country), Some(sender), Some(kind), Some(content)) = parts else {
            return Ok((reference, None));
        };
        let message = Message {
            reference: reference.clone(),
            country,
            number,
            network,
            sender,
            kind,
            content,
            variant: FieldNaming::A,
        };
        Ok((reference, Some(message)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    fn in_plan(number: &PhoneNumber, country: CountryCode) -> NumberStatus {
        if country.to_string() != "566" {
            NumberStatus::CountryNotServed
        } else if number.digits().starts_with("234803") {
            NumberStatus::Exists(Some("MTN".to_owned()))
        } else {
            NumberStatus::NotInPlan
        }
    }

    fn item(reference: &str, fields: &str) -> String {
        format!(r#"{{"mrcReference":"{reference}","number":"2348031234567","fields":[{fields}]}}"#)
    }

    const FIRST: &str = r#"{"name":"first","value":"Ada"}"#;

    fn asked(message: &str, items: &[String]) -> Result<BulkMessages, Violations> {
        let (message, items) = (format!("\"{message}\""), format!("[{}]", items.join(",")));
        let attributes = body(&[
            ("mrcReference", "\"news-1\""),
            ("countryCode", "566"),
            ("sender", "100000000001"),
            ("type", "\"text\""),
            ("message", &message),
            ("items", &items),
        ]);
        parse(&attributes, (Handling::Strict, None), in_plan)
    }

    #[test]
    fn each_message_has_its_own_text_in_the_order_of_the_request() {
        let other = FIRST.replace("Ada", "Bola");
        let items = [item("a", FIRST), item("b", &other)];
        let bulk = asked("Dear {first}.", &items).unwrap();
        assert_eq!(bulk.on_failure, OnFailure::Continue);
        let texts = bulk.messages.iter().map(|it| it.content.as_str());
        assert_eq!(texts.collect::<Vec<_>>(), ["Dear Ada.", "Dear Bola."]);
        let first = &bulk.messages[0];
        assert_eq!(first.reference.as_str(), "a");
        assert_eq!(first.network.as_deref(), Some("MTN"));
        assert_eq!(first.sender, bulk.sender);
        let plain = asked("Hi", &[item("a", "")]).unwrap();
        assert_eq!(plain.messages[0].content.as_str(), "Hi");
    }

    #[test]
    fn every_message_that_cannot_be_sent_is_named_by_its_place() {
        let items = [
            item("a", FIRST),
            item("b", FIRST).replace("234803", "234123"),
            item("c", ""),
            item("d", &FIRST.replace("first", "last")),
            item("e", &format!("{FIRST},{FIRST}")),
            item("f", &FIRST.replace("first", "1st")),
            item("a", FIRST),
        ];
        insta::assert_snapshot!(faults(asked("Dear {first}.", &items)), @r"
        400 822
        items.1.number: does not exist in the numbering plan of countryCode; check both
        items.2.fields: must have the field first, which the message names
        items.3.fields: has the field last, which the message does not name
        items.4.fields: must name each field once
        items.5.fields.0.name: must be a letter and up to 31 more letters, digits or _, all of ASCII
        ");
        let sound = [&items[..1], &items[6..]].concat();
        insta::assert_snapshot!(faults(asked("Dear {first}.", &sound)), @r"
        400 -
        items.1.mrcReference: is that of items.0 as well; give each object one of its own
        ");
        let long = "a".repeat(1_528);
        let long = format!("{long}{{first}}");
        let refused = faults(asked(&long, &items[..1]));
        let expected = "400 -\nitems.0.fields: makes a message of more than 1530 characters";
        assert!(refused.starts_with(expected), "{refused}");
        // Named once, for all.
        let plain = "ş".repeat(700);
        let refused = faults(asked(&plain, &[item("a", ""), item("b", "")]));
        let expected = "400 -\nmessage: would need 12 parts";
        assert!(refused.starts_with(expected), "{refused}");
        assert_eq!(refused.lines().count(), 2, "{refused}");
    }

    #[test]
    fn what_all_have_in_common_is_named_beside_them() {
        let attributes = body(&[("message", "\"Dear {first\""), ("items", "[{}]")]);
        let refused = parse(&attributes, (Handling::Strict, None), in_plan);
        insta::assert_snapshot!(faults(refused), @r"
        400 851
        mrcReference: is required; add it to the body
        countryCode: is required; add it to the body
        sender: is required; add it to the body
        type: is required; add it to the body
        message: has a brace that is not around a field, such as {first}; write {{ or }} for a brace
        items.0.mrcReference: is required; add it to the body
        items.0.number: is required; add it to the body
        ");
        let abroad = body(&[
            ("mrcReference", "\"news-1\""),
            ("countryCode", "288"),
            ("sender", "100000000001"),
            ("type", "\"text\""),
            ("message", "\"Hi\""),
            ("items", &format!("[{},{}]", item("a", ""), item("b", ""))),
        ]);
        insta::assert_snapshot!(faults(parse(&abroad, (Handling::Strict, None), in_plan)), @r"
        400 851
        countryCode: is not served; nothing is sold there, try 566 (Nigeria)
        ");
    }
}
