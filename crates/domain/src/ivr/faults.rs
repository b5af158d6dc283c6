//! What can be wrong between the steps of a flow. It must name every fault that can be seen at
//! once.

use super::{CallKey, FilledFlow, FlowStep, StepName};
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with a step of a flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowFault {
    /// Which step, counted from zero.
    pub at: usize,
    /// What is wrong with it.
    pub kind: FlowFaultKind,
}

/// What can be wrong with a step among the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlowFaultKind {
    /// Another step has its name.
    #[error("is the name of steps.{0} as well; give each step its own")]
    NameTaken(usize),
    /// It leads to a step that is not there.
    #[error("is {}, which is the name of no step", .0.as_str())]
    UnknownStep(StepName),
    /// A key leads to a step that is not there.
    #[error("lead to {}, which is the name of no step", .0.as_str())]
    UnknownChoice(StepName),
    /// A key has two choices.
    #[error("have the key {0} twice")]
    KeyTwice(CallKey),
    /// No way leads to it.
    #[error("is a step to which no way leads; name it as stpNext, or leave it out")]
    Unreachable,
    /// The steps from it lead back to it without waiting for a key.
    #[error("is repeated for ever without waiting for a key; give a step on the way choices")]
    Endless,
    /// What is said whatever the values are has more characters than a text may have.
    #[error(
        "must have {} characters at most beside its places",
        FilledFlow::TEXT_MAX
    )]
    Long,
    /// The steps up to this one have more bytes than a provider is sent.
    #[error(
        "is where the steps have more than {} bytes together; shorten them",
        FilledFlow::BYTES_MAX
    )]
    TooMuch,
}

/// Everything that is wrong between steps, in their order.
pub(super) fn faults<S>(steps: &[FlowStep<S>]) -> Vec<FlowFault> {
    let mut faults = Vec::new();
    let mut places: BTreeMap<&StepName, usize> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        match places.get(&step.name) {
            Some(earlier) => {
                let kind = FlowFaultKind::NameTaken(*earlier);
                faults.push(FlowFault { at, kind });
            }
            None => {
                places.insert(&step.name, at);
            }
        }
    }
    for (at, step) in steps.iter().enumerate() {
        let is_unknown = |name: &&StepName| !places.contains_key(name);
        let chosen = step.choices.iter().map(|choice| &choice.next);
        let unknown = chosen
            .filter(is_unknown)
            .map(|name| FlowFaultKind::UnknownChoice(name.clone()));
        let next = step.next.iter().filter(is_unknown);
        let unknown = unknown.chain(next.map(|name| FlowFaultKind::UnknownStep(name.clone())));
        let mut keys = BTreeSet::new();
        let twice = step.choices.iter().map(|choice| choice.key);
        let twice = twice
            .filter(|key| !keys.insert(*key))
            .map(FlowFaultKind::KeyTwice)
            .collect::<Vec<_>>();
        faults.extend(unknown.chain(twice).map(|kind| FlowFault { at, kind }));
    }
    if !faults.is_empty() {
        // Where names are wrong, what leads where is not known.
        return faults;
    }
    let followers = |at: usize| {
        let step = steps.get(at);
        let names = step.into_iter().flat_map(FlowStep::followers);
        names.filter_map(|name| places.get(name).copied())
    };
    let reached = reached_from(0, followers);
    // A step with choices waits for a key, so that no way leads on from it by itself.
    let by_itself = |at: usize| {
        let step = steps.get(at).filter(|step| step.choices.is_empty());
        let next = step.and_then(|step| step.next.as_ref());
        next.and_then(|name| places.get(name).copied()).into_iter()
    };
    for at in 0..steps.len() {
        if at != 0 && !reached.contains(&at) {
            let kind = FlowFaultKind::Unreachable;
            faults.push(FlowFault { at, kind });
        } else if by_itself(at).any(|next| reached_from(next, by_itself).contains(&at)) {
            let kind = FlowFaultKind::Endless;
            faults.push(FlowFault { at, kind });
        }
    }
    faults
}

/// Every place that ways lead to from one, with itself.
fn reached_from<I: Iterator<Item = usize>>(
    first: usize,
    followers: impl Fn(usize) -> I,
) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        for next in followers(at) {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}
