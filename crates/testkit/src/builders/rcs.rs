//! RCS messages.

use super::messaging::{delivery_report, message_parties};
use super::naira;
use super::products::phone;
use super::purchase::PurchaseBuilder;
use domain::messaging::{MessageLine, MessageText, MessageUrl};
use domain::order::Order;
use domain::provider::Fulfilment;
use domain::rcs::{
    FallbackDelay, RcsBody, RcsCard, RcsContent, RcsDelivery, RcsOrder, SmsFallback, Suggestion,
    SuggestionAction,
};
use domain::sms::Content;
use domain::transaction::{Observation, Transaction};

/// A card with suggestions, and a text message that is sent instead, for 12.00 without commission
/// or fee, ordered like [`super::airtime`].
pub fn rcs() -> PurchaseBuilder {
    let body = RcsBody::Card(card("Your order 1042"));
    let fallback = SmsFallback {
        content: Content::parse("Your order 1042 is on its way.").expect("a text"),
        after: FallbackDelay::DEFAULT,
    };
    let suggestions = vec![suggestion(
        "Call us",
        SuggestionAction::Dial(phone("2348039990000")),
    )];
    let content = RcsContent::of(body, suggestions, Some(fallback));
    rcs_saying(content.expect("a content"))
}

/// The same with another content.
pub fn rcs_saying(content: RcsContent) -> PurchaseBuilder {
    let order = RcsOrder {
        parties: message_parties(),
        content,
        amount: naira("12.00"),
    };
    PurchaseBuilder::of_product(Order::Rcs(order)).terms("0", "10", "0.00")
}

/// A text.
pub fn rcs_text() -> PurchaseBuilder {
    let text = MessageText::parse("Your code is 4711.", RcsContent::TEXT_MAX);
    plain(RcsBody::Text(text.expect("a text")))
}

/// Two cards side by side.
pub fn rcs_carousel() -> PurchaseBuilder {
    plain(RcsBody::Carousel(vec![card("Rice"), card("Beans")]))
}

/// A file.
pub fn rcs_file() -> PurchaseBuilder {
    plain(RcsBody::File(url("https://shop.example/receipts/1042.pdf")))
}

/// An unasked report of what became of one.
pub fn rcs_status(tx: &Transaction, delivery: RcsDelivery) -> Observation {
    delivery_report(tx, Fulfilment::Rcs(delivery))
}

fn plain(body: RcsBody) -> PurchaseBuilder {
    let content = RcsContent::of(body, Vec::new(), None);
    rcs_saying(content.expect("a content"))
}

fn card(title: &str) -> RcsCard {
    let title = MessageLine::parse(title, RcsCard::TITLE_MAX);
    let description = MessageText::parse("On its way.", RcsCard::DESCRIPTION_MAX);
    let card = RcsCard::showing(
        Some(title.expect("a title")),
        Some(description.expect("a description")),
        Some(url("https://shop.example/orders/1042.png")),
    );
    let reply = MessageText::parse("late 1042", Suggestion::REPLY_MAX);
    card.expect("a card").suggesting(vec![
        suggestion(
            "Follow it",
            SuggestionAction::Open(url("https://shop.example/orders/1042")),
        ),
        suggestion("Later", SuggestionAction::Reply(reply.expect("data"))),
    ])
}

fn suggestion(text: &str, action: SuggestionAction) -> Suggestion {
    Suggestion {
        text: MessageLine::parse(text, Suggestion::TEXT_MAX).expect("a text"),
        action,
    }
}

fn url(url: &str) -> MessageUrl {
    MessageUrl::parse(url).expect("an address")
}
