//! The record of an RCS message.

use super::messaging::PartiesRecord;
use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid};
use domain::messaging::{MessageLine, MessageText, MessageUrl};
use domain::phone::PhoneNumber;
use domain::rcs::{
    FallbackDelay, RcsBody, RcsCard, RcsContent, RcsOrder, SmsFallback, Suggestion,
    SuggestionAction,
};
use domain::sms::Content;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct RcsRecord<'a> {
    #[serde(borrow, flatten)]
    parties: PartiesRecord<'a>,
    #[serde(borrow)]
    body: BodyRecord<'a>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<SuggestionRecord<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    fallback: Option<FallbackRecord<'a>>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum BodyRecord<'a> {
    #[serde(borrow)]
    Text(Text<'a>),
    #[serde(borrow)]
    Card(CardRecord<'a>),
    #[serde(borrow)]
    Carousel(Vec<CardRecord<'a>>),
    #[serde(borrow)]
    File(Text<'a>),
}

#[derive(Debug, Serialize, Deserialize)]
struct CardRecord<'a> {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    title: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    description: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    media: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<SuggestionRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SuggestionRecord<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    action: ActionRecord<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ActionRecord<'a> {
    #[serde(borrow)]
    Open(Text<'a>),
    #[serde(borrow)]
    Dial(Text<'a>),
    #[serde(borrow)]
    Reply(Text<'a>),
}

#[derive(Debug, Serialize, Deserialize)]
struct FallbackRecord<'a> {
    #[serde(borrow)]
    content: Text<'a>,
    after_seconds: u32,
}

impl<'a> From<&'a RcsOrder> for RcsRecord<'a> {
    fn from(order: &'a RcsOrder) -> Self {
        Self {
            parties: (&order.parties).into(),
            body: order.content.body().into(),
            suggestions: suggestion_records(order.content.suggestions()),
            fallback: order.content.fallback().map(|it| FallbackRecord {
                content: it.content.as_str().into(),
                after_seconds: it.after.seconds(),
            }),
            amount: order.amount.into(),
        }
    }
}

impl RcsRecord<'_> {
    pub(super) fn restore(self) -> Result<RcsOrder, RecordError> {
        let suggestions = suggestions(&self.suggestions, RcsContent::SUGGESTIONS_MAX)?;
        let fallback = self.fallback.map(|it| it.restore()).transpose()?;
        let content = RcsContent::of(self.body.restore()?, suggestions, fallback);
        Ok(RcsOrder {
            parties: self.parties.restore()?,
            content: valid(content, "body")?,
            amount: self.amount.restore("amount")?,
        })
    }
}

impl<'a> From<&'a RcsBody> for BodyRecord<'a> {
    fn from(body: &'a RcsBody) -> Self {
        match body {
            RcsBody::Text(text) => Self::Text(text.as_str().into()),
            RcsBody::Card(card) => Self::Card(card.into()),
            RcsBody::Carousel(cards) => Self::Carousel(cards.iter().map(Into::into).collect()),
            RcsBody::File(url) => Self::File(url.as_str().into()),
        }
    }
}

impl BodyRecord<'_> {
    fn restore(self) -> Result<RcsBody, RecordError> {
        Ok(match self {
            Self::Text(stored) => RcsBody::Text(valid(
                MessageText::parse(&stored, RcsContent::TEXT_MAX),
                "text",
            )?),
            Self::Card(card) => RcsBody::Card(card.restore()?),
            Self::Carousel(cards) => {
                if !RcsContent::CARDS.contains(&cards.len()) {
                    return Err(RecordError::Value("cards"));
                }
                let cards = cards.into_iter().map(CardRecord::restore);
                RcsBody::Carousel(cards.collect::<Result<_, _>>()?)
            }
            Self::File(url) => RcsBody::File(valid(MessageUrl::parse(&url), "file")?),
        })
    }
}

impl<'a> From<&'a RcsCard> for CardRecord<'a> {
    fn from(card: &'a RcsCard) -> Self {
        Self {
            title: card.title().map(|it| it.as_str().into()),
            description: card.description().map(|it| it.as_str().into()),
            media: card.media().map(|it| it.as_str().into()),
            suggestions: suggestion_records(card.suggestions()),
        }
    }
}

impl CardRecord<'_> {
    fn restore(self) -> Result<RcsCard, RecordError> {
        let title = self
            .title
            .map(|it| MessageLine::parse(&it, RcsCard::TITLE_MAX));
        let text = |it: Text<'_>| MessageText::parse(&it, RcsCard::DESCRIPTION_MAX);
        let description = self.description.map(text);
        let media = self.media.map(|it| MessageUrl::parse(&it));
        let card = RcsCard::showing(
            valid(title.transpose(), "title")?,
            valid(description.transpose(), "description")?,
            valid(media.transpose(), "media")?,
        );
        let suggestions = suggestions(&self.suggestions, RcsCard::SUGGESTIONS_MAX)?;
        Ok(valid(card, "card")?.suggesting(suggestions))
    }
}

fn suggestion_records(suggestions: &[Suggestion]) -> Vec<SuggestionRecord<'_>> {
    suggestions.iter().map(Into::into).collect()
}

impl<'a> From<&'a Suggestion> for SuggestionRecord<'a> {
    fn from(suggestion: &'a Suggestion) -> Self {
        Self {
            text: suggestion.text.as_str().into(),
            action: match &suggestion.action {
                SuggestionAction::Open(url) => ActionRecord::Open(url.as_str().into()),
                SuggestionAction::Dial(number) => ActionRecord::Dial(number.digits().into()),
                SuggestionAction::Reply(data) => ActionRecord::Reply(data.as_str().into()),
            },
        }
    }
}

fn suggestions(
    records: &[SuggestionRecord<'_>],
    most: usize,
) -> Result<Vec<Suggestion>, RecordError> {
    const FIELD: &str = "suggestions";
    if records.len() > most {
        return Err(RecordError::Value(FIELD));
    }
    let restore = |record: &SuggestionRecord<'_>| {
        Ok(Suggestion {
            text: valid(
                MessageLine::parse(&record.text, Suggestion::TEXT_MAX),
                FIELD,
            )?,
            action: match &record.action {
                ActionRecord::Open(url) => {
                    SuggestionAction::Open(valid(MessageUrl::parse(url), FIELD)?)
                }
                ActionRecord::Dial(number) => {
                    SuggestionAction::Dial(valid(PhoneNumber::parse(number), FIELD)?)
                }
                ActionRecord::Reply(data) => {
                    let data = MessageText::parse(data, Suggestion::REPLY_MAX);
                    SuggestionAction::Reply(valid(data, FIELD)?)
                }
            },
        })
    };
    records.iter().map(restore).collect()
}

impl FallbackRecord<'_> {
    fn restore(&self) -> Result<SmsFallback, RecordError> {
        let after = FallbackDelay::from_seconds(self.after_seconds);
        Ok(SmsFallback {
            content: valid(Content::parse(&self.content), "fallback")?,
            after: valid(after, "after_seconds")?,
        })
    }
}
