//! The record of a flow of a call, as it is kept and as it is said in one call.

use super::RecordError;
use super::scalar::{Text, valid, word};
use domain::ivr::{CallKey, FlowChoice, FlowStep, Prompt, StepFlow, StepName};
use domain::messaging::MessageUrl;
use domain::voice::{Speaker, SpeechLanguage};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FlowRecord<'a> {
    #[serde(borrow)]
    speaker: Text<'a>,
    #[serde(borrow)]
    language: Text<'a>,
    #[serde(borrow)]
    steps: Vec<StepRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StepRecord<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    prompt: PromptRecord<'a>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    choices: Vec<ChoiceRecord<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    next: Option<Text<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PromptRecord<'a> {
    #[serde(borrow)]
    Speech(Text<'a>),
    #[serde(borrow)]
    Audio(Text<'a>),
}

/// A key, and the step after it.
#[derive(Debug, Serialize, Deserialize)]
struct ChoiceRecord<'a>(char, #[serde(borrow)] Text<'a>);

impl<'a> FlowRecord<'a> {
    pub(super) fn of<S>(flow: &'a StepFlow<S>, text: impl Fn(&'a S) -> Text<'a>) -> Self {
        let choice = |it: &'a FlowChoice| ChoiceRecord(it.key.as_char(), it.next.as_str().into());
        let step = |step: &'a FlowStep<S>| StepRecord {
            name: step.name.as_str().into(),
            prompt: match &step.prompt {
                Prompt::Speech(said) => PromptRecord::Speech(text(said)),
                Prompt::Audio(url) => PromptRecord::Audio(url.as_str().into()),
            },
            choices: step.choices.iter().map(choice).collect(),
            next: step.next.as_ref().map(|name| name.as_str().into()),
        };
        Self {
            speaker: flow.speaker().code().into(),
            language: flow.language().as_str().into(),
            steps: flow.steps().iter().map(step).collect(),
        }
    }

    pub(super) fn restore<S>(
        self,
        text: impl Fn(&str) -> Result<S, RecordError>,
    ) -> Result<StepFlow<S>, RecordError> {
        let step = |step: StepRecord<'_>| {
            let next = step.next.map(|name| StepName::parse(&name));
            let choices = step.choices.into_iter().map(ChoiceRecord::restore);
            Ok(FlowStep {
                name: valid(StepName::parse(&step.name), "name")?,
                prompt: match step.prompt {
                    PromptRecord::Speech(said) => Prompt::Speech(text(&said)?),
                    PromptRecord::Audio(url) => {
                        Prompt::Audio(valid(MessageUrl::parse(&url), "url")?)
                    }
                },
                choices: choices.collect::<Result<_, _>>()?,
                next: next.map(|name| valid(name, "next")).transpose()?,
            })
        };
        let spoken = (
            word(Speaker::from_code(&self.speaker), "speaker")?,
            valid(SpeechLanguage::parse(&self.language), "language")?,
        );
        let steps = self.steps.into_iter().map(step);
        let steps = steps.collect::<Result<_, RecordError>>()?;
        StepFlow::try_new(spoken, steps).map_err(|_| RecordError::Value("steps"))
    }
}

impl ChoiceRecord<'_> {
    fn restore(self) -> Result<FlowChoice, RecordError> {
        let Self(key, next) = self;
        Ok(FlowChoice {
            key: valid(CallKey::from_char(key), "key")?,
            next: valid(StepName::parse(&next), "next")?,
        })
    }
}
