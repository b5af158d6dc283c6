//! What a WhatsApp message says. It must never be changed after it was parsed, and never be shown
//! in a log.

use crate::messaging::{MessageLine, MessageText, MessageUrl};
use crate::text;

/// Most values of a template, as the platform takes them.
pub const TEMPLATE_PARAMETERS_MAX: usize = 20;

/// A name or a language that no template has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTemplateReference {
    /// Not a name.
    #[error(
        "must be 1 to {} lower-case letters, digits and _, such as order_shipped",
        TemplateName::LENGTH_MAX
    )]
    Name,
    /// Not a language.
    #[error("must be a language such as en, or a language and a country such as en_US")]
    Language,
}

/// The name of a template, as the platform approved it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TemplateName(String);

impl TemplateName {
    /// Longest name.
    pub const LENGTH_MAX: usize = 128;

    /// Reads a name.
    ///
    /// # Errors
    /// Refuses what is no name of a template.
    pub fn parse(text: &str) -> Result<Self, InvalidTemplateReference> {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        ((1..=Self::LENGTH_MAX).contains(&text.len()) && text.chars().all(is_name))
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidTemplateReference::Name)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The language of a template: `en`, or `en_US` where the country matters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TemplateLanguage(String);

impl TemplateLanguage {
    /// Reads a language.
    ///
    /// # Errors
    /// Refuses what is no language.
    pub fn parse(text: &str) -> Result<Self, InvalidTemplateReference> {
        text::is_language(text, '_')
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidTemplateReference::Language)
    }

    /// The language.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A template with the values that stand in it, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateUse {
    /// Its name.
    pub name: TemplateName,
    /// Which of its languages.
    pub language: TemplateLanguage,
    /// The values; at most [`TEMPLATE_PARAMETERS_MAX`].
    pub parameters: Vec<MessageLine>,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhatsappContent {
    /// A text, to a person who wrote lately.
    Text(MessageText),
    /// A template that the platform approved; the only kind that may open a conversation.
    Template(TemplateUse),
    /// A file, to a person who wrote lately.
    Media {
        /// Where the platform fetches it.
        url: MessageUrl,
        /// The text under it.
        caption: Option<MessageText>,
    },
}

impl WhatsappContent {
    /// Most characters of a text, as the platform takes them.
    pub const TEXT_MAX: usize = 4096;

    /// Most characters of a caption, as the platform takes them.
    pub const CAPTION_MAX: usize = 1024;

    /// Most characters of a value of a template.
    pub const PARAMETER_MAX: usize = 1024;

    /// The words of the kinds, in the order of the documentation.
    pub const KINDS: [&str; 3] = ["text", "template", "media"];

    /// The word of its kind, for merchants, providers and records.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Template(_) => "template",
            Self::Media { .. } => "media",
        }
    }

    /// Everything it says, its kind first; equal for equal contents alone.
    pub fn values(&self) -> Vec<String> {
        let mut values = vec![self.kind().to_owned()];
        match self {
            Self::Text(text) => values.push(text.as_str().to_owned()),
            Self::Template(template) => {
                values.push(template.name.as_str().to_owned());
                values.push(template.language.as_str().to_owned());
                let parameters = template.parameters.iter();
                values.extend(parameters.map(|it| it.as_str().to_owned()));
            }
            Self::Media { url, caption } => {
                values.push(url.as_str().to_owned());
                values.extend(caption.iter().map(|it| it.as_str().to_owned()));
            }
        }
        values
    }

    /// The text or the caption.
    pub const fn text(&self) -> Option<&MessageText> {
        match self {
            Self::Text(text) => Some(text),
            Self::Template(_) => None,
            Self::Media { caption, .. } => caption.as_ref(),
        }
    }

    /// The template, where it uses one.
    pub const fn template(&self) -> Option<&TemplateUse> {
        match self {
            Self::Template(template) => Some(template),
            Self::Text(_) | Self::Media { .. } => None,
        }
    }

    /// Where its file is fetched, where it has one.
    pub const fn media(&self) -> Option<&MessageUrl> {
        match self {
            Self::Media { url, .. } => Some(url),
            Self::Text(_) | Self::Template(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_templates_are_those_of_the_platform() {
        for name in [
            "a",
            "order_shipped_2",
            &"n".repeat(TemplateName::LENGTH_MAX),
        ] {
            assert_eq!(TemplateName::parse(name).unwrap().as_str(), name);
        }
        for name in [
            "",
            "Order",
            "order-1",
            "a b",
            &"n".repeat(TemplateName::LENGTH_MAX + 1),
        ] {
            assert_eq!(
                TemplateName::parse(name),
                Err(InvalidTemplateReference::Name),
                "{name}"
            );
        }
    }

    #[test]
    fn languages_may_name_a_country() {
        for language in ["en", "yo", "fil", "en_US", "pt_BR"] {
            assert_eq!(
                TemplateLanguage::parse(language).unwrap().as_str(),
                language
            );
        }
        for language in [
            "", "e", "EN", "engl", "en_", "en_us", "en_USA", "en-US", "en_US_x",
        ] {
            let read = TemplateLanguage::parse(language);
            assert_eq!(read, Err(InvalidTemplateReference::Language), "{language}");
        }
    }
}
