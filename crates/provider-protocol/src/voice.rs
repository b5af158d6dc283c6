//! Voice calls in the protocol. A receipt without a length is of a call that is still under way.

use crate::document::{DocumentError, valid};
use crate::family::{FamilyDocuments, OrderContext};
use crate::messaging::PartiesDocument;
use crate::moment::Moment;
use domain::messaging::{MessageText, MessageUrl};
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::time::Timestamp;
use domain::voice::{
    Call, CallMinutes, CallPlan, PressedDigits, SPOKEN_TEXT_MAX, Speaker, SpeechLanguage,
    VoiceContent, VoiceOrder, VoiceSpeech,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoiceOrderDocument {
    #[serde(flatten)]
    parties: PartiesDocument,
    #[serde(flatten)]
    content: ContentDocument,
    minutes: u8,
    repeat: u8,
    retries: u8,
    call_before: Moment,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
enum ContentDocument {
    Speech {
        content: String,
        voice: String,
        language: String,
    },
    #[serde(rename_all = "camelCase")]
    Audio { audio_url: String },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered_at: Option<Moment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digits: Option<String>,
}

pub(crate) struct VoiceDocuments;

impl FamilyDocuments for VoiceDocuments {
    type Order = VoiceOrder;
    type OrderDocument = VoiceOrderDocument;
    type ReceiptDocument = CallDocument;

    fn order(order: &VoiceOrder) -> VoiceOrderDocument {
        VoiceOrderDocument {
            parties: (&order.parties).into(),
            content: content_document(&order.content),
            minutes: order.plan.minutes.get(),
            repeat: order.plan.repeat(),
            retries: order.plan.retries(),
            call_before: Moment::from(order.call_before),
        }
    }

    fn read_order(
        document: VoiceOrderDocument,
        ordered: OrderContext,
    ) -> Result<VoiceOrder, DocumentError> {
        let minutes = valid(CallMinutes::try_new(document.minutes), "order.minutes")?;
        let plan = CallPlan::try_new(minutes, document.repeat, document.retries);
        Ok(VoiceOrder {
            parties: document.parties.read()?,
            content: read_content(document.content)?,
            plan: valid(plan, "order")?,
            call_before: Timestamp::from(document.call_before),
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<CallDocument> {
        fulfilment.call().map(CallDocument::from)
    }

    fn read_receipt(
        document: Option<CallDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(document.map(|document| Fulfilment::Voice(document.into())))
    }
}

impl From<&Call> for CallDocument {
    fn from(call: &Call) -> Self {
        Self {
            seconds: call.seconds,
            answered_at: call.answered_at.map(Moment::from),
            digits: call.digits.as_ref().map(|it| it.as_str().to_owned()),
        }
    }
}

impl From<CallDocument> for Call {
    fn from(document: CallDocument) -> Self {
        let digits = document.digits.as_deref().map(PressedDigits::parse);
        Self {
            seconds: document.seconds,
            answered_at: document.answered_at.map(Timestamp::from),
            // Keys that are none say nothing, and a call that was answered is to be charged.
            digits: digits.and_then(Result::ok),
        }
    }
}

pub(crate) fn read_speaker(word: &str) -> Result<Speaker, DocumentError> {
    let unknown = || DocumentError::field("order.voice", "must be female or male");
    Speaker::from_code(word).ok_or_else(unknown)
}

fn content_document(content: &VoiceContent) -> ContentDocument {
    match content {
        VoiceContent::Speech(speech) => ContentDocument::Speech {
            content: speech.text.as_str().to_owned(),
            voice: speech.speaker.code().to_owned(),
            language: speech.language.as_str().to_owned(),
        },
        VoiceContent::Audio(url) => ContentDocument::Audio {
            audio_url: url.as_str().to_owned(),
        },
    }
}

fn read_content(document: ContentDocument) -> Result<VoiceContent, DocumentError> {
    Ok(match document {
        ContentDocument::Speech {
            content,
            voice,
            language,
        } => VoiceContent::Speech(VoiceSpeech {
            text: valid(
                MessageText::parse(&content, SPOKEN_TEXT_MAX),
                "order.content",
            )?,
            speaker: read_speaker(&voice)?,
            language: valid(SpeechLanguage::parse(&language), "order.language")?,
        }),
        ContentDocument::Audio { audio_url } => {
            VoiceContent::Audio(valid(MessageUrl::parse(&audio_url), "order.audioUrl")?)
        }
    })
}
