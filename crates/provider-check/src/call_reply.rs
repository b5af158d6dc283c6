//! What was answered to a call, and how a check ends. An answer that cannot be read must never be
//! taken for one.

use crate::wire_message::WireAnswer;
use provider_protocol::{AttemptAnswer, AttemptState, read};

/// Why a check goes no further.
#[derive(Debug, Clone)]
pub(crate) enum CheckStop {
    Failed(String),
    NotApplicable(String),
}

pub(crate) type CheckStep<T = ()> = Result<T, CheckStop>;

/// Ends a check: the rule is broken.
pub(crate) fn broken<T>(what: impl Into<String>) -> CheckStep<T> {
    Err(CheckStop::Failed(what.into()))
}

/// Ends a check: it does not concern this provider.
pub(crate) fn not_applicable<T>(why: impl Into<String>) -> CheckStep<T> {
    Err(CheckStop::NotApplicable(why.into()))
}

/// What was answered to a call.
#[derive(Debug, Clone)]
pub(crate) struct CallReply {
    pub(crate) answer: Result<WireAnswer, String>,
}

impl CallReply {
    pub(crate) fn status(&self) -> Option<u16> {
        self.answer.as_ref().ok().map(|answer| answer.status)
    }

    /// The object of an attempt, where the answer is one.
    pub(crate) fn attempt(&self) -> Option<AttemptAnswer> {
        let answer = self.answer.as_ref().ok()?;
        (answer.status == 200).then(|| read(&answer.body).ok())?
    }

    pub(crate) fn state(&self) -> Option<AttemptState> {
        self.attempt().map(|attempt| attempt.state)
    }

    /// The answer in words.
    pub(crate) fn said(&self) -> String {
        match (&self.answer, self.attempt()) {
            (_, Some(attempt)) => format!("`{}`", word(attempt.state)),
            (Ok(answer), None) => format!("status {}", answer.status),
            (Err(nothing), None) => nothing.clone(),
        }
    }
}

/// The word of a state.
pub(crate) const fn word(state: AttemptState) -> &'static str {
    match state {
        AttemptState::Delivered => "delivered",
        AttemptState::Declined => "declined",
        AttemptState::Pending => "pending",
        AttemptState::Reversed => "reversed",
        AttemptState::Unknown => "unknown",
        AttemptState::Absent => "absent",
        AttemptState::Unlisted => "a state that is not listed",
    }
}

impl CheckStop {
    /// The same, with what it is about.
    pub(crate) fn about(self, what: &str) -> Self {
        match self {
            Self::Failed(why) => Self::Failed(format!("{what}: {why}")),
            Self::NotApplicable(why) => Self::NotApplicable(why),
        }
    }
}
