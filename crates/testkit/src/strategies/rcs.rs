//! RCS messages.

use super::messaging::{
    message_deliveries, message_lines, message_parties, message_texts, message_urls,
};
use super::orders::{phones, sums};
use domain::rcs::{
    FallbackDelay, RcsBody, RcsCard, RcsContent, RcsDelivery, RcsOrder, SmsFallback, Suggestion,
    SuggestionAction,
};
use domain::sms::Content;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// An RCS message of any kind.
pub fn rcs_orders() -> impl Strategy<Value = RcsOrder> {
    let body = prop_oneof![
        message_texts().prop_map(RcsBody::Text),
        cards().prop_map(RcsBody::Card),
        vec(cards(), 2..4).prop_map(RcsBody::Carousel),
        message_urls().prop_map(RcsBody::File),
    ];
    let seconds = FallbackDelay::SECONDS_MIN..=FallbackDelay::SECONDS_MAX;
    let fallback = (message_texts(), seconds).prop_map(|(text, seconds)| SmsFallback {
        content: Content::parse(text.as_str()).expect("a text"),
        after: FallbackDelay::from_seconds(seconds).expect("a time"),
    });
    let content = (body, vec(suggestions(), 0..3), option::of(fallback));
    let content = content.prop_map(|(body, suggestions, fallback)| {
        RcsContent::of(body, suggestions, fallback).expect("a content")
    });
    (message_parties(), content, sums())
        .prop_map(|(parties, content, amount)| RcsOrder {
            parties,
            content,
            amount,
        })
        .boxed()
}

fn cards() -> impl Strategy<Value = RcsCard> {
    let parts = (
        option::of(message_lines()),
        option::of(message_texts()),
        option::of(message_urls()),
        vec(suggestions(), 0..3),
    );
    parts.prop_filter_map("a card", |(title, description, media, suggestions)| {
        let card = RcsCard::showing(title, description, media).ok()?;
        Some(card.suggesting(suggestions))
    })
}

fn suggestions() -> impl Strategy<Value = Suggestion> {
    let action = prop_oneof![
        message_urls().prop_map(SuggestionAction::Open),
        phones().prop_map(SuggestionAction::Dial),
        message_texts().prop_map(SuggestionAction::Reply),
    ];
    (message_lines(), action).prop_map(|(text, action)| Suggestion { text, action })
}

/// What becomes of one.
pub fn rcs_deliveries() -> impl Strategy<Value = RcsDelivery> {
    let said = (message_deliveries(), any::<Option<bool>>(), any::<bool>());
    said.prop_map(|(message, capable, by_sms)| {
        if by_sms {
            RcsDelivery::by_sms(message, capable)
        } else {
            RcsDelivery::by_rcs(message, capable)
        }
    })
}
