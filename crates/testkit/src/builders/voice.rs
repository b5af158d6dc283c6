//! Voice calls.

use super::products::{phone, serial};
use super::purchase::PurchaseBuilder;
use super::{START, naira};
use domain::country::CountryCode;
use domain::order::Order;
use domain::sms::SenderName;
use domain::voice::{
    CallMinutes, CallPlan, Speaker, SpeechLanguage, SpokenText, VoiceContent, VoiceOrder,
    VoiceSpeech,
};
use domain::whatsapp::MediaUrl;
use std::time::Duration;

/// A call of up to three minutes for 15.00 each, without commission or fee, ordered like
/// [`super::airtime`].
pub fn voice_call() -> PurchaseBuilder {
    calling(VoiceContent::Speech(VoiceSpeech {
        text: SpokenText::parse("Your code is 4 7 1 1.").expect("a text"),
        speaker: Speaker::Female,
        language: SpeechLanguage::english(),
    }))
}

/// The same with a file that is played.
pub fn voice_audio() -> PurchaseBuilder {
    let url = MediaUrl::parse("https://shop.example/calls/reminder.mp3");
    calling(VoiceContent::Audio(url.expect("an address")))
}

fn calling(content: VoiceContent) -> PurchaseBuilder {
    let minutes = CallMinutes::try_new(3).expect("minutes");
    let order = VoiceOrder {
        number: phone("2348031234567"),
        country: CountryCode::NIGERIA,
        network: "MTN".into(),
        sender: serial("100000000001"),
        sender_name: SenderName::parse("CornerShop").expect("a sender name"),
        content,
        plan: CallPlan::try_new(minutes, 2, 1).expect("a plan"),
        call_before: START.plus(Duration::from_hours(48)),
        amount: naira("45.00"),
    };
    PurchaseBuilder::of_product(Order::Voice(order)).terms("0", "10", "0.00")
}
