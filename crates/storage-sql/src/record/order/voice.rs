//! The record of a voice call.

use super::messaging::PartiesRecord;
use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid, word};
use domain::messaging::{MessageText, MessageUrl};
use domain::time::Timestamp;
use domain::voice::{
    CallMinutes, CallPlan, SPOKEN_TEXT_MAX, Speaker, SpeechLanguage, VoiceContent, VoiceOrder,
    VoiceSpeech,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct VoiceRecord<'a> {
    #[serde(borrow, flatten)]
    parties: PartiesRecord<'a>,
    #[serde(borrow)]
    content: ContentRecord<'a>,
    minutes: u8,
    repeat: u8,
    retries: u8,
    call_before: i64,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ContentRecord<'a> {
    Speech {
        #[serde(borrow)]
        text: Text<'a>,
        #[serde(borrow)]
        speaker: Text<'a>,
        #[serde(borrow)]
        language: Text<'a>,
    },
    #[serde(borrow)]
    Audio(Text<'a>),
}

impl<'a> From<&'a VoiceOrder> for VoiceRecord<'a> {
    fn from(order: &'a VoiceOrder) -> Self {
        Self {
            parties: (&order.parties).into(),
            content: (&order.content).into(),
            minutes: order.plan.minutes.get(),
            repeat: order.plan.repeat(),
            retries: order.plan.retries(),
            call_before: order.call_before.as_millis(),
            amount: order.amount.into(),
        }
    }
}

impl VoiceRecord<'_> {
    pub(super) fn restore(self) -> Result<VoiceOrder, RecordError> {
        let minutes = valid(CallMinutes::try_new(self.minutes), "minutes")?;
        let plan = CallPlan::try_new(minutes, self.repeat, self.retries);
        Ok(VoiceOrder {
            parties: self.parties.restore()?,
            content: self.content.restore()?,
            plan: valid(plan, "plan")?,
            call_before: Timestamp::from_millis(self.call_before),
            amount: self.amount.restore("amount")?,
        })
    }
}

impl<'a> From<&'a VoiceContent> for ContentRecord<'a> {
    fn from(content: &'a VoiceContent) -> Self {
        match content {
            VoiceContent::Speech(speech) => Self::Speech {
                text: speech.text.as_str().into(),
                speaker: speech.speaker.code().into(),
                language: speech.language.as_str().into(),
            },
            VoiceContent::Audio(url) => Self::Audio(url.as_str().into()),
        }
    }
}

impl ContentRecord<'_> {
    fn restore(self) -> Result<VoiceContent, RecordError> {
        Ok(match self {
            Self::Speech {
                text,
                speaker,
                language,
            } => VoiceContent::Speech(VoiceSpeech {
                text: valid(MessageText::parse(&text, SPOKEN_TEXT_MAX), "text")?,
                speaker: word(Speaker::from_code(&speaker), "speaker")?,
                language: valid(SpeechLanguage::parse(&language), "language")?,
            }),
            Self::Audio(url) => VoiceContent::Audio(valid(MessageUrl::parse(&url), "url")?),
        })
    }
}
