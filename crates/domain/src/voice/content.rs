//! What is said in a call. It must never be changed after it was parsed, and never be shown in a
//! log.

use crate::messaging::{MessageText, MessageUrl};
use crate::text;

/// Most characters of a text to speak, as providers of speech take them: about five minutes.
pub const SPOKEN_TEXT_MAX: usize = 4096;

/// Who speaks a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A woman's voice.
    Female,
    /// A man's voice.
    Male,
}

impl Speaker {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Female, Self::Male];

    /// The words of both, in the same order.
    pub const WORDS: [&str; 2] = ["female", "male"];

    /// The lower-case word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|speaker| speaker.code() == code)
    }
}

/// A language to speak, such as `en`, or `en-NG` with a country.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SpeechLanguage(String);

/// A text that names no language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a language such as en, or a language and a country such as en-NG")]
pub struct InvalidSpeechLanguage;

impl SpeechLanguage {
    /// Reads a language: two or three lower-case letters, and a country of two capitals.
    ///
    /// # Errors
    /// Refuses anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidSpeechLanguage> {
        text::is_language(text, '-')
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidSpeechLanguage)
    }

    /// English, which is spoken where no language is named.
    pub fn english() -> Self {
        Self("en".to_owned())
    }

    /// As written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text, and how it is spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceSpeech {
    /// What is said.
    pub text: MessageText,
    /// By whom.
    pub speaker: Speaker,
    /// In which language.
    pub language: SpeechLanguage,
}

/// What is said in a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoiceContent {
    /// A text that is spoken.
    Speech(VoiceSpeech),
    /// A file that is played.
    Audio(MessageUrl),
}

impl VoiceContent {
    /// The words of every kind.
    pub const KINDS: [&str; 2] = ["speech", "audio"];

    /// The lower-case word of its kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Speech(_) => "speech",
            Self::Audio(_) => "audio",
        }
    }

    /// The text, where it is spoken.
    pub const fn speech(&self) -> Option<&VoiceSpeech> {
        match self {
            Self::Speech(speech) => Some(speech),
            Self::Audio(_) => None,
        }
    }

    /// The address of the file, where one is played.
    pub const fn audio(&self) -> Option<&MessageUrl> {
        match self {
            Self::Speech(_) => None,
            Self::Audio(url) => Some(url),
        }
    }

    /// Every value of it, in a fixed order: two contents are the same exactly where these are.
    pub fn values(&self) -> Vec<String> {
        let kind = self.kind().to_owned();
        match self {
            Self::Speech(speech) => vec![
                kind,
                speech.text.as_str().to_owned(),
                speech.speaker.code().to_owned(),
                speech.language.as_str().to_owned(),
            ],
            Self::Audio(url) => vec![kind, url.as_str().to_owned()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_may_name_a_country() {
        for language in ["en", "yor", "en-NG"] {
            let parsed = SpeechLanguage::parse(language).unwrap();
            assert_eq!(parsed.as_str(), language);
        }
        for text in ["", "e", "english", "EN", "en_NG", "en-ng", "en-", "en-NGA"] {
            let refused = SpeechLanguage::parse(text);
            assert_eq!(refused, Err(InvalidSpeechLanguage), "{text}");
        }
        assert_eq!(SpeechLanguage::parse("en"), Ok(SpeechLanguage::english()));
    }

    #[test]
    fn speakers_are_read_back_from_their_words() {
        assert_eq!(Speaker::ALL.map(Speaker::code), Speaker::WORDS);
        for speaker in Speaker::ALL {
            assert_eq!(Speaker::from_code(speaker.code()), Some(speaker));
        }
        assert_eq!(Speaker::from_code("Female"), None);
    }
}
