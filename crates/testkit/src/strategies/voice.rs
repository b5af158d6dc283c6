//! Voice calls.

use super::messaging::{message_parties, message_texts, message_urls};
use super::orders::sums;
use domain::money::Money;
use domain::time::Timestamp;
use domain::voice::{
    Call, CallMinutes, CallPlan, PressedDigits, Speaker, SpeechLanguage, VoiceContent, VoiceOrder,
    VoiceSpeech,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A call of any kind.
pub fn voice_orders() -> impl Strategy<Value = VoiceOrder> {
    let speech = (message_texts(), speakers(), speech_languages());
    let speech = speech.prop_map(|(text, speaker, language)| VoiceSpeech {
        text,
        speaker,
        language,
    });
    let content = prop_oneof![
        speech.prop_map(VoiceContent::Speech),
        message_urls().prop_map(VoiceContent::Audio),
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
    (message_parties(), content, plan, sums())
        .prop_map(|(parties, content, (plan, call_before), sum)| VoiceOrder {
            parties,
            content,
            plan,
            call_before,
            amount: in_minutes(sum, plan.minutes),
        })
        .boxed()
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

pub(super) fn speakers() -> impl Strategy<Value = Speaker> {
    select(&Speaker::ALL[..])
}

pub(super) fn speech_languages() -> impl Strategy<Value = SpeechLanguage> {
    "[a-z]{2,3}(-[A-Z]{2})?".prop_map(|it| SpeechLanguage::parse(&it).expect("a language"))
}

/// A sum that each minute has the same part of.
pub(super) fn in_minutes(sum: Money, minutes: CallMinutes) -> Money {
    let minutes = i64::from(minutes.get());
    let one = (sum.minor() / minutes).max(1);
    Money::from_minor(one * minutes, sum.currency())
}
