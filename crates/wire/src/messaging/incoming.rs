//! `GET /messaging/incoming`, and a message as its event shows it. It must show messages as they
//! were recorded.

use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::messaging::{
    IncomingMessage, IncomingMessagesQuery, MessageChannel, MessageText, MessageUrl,
};
use domain::phone::PhoneNumber;
use domain::reference::MerchantReference;

/// The path of the list.
pub const PATH: &str = "/messaging/incoming";

/// The only order: by the moment they were recorded.
const ORDERS: [(&str, ()); 1] = [("recordedDate", ())];

/// A page of the messages of an account.
#[derive(Debug, Clone, Copy)]
pub struct IncomingPart<'a> {
    /// The messages.
    pub messages: &'a [IncomingMessage],
    /// How many are kept.
    pub total: u64,
    /// How many of them were asked for.
    pub found: u64,
}

/// The words of the channels.
pub fn channel_words() -> [&'static str; 2] {
    MessageChannel::ALL.map(MessageChannel::code)
}

/// Reads which messages are requested.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<IncomingMessagesQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let channels = MessageChannel::ALL.map(|channel| (channel.code(), channel));
    let paging = Paging::read(&mut reader, &ORDERS);
    let channel = reader.choice(&attribute::MESSAGE_CHANNEL, &channels);
    let number = reader.optional(&attribute::PHONE, PhoneNumber::parse);
    reader.finish(|| {
        let paging = paging?;
        Ok(IncomingMessagesQuery {
            channel: channel?,
            number: number?,
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
        })
    })
}

/// A page of the messages.
pub fn view(part: IncomingPart<'_>, query: &IncomingMessagesQuery, zone: &Zone) -> Object {
    let messages = part.messages.iter().map(|it| view_one(it, zone));
    Object::new()
        .with(
            "incomingMessages",
            Node::objects("incomingMessage", messages),
        )
        .with("metadata", page::metadata(part.messages.len()))
        .with("query", page::query(&window(part, query)))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(part: IncomingPart<'_>, query: &IncomingMessagesQuery) -> String {
    page::link_header(&window(part, query), |offset| address(query, offset))
}

/// A message, in the list and in its event.
pub(crate) fn view_one(message: &IncomingMessage, zone: &Zone) -> Object {
    let received = &message.received;
    let content = &received.content;
    let reply_to = message.reply_to.as_ref();
    Object::new()
        .with("msgIdentifier", message.id.get())
        .with("channel", received.channel.code())
        .with("number", received.number.digits())
        .with("sender", received.sender.as_str())
        .with("content", content.text().map(MessageText::as_str))
        .with("mediaUrl", content.media().map(MessageUrl::as_str))
        .with("mrcReference", reply_to.map(MerchantReference::as_str))
        .with("receivedDate", zone.date_time(received.received_at))
        .with("recordedDate", zone.date_time(message.recorded_at))
}

const fn window(part: IncomingPart<'_>, query: &IncomingMessagesQuery) -> PageWindow {
    PageWindow {
        offset: query.offset,
        length: query.length,
        total: part.total,
        found: part.found,
    }
}

/// The same request for another page. No value in it needs encoding in a query.
fn address(query: &IncomingMessagesQuery, offset: u64) -> String {
    let channel = query.channel.map(|channel| channel.code().to_owned());
    let number = query.number.as_ref().map(ToString::to_string);
    let filters = [
        (attribute::OFFSET, Some(offset.to_string())),
        (attribute::LENGTH, Some(query.length.to_string())),
        (attribute::SORT, Some(sort_word(query.sort).to_owned())),
        (attribute::MESSAGE_CHANNEL, channel),
        (attribute::PHONE, number),
    ];
    let pairs = filters
        .iter()
        .filter_map(|(attribute, value)| Some(format!("{}={}", attribute.name, value.as_ref()?)));
    format!("{PATH}?{}", pairs.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query};
    use testkit::builders::incoming_message;

    fn read(text: &str) -> Result<IncomingMessagesQuery, Violations> {
        parse(&query(text), Handling::Strict)
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read("channel=fax&number=0803&orderby=number&x=1")), @r"
        400 822
        orderby: must be recordedDate, or left out
        channel: must be sms or whatsapp
        number: must be in international format: 8 to 15 digits, the plus sign optional
        x: is not an attribute of this request; leave it out
        ");
        let asked = read("channel=SMS&number=%2B2348031234567").unwrap();
        assert_eq!(asked.channel, Some(MessageChannel::Sms));
        let number = PhoneNumber::parse("2348031234567").ok();
        assert_eq!(asked.number, number);
    }

    #[test]
    fn a_page_shows_each_message_as_it_was_recorded() {
        let asked = read("channel=sms&number=2348031234567&length=1&offset=1").unwrap();
        let messages = [incoming_message("shop", 7)];
        let part = IncomingPart {
            messages: &messages,
            total: 4,
            found: 3,
        };
        insta::assert_snapshot!(pretty(&view(part, &asked, &lagos()).into()), @r#"
        {
          incomingMessages: [
            incomingMessage {
              msgIdentifier: 7
              channel: "sms"
              number: "2348031234567"
              sender: "Name0001"
              content: "Yes, deliver on Friday."
              mediaUrl: null
              mrcReference: null
              receivedDate: "15-01-2026 10:00:07"
              recordedDate: "15-01-2026 10:00:08"
            }
          ]
          metadata: {
            total: 1
          }
          query: {
            length: 1
            offset: 1
            total: 4
            found: 3
          }
        }
        "#);
        let links = link_header(part, &asked);
        let again = |attributes: &Attributes| parse(attributes, Handling::Strict);
        let without_offset = |query| IncomingMessagesQuery { offset: 0, ..query };
        links_ask_for_the_same((PATH, &links), asked, again, without_offset);
    }
}
