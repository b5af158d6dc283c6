//! The record of a call that ran a flow.

use super::voice::CallRecord;
use crate::record::RecordError;
use crate::record::scalar::{Text, valid};
use domain::ivr::{CallKey, FlowRun, FlowRunId, PathStep, StepName};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct FlowRunRecord<'a> {
    #[serde(borrow, flatten)]
    call: CallRecord<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    id: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    path: Vec<PathStepRecord<'a>>,
}

/// A step, and the key that was pressed after it.
#[derive(Debug, Serialize, Deserialize)]
struct PathStepRecord<'a>(#[serde(borrow)] Text<'a>, Option<char>);

impl<'a> From<&'a FlowRun> for FlowRunRecord<'a> {
    fn from(run: &'a FlowRun) -> Self {
        let step = |taken: &'a PathStep| {
            let key = taken.key.map(CallKey::as_char);
            PathStepRecord(taken.step.as_str().into(), key)
        };
        Self {
            call: (&run.call).into(),
            id: run.id.as_ref().map(|id| id.as_str().into()),
            path: run.path.iter().map(step).collect(),
        }
    }
}

impl FlowRunRecord<'_> {
    pub(super) fn restore(self) -> Result<FlowRun, RecordError> {
        let step = |PathStepRecord(step, key): PathStepRecord<'_>| {
            let key = key.map(CallKey::from_char);
            Ok(PathStep {
                step: valid(StepName::parse(&step), "step")?,
                key: key.map(|key| valid(key, "key")).transpose()?,
            })
        };
        let id = self.id.map(|id| FlowRunId::parse(&id));
        Ok(FlowRun {
            call: self.call.restore()?,
            id: id.map(|id| valid(id, "id")).transpose()?,
            path: self.path.into_iter().map(step).collect::<Result<_, _>>()?,
        })
    }
}
