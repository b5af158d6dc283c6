//! A card: a picture, a title and a description with suggestions. There must be one of the three.

use super::Suggestion;
use crate::messaging::{MessageLine, MessageText, MessageUrl};

/// A card of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RcsCard {
    title: Option<MessageLine>,
    description: Option<MessageText>,
    media: Option<MessageUrl>,
    suggestions: Vec<Suggestion>,
}

/// The card shows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is required where the card has no description and no mediaUrl")]
pub struct EmptyCard;

impl RcsCard {
    /// Most characters of a title, as the platform takes them.
    pub const TITLE_MAX: usize = 200;

    /// Most characters of a description, as the platform takes them.
    pub const DESCRIPTION_MAX: usize = 2000;

    /// Most suggestions of a card, as the platform takes them.
    pub const SUGGESTIONS_MAX: usize = 4;

    /// A card without suggestions.
    ///
    /// # Errors
    /// Refuses one that shows nothing.
    pub fn showing(
        title: Option<MessageLine>,
        description: Option<MessageText>,
        media: Option<MessageUrl>,
    ) -> Result<Self, EmptyCard> {
        if title.is_none() && description.is_none() && media.is_none() {
            return Err(EmptyCard);
        }
        Ok(Self {
            title,
            description,
            media,
            suggestions: Vec::new(),
        })
    }

    /// The same with suggestions; at most [`Self::SUGGESTIONS_MAX`].
    #[must_use]
    pub fn suggesting(mut self, suggestions: Vec<Suggestion>) -> Self {
        self.suggestions = suggestions;
        self
    }

    /// Its title.
    pub const fn title(&self) -> Option<&MessageLine> {
        self.title.as_ref()
    }

    /// The text under the title.
    pub const fn description(&self) -> Option<&MessageText> {
        self.description.as_ref()
    }

    /// Where the platform fetches its picture or film.
    pub const fn media(&self) -> Option<&MessageUrl> {
        self.media.as_ref()
    }

    /// What can be tapped on it.
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.suggestions
    }

    /// Everything it says; equal for equal cards alone.
    pub(super) fn values(&self) -> Vec<String> {
        let texts = [
            ("title", self.title.as_ref().map(MessageLine::as_str)),
            (
                "description",
                self.description.as_ref().map(MessageText::as_str),
            ),
            ("media", self.media.as_ref().map(MessageUrl::as_str)),
        ];
        let said = texts
            .into_iter()
            .filter_map(|(name, text)| Some([name, text?]));
        let mut values = vec!["card".to_owned()];
        values.extend(said.flatten().map(str::to_owned));
        values.push(self.suggestions.len().to_string());
        values.extend(self.suggestions.iter().flat_map(Suggestion::values));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_shows_something() {
        assert_eq!(RcsCard::showing(None, None, None), Err(EmptyCard));
        let line = |text| MessageLine::parse(text, RcsCard::TITLE_MAX).ok();
        let text = |text| MessageText::parse(text, RcsCard::DESCRIPTION_MAX).ok();
        let url = MessageUrl::parse("https://shop.example/a.png").ok();
        assert!(RcsCard::showing(line("A"), None, None).is_ok());
        assert!(RcsCard::showing(None, text("A\nb"), None).is_ok());
        assert!(RcsCard::showing(None, None, url).is_ok());
    }

    #[test]
    fn cards_that_say_something_else_have_other_values() {
        let line = |text| MessageLine::parse(text, RcsCard::TITLE_MAX).ok();
        let text = |text| MessageText::parse(text, RcsCard::DESCRIPTION_MAX).ok();
        let titled = RcsCard::showing(line("A"), None, None).unwrap();
        let described = RcsCard::showing(None, text("A"), None).unwrap();
        assert_ne!(titled.values(), described.values());
        let both = RcsCard::showing(line("A"), text("A"), None).unwrap();
        assert_ne!(titled.values(), both.values());
        assert_eq!(titled.values(), titled.clone().values());
    }
}
