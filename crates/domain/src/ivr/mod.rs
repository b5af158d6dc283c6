//! Calls that run a flow: what is said in each step, which key leads where, and which way a person
//! took. It must never call or price.

mod faults;
mod flow;
mod order;
mod run;
mod step;

pub use faults::{FlowFault, FlowFaultKind};
pub use flow::{CallFlow, FilledFlow, StepFlow, UnfilledFlow};
pub use order::{IvrCall, IvrOrder};
pub use run::{FlowRun, FlowRunId, InvalidFlowRunId, PathStep};
pub use step::{CallKey, FlowChoice, FlowStep, InvalidCallKey, InvalidStepName, Prompt, StepName};
