//! Voice calls. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{EventSchema, StateCheck, after_opening, in_every_state};
use domain::provider::{QueryOutcome, Refusal, RefusalKind};
use domain::voice::{Call, PressedDigits, Speaker, UnansweredCall};
use testkit::builders::{self, START, advance, at, call_ended, finding, pending};
use wire::attribute::{
    AUDIO_URL, CALL_MINUTES, CALL_REPEAT, CALL_RETRIES, CALL_WINDOW, CONTENT, COUNTRY, LANGUAGE,
    MESSAGE_TYPE, PHONE, REFERENCE, SENDER, SPEAKER,
};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "voice",
        name: "Voice calls",
        about: "Call persons, say a text or play a file, and learn what became of the call.",
        operations: vec![list(), call(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    let mut event = EventSchema::of("VoiceEvent", "voice", [builders::voice_call()]);
    let states = ended().into_iter().chain(playing());
    event
        .transactions
        .extend(states.map(|state| state.transaction));
    event
}

fn call() -> Operation {
    Operation::post("/messaging/voice", "callVoice", "Call a person")
        .detailed(
            "The price of `callMinutes` is held. A call that is answered costs the minutes that it \
             began, and the rest is given back in the same step; a call that is not answered costs \
             nothing. `txnStatus` is Pending until the call is over.",
        )
        .takes_as(
            "Speech",
            to_person("call-1001").chain([
                required(&MESSAGE_TYPE, "speech").one_of(&["speech"]),
                required(&CONTENT, "Your code is 4 7 1 1."),
                optional(&SPEAKER).one_of(&Speaker::WORDS),
                optional(&LANGUAGE),
            ]),
        )
        .takes_as(
            "File",
            to_person("call-1002").chain([
                required(&MESSAGE_TYPE, "audio").one_of(&["audio"]),
                required(&AUDIO_URL, "https://shop.example/calls/reminder.mp3"),
            ]),
        )
        .pays("VoiceCall", all_states())
        .refused(&[404])
}

fn to_person(reference: &'static str) -> impl Iterator<Item = Parameter> {
    [
        required(&REFERENCE, reference),
        required(&COUNTRY, "566"),
        required(&PHONE, "2348031234567"),
        required(&SENDER, "482913560177"),
        optional(&CALL_MINUTES),
        optional(&CALL_REPEAT),
        optional(&CALL_RETRIES),
        optional(&CALL_WINDOW),
    ]
    .into_iter()
}

fn list() -> Operation {
    Operation::get("/messaging/voice", "listVoice", "List voice calls")
        .lists_transactions("VoiceCalls", all_states())
}

fn transaction() -> Operation {
    Operation::get(
        "/messaging/voice/transaction",
        "reportVoice",
        "Report a voice call",
    )
    .takes([required(&REFERENCE, "call-1001")])
    .reports("VoiceCall", all_states())
}

fn all_states() -> Vec<StateCheck> {
    let mut states = in_every_state(builders::voice_call());
    states.extend(ended());
    states.extend(playing().into_iter().map(StateCheck::unseen));
    states
}

/// Calls in which a key was pressed, and that were not answered.
fn ended() -> Vec<StateCheck> {
    let opened = builders::voice_call().transaction();
    let made = advance(&opened, &pending(&opened), START).transaction;
    let pressed = Call {
        seconds: Some(74),
        answered_at: Some(at(5)),
        digits: PressedDigits::parse("1").ok(),
    };
    let pressed = advance(&made, &call_ended(&made, pressed), at(80)).transaction;
    let unanswered = UnansweredCall::ALL.map(|it| {
        let found = finding(&made, not_answered(it));
        let ended = advance(&made, &found, at(40)).transaction;
        StateCheck::of(it.code(), ended)
    });
    let pressed = StateCheck::of("key pressed", pressed);
    std::iter::once(pressed).chain(unanswered).collect()
}

/// What a query finds of a call that was not answered.
pub(super) fn not_answered(why: UnansweredCall) -> QueryOutcome {
    QueryOutcome::Declined(Refusal {
        kind: RefusalKind::Order,
        code: why.code().to_owned(),
        reason: "not answered".to_owned(),
    })
}

/// Files; they are used for the schema.
fn playing() -> Vec<StateCheck> {
    after_opening(builders::voice_audio().transaction())
}
