//! What a provider promises of a service. A word that is not listed must be read as the weakest
//! promise.

use serde::{Deserialize, Serialize};

/// The promises about one service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceProfile {
    /// What a repeated submission is answered with.
    pub duplicate: DuplicateRule,
    /// When absence is proven.
    pub absence: AbsenceProof,
    /// After how many seconds nothing moves any more, but for reversals.
    pub settle_seconds: u64,
    /// For how many days a delivery may be taken back.
    pub reversal_days: u32,
    /// For how many days a reference is known. It is bound for ever.
    pub retention_days: u32,
    /// Within how many seconds an equal order is taken for a copy; 0 where it never is.
    #[serde(default)]
    pub lookalike_seconds: u64,
    /// For how many seconds after a refusal the last word may still come; 0 where it is final.
    #[serde(default)]
    pub cooling_off_seconds: u64,
    /// How many requests may be under way at once.
    pub max_concurrent: u32,
    /// How many requests may be sent in a second.
    pub per_second: u32,
    /// Within how many seconds a submission is answered.
    pub deadline_seconds: u64,
    /// Whether one submission may deliver several times under one reference.
    #[serde(default)]
    pub multi_effect: bool,
    /// Whether the provider calls back.
    #[serde(default)]
    pub callback: CallbackUse,
    /// Which messages of people the provider reports.
    #[serde(default)]
    pub incoming: IncomingUse,
}

/// What a repeated submission is answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DuplicateRule {
    /// The present object of the attempt.
    Replay,
    /// An error, which says nothing of the attempt.
    #[serde(other)]
    Error,
}

/// When the absence of an attempt is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum AbsenceProof {
    /// At once: an absent reference can be sealed.
    Sealed,
    /// After a time, by several answers.
    After {
        /// From how many seconds after `notAfter` on an answer counts.
        seconds: u64,
        /// How many answers in a row there must be.
        count: u32,
        /// How many seconds apart.
        spacing: u64,
    },
    /// Never: a person has to decide.
    #[serde(other)]
    Never,
}

/// Whether a provider calls back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallbackUse {
    /// As a hint to ask.
    Hint,
    /// Not at all.
    #[default]
    #[serde(other)]
    None,
}

/// Which messages of people a provider reports. It matters for `whatsapp`, where a text is only
/// sent to a person who wrote lately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IncomingUse {
    /// Every message to a sender, within the time that its callback is sent again.
    All,
    /// Some or none: nothing follows from one that was not reported.
    #[default]
    #[serde(other)]
    None,
}

/// How safe a service is to sell through a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderGrade {
    /// Silence is settled at once: replays and seals.
    A,
    /// Silence is settled after a time. Enough for money.
    B,
    /// Silence is settled by a person. Enough for messages only.
    C,
}

impl ServiceProfile {
    /// Fewest days a reference must be known: a year and a month, so that the books of a year can
    /// be compared after its end.
    pub const RETENTION_DAYS_MIN: u32 = 400;

    /// The grade these promises earn.
    pub const fn grade(&self) -> ProviderGrade {
        match (self.duplicate, self.absence) {
            (DuplicateRule::Replay, AbsenceProof::Sealed) => ProviderGrade::A,
            (DuplicateRule::Error, AbsenceProof::Sealed) | (_, AbsenceProof::After { .. }) => {
                ProviderGrade::B
            }
            (_, AbsenceProof::Never) => ProviderGrade::C,
        }
    }
}
