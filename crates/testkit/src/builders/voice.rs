//! Voice calls.

use super::messaging::message_parties;
use super::purchase::PurchaseBuilder;
use super::{START, naira};
use domain::messaging::{MessageText, MessageUrl};
use domain::order::Order;
use domain::voice::{
    CallMinutes, CallPlan, SPOKEN_TEXT_MAX, Speaker, SpeechLanguage, VoiceContent, VoiceOrder,
    VoiceSpeech,
};
use std::time::Duration;

/// A call of up to three minutes for 15.00 each, without commission or fee, ordered like
/// [`super::airtime`].
pub fn voice_call() -> PurchaseBuilder {
    calling(VoiceContent::Speech(VoiceSpeech {
        text: MessageText::parse("Your code is 4 7 1 1.", SPOKEN_TEXT_MAX).expect("a text"),
        speaker: Speaker::Female,
        language: SpeechLanguage::english(),
    }))
}

/// The same with a file that is played.
pub fn voice_audio() -> PurchaseBuilder {
    let url = MessageUrl::parse("https://shop.example/calls/reminder.mp3");
    calling(VoiceContent::Audio(url.expect("an address")))
}

fn calling(content: VoiceContent) -> PurchaseBuilder {
    let minutes = CallMinutes::try_new(3).expect("minutes");
    let order = VoiceOrder {
        parties: message_parties(),
        content,
        plan: CallPlan::try_new(minutes, 2, 1).expect("a plan"),
        call_before: START.plus(Duration::from_hours(48)),
        amount: naira("45.00"),
    };
    PurchaseBuilder::of_product(Order::Voice(order)).terms("0", "10", "0.00")
}
