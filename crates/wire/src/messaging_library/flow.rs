//! `POST /messaging/flow`. It must name every step that cannot be read, by its place.

use crate::attribute::{
    AUDIO_URL, Attribute, CALL_KEY, CONTENT, FLOW_NAME, LANGUAGE, MESSAGE_TYPE, SPEAKER,
    STEP_CHOICES, STEP_NAME, STEP_NEXT, STEPS,
};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::voice::call::{PROMPT_TYPES, PromptType, SPEAKERS};
use domain::ivr::{
    CallFlow, CallKey, FlowChoice, FlowFault, FlowFaultKind, FlowStep, Prompt, StepName,
};
use domain::messaging::MessageUrl;
use domain::messaging_library::{LibraryContent, LibraryName};
use domain::sms::MessageTemplate;
use domain::voice::{Speaker, SpeechLanguage};
use std::convert::Infallible;

/// Reads a flow and its name.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(LibraryName, LibraryContent), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = reader.required(&FLOW_NAME, LibraryName::parse);
    let speaker = reader.choice(&SPEAKER, &SPEAKERS);
    let language = reader.optional(&LANGUAGE, SpeechLanguage::parse);
    let steps = reader.objects_within(&STEPS, &(1..=CallFlow::STEPS_MAX), |object| {
        step(object, handling)
    });
    reader.try_finish(|reader| {
        // What is wrong between the steps does not depend on who speaks.
        let asked = (speaker.as_ref().ok(), language.as_ref().ok());
        let spoken = (
            asked.0.copied().flatten().unwrap_or(Speaker::Female),
            asked
                .1
                .cloned()
                .flatten()
                .unwrap_or_else(SpeechLanguage::english),
        );
        let flow = CallFlow::to_keep(spoken, steps?);
        let flow = flow.map_err(|faults| refused(reader, &faults))?;
        let (_, _) = (speaker?, language?);
        Ok((name?, LibraryContent::Flow(flow)))
    })
}

/// Names everything that is wrong between the steps.
fn refused(reader: &mut FieldReader<'_>, faults: &[FlowFault]) -> InvalidField {
    let mut named = None;
    for fault in faults {
        let attribute = attribute_of(&fault.kind);
        let message = fault.kind.to_string();
        named = Some(reader.fault_of_object((&STEPS, fault.at), attribute, &message));
    }
    named.unwrap_or_else(|| reader.fault(&STEPS, "must be the steps of a flow"))
}

const fn attribute_of(fault: &FlowFaultKind) -> &'static Attribute {
    match fault {
        FlowFaultKind::NameTaken(_) | FlowFaultKind::Unreachable => &STEP_NAME,
        FlowFaultKind::UnknownStep(_) | FlowFaultKind::Endless => &STEP_NEXT,
        FlowFaultKind::Long | FlowFaultKind::TooMuch => &CONTENT,
        FlowFaultKind::UnknownChoice(_) | FlowFaultKind::KeyTwice(_) => &STEP_CHOICES,
    }
}

fn step(object: &Attributes, handling: Handling) -> Result<FlowStep<MessageTemplate>, Violations> {
    let mut reader = FieldReader::new(object, handling);
    let name = reader.required(&STEP_NAME, StepName::parse);
    let kind = reader.word(&MESSAGE_TYPE, &PROMPT_TYPES);
    let prompt = prompt(&mut reader, kind);
    let most = FlowStep::<MessageTemplate>::CHOICES_MAX;
    let read = |object: &Attributes| choice(object, handling);
    let choices = reader.optional_objects(&STEP_CHOICES, most, read);
    let next = reader.optional(&STEP_NEXT, StepName::parse);
    reader.finish(|| {
        Ok(FlowStep {
            name: name?,
            prompt: prompt?,
            choices: choices?,
            next: next?,
        })
    })
}

fn prompt(
    reader: &mut FieldReader<'_>,
    kind: Result<PromptType, InvalidField>,
) -> Result<Prompt<MessageTemplate>, InvalidField> {
    match kind {
        Ok(PromptType::Speech) => {
            let text = reader.optional(&CONTENT, MessageTemplate::parse);
            let needed = "is required of a speech; add it";
            let text = text.and_then(|text| text.ok_or_else(|| reader.fault(&CONTENT, needed)));
            reader.excluded(&AUDIO_URL, "a speech")?;
            text.map(Prompt::Speech)
        }
        Ok(PromptType::Audio) => {
            let url = reader.optional(&AUDIO_URL, MessageUrl::parse);
            let needed = "is required of an audio file; add it";
            let url = url.and_then(|url| url.ok_or_else(|| reader.fault(&AUDIO_URL, needed)));
            reader.excluded(&CONTENT, "an audio file")?;
            url.map(Prompt::Audio)
        }
        Err(unread) => {
            // Whether they are right depends on the type.
            let any = |_: &str| Ok::<(), Infallible>(());
            let others = [&CONTENT, &AUDIO_URL];
            let others = others.map(|attribute| reader.optional(attribute, any).err());
            Err(others.into_iter().flatten().next().unwrap_or(unread))
        }
    }
}

