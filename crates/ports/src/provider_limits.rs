//! What a provider takes: how much at once, how fast, and what it takes for a copy. The gateway
//! keeps to it, so an adapter must not.

use std::num::NonZeroU32;
use std::time::Duration;

/// The limits of an account, or of one product of it. What is left out is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProviderLimits {
    /// How many submissions may be under way at once.
    pub max_concurrent: Option<NonZeroU32>,
    /// How many submissions may begin within any second.
    pub per_second: Option<NonZeroU32>,
    /// For how long the provider takes an equal order for a copy: the same product, customer and
    /// amount.
    pub lookalike: Option<Duration>,
    /// Within what time a submission is answered; a later answer is unknown.
    pub deadline: Option<Duration>,
}

impl ProviderLimits {
    /// No limits.
    pub const NONE: Self = Self {
        max_concurrent: None,
        per_second: None,
        lookalike: None,
        deadline: None,
    };
}
