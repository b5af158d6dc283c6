//! Calls that run a flow in the protocol. An order carries the whole flow with its values filled
//! in, so that a provider needs to keep none.

use crate::document::{DocumentError, valid};
use crate::family::{FamilyDocuments, OrderContext};
use crate::messaging::PartiesDocument;
use crate::moment::Moment;
use crate::voice::{CallDocument, read_speaker};
use domain::ivr::{
    CallKey, FilledFlow, FlowChoice, FlowRun, FlowRunId, FlowStep, IvrOrder, PathStep, Prompt,
    StepName,
};
use domain::messaging::{MessageText, MessageUrl};
use domain::messaging_library::LibraryItemId;
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use domain::voice::{Call, CallMinutes, SpeechLanguage};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IvrOrderDocument {
    #[serde(flatten)]
    parties: PartiesDocument,
    flow: FlowDocument,
    minutes: u8,
    call_before: Moment,
}

#[derive(Serialize, Deserialize)]
struct FlowDocument {
    id: u64,
    voice: String,
    language: String,
    steps: Vec<StepDocument>,
}

#[derive(Serialize, Deserialize)]
struct StepDocument {
    name: String,
    #[serde(flatten)]
    prompt: PromptDocument,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    choices: Vec<ChoiceDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
enum PromptDocument {
    Speech {
        content: String,
    },
    #[serde(rename_all = "camelCase")]
    Audio {
        audio_url: String,
    },
}

#[derive(Serialize, Deserialize)]
struct ChoiceDocument {
    key: String,
    next: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct FlowRunDocument {
    #[serde(flatten)]
    call: CallDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    path: Vec<PathStepDocument>,
}

#[derive(Serialize, Deserialize)]
struct PathStepDocument {
    step: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

pub(crate) struct IvrDocuments;

impl FamilyDocuments for IvrDocuments {
    type Order = IvrOrder;
    type OrderDocument = IvrOrderDocument;
    type ReceiptDocument = FlowRunDocument;

    fn order(order: &IvrOrder) -> IvrOrderDocument {
        IvrOrderDocument {
            parties: (&order.parties).into(),
            flow: FlowDocument {
                id: order.flow_id.get(),
                voice: order.flow.speaker().code().to_owned(),
                language: order.flow.language().as_str().to_owned(),
                steps: order.flow.steps().iter().map(step_document).collect(),
            },
            minutes: order.minutes.get(),
            call_before: Moment::from(order.call_before),
        }
    }

