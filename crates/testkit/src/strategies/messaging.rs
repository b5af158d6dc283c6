//! What messages to a person's app share: texts, addresses, parties, and what becomes of one.

use super::orders::{countries, phones, words};
use crate::builders::serial;
use domain::messaging::{
    MessageDelivery, MessageLine, MessageParties, MessageStatus, MessageText, MessageUrl,
};
use domain::sms::SenderName;
use domain::time::Timestamp;
use proptest::prelude::*;

/// A text of up to 60 characters.
pub(super) fn message_texts() -> impl Strategy<Value = MessageText> + Clone {
    let text = "\\PC{1,60}";
    text.prop_filter_map("a text", |text| MessageText::parse(&text, 60).ok())
}

/// A line of up to 22 characters.
pub(super) fn message_lines() -> impl Strategy<Value = MessageLine> {
    let line = "[A-Za-z0-9][A-Za-z0-9 .,€]{0,20}[a-z]";
    line.prop_map(|it| MessageLine::parse(&it, 22).expect("a line"))
}

/// An address.
pub(super) fn message_urls() -> impl Strategy<Value = MessageUrl> {
    let url = "https://[a-z]{1,20}\\.example/[a-zA-Z0-9/_-]{0,40}";
    url.prop_map(|url| MessageUrl::parse(&url).expect("an address"))
}

/// Who sends to whom.
pub(super) fn message_parties() -> impl Strategy<Value = MessageParties> {
    let sender = ("[1-9][0-9]{11}", "[A-Za-z][A-Za-z0-9]{2,10}");
    let parties = (phones(), countries(), words(), sender);
    parties
        .prop_map(
            |(number, country, network, (sender, name))| MessageParties {
                number,
                country,
                network,
                sender: serial(&sender),
                sender_name: SenderName::parse(&name).expect("a sender name"),
            },
        )
        .boxed()
}

/// What becomes of a message that can be read.
pub fn message_deliveries() -> impl Strategy<Value = MessageDelivery> {
    let status = proptest::sample::select(&MessageStatus::ALL[..]);
    (status, 0..4_000_000_000_000_i64).prop_map(|(status, at)| MessageDelivery {
        status,
        read_at: (status == MessageStatus::Read).then(|| Timestamp::from_millis(at)),
    })
}
