//! Voice calls.

use super::orders::{countries, phones, sums, words};
use crate::builders::serial;
use domain::money::Money;
use domain::sms::SenderName;
use domain::time::Timestamp;
use domain::voice::{
    Call, CallMinutes, CallPlan, PressedDigits, Speaker, SpeechLanguage, SpokenText, VoiceContent,
    VoiceOrder, VoiceSpeech,
};
use domain::whatsapp::MediaUrl;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A call of any kind.
pub fn voice_orders() -> impl Strategy<Value = VoiceOrder> {
    let text = "\\PC{1,60}".prop_filter_map("a text", |text| SpokenText::parse(&text).ok());
    let speech = (text, select(&Speaker::ALL[..]), "[a-z]{2,3}(-[A-Z]{2})?");
    let speech = speech.prop_map(|(text, speaker, language)| VoiceSpeech {
        text,
        speaker,
        language: SpeechLanguage::parse(&language).expect("a language"),
    });
    let url = "https://[a-z]{1,20}\\.example/[a-zA-Z0-9/_-]{0,40}";
    let url = url.prop_map(|url| MediaUrl::parse(&url).expect("an address"));
    let content = prop_oneof![
        speech.prop_map(VoiceContent::Speech),
        url.prop_map(VoiceContent::Audio),
    ];
    let minutes =
        (1..=CallMinutes::MAX).prop_map(|minutes| CallMinutes::try_new(minutes).expect("minutes"));
    let plan = (
        minutes,
        1..=CallPlan::REPEAT_MAX,
        0..=CallPlan::RETRIES_MAX,
        0..4_000_000_000_000_i64,
    );
    let plan = plan.prop_map(|(minutes, repeat, retries, before)| {
        let plan = CallPlan::try_new(minutes, repeat, retries).expect("a plan");
        (plan, Timestamp::from_millis(before))
    });
    let sender = ("[1-9][0-9]{11}", "[A-Za-z][A-Za-z0-9]{2,10}");
    let addressed = (phones(), countries(), words());
    (addressed, sender, content, plan, sums()).prop_map(
        |((number, country, network), (sender, name), content, (plan, call_before), sum)| {
            VoiceOrder {
                number,
                country,
                network,
                sender: serial(&sender),
                sender_name: SenderName::parse(&name).expect("a sender name"),
                content,
                plan,
                call_before,
                amount: in_minutes(sum, plan.minutes),
            }
        },
    )
}

/// What becomes of one.
pub fn calls() -> impl Strategy<Value = Call> {
    let digits = "[0-9*#]{1,20}".prop_map(|it| PressedDigits::parse(&it).expect("keys"));
    let at = 0..4_000_000_000_000_i64;
    let parts = (option::of(0..1_000_u32), option::of(at), option::of(digits));
    parts.prop_map(|(seconds, at, digits)| Call {
        seconds,
        answered_at: at.map(Timestamp::from_millis),
        digits,
    })
}

/// A sum that each minute has the same part of.
fn in_minutes(sum: Money, minutes: CallMinutes) -> Money {
    let minutes = i64::from(minutes.get());
    let one = (sum.minor() / minutes).max(1);
    Money::from_minor(one * minutes, sum.currency())
}
