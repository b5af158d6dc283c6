//! What a WhatsApp message says. It must never be changed after it was parsed, and never be shown
//! in a log.

use crate::collection::{InvalidRedirectUrl, RedirectUrl};
use crate::text::{self, Breaks, UnfitLine};
use std::fmt;

/// Most values of a template, as the platform takes them.
pub const TEMPLATE_PARAMETERS_MAX: usize = 20;

/// The text of a message or the caption of a file: line breaks allowed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WhatsappText(String);

impl WhatsappText {
    /// Most characters of a text, as the platform takes them.
    pub const TEXT_MAX: usize = 4096;

    /// Most characters of a caption, as the platform takes them.
    pub const CAPTION_MAX: usize = 1024;

    /// Reads a text of at most so many characters.
    ///
    /// # Errors
    /// Refuses an empty text, a longer one and what [`text::check`] refuses.
    pub fn parse(text: &str, max: usize) -> Result<Self, UnfitLine> {
        if text.is_empty() {
            return Err(UnfitLine::Empty);
        }
        if text.chars().count() > max {
            return Err(UnfitLine::TooLong(max));
        }
        text::check(text, Breaks::Allowed)?;
        Ok(Self(text.to_owned()))
    }

    /// The text as the merchant wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Messages carry one-time codes and private words, so only the length is shown.
impl fmt::Debug for WhatsappText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WhatsappText({} bytes)", self.0.len())
    }
}

/// A value that stands in a template: one line.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ParameterText(String);

impl ParameterText {
    /// Most characters of a value.
    pub const LENGTH_MAX: usize = 1024;

    /// Reads a value; blanks around it are not part of it.
    ///
    /// # Errors
    /// Refuses what is not one line of up to [`Self::LENGTH_MAX`] characters.
    pub fn parse(text: &str) -> Result<Self, UnfitLine> {
        text::line(text, Self::LENGTH_MAX).map(|line| Self(line.to_owned()))
    }

    /// The value.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ParameterText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParameterText({} bytes)", self.0.len())
    }
}

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
        let (language, country) = match text.split_once('_') {
            Some((language, country)) => (language, Some(country)),
            None => (text, None),
        };
        let is_language =
            (2..=3).contains(&language.len()) && language.chars().all(|c| c.is_ascii_lowercase());
        let is_country = |it: &str| it.len() == 2 && it.chars().all(|c| c.is_ascii_uppercase());
        (is_language && country.is_none_or(is_country))
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
    pub parameters: Vec<ParameterText>,
}

/// Where the platform fetches a file.
#[derive(Clone, PartialEq, Eq)]
pub struct MediaUrl(RedirectUrl);

/// The address alone may open the file, so only its host is shown.
impl fmt::Debug for MediaUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MediaUrl(at {})", self.0.host())
    }
}

impl MediaUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// Refuses what is no address of the web, one without TLS, credentials and fragments.
    pub fn parse(text: &str) -> Result<Self, InvalidMediaUrl> {
        let url = RedirectUrl::parse(text).map_err(|InvalidRedirectUrl| InvalidMediaUrl)?;
        // The platform fetches it from outside.
        (text.starts_with("https://") && !RedirectUrl::LOCAL.contains(&url.host()))
            .then_some(Self(url))
            .ok_or(InvalidMediaUrl)
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The text is no address to fetch a file from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an https address of at most {} ASCII characters without credentials and fragment, \
     such as https://shop.example/receipts/1.pdf",
    RedirectUrl::LENGTH_MAX
)]
pub struct InvalidMediaUrl;

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhatsappContent {
    /// A text, to a person who wrote lately.
    Text(WhatsappText),
    /// A template that the platform approved; the only kind that may open a conversation.
    Template(TemplateUse),
    /// A file, to a person who wrote lately.
    Media {
        /// Where the platform fetches it.
        url: MediaUrl,
        /// The text under it.
        caption: Option<WhatsappText>,
    },
}

impl WhatsappContent {
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
    pub const fn text(&self) -> Option<&WhatsappText> {
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
    pub const fn media(&self) -> Option<&MediaUrl> {
        match self {
            Self::Media { url, .. } => Some(url),
            Self::Text(_) | Self::Template(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::UnfitText;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_kept_as_written_up_to_its_length() {
        for text in ["a", " ", " Hi \r\n\tthere ", "مرحبا", "👍🏽"] {
            assert_eq!(WhatsappText::parse(text, 20).unwrap().as_str(), text);
        }
        // Characters are counted, not bytes.
        let longest = "é".repeat(WhatsappText::CAPTION_MAX);
        assert!(WhatsappText::parse(&longest, WhatsappText::CAPTION_MAX).is_ok());
        let refused = [
            ("", UnfitLine::Empty),
            ("ééé", UnfitLine::TooLong(2)),
            ("a\0", UnfitLine::Unfit(UnfitText::Control)),
        ];
        for (text, reason) in refused {
            assert_eq!(WhatsappText::parse(text, 2), Err(reason), "{text:?}");
        }
    }

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

    #[test]
    fn a_file_is_fetched_over_tls_from_outside() {
        let read = MediaUrl::parse("https://shop.example/a.pdf").unwrap();
        assert_eq!(read.as_str(), "https://shop.example/a.pdf");
        for url in [
            "http://localhost/a.pdf",
            "https://localhost/a.pdf",
            "http://shop.example/a",
            "ftp://x/a",
            "https://u@x/",
        ] {
            assert_eq!(MediaUrl::parse(url), Err(InvalidMediaUrl), "{url}");
        }
    }

    #[test]
    fn a_log_shows_no_word_of_a_message() {
        let text = WhatsappText::parse("code 4711", 20).unwrap();
        assert_eq!(format!("{text:?}"), "WhatsappText(9 bytes)");
        let url = MediaUrl::parse("https://shop.example/secret.pdf").unwrap();
        assert_eq!(format!("{url:?}"), "MediaUrl(at shop.example)");
        let value = ParameterText::parse("4711").unwrap();
        assert_eq!(format!("{value:?}"), "ParameterText(4 bytes)");
    }

    proptest! {
        #[test]
        fn what_was_read_is_read_again(text in ".{1,40}") {
            if let Ok(read) = WhatsappText::parse(&text, 40) {
                prop_assert_eq!(WhatsappText::parse(read.as_str(), 40), Ok(read));
            }
            if let Ok(read) = ParameterText::parse(&text) {
                prop_assert_eq!(ParameterText::parse(read.as_str()), Ok(read));
            }
        }
    }
}
