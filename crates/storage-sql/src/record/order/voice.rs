//! The record of a voice call.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, country, valid, word};
use domain::phone::PhoneNumber;
use domain::sms::{SenderName, SenderSerial};
use domain::time::Timestamp;
use domain::voice::{
    CallMinutes, CallPlan, Speaker, SpeechLanguage, SpokenText, VoiceContent, VoiceOrder,
    VoiceSpeech,
};
use domain::whatsapp::MediaUrl;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct VoiceRecord<'a> {
    #[serde(borrow)]
    number: Text<'a>,
    country: u16,
    #[serde(borrow)]
    network: Text<'a>,
    #[serde(borrow)]
    sender: Text<'a>,
    #[serde(borrow)]
    sender_name: Text<'a>,
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
            number: order.number.digits().into(),
            country: order.country.get(),
            network: (&order.network).into(),
            sender: order.sender.as_str().into(),
            sender_name: order.sender_name.as_str().into(),
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
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            country: country(self.country)?,
            network: self.network.into_owned(),
            sender: valid(SenderSerial::parse(&self.sender), "sender")?,
            sender_name: valid(SenderName::recorded(&self.sender_name), "sender_name")?,
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
                text: valid(SpokenText::parse(&text), "text")?,
                speaker: word(Speaker::from_code(&speaker), "speaker")?,
                language: valid(SpeechLanguage::parse(&language), "language")?,
            }),
            Self::Audio(url) => VoiceContent::Audio(valid(MediaUrl::parse(&url), "url")?),
        })
    }
}
