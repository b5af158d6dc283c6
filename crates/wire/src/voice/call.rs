//! `POST /messaging/voice`. It must not know any numbering plan or sender.

use crate::attribute::{
    AUDIO_URL, CALL_REPEAT, CALL_RETRIES, CONTENT, LANGUAGE, MESSAGE_TYPE, SPEAKER,
};
use crate::attributes::Attributes;
use crate::format::gateway_status;
use crate::messaging::{calls, parties};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::country::CountryCode;
use domain::messaging::{MessageText, MessageUrl};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::transaction::Transaction;
use domain::voice::{
    CallPlan, CallWindow, PressedDigits, SPOKEN_TEXT_MAX, Speaker, SpeechLanguage, VoiceCall,
    VoiceContent, VoiceOrder, VoiceSpeech,
};
use std::convert::Infallible;

/// What `type` can be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PromptType {
    Speech,
    Audio,
}

pub(crate) const PROMPT_TYPES: [(&str, PromptType); 2] = [
    (VoiceContent::KINDS[0], PromptType::Speech),
    (VoiceContent::KINDS[1], PromptType::Audio),
];

pub(crate) const SPEAKERS: [(&str, Speaker); 2] = [
    (Speaker::WORDS[0], Speaker::Female),
    (Speaker::WORDS[1], Speaker::Male),
];

/// Reads a call; `status` is called with the number where it and its country could be read.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<VoiceCall, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let parties = parties::parse(&mut reader, status);
    let kind = reader.word(&MESSAGE_TYPE, &PROMPT_TYPES);
    let content = content(&mut reader, kind);
    let plan = plan(&mut reader);
    reader.finish(|| {
        let (plan, window) = plan?;
        Ok(VoiceCall {
            reference: reference?,
            parties: parties?,
            content: content?,
            plan,
            window,
        })
    })
}

/// What is said. What belongs to another type is refused: which of the two was meant would be a
/// guess.
fn content(
    reader: &mut FieldReader<'_>,
    kind: Result<PromptType, InvalidField>,
) -> Result<VoiceContent, InvalidField> {
    match kind {
        Ok(PromptType::Speech) => {
            let text = |text: &str| MessageText::parse(text, SPOKEN_TEXT_MAX);
            let text = reader.required(&CONTENT, text);
            let speaker = reader.choice(&SPEAKER, &SPEAKERS);
            let language = reader.optional(&LANGUAGE, SpeechLanguage::parse);
            reader.excluded(&AUDIO_URL, "a speech")?;
            Ok(VoiceContent::Speech(VoiceSpeech {
                text: text?,
                speaker: speaker?.unwrap_or(Speaker::Female),
                language: language?.unwrap_or_else(SpeechLanguage::english),
            }))
        }
        Ok(PromptType::Audio) => {
            let url = reader.required(&AUDIO_URL, MessageUrl::parse);
            let others = [&CONTENT, &SPEAKER, &LANGUAGE];
            let others = others.map(|attribute| reader.excluded(attribute, "an audio file"));
            let excluded: Result<Vec<()>, InvalidField> = others.into_iter().collect();
            excluded?;
            url.map(VoiceContent::Audio)
        }
        Err(unread) => {
            // Whether they are right depends on the type.
            let any = |_: &str| Ok::<(), Infallible>(());
            let speaker = reader.choice(&SPEAKER, &SPEAKERS);
            let others = [&CONTENT, &LANGUAGE, &AUDIO_URL];
            let others = others.map(|attribute| reader.optional(attribute, any).err());
            let faults = [speaker.err()].into_iter().chain(others);
            Err(faults.flatten().next().unwrap_or(unread))
        }
    }
}

/// How often the person is called, and in what time.
fn plan(reader: &mut FieldReader<'_>) -> Result<(CallPlan, CallWindow), InvalidField> {
    let minutes = calls::minutes(reader);
    let repeat = reader.count(&CALL_REPEAT, (1, u64::from(CallPlan::REPEAT_MAX)));
    let retries = reader.count(&CALL_RETRIES, (0, u64::from(CallPlan::RETRIES_MAX)));
    let window = calls::window(reader);
    let (minutes, repeat, retries, window) = (minutes?, repeat?, retries?, window?);
    let plan = CallPlan::try_new(minutes, repeat.unwrap_or(1), retries.unwrap_or(0));
    // Each value was read within its range.
    let plan = plan.map_err(|wrong| reader.fault(&CALL_REPEAT, &wrong.to_string()))?;
    Ok((plan, window))
}

/// A call as its answer and its report show it.
pub(crate) fn view(transaction: &Transaction, order: &VoiceOrder, zone: &Zone) -> Object {
    let call = calls::answered(transaction);
    let digits = call.and_then(|it| it.digits.as_ref());
    let speech = order.content.speech();
    let cost = transaction.charged().price;
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway_status(transaction.gateway_status()))
        .and(calls::view(transaction, zone))
        .with("digits", digits.map(PressedDigits::as_str))
        .and(parties::view(&order.parties))
        .with("type", order.content.kind())
        .with("content", speech.map(|it| it.text.as_str()))
        .with("audioUrl", order.content.audio().map(MessageUrl::as_str))
        .with("callMinutes", u64::from(order.plan.minutes.get()))
        .with("cost", cost)
        .with("currency", cost.currency().code())
}
