//! What a person can tap under a message or on a card, as the platform takes it.

use crate::messaging::{MessageLine, MessageText, MessageUrl};
use crate::phone::PhoneNumber;

/// A button under a message or on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What it says.
    pub text: MessageLine,
    /// What happens when it is tapped.
    pub action: SuggestionAction,
}

/// What happens when a suggestion is tapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuggestionAction {
    /// The device opens an address.
    Open(MessageUrl),
    /// The device dials a number.
    Dial(PhoneNumber),
    /// The text goes back as an answer, with data that the person does not see.
    Reply(MessageText),
}

impl Suggestion {
    /// Most characters of the text.
    pub const TEXT_MAX: usize = 25;

    /// Most characters of the data of a reply.
    pub const REPLY_MAX: usize = 2048;

    /// Everything it says; equal for equal suggestions alone.
    pub fn values(&self) -> [String; 3] {
        let action = &self.action;
        let (kind, value) = match action {
            SuggestionAction::Open(url) => ("url", url.as_str()),
            SuggestionAction::Dial(number) => ("dial", number.digits()),
            SuggestionAction::Reply(data) => ("reply", data.as_str()),
        };
        [self.text.as_str(), kind, value].map(str::to_owned)
    }
}
