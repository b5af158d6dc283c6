//! `POST /messaging/bulk`. It must name every message that cannot be read, by its place, and know
//! no numbering plan.

use super::send::too_long;
use crate::attribute::{self, COUNTRY, MESSAGE, MESSAGE_TYPE, PHONE, SENDER};
use crate::attributes::Attributes;
use crate::bulk::{ON_FAILURE, named_apart};
use crate::country::{NOT_IN_PLAN, not_served};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use domain::batch::OnFailure;
use domain::country::CountryCode;
use domain::phone::{NumberStatus, PhoneNumber};
use domain::reference::MerchantReference;
use domain::sms::{
    BulkMessages, FIELDS_MAX, FieldNaming, Message, MessageKind, MessageTemplate,
    PersonalFieldName, PersonalFieldValue, PersonalFields, SenderSerial,
};

/// A message as it is asked for; the rest is that of the batch.
struct Asked {
    reference: MerchantReference,
    number: PhoneNumber,
    fields: PersonalFields,
}

/// What all messages have in common.
struct Common {
    country: CountryCode,
    sender: SenderSerial,
    kind: MessageKind,
    template: MessageTemplate,
}

/// Reads a request for many messages; `status` is called with each number.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    status: impl Fn(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<BulkMessages, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let on_failure = reader.choice(&attribute::ON_FAILURE, &ON_FAILURE);
    let country = reader.country();
    let sender = reader.required(&SENDER, SenderSerial::parse);
    let kinds = MessageKind::ALL.map(|kind| (kind.code(), kind));
    let kind = reader.word(&MESSAGE_TYPE, &kinds);
    let template = reader.required(&MESSAGE, MessageTemplate::parse);
    let asked = reader.objects(&attribute::ITEMS, |item| read(item, handling));
    let asked = asked.and_then(|asked| {
        let batch = reference.as_ref().ok();
        named_apart(&mut reader, batch, asked.iter().map(|it| &it.reference))?;
        Ok(asked)
    });
    let common = common(country, sender, (kind, template));
    let messages = asked.and_then(|asked| match &common {
        Ok(common) => messages(&mut reader, (common, asked), status),
        Err(invalid) => Err(*invalid),
    });
    reader.finish(|| {
        let common = common?;
        Ok(BulkMessages {
            reference: reference?,
            on_failure: on_failure?.unwrap_or(OnFailure::Continue),
            sender: common.sender,
            country: common.country,
            messages: messages?,
        })
    })
}

fn common(
    country: Result<CountryCode, InvalidField>,
    sender: Result<SenderSerial, InvalidField>,
    (kind, template): (
        Result<MessageKind, InvalidField>,
        Result<MessageTemplate, InvalidField>,
    ),
) -> Result<Common, InvalidField> {
    Ok(Common {
        country: country?,
        sender: sender?,
        kind: kind?,
        template: template?,
    })
}

fn read(attributes: &Attributes, handling: Handling) -> Result<Asked, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let number = reader.required(&PHONE, PhoneNumber::parse);
    let fields = reader.optional_objects(&attribute::PERSONAL_FIELDS, FIELDS_MAX, |field| {
        read_field(field, handling)
    });
    let fields = fields.and_then(|pairs| {
        let count = pairs.len();
        let fields: PersonalFields = pairs.into_iter().collect();
        if fields.len() == count {
            return Ok(fields);
        }
        let message = "must name each field once";
        Err(reader.fault(&attribute::PERSONAL_FIELDS, message))
    });
    reader.finish(|| {
        Ok(Asked {
            reference: reference?,
            number: number?,
            fields: fields?,
        })
    })
}

fn read_field(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(PersonalFieldName, PersonalFieldValue), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = reader.required(&attribute::FIELD_NAME, PersonalFieldName::parse);
    let value = reader.required(&attribute::FIELD_VALUE, PersonalFieldValue::parse);
    reader.finish(|| Ok((name?, value?)))
}

/// Each message with its number looked at and its text filled in.
fn messages(
    reader: &mut FieldReader<'_>,
    (common, asked): (&Common, Vec<Asked>),
    status: impl Fn(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<Vec<Message>, InvalidField> {
    let mut messages = Vec::with_capacity(asked.len());
    let mut refused = Vec::new();
    for (place, one) in asked.into_iter().enumerate() {
        let (mut network, mut wrong) = (None, Violations::default());
        match status(&one.number, common.country) {
            NumberStatus::Exists(brand) => network = brand,
            NumberStatus::NotInPlan => wrong.add(&PHONE, NOT_IN_PLAN.to_owned()),
            NumberStatus::CountryNotServed => {
                return Err(reader.fault(&COUNTRY, &not_served(common.country)));
            }
        }
        let content = common.template.fill(&one.fields);
        let content = content.map_err(|unfilled| unfilled.to_string());
        let content = content.and_then(|content| match too_long(common.kind, &content) {
            Some(message) => Err(message),
            None => Ok(content),
        });
        match content {
            Err(message) => wrong.add(&attribute::PERSONAL_FIELDS, message),
            Ok(content) => messages.push(Message {
                reference: one.reference,
                country: common.country,
                number: one.number,
                network,
                sender: common.sender.clone(),
                kind: common.kind,
                content,
                variant: FieldNaming::A,
            }),
        }
        if wrong.iter().next().is_some() {
            refused.push((place, wrong));
        }
    }
    reader.refuse_objects(&attribute::ITEMS, refused)?;
    Ok(messages)
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
        parse(&attributes, Handling::Strict, in_plan)
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
        400 -
        items.4.fields: must name each field once
        items.5.fields.0.name: must be a letter and up to 31 more letters, digits or _, all of ASCII
        ");
        let sound = [&items[..4], &items[6..]].concat();
        insta::assert_snapshot!(faults(asked("Dear {first}.", &sound)), @r"
        400 -
        items.4.mrcReference: is that of items.0 as well; give each object one of its own
        ");
        let apart = &items[..4];
        insta::assert_snapshot!(faults(asked("Dear {first}.", apart)), @r"
        400 822
        items.1.number: does not exist in the numbering plan of countryCode; check both
        items.2.fields: must have the field first, which the message names
        items.3.fields: has the field last, which the message does not name
        ");
        let long = "a".repeat(1_528);
        let long = format!("{long}{{first}}");
        let refused = faults(asked(&long, &items[..1]));
        assert!(
            refused.contains("items.0.fields: would need 11 parts"),
            "{refused}"
        );
    }

    #[test]
    fn what_all_have_in_common_is_named_beside_them() {
        let attributes = body(&[("message", "\"Dear {first\""), ("items", "[{}]")]);
        let refused = parse(&attributes, Handling::Strict, in_plan);
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
        insta::assert_snapshot!(faults(parse(&abroad, Handling::Strict, in_plan)), @r"
        400 851
        countryCode: is not served; nothing is sold there, try 566 (Nigeria)
        ");
    }
}
