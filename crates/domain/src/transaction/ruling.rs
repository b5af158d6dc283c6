//! What persons decide about an attempt. A ruling must name its evidence and who stands for it.

use crate::provider::Fulfilment;

/// What persons decided, on what evidence. Who may decide alone is the application's rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The decision.
    pub verdict: Verdict,
    /// The operator who decided.
    pub by: String,
    /// The operator who confirmed it, where two are needed.
    pub confirmed_by: Option<String>,
    /// What the decision rests on, such as a provider's letter or settlement file.
    pub evidence: String,
}

/// The decision about the attempt under review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It was delivered as ordered.
    Delivered(Fulfilment),
    /// It was not delivered.
    NotDelivered,
}
