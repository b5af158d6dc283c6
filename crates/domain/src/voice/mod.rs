//! Voice calls: what is said, how often a person is called, and what became of it. It must never
//! call or price.

mod call;
mod content;
mod order;

pub use call::{Call, InvalidDigits, PressedDigits, UnansweredCall};
pub use content::{
    InvalidSpeechLanguage, SPOKEN_TEXT_MAX, Speaker, SpeechLanguage, VoiceContent, VoiceSpeech,
};
pub use order::{CallMinutes, CallPlan, CallWindow, InvalidCallPlan, VoiceCall, VoiceOrder};
