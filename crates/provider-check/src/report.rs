//! What a run found, for people and for programs. A grade must never be given where a check failed
//! or was left out.

use provider_protocol::ProviderGrade;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// How a check ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", content = "reason", rename_all = "camelCase")]
pub enum CheckVerdict {
    /// The rule was kept.
    Ok,
    /// It was not, and how.
    Failed(String),
    /// It does not concern this provider, or was not tried, and why.
    NotApplicable(String),
}

/// One check.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// `service::rule::case`.
    pub name: String,
    /// How it ended.
    #[serde(flatten)]
    pub verdict: CheckVerdict,
    /// The rule, in one sentence.
    pub rule: &'static str,
    /// What to do where it failed, in one sentence.
    pub remedy: &'static str,
    /// How long it took.
    #[serde(rename = "tookMs", serialize_with = "millis")]
    pub took: Duration,
    /// What was sent and answered, without secrets; only where it failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<String>,
}

fn millis<S: serde::Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(took.as_millis()).unwrap_or(u64::MAX))
}

/// What a provider was found to be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum CheckGrade {
    /// Replays and seals: silence is settled at once.
    A,
    /// Silence is settled after a time.
    B,
    /// Silence is settled by a person.
    C,
    /// A check failed, or not all were run.
    #[serde(rename = "none")]
    Ungraded,
}

impl From<ProviderGrade> for CheckGrade {
    fn from(grade: ProviderGrade) -> Self {
        match grade {
            ProviderGrade::A => Self::A,
            ProviderGrade::B => Self::B,
            ProviderGrade::C => Self::C,
        }
    }
}

impl fmt::Display for CheckGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::Ungraded => "none",
        })
    }
}

/// What a run found.
#[derive(Debug, Clone, Serialize)]
pub struct ProviderCheckReport {
    /// Who the provider says it is.
    pub provider: Option<String>,
    /// Its grade: the lowest of the services that were checked.
    pub grade: CheckGrade,
    /// The grade of each service that was checked, as its profile promises and the checks confirm.
    pub services: Vec<(String, CheckGrade)>,
    /// Services that the provider promises and the scenario does not order.
    pub unchecked: Vec<String>,
    /// What was bought, as an amount.
    pub spent: String,
    /// The checks, in the order they ran.
    pub checks: Vec<CheckReport>,
}

impl ProviderCheckReport {
    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &CheckReport> {
        self.checks
            .iter()
            .filter(|check| matches!(check.verdict, CheckVerdict::Failed(_)))
    }
}

/// Follows a run.
pub trait CheckProgress: Send + Sync {
    /// A check ended.
    fn ended(&self, check: &CheckReport);
}
