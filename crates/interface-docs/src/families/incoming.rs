//! Messages that people send. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional};
use crate::states::{lagos, sample};
use domain::messaging::{
    IncomingContent, IncomingMessage, IncomingMessagesQuery, MessageChannel, MessageUrl,
};
use domain::statement::Sort;
use testkit::builders::{incoming_message, reference};
use wire::attribute::{MESSAGE_CHANNEL, PHONE};
use wire::messaging::incoming::{self, IncomingPart, channel_words};
use wire::page::LENGTH_MAX;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "incoming",
        name: "Incoming messages",
        about: "What people reply to your messages, or send to your senders of their own accord.",
        operations: vec![list()],
    }
}

/// Messages with everything that may be there, and without.
pub(crate) fn incoming_messages() -> Vec<IncomingMessage> {
    let text = incoming_message("shop", 5_071_922_640_871);
    let reply = IncomingMessage {
        reply_to: Some(reference("sms-1001")),
        ..text.clone()
    };
    let mut file = text.clone();
    let channel = MessageChannel::Whatsapp;
    file.received.channel = channel;
    let media = MessageUrl::parse("https://media.example/1042.jpg").ok();
    let content = IncomingContent::new(channel, None, media);
    file.received.content = content.unwrap_or(text.received.content);
    vec![reply, file]
}

fn list() -> Operation {
    let query = IncomingMessagesQuery {
        channel: None,
        number: None,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Ascending,
    };
    let messages = incoming_messages();
    let part = IncomingPart {
        messages: &messages,
        total: 2,
        found: 2,
    };
    let fields = incoming::view(part, &query, &lagos());
    Operation::get(
        incoming::PATH,
        "listIncomingMessages",
        "List incoming messages",
    )
    .detailed(
        "The messages that people sent to your senders, by the moment they were recorded. \
         Endpoints that subscribe to `message.received` are posted each of them. A message is \
         yours where it replies to one of yours, or where no other account has a sender of the \
         name. Messages are kept for 90 days, the newest 100,000 of an account, and as long as an \
         event of theirs is listed.",
    )
    .takes([
        optional(&MESSAGE_CHANNEL)
            .such_as("sms")
            .one_of(&channel_words()),
        optional(&PHONE).such_as("2348031234567"),
    ])
    .in_parts(&["recordedDate"])
    .lists(
        "IncomingMessages",
        vec![sample("messages", "What people sent.", fields)],
    )
}
