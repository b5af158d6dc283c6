//! One step of a flow. What is said in it must never be shown in a log.

use crate::messaging::MessageUrl;
use crate::voice::VoiceContent;
use std::fmt;

/// The name of a step, unique in its flow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepName(String);

/// Why a text is no name of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be a letter and up to {} more letters, digits, _ or -, all of ASCII",
    StepName::LENGTH_MAX - 1
)]
pub struct InvalidStepName;

impl StepName {
    /// Most characters: a name says what a step is for, such as `ask-for-language`.
    pub const LENGTH_MAX: usize = 32;

    /// Reads a name.
    ///
    /// # Errors
    /// Refuses an empty or long text, one that does not begin with a letter, and characters other
    /// than letters, digits, `_` and `-`.
    pub fn parse(text: &str) -> Result<Self, InvalidStepName> {
        let begins = text.starts_with(|first: char| first.is_ascii_alphabetic());
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if begins && text.len() <= Self::LENGTH_MAX && text.chars().all(is_word) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidStepName)
        }
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A key of a telephone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallKey(char);

/// Why a text is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of 0–9, * and #")]
pub struct InvalidCallKey;

impl CallKey {
    /// Every key.
    pub const ALL: [Self; 12] = [
        Self('0'),
        Self('1'),
        Self('2'),
        Self('3'),
        Self('4'),
        Self('5'),
        Self('6'),
        Self('7'),
        Self('8'),
        Self('9'),
        Self('*'),
        Self('#'),
    ];

    /// Reads a key.
    ///
    /// # Errors
    /// Refuses every text but one key.
    pub fn parse(text: &str) -> Result<Self, InvalidCallKey> {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(key), None) => Self::from_char(key),
            (Some(_) | None, _) => Err(InvalidCallKey),
        }
    }

    /// The key of a character.
    ///
    /// # Errors
    /// Refuses every character but those of keys.
    pub fn from_char(key: char) -> Result<Self, InvalidCallKey> {
        let key = Self(key);
        Self::ALL
            .contains(&key)
            .then_some(key)
            .ok_or(InvalidCallKey)
    }
}

impl CallKey {
    /// As a character.
    pub const fn as_char(self) -> char {
        self.0
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a person is said in a step: `S` is a text, with or without places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt<S> {
    /// A text that is spoken.
    Speech(S),
    /// A file that is played.
    Audio(MessageUrl),
}

impl<S> Prompt<S> {
    /// The word for its kind.
    pub const fn kind(&self) -> &'static str {
        let [speech, audio] = VoiceContent::KINDS;
        match self {
            Self::Speech(_) => speech,
            Self::Audio(_) => audio,
        }
    }

    /// The text, of a speech.
    pub const fn speech(&self) -> Option<&S> {
        match self {
            Self::Speech(text) => Some(text),
            Self::Audio(_) => None,
        }
    }

    /// The file, where one is played.
    pub const fn audio(&self) -> Option<&MessageUrl> {
        match self {
            Self::Speech(_) => None,
            Self::Audio(url) => Some(url),
        }
    }
}

/// Where a key leads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FlowChoice {
    /// The key.
    pub key: CallKey,
    /// The step after it.
    pub next: StepName,
}

/// A step of a flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowStep<S> {
    /// Its name.
    pub name: StepName,
    /// What the person is said.
    pub prompt: Prompt<S>,
    /// Which keys are waited for afterwards; none where the call goes on at once.
    pub choices: Vec<FlowChoice>,
    /// The step after it where no key of the choices is pressed; the call ends where it is `None`.
    pub next: Option<StepName>,
}

impl<S> FlowStep<S> {
    /// Most choices: a telephone has no more keys.
    pub const CHOICES_MAX: usize = CallKey::ALL.len();

    /// Every step that may come after it.
    pub fn followers(&self) -> impl Iterator<Item = &StepName> {
        let chosen = self.choices.iter().map(|choice| &choice.next);
        chosen.chain(&self.next)
    }

    /// The step after it where a key was pressed, or none.
    pub fn after(&self, pressed: Option<CallKey>) -> Option<&StepName> {
        let mut choices = self.choices.iter();
        let chosen = choices.find(|choice| Some(choice.key) == pressed);
        chosen.map(|choice| &choice.next).or(self.next.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_of_a_telephone() {
        for key in CallKey::ALL {
            assert_eq!(CallKey::parse(&key.to_string()), Ok(key));
        }
        for text in ["", "10", "a", "+", "٣", " 1"] {
            assert_eq!(CallKey::parse(text), Err(InvalidCallKey), "{text}");
        }
    }

    #[test]
    fn a_name_is_one_short_word() {
        let long = format!("a{}", "-".repeat(31));
        for name in ["a", "Ask_2", long.as_str()] {
            assert_eq!(StepName::parse(name).unwrap().as_str(), name);
        }
        for name in ["", "1a", "a b", "é", "a.b", &format!("{long}b")] {
            assert_eq!(StepName::parse(name), Err(InvalidStepName), "{name}");
        }
    }

    #[test]
    fn a_key_without_a_choice_goes_on_as_no_key_does() {
        let name = |text| StepName::parse(text).unwrap();
        let key = |text| Some(CallKey::parse(text).unwrap());
        let step = FlowStep {
            name: name("ask"),
            prompt: Prompt::Speech("Hi"),
            choices: vec![FlowChoice {
                key: CallKey::ALL[1],
                next: name("yes"),
            }],
            next: Some(name("no")),
        };
        assert_eq!(step.after(key("1")), Some(&name("yes")));
        assert_eq!(step.after(key("2")), Some(&name("no")));
        assert_eq!(step.after(None), Some(&name("no")));
        let ending = FlowStep { next: None, ..step };
        assert_eq!(ending.after(None), None);
    }
}
