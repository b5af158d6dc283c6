//! Calls that run a flow.

use super::messaging::{message_parties, message_urls};
use super::orders::sums;
use super::voice::{calls, in_minutes, speakers, speech_languages};
use domain::ivr::{
    CallFlow, CallKey, FilledFlow, FlowChoice, FlowRun, FlowRunId, FlowStep, IvrOrder, PathStep,
    Prompt, StepName,
};
use domain::messaging_library::LibraryItemId;
use domain::reference::TransactionNumber;
use domain::sms::{MessageTemplate, PersonalFields};
use domain::time::Timestamp;
use domain::voice::CallMinutes;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A flow of any form: each step leads to the next, and some to others as well.
pub fn call_flows() -> impl Strategy<Value = CallFlow> {
    let text = "[A-Za-z ,.\u{1ecd}]{1,30}";
    let text = text.prop_map(|it| MessageTemplate::parse(&it).expect("a text"));
    let prompt = prop_oneof![
        4 => text.prop_map(Prompt::Speech),
        1 => message_urls().prop_map(Prompt::Audio),
    ];
    let choices = vec((select(&CallKey::ALL[..]), 0..8_usize), 0..3);
    let steps = vec((prompt, choices), 1..8);
    let spoken = (speakers(), speech_languages());
    (spoken, steps)
        .prop_map(|(spoken, steps)| {
            let count = steps.len();
            let name = |at: usize| StepName::parse(&format!("step-{at}")).expect("a name");
            let steps = steps.into_iter().enumerate().map(|(at, (prompt, keys))| {
                let mut choices: Vec<FlowChoice> = Vec::new();
                for (key, to) in keys {
                    if choices.iter().all(|known| known.key != key) {
                        let next = name(to % count);
                        choices.push(FlowChoice { key, next });
                    }
                }
                FlowStep {
                    name: name(at),
                    prompt,
                    choices,
                    next: (at + 1 < count).then(|| name(at + 1)),
                }
            });
            CallFlow::try_new(spoken, steps.collect()).expect("a flow")
        })
        .boxed()
}

fn filled_flows() -> impl Strategy<Value = FilledFlow> {
    call_flows().prop_map(|flow| flow.fill(&PersonalFields::new()).expect("no places"))
}

/// A call of any kind.
pub fn ivr_orders() -> impl Strategy<Value = IvrOrder> {
    let ids = (1..=TransactionNumber::MAX)
        .prop_map(|id| LibraryItemId::new(TransactionNumber::try_new(id).expect("a number")));
    let minutes =
        (1..=CallMinutes::MAX).prop_map(|minutes| CallMinutes::try_new(minutes).expect("minutes"));
    let before = (0..4_000_000_000_000_i64).prop_map(Timestamp::from_millis);
    (
        message_parties(),
        (ids, filled_flows()),
        (minutes, before),
        sums(),
    )
        .prop_map(
            |(parties, (flow_id, flow), (minutes, call_before), sum)| IvrOrder {
                parties,
                flow_id,
                flow,
                minutes,
                call_before,
                amount: in_minutes(sum, minutes),
            },
        )
        .boxed()
}

/// What becomes of one, whatever the flow.
pub fn flow_runs() -> impl Strategy<Value = FlowRun> {
    let id = "[!-~]{1,64}".prop_map(|it| FlowRunId::parse(&it).expect("a run"));
    let step = (
        "[a-z][a-z0-9_-]{0,31}",
        option::of(select(&CallKey::ALL[..])),
    );
    let step = step.prop_map(|(name, key)| PathStep {
        step: StepName::parse(&name).expect("a name"),
        key,
    });
    let parts = (calls(), option::of(id), vec(step, 0..5));
    parts.prop_map(|(call, id, path)| FlowRun { call, id, path })
}