    fn read_order(
        document: IvrOrderDocument,
        ordered: OrderContext,
    ) -> Result<IvrOrder, DocumentError> {
        let id = valid(
            TransactionNumber::try_new(document.flow.id),
            "order.flow.id",
        )?;
        Ok(IvrOrder {
            parties: document.parties.read()?,
            flow_id: LibraryItemId::new(id),
            flow: read_flow(document.flow)?,
            minutes: valid(CallMinutes::try_new(document.minutes), "order.minutes")?,
            call_before: Timestamp::from(document.call_before),
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<FlowRunDocument> {
        let run = fulfilment.flow_run()?;
        let step = |taken: &PathStep| PathStepDocument {
            step: taken.step.as_str().to_owned(),
            key: taken.key.map(|key| key.to_string()),
        };
        Some(FlowRunDocument {
            call: (&run.call).into(),
            run: run.id.as_ref().map(|id| id.as_str().to_owned()),
            path: run.path.iter().map(step).collect(),
        })
    }

    fn read_receipt(
        document: Option<FlowRunDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        let id = document.run.as_deref().map(FlowRunId::parse);
        let path = document.path.iter().take(FlowRun::PATH_MAX);
        let path = path.map(read_path_step);
        Ok(Some(Fulfilment::Ivr(FlowRun {
            // The keys are those of the way.
            call: Call {
                digits: None,
                ..document.call.into()
            },
            // A name that is none says nothing, and a call that was answered is to be charged.
            id: id.and_then(Result::ok),
            path: path.collect::<Result<_, _>>()?,
        })))
    }
}

fn step_document(step: &FlowStep<MessageText>) -> StepDocument {
    let choice = |choice: &FlowChoice| ChoiceDocument {
        key: choice.key.to_string(),
        next: choice.next.as_str().to_owned(),
    };
    StepDocument {
        name: step.name.as_str().to_owned(),
        prompt: match &step.prompt {
            Prompt::Speech(text) => PromptDocument::Speech {
                content: text.as_str().to_owned(),
            },
            Prompt::Audio(url) => PromptDocument::Audio {
                audio_url: url.as_str().to_owned(),
            },
        },
        choices: step.choices.iter().map(choice).collect(),
        next: step.next.as_ref().map(|name| name.as_str().to_owned()),
    }
}

fn read_flow(document: FlowDocument) -> Result<FilledFlow, DocumentError> {
    let spoken = (
        read_speaker(&document.voice)?,
        valid(
            SpeechLanguage::parse(&document.language),
            "order.flow.language",
        )?,
    );
    let steps = document.steps.into_iter().map(read_step);
    let steps = steps.collect::<Result<_, _>>()?;
    FilledFlow::try_new(spoken, steps)
        .map_err(|_| DocumentError::field("order.flow.steps", "must be a flow"))
}

fn read_step(document: StepDocument) -> Result<FlowStep<MessageText>, DocumentError> {
    let named = |name: &str, field| valid(StepName::parse(name), field);
    let choice = |choice: &ChoiceDocument| {
        Ok(FlowChoice {
            key: valid(CallKey::parse(&choice.key), "order.flow.steps.choices.key")?,
            next: named(&choice.next, "order.flow.steps.choices.next")?,
        })
    };
    let next = document.next.as_deref();
    Ok(FlowStep {
        name: named(&document.name, "order.flow.steps.name")?,
        prompt: match document.prompt {
            PromptDocument::Speech { content } => {
                let field = "order.flow.steps.content";
                Prompt::Speech(valid(FilledFlow::text(&content), field)?)
            }
            PromptDocument::Audio { audio_url } => {
                let field = "order.flow.steps.audioUrl";
                Prompt::Audio(valid(MessageUrl::parse(&audio_url), field)?)
            }
        },
        choices: document
            .choices
            .iter()
            .map(choice)
            .collect::<Result<_, _>>()?,
        next: next
            .map(|name| named(name, "order.flow.steps.next"))
            .transpose()?,
    })
}

fn read_path_step(document: &PathStepDocument) -> Result<PathStep, DocumentError> {
    let key = document.key.as_deref().map(CallKey::parse);
    Ok(PathStep {
        step: valid(StepName::parse(&document.step), "receipt.path.step")?,
        key: key.map(|key| valid(key, "receipt.path.key")).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(receipt: Value) -> Result<FlowRun, DocumentError> {
        let document = serde_json::from_value(receipt).unwrap();
        let read = IvrDocuments::read_receipt(Some(document), Service::Ivr)?;
        Ok(read.unwrap().flow_run().unwrap().clone())
    }

    #[test]
    fn what_is_beside_the_length_does_not_keep_a_call_from_being_charged() {
        let step = json!({"step": "ask", "key": "1"});
        let long = vec![step; 201];
        let run = read(json!({"seconds": 74, "run": "a b", "digits": "12", "path": long}));
        let run = run.unwrap();
        assert_eq!(run.call.seconds, Some(74));
        assert_eq!((run.id, run.call.digits), (None, None));
        assert_eq!(run.path.len(), FlowRun::PATH_MAX);
    }

    #[test]
    fn a_way_of_what_is_no_step_is_refused() {
        for step in [json!({"step": "1"}), json!({"step": "ask", "key": "12"})] {
            assert!(read(json!({"seconds": 74, "path": [step]})).is_err());
        }
    }
}
