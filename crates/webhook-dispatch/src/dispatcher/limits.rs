//! How much a dispatcher does at a time, and how long it waits. Numbers only, each with its reason.

use domain::webhook::PAUSE_MAX;
use std::time::Duration;

/// Attempts under way in all: each holds a connection and a few kilobytes, and all of them together
/// are far fewer than the files a process may open.
pub(super) const IN_FLIGHT_MAX: usize = 256;

/// Attempts under way to one endpoint: enough for a receiver of 100 ms to take 80 events a second,
/// few enough that a small shop is not overrun.
pub(super) const PER_ENDPOINT_MAX: usize = 8;

/// Attempts under way to an endpoint that has not taken a delivery lately; each that it takes makes
/// it one more. Many that hang hold few places until it is known that they do.
pub(super) const PER_NEW_ENDPOINT_MAX: usize = 2;

/// An endpoint has at most this part of the places that are free: endpoints that all hang take
/// fewer and fewer, and leave some to the others.
pub(super) const SHARE_DIVISOR: usize = 16;

/// Failures in a row after which an endpoint is tried by one delivery at a time.
pub(super) const FAILURES_MAX: u32 = 5;

/// Attempts under way to endpoints that failed so often, all of them together: a quarter, so that
/// no number of dead receivers takes the places of those that live.
pub(super) const FAILING_UNDER_WAY_MAX: usize = 64;

/// Attempts under way to endpoints that are not known to take deliveries, because they are new here
/// or fail: whatever is the matter with them, those that do keep some places.
pub(super) const DOUBTFUL_UNDER_WAY_MAX: usize = 192;

/// Attempts under way to endpoints whose last attempt failed, all of them together: some of the
/// places that new ones may have are left to those of which nothing bad is known.
pub(super) const FAILED_UNDER_WAY_MAX: usize = 160;

/// How many endpoints are remembered of which nothing is here: some hundred bytes each. One that is
/// forgotten is found out anew.
pub(super) const LINES_MAX: usize = 4096;

/// How many are evicted together, the least recently used ones: finding them costs a look at all.
pub(super) const LINES_FORGOTTEN: usize = 512;

/// The pause after the failure that makes an endpoint a failing one; it doubles with each after.
pub(super) const BACKOFF_MIN: Duration = Duration::from_secs(1);

/// The longest pause: how late it may be noticed that an endpoint works again.
pub(super) const BACKOFF_MAX: Duration = Duration::from_secs(32);

/// When a failing endpoint is looked at again for which nothing was due.
pub(super) const NOTHING_DUE_REST: Duration = Duration::from_secs(1);

/// How long a claim lasts: the longest wait for a place, the longest attempt, and time to record
/// it.
pub(super) const LEASE: Duration = Duration::from_mins(1);

/// What must be left of a lease where an attempt begins: it takes 15 s at most, and as much again
/// is left for recording it while the store is slow.
pub(super) const LEASE_LEFT_MIN: Duration = Duration::from_secs(30);

/// How old a claim may be where an attempt begins: what became of the endpoint before that long is
/// looked at again. It is how late it may be noticed that one is served no longer, or has another
/// secret.
pub(super) const CLAIM_FRESH: Duration = Duration::from_secs(1);

/// Deliveries that are claimed and wait for a place: some milliseconds of work, so that no place
/// is free while the store is asked for more. Where more wait, only those are claimed for who have
/// nothing.
pub(super) const QUEUE_SOFT_LIMIT: usize = 1024;

/// Where so many wait, nothing more is claimed: a few kilobytes each.
pub(super) const WAITING_MAX: usize = 8192;

/// Deliveries in one claim.
pub(super) const CLAIM_MAX: usize = 512;

/// Deliveries to one endpoint in one claim.
pub(super) const CLAIM_PER_ENDPOINT_MAX: u32 = 128;

/// The same where many wait.
pub(super) const CLAIM_PER_ENDPOINT_MIN: u32 = 2;

/// The same where failing endpoints are tried.
pub(super) const CLAIM_FOR_TRIAL: u32 = 1;

/// An endpoint for which fewer than this wait is claimed for again.
pub(super) const WAITING_LOW: usize = 96;

/// How often due deliveries are looked for where no event wakes the dispatcher.
pub(super) const POLL: Duration = Duration::from_millis(250);

/// The least time between two claims that only recorded results cause: deliveries that became
/// possible by any of them are claimed together.
pub(super) const CLAIM_GAP: Duration = Duration::from_millis(10);

/// How long a store that failed is left alone.
pub(super) const TROUBLE_PAUSE: Duration = Duration::from_secs(1);

/// How long claimed deliveries are still begun after the stop.
pub(super) const CLOSING_MAX: Duration = Duration::from_secs(5);

/// Results that wait to be recorded. An attempt with one more keeps its slot until there is room.
pub(super) const RESULTS_MAX: usize = 1024;

/// Results that are recorded together.
pub(super) const RECORD_MAX: usize = 256;

/// How long the first of them waits for others.
pub(super) const RECORD_WINDOW: Duration = Duration::from_millis(20);

/// The pauses after which results are recorded again where that failed. All of them are well below
/// what is left of a lease.
pub(super) const RECORD_AGAIN: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_secs(1),
    Duration::from_secs(3),
];

/// How often deliveries are forgotten.
pub(super) const FORGET_EVERY: Duration = Duration::from_hours(1);

/// How many are deleted at a time: a commit too short to be noticed.
pub(super) const FORGET_MAX: u32 = 500;

/// The pause in between: most of the store's time is left to payments.
pub(super) const FORGET_PAUSE: Duration = Duration::from_millis(100);

/// How often deliveries beyond the quota of accounts are looked for: those of all accounts are
/// counted, and in an hour no account stores more than a fraction of the quota.
pub(super) const EXCESS_EVERY: Duration = Duration::from_hours(1);

/// How many commits take away what is beyond before it is counted again, and before a stop of the
/// gateway is looked for: two seconds of them.
pub(super) const EXCESS_COMMITS_MAX: u32 = 16;

/// How long a delivery that was tried may wait: the longest pause, and the attempt it comes after.
pub(super) const WAIT_MAX: Duration = PAUSE_MAX.saturating_add(LEASE);

/// How often it is looked for what is due too far away: soon after a clock was corrected.
pub(super) const BOUND_EVERY: Duration = Duration::from_mins(10);

/// How many are brought forward at a time, for the reason of [`FORGET_MAX`].
pub(super) const BOUND_MAX: u32 = 500;
