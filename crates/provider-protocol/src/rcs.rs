//! RCS messages in the protocol. Which fields of an order there are follows from its kind.

use crate::document::{DocumentError, valid};
use crate::family::{FamilyDocuments, OrderContext};
use crate::messaging::{MessageDeliveryDocument, PartiesDocument};
use domain::messaging::{MessageLine, MessageText, MessageUrl};
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::rcs::{
    FallbackDelay, RcsBody, RcsCard, RcsContent, RcsDelivery, RcsOrder, SmsFallback, Suggestion,
    SuggestionAction,
};
use domain::sms::Content;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RcsOrderDocument {
    #[serde(flatten)]
    parties: PartiesDocument,
    #[serde(flatten)]
    body: BodyDocument,
    suggestions: Vec<SuggestionDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sms_fallback: Option<FallbackDocument>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
enum BodyDocument {
    Text {
        content: String,
    },
    Card {
        card: CardDocument,
    },
    Carousel {
        cards: Vec<CardDocument>,
    },
    #[serde(rename_all = "camelCase")]
    File {
        media_url: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CardDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    media_url: Option<String>,
    suggestions: Vec<SuggestionDocument>,
}

/// A text, and one of the three beside it.
#[derive(Serialize, Deserialize)]
struct SuggestionDocument {
    text: String,
    #[serde(flatten)]
    action: ActionDocument,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ActionDocument {
    Url(String),
    Dial(String),
    Reply(String),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FallbackDocument {
    content: String,
    after_seconds: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RcsDeliveryDocument {
    #[serde(flatten)]
    message: MessageDeliveryDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capable: Option<bool>,
    #[serde(default)]
    fallback_used: bool,
}

pub(crate) struct RcsDocuments;

impl FamilyDocuments for RcsDocuments {
    type Order = RcsOrder;
    type OrderDocument = RcsOrderDocument;
    type ReceiptDocument = RcsDeliveryDocument;

    fn order(order: &RcsOrder) -> RcsOrderDocument {
        RcsOrderDocument {
            parties: (&order.parties).into(),
            body: order.content.body().into(),
            suggestions: suggestion_documents(order.content.suggestions()),
            sms_fallback: order.content.fallback().map(|it| FallbackDocument {
                content: it.content.as_str().to_owned(),
                after_seconds: it.after.seconds(),
            }),
        }
    }

    fn read_order(
        document: RcsOrderDocument,
        ordered: OrderContext,
    ) -> Result<RcsOrder, DocumentError> {
        let most = RcsContent::SUGGESTIONS_MAX;
        let suggestions = read_suggestions(&document.suggestions, "order.suggestions", most)?;
        let fallback = document.sms_fallback.map(|it| it.read()).transpose()?;
        let content = RcsContent::of(document.body.read()?, suggestions, fallback);
        Ok(RcsOrder {
            parties: document.parties.read()?,
            content: valid(content, "order")?,
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<RcsDeliveryDocument> {
        let delivery = fulfilment.rcs()?;
        Some(RcsDeliveryDocument {
            message: delivery.message().into(),
            capable: delivery.capable(),
            fallback_used: delivery.fallback_used(),
        })
    }

    fn read_receipt(
        document: Option<RcsDeliveryDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let read = |document: RcsDeliveryDocument| {
            let message = document.message.into();
            if document.fallback_used {
                RcsDelivery::by_sms(message, document.capable)
            } else {
                RcsDelivery::by_rcs(message, document.capable)
            }
        };
        Ok(document.map(|it| Fulfilment::Rcs(read(it))))
    }
}

impl From<&RcsBody> for BodyDocument {
    fn from(body: &RcsBody) -> Self {
        match body {
            RcsBody::Text(text) => Self::Text {
                content: text.as_str().to_owned(),
            },
            RcsBody::Card(card) => Self::Card { card: card.into() },
            RcsBody::Carousel(cards) => Self::Carousel {
                cards: cards.iter().map(Into::into).collect(),
            },
            RcsBody::File(url) => Self::File {
                media_url: url.as_str().to_owned(),
            },
        }
    }
}

impl BodyDocument {
    fn read(self) -> Result<RcsBody, DocumentError> {
        Ok(match self {
            Self::Text { content } => {
                let text = MessageText::parse(&content, RcsContent::TEXT_MAX);
                RcsBody::Text(valid(text, "order.content")?)
            }
            Self::Card { card } => RcsBody::Card(card.read()?),
            Self::Carousel { cards } => {
                if !RcsContent::CARDS.contains(&cards.len()) {
                    let (least, most) = (RcsContent::CARDS.start(), RcsContent::CARDS.end());
                    let reason = format!("must be {least} to {most}");
                    return Err(DocumentError::field("order.cards", reason));
                }
                let cards = cards.into_iter().map(CardDocument::read);
                RcsBody::Carousel(cards.collect::<Result<_, _>>()?)
            }
            Self::File { media_url } => {
                RcsBody::File(valid(MessageUrl::parse(&media_url), "order.mediaUrl")?)
            }
        })
    }
}

impl From<&RcsCard> for CardDocument {
    fn from(card: &RcsCard) -> Self {
        Self {
            title: card.title().map(|it| it.as_str().to_owned()),
            description: card.description().map(|it| it.as_str().to_owned()),
            media_url: card.media().map(|it| it.as_str().to_owned()),
            suggestions: suggestion_documents(card.suggestions()),
        }
    }
}

impl CardDocument {
    fn read(self) -> Result<RcsCard, DocumentError> {
        let title = self
            .title
            .map(|it| MessageLine::parse(&it, RcsCard::TITLE_MAX));
        let text = |it: String| MessageText::parse(&it, RcsCard::DESCRIPTION_MAX);
        let description = self.description.map(text);
        let media = self.media_url.map(|it| MessageUrl::parse(&it));
        let card = RcsCard::showing(
            valid(title.transpose(), "order.card.title")?,
            valid(description.transpose(), "order.card.description")?,
            valid(media.transpose(), "order.card.mediaUrl")?,
        );
        let field = "order.card.suggestions";
        let suggestions = read_suggestions(&self.suggestions, field, RcsCard::SUGGESTIONS_MAX)?;
        Ok(valid(card, "order.card")?.suggesting(suggestions))
    }
}

fn suggestion_documents(suggestions: &[Suggestion]) -> Vec<SuggestionDocument> {
    let document = |it: &Suggestion| SuggestionDocument {
        text: it.text.as_str().to_owned(),
        action: match &it.action {
            SuggestionAction::Open(url) => ActionDocument::Url(url.as_str().to_owned()),
            SuggestionAction::Dial(number) => ActionDocument::Dial(number.digits().to_owned()),
            SuggestionAction::Reply(data) => ActionDocument::Reply(data.as_str().to_owned()),
        },
    };
    suggestions.iter().map(document).collect()
}

fn read_suggestions(
    documents: &[SuggestionDocument],
    field: &'static str,
    most: usize,
) -> Result<Vec<Suggestion>, DocumentError> {
    if documents.len() > most {
        let reason = format!("must be {most} at most");
        return Err(DocumentError::field(field, reason));
    }
    let read = |document: &SuggestionDocument| {
        let text = MessageLine::parse(&document.text, Suggestion::TEXT_MAX);
        let action = match &document.action {
            ActionDocument::Url(url) => {
                SuggestionAction::Open(valid(MessageUrl::parse(url), field)?)
            }
            ActionDocument::Dial(number) => {
                SuggestionAction::Dial(valid(PhoneNumber::parse(number), field)?)
            }
            ActionDocument::Reply(data) => {
                let data = MessageText::parse(data, Suggestion::REPLY_MAX);
                SuggestionAction::Reply(valid(data, field)?)
            }
        };
        Ok(Suggestion {
            text: valid(text, field)?,
            action,
        })
    };
    documents.iter().map(read).collect()
}

impl FallbackDocument {
    fn read(&self) -> Result<SmsFallback, DocumentError> {
        let after = FallbackDelay::from_seconds(self.after_seconds);
        Ok(SmsFallback {
            content: valid(Content::parse(&self.content), "order.smsFallback.content")?,
            after: valid(after, "order.smsFallback.afterSeconds")?,
        })
    }
}
