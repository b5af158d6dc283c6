//! What an RCS message says. It must never be changed after it was parsed, and never be shown in a
//! log. The limits are those of the platform.

use super::{RcsCard, SmsFallback, Suggestion};
use crate::messaging::{MessageText, MessageUrl};
use std::ops::RangeInclusive;

/// Everything that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RcsContent {
    body: RcsBody,
    suggestions: Vec<Suggestion>,
    fallback: Option<SmsFallback>,
}

/// The texts are more than a provider is sent at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "makes a message of {0} bytes in UTF-8, its suggestions and its smsFallback counted; at most \
     {most} are sent",
    most = RcsContent::BYTES_MAX
)]
pub struct ContentTooLarge(pub usize);

/// What the person sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RcsBody {
    /// A text.
    Text(MessageText),
    /// One card.
    Card(RcsCard),
    /// Cards side by side; as many as [`RcsContent::CARDS`] says.
    Carousel(Vec<RcsCard>),
    /// A file, at the address that the platform fetches it from.
    File(MessageUrl),
}

impl RcsBody {
    /// The words of the kinds, in the order of the documentation.
    pub const KINDS: [&str; 4] = ["text", "card", "carousel", "file"];

    /// The word of its kind, for merchants, providers and records.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Card(_) => "card",
            Self::Carousel(_) => "carousel",
            Self::File(_) => "file",
        }
    }

    /// The text, where it is one.
    pub const fn text(&self) -> Option<&MessageText> {
        match self {
            Self::Text(text) => Some(text),
            Self::Card(_) | Self::Carousel(_) | Self::File(_) => None,
        }
    }

    /// Where its file is fetched, where it is one.
    pub const fn file(&self) -> Option<&MessageUrl> {
        match self {
            Self::File(url) => Some(url),
            Self::Text(_) | Self::Card(_) | Self::Carousel(_) => None,
        }
    }

    /// Its cards, where it has some.
    pub fn cards(&self) -> &[RcsCard] {
        match self {
            Self::Card(card) => std::slice::from_ref(card),
            Self::Carousel(cards) => cards,
            Self::Text(_) | Self::File(_) => &[],
        }
    }
}

impl RcsContent {
    /// Most characters of a text.
    pub const TEXT_MAX: usize = 3072;

    /// Most suggestions of a message.
    pub const SUGGESTIONS_MAX: usize = 11;

    /// How many cards stand side by side.
    pub const CARDS: RangeInclusive<usize> = 2..=10;

    /// Most bytes of all texts together: an order must fit into a document of the provider protocol
    /// however its texts have to be escaped.
    pub const BYTES_MAX: usize = 25_000;

    /// The parts together; suggestions are [`Self::SUGGESTIONS_MAX`] at most.
    ///
    /// # Errors
    /// Refuses more than [`Self::BYTES_MAX`].
    pub fn of(
        body: RcsBody,
        suggestions: Vec<Suggestion>,
        fallback: Option<SmsFallback>,
    ) -> Result<Self, ContentTooLarge> {
        let content = Self {
            body,
            suggestions,
            fallback,
        };
        let bytes = content.values().iter().map(String::len).sum();
        if bytes > Self::BYTES_MAX {
            return Err(ContentTooLarge(bytes));
        }
        Ok(content)
    }

    /// What the person sees.
    pub const fn body(&self) -> &RcsBody {
        &self.body
    }

    /// What can be tapped under it.
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.suggestions
    }

    /// The text message that is sent instead, where one is.
    pub const fn fallback(&self) -> Option<&SmsFallback> {
        self.fallback.as_ref()
    }

    /// Everything it says, its kind first; equal for equal contents alone.
    pub fn values(&self) -> Vec<String> {
        let Self {
            body,
            suggestions,
            fallback,
        } = self;
        let mut values = vec![body.kind().to_owned()];
        values.extend(body.text().map(|text| text.as_str().to_owned()));
        values.extend(body.file().map(|url| url.as_str().to_owned()));
        values.push(body.cards().len().to_string());
        values.extend(body.cards().iter().flat_map(RcsCard::values));
        values.push(suggestions.len().to_string());
        values.extend(suggestions.iter().flat_map(Suggestion::values));
        if let Some(SmsFallback { content, after }) = fallback {
            values.push(content.as_str().to_owned());
            values.push(after.seconds().to_string());
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::MessageLine;
    use crate::rcs::{FallbackDelay, SuggestionAction};
    use crate::sms::Content;

    fn text(text: &str) -> RcsBody {
        RcsBody::Text(MessageText::parse(text, RcsContent::TEXT_MAX).unwrap())
    }

    fn card(title: &str) -> RcsCard {
        let title = MessageLine::parse(title, RcsCard::TITLE_MAX).ok();
        RcsCard::showing(title, None, None).unwrap()
    }

    fn reply(data: &str) -> Suggestion {
        Suggestion {
            text: MessageLine::parse("Yes", Suggestion::TEXT_MAX).unwrap(),
            action: SuggestionAction::Reply(
                MessageText::parse(data, Suggestion::REPLY_MAX).unwrap(),
            ),
        }
    }

    fn of(body: RcsBody, suggestions: Vec<Suggestion>) -> RcsContent {
        RcsContent::of(body, suggestions, None).unwrap()
    }

    #[test]
    fn contents_that_say_something_else_have_other_values() {
        let fallback = SmsFallback {
            content: Content::parse("Hi").unwrap(),
            after: FallbackDelay::DEFAULT,
        };
        let url = MessageUrl::parse("https://shop.example/a.pdf").unwrap();
        let contents = [
            of(text("Hi"), Vec::new()),
            of(text("Ho"), Vec::new()),
            of(text("Hi"), vec![reply("a")]),
            of(text("Hi"), vec![reply("b")]),
            of(text("Hi"), vec![reply("a"), reply("b")]),
            RcsContent::of(text("Hi"), Vec::new(), Some(fallback)).unwrap(),
            of(RcsBody::Card(card("Hi")), Vec::new()),
            of(RcsBody::Card(card("Hi")), vec![reply("a")]),
            of(
                RcsBody::Card(card("Hi").suggesting(vec![reply("a")])),
                Vec::new(),
            ),
            of(RcsBody::Carousel(vec![card("Hi"), card("Ho")]), Vec::new()),
            of(RcsBody::Carousel(vec![card("Ho"), card("Hi")]), Vec::new()),
            of(RcsBody::File(url), Vec::new()),
        ];
        for (at, one) in contents.iter().enumerate() {
            for (beside, other) in contents.iter().enumerate() {
                let is_same = one.values() == other.values();
                assert_eq!(is_same, at == beside, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn what_a_provider_could_not_be_sent_is_refused() {
        let long = |count| {
            let replies = vec![reply(&"é".repeat(Suggestion::REPLY_MAX)); count];
            RcsContent::of(text("Hi"), replies, None)
        };
        assert!(long(6).is_ok());
        assert!(long(7).unwrap_err().0 > RcsContent::BYTES_MAX);
    }
}
