//! `GET /tools/segments`: in how many parts a message is sent and what they cost. It must count as
//! `POST /messaging/sms` does.

use crate::attribute::{COUNTRY, MESSAGE, MESSAGE_TYPE};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::sms::send::too_long;
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::money::Money;
use domain::sms::{Content, MessageKind, Segments};

/// A message that is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedMessage {
    pub kind: MessageKind,
    pub content: Content,
    pub segments: Segments,
    /// Where it would be sent: Nigeria unless another country is named.
    pub country: CountryCode,
}

/// Reads a message.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<CountedMessage, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let kinds = MessageKind::ALL.map(|kind| (kind.code(), kind));
    let kind = reader.word(&MESSAGE_TYPE, &kinds);
    let content = reader.required(&MESSAGE, Content::parse);
    if let (Ok(kind), Ok(content)) = (kind, &content)
        && let Some(message) = too_long(kind, content)
    {
        reader.object(&MESSAGE, &message);
    }
    let country = reader.optional(&COUNTRY, CountryCode::parse);
    reader.finish(|| {
        let (kind, content) = (kind?, content?);
        // A message that is too long was named above.
        let segments = Segments::of(kind, &content).unwrap_or(Segments {
            encoding: domain::sms::Encoding::of(kind, &content),
            parts: domain::sms::PARTS_MAX,
        });
        Ok(CountedMessage {
            kind,
            segments,
            country: country?.unwrap_or(CountryCode::NIGERIA),
            content,
        })
    })
}

/// How it is sent, and what it costs.
pub fn view(message: &CountedMessage, cost: Money) -> Object {
    let Segments { encoding, parts } = message.segments;
    let in_part = if parts > 1 {
        encoding.part_units_max()
    } else {
        encoding.single_units_max()
    };
    let text = message.content.as_str();
    Object::new()
        .with("type", message.kind.code())
        .with("alphabet", encoding.code())
        .with("characters", count(text.chars().count()))
        .with("units", count(encoding.units_of(text)))
        .with("parts", Node::Integer(i64::from(parts)))
        .with("perPart", count(in_part))
        .with("countryCode", message.country.to_string())
        .with("cost", cost)
        .with("currency", cost.currency().code())
}

fn count(number: usize) -> Node {
    Node::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use domain::money::Currency;

    fn counted(text: &str) -> String {
        let message = parse(&query(text), Handling::Strict).unwrap();
        pretty(&view(&message, Money::from_minor(1_000, Currency::Ngn)).into())
    }

    #[test]
    fn a_message_is_counted_in_the_alphabet_it_is_sent_in() {
        insta::assert_snapshot!(counted("type=text&message=5%E2%82%AC%20each"));
        insta::assert_snapshot!(counted("type=text&message=%E1%BA%B9%20ku&countryCode=288"));
    }

    #[test]
    fn parts_hold_less_than_a_message_alone() {
        let long = "a".repeat(161);
        let shown = counted(&format!("type=text&message={long}"));
        assert!(
            shown.contains("parts: 2") && shown.contains("perPart: 153"),
            "{shown}"
        );
        let short = "a".repeat(160);
        let shown = counted(&format!("type=text&message={short}"));
        assert!(
            shown.contains("parts: 1") && shown.contains("perPart: 160"),
            "{shown}"
        );
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let wrong = parse(
            &query("type=fax&message=&countryCode=NG"),
            Handling::Lenient,
        );
        insta::assert_snapshot!(faults(wrong));
        let long = "a".repeat(2_000);
        let wrong = parse(
            &query(&format!("type=text&message={long}")),
            Handling::Lenient,
        );
        insta::assert_snapshot!(faults(wrong));
    }
}
