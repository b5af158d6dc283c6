//! A delivery between its claim and its result. It must hold no rule of the order of deliveries.

use crate::guard::LookupPriority;
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::EndpointId;
use ports::webhooks::Claimed;
use std::time::Duration;

/// Names an endpoint.
pub(super) type QueueKey = (AccountId, EndpointId);

/// An attempt to begin.
#[derive(Debug)]
pub(super) struct ScheduledDelivery {
    pub(super) key: QueueKey,
    pub(super) claimed: Claimed,
    /// When it was claimed.
    pub(super) since: Timestamp,
    /// On whose behalf its host is looked up.
    pub(super) asker: LookupPriority,
}

/// What an attempt says about its endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttemptOutcome {
    /// It takes deliveries.
    Accepted,
    /// It does not.
    Failed {
        /// How long it asks to be left alone.
        leave_alone: Option<Duration>,
    },
    /// It never will again.
    Gone,
    /// It was not attempted: the endpoint is disabled, or its state could not be read.
    Skipped,
}