fn choice(object: &Attributes, handling: Handling) -> Result<FlowChoice, Violations> {
    let mut reader = FieldReader::new(object, handling);
    let key = reader.required(&CALL_KEY, CallKey::parse);
    let next = reader.required(&STEP_NEXT, StepName::parse);
    reader.finish(|| {
        Ok(FlowChoice {
            key: key?,
            next: next?,
        })
    })
}

/// How the flow is spoken, and its steps.
pub(super) fn view(flow: &CallFlow) -> Object {
    let steps = flow.steps().iter().map(step_view);
    Object::new()
        .with("voice", flow.speaker().code())
        .with("language", flow.language().as_str())
        .with("steps", Node::objects("step", steps))
}

fn step_view(step: &FlowStep<MessageTemplate>) -> Object {
    let choice = |choice: &FlowChoice| {
        Object::new()
            .with("digit", choice.key.to_string())
            .with("stpNext", choice.next.as_str())
    };
    let choices = step.choices.iter().map(choice);
    Object::new()
        .with("stpName", step.name.as_str())
        .with("type", step.prompt.kind())
        .with("content", step.prompt.speech().map(ToString::to_string))
        .with("audioUrl", step.prompt.audio().map(MessageUrl::as_str))
        .with("choices", Node::objects("choice", choices))
        .with("stpNext", step.next.as_ref().map(StepName::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use testkit::builders::kept_flow;

    fn read(steps: &str) -> Result<(LibraryName, LibraryContent), Violations> {
        let attributes = body(&[("flwName", "\"Hours\""), ("steps", steps)]);
        parse(&attributes, Handling::Strict)
    }

    #[test]
    fn a_flow_shows_its_steps_in_their_order() {
        let shown = super::super::view(&kept_flow("shop", 7), &lagos());
        insta::assert_snapshot!(pretty(&shown.into()));
    }

    #[test]
    fn a_flow_is_read_as_it_was_written() {
        let flow = read(
            r#"[{"stpName":"ask","type":"Speech","content":"Hi {first}",
                "choices":[{"digit":"1","stpNext":"bye"}],"stpNext":"bye"},
               {"stpName":"bye","type":"audio","audioUrl":"https://shop.example/a.mp3"}]"#,
        );
        let (_, LibraryContent::Flow(flow)) = flow.unwrap() else {
            panic!("no flow");
        };
        assert_eq!(flow.steps().len(), 2);
        assert_eq!(flow.language().as_str(), "en");
        let first = &flow.steps()[0];
        assert_eq!(
            first.after(CallKey::parse("1").ok()).unwrap().as_str(),
            "bye"
        );
    }

    #[test]
    fn everything_that_is_wrong_is_named_by_its_place() {
        let unread = r#"[{"stpName":"1","type":"speech","content":"","stpNext":"bye",
            "choices":[{"digit":"12","stpNext":"b"},{"digit":"x"}]},
            {"stpName":"a","type":"audio","content":"Hi"}, {"type":"x"}]"#;
        insta::assert_snapshot!(faults(read(unread)), @r"
        400 -
        steps.0.stpName: must be a letter and up to 31 more letters, digits, _ or -, all of ASCII
        steps.0.content: must not be empty
        steps.0.choices.0.digit: must be one of 0–9, * and #
        steps.0.choices.1.digit: must be one of 0–9, * and #
        steps.0.choices.1.stpNext: is required; add it to the body
        steps.1.audioUrl: is required of an audio file; add it
        steps.1.content: is not for an audio file; leave it out
        steps.2.stpName: is required; add it to the body
        steps.2.type: must be speech or audio
        ");
        let mixed = r#"[{"stpName":"a","type":"speech","content":"Hi","stpNext":"c",
            "choices":[{"digit":"1","stpNext":"b"},{"digit":"1","stpNext":"a"}]},
            {"stpName":"a","type":"speech","content":"Hi"}]"#;
        insta::assert_snapshot!(faults(read(mixed)), @r"
        400 -
        steps.1.stpName: is the name of steps.0 as well; give each step its own
        steps.0.choices: lead to b, which is the name of no step
        steps.0.stpNext: is c, which is the name of no step
        steps.0.choices: have the key 1 twice
        ");
        insta::assert_snapshot!(faults(read("[]")), @r"
        400 -
        steps: must hold 1 to 40 objects
        ");
    }
}
