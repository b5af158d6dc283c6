//! What the lines of all endpoints come to. It must be taken from the lines, never counted beside
//! them.

use super::endpoint_queue::EndpointQueue;
use std::iter::Sum;

/// How much waits and is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct QueueTotals {
    pub(super) waiting: usize,
    pub(super) under_way: usize,
    /// Of these, to endpoints that are not known to take deliveries.
    pub(super) doubtful_under_way: usize,
    /// Of these, to endpoints whose last attempt failed.
    pub(super) failed_under_way: usize,
    /// Of these, to endpoints that failed too often.
    pub(super) failing_under_way: usize,
    /// Endpoints of which nothing is here.
    pub(super) idle: usize,
}

impl QueueTotals {
    pub(super) fn of(line: &EndpointQueue) -> Self {
        let only = |condition, number| if condition { number } else { 0 };
        let under_way = line.under_way();
        Self {
            waiting: line.waiting(),
            under_way,
            doubtful_under_way: only(line.is_doubtful(), under_way),
            failed_under_way: only(line.has_failed(), under_way),
            failing_under_way: only(line.is_failing(), under_way),
            idle: only(line.is_idle(), 1),
        }
    }

    pub(super) fn with(self, more: Self) -> Self {
        self.each(more, usize::saturating_add)
    }

    pub(super) fn without(self, less: Self) -> Self {
        self.each(less, usize::saturating_sub)
    }

    fn each(self, other: Self, apply: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            waiting: apply(self.waiting, other.waiting),
            under_way: apply(self.under_way, other.under_way),
            doubtful_under_way: apply(self.doubtful_under_way, other.doubtful_under_way),
            failed_under_way: apply(self.failed_under_way, other.failed_under_way),
            failing_under_way: apply(self.failing_under_way, other.failing_under_way),
            idle: apply(self.idle, other.idle),
        }
    }
}

impl Sum for QueueTotals {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::with)
    }
}
