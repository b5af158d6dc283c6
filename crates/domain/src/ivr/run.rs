//! What became of a call with a flow: the call, and the way that the person took.

use super::{CallKey, StepName};
use crate::voice::Call;
use std::fmt;

/// What a provider calls the run of a flow.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FlowRunId(String);

/// Why a text names no run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {} visible ASCII characters", FlowRunId::LENGTH_MAX)]
pub struct InvalidFlowRunId;

impl FlowRunId {
    /// Most characters: a UUID with a prefix is shorter.
    pub const LENGTH_MAX: usize = 64;

    /// Reads a name.
    ///
    /// # Errors
    /// Refuses an empty or long text, blanks, and what is not ASCII.
    pub fn parse(text: &str) -> Result<Self, InvalidFlowRunId> {
        let is_visible = text.chars().all(|c| c.is_ascii_graphic());
        ((1..=Self::LENGTH_MAX).contains(&text.len()) && is_visible)
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidFlowRunId)
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A step that was said, and the key that was pressed after it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// The step.
    pub step: StepName,
    /// The key; `None` where none was pressed.
    pub key: Option<CallKey>,
}

/// What a person chose is private, and the next step shows it.
impl fmt::Debug for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PathStep")
    }
}

/// What became of a call that was answered, or is still under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowRun {
    /// The call.
    pub call: Call,
    /// What the provider calls the run, where it names it.
    pub id: Option<FlowRunId>,
    /// The steps in the order in which they were said, as far as the provider says.
    pub path: Vec<PathStep>,
}

impl FlowRun {
    /// Most steps of a way that are recorded: twenty a minute in the longest call. A longer way is
    /// recorded as far as that.
    pub const PATH_MAX: usize = 200;

    /// A call of which nothing is known yet.
    pub const UNDER_WAY: Self = Self {
        call: Call::UNDER_WAY,
        id: None,
        path: Vec::new(),
    };

    /// The keys in the order in which they were pressed.
    pub fn keys(&self) -> impl Iterator<Item = CallKey> {
        self.path.iter().filter_map(|step| step.key)
    }
}
