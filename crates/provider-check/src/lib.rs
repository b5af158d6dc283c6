//! The conformance kit of the provider protocol: checks by name that say whether a provider is safe
//! to sell through, and whether the gateway's adapter settles silence with it. It must buy nothing
//! but the orders of its scenario, and must never show a key.

mod bench;
mod call_reply;
mod callback_listener;
mod catalogue;
mod checked_service;
mod checks;
mod exchange_log;
mod json_edit;
mod pace;
mod plan;
mod purchases;
mod relay;
mod report;
mod run;
mod scenario;
mod signing;
mod upstream;
mod watch;
mod wire_message;

pub use purchases::EffectCounter;
pub use relay::{RelayAnswer, RelayHandler, RelaySigner, SignedRelay};
pub use report::{CheckGrade, CheckProgress, CheckReport, CheckVerdict, ProviderCheckReport};
pub use run::{CheckTarget, ListedCheck, ProviderCheckError, ProviderCheckPlan, listed_checks};
pub use scenario::{CHECK_SCENARIO_EXAMPLE, CheckScenario, InvalidCheckScenario};
pub use wire_message::{WireAnswer, WireRequest};
