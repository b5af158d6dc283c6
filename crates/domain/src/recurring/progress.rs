//! How far a subscription has come, and each step that it may take. A step is a value that the
//! store writes on the condition that the version is unchanged; none may begin a run that is over.

use super::run::{RecurringRun, RecurringRunState, RunRefusal};
use super::{
    OnRunFailure, RECURRING_LEASE, RECURRING_RETRIES_MAX, RECURRING_RETRY_PAUSE, RECURRING_SPAN,
    RecurringPayment, RecurringTerms,
};
use crate::time::Timestamp;
use std::time::Duration;

/// How long before the outcome of a payment that is pending is looked for again: nothing waits for
/// it but the status of the subscription, and a retry that is an hour away.
const FOLLOW_PAUSE: Duration = Duration::from_mins(5);

/// When runs are due.
pub trait RunCalendar {
    /// The due moment of a run, which is later than that of every run before it.
    fn due_at(&self, run: u32) -> Timestamp;
}

/// The status of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecurringStatus {
    /// Its runs are bought.
    Active,
    /// The same, and the last one that came to an end has failed.
    Failing,
    /// Its merchant has paused it.
    Paused,
    /// There are no more runs.
    Ended,
    /// Its merchant has cancelled it.
    Cancelled,
}

impl RecurringStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [
        Self::Active,
        Self::Failing,
        Self::Paused,
        Self::Ended,
        Self::Cancelled,
    ];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Active => "Active",
            Self::Failing => "Failing",
            Self::Paused => "Paused",
            Self::Ended => "Ended",
            Self::Cancelled => "Cancelled",
        }
    }

    /// The status of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }

    /// The status once a run was delivered.
    const fn after_delivery(self) -> Self {
        match self {
            Self::Active | Self::Failing => Self::Active,
            Self::Paused => Self::Paused,
            Self::Ended => Self::Ended,
            Self::Cancelled => Self::Cancelled,
        }
    }

    /// Whether runs are bought.
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::Failing)
    }

    /// Whether nothing follows any more.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Ended | Self::Cancelled)
    }
}

/// What changes of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecurringProgress {
    /// Its status.
    pub status: RecurringStatus,
    /// The first run that is not over: those before it were begun or are skipped.
    pub next_run: u32,
    /// The run in hand: begun last, and without an end so far.
    pub open: Option<RecurringRun>,
    /// How many runs were bought.
    pub bought: u32,
    /// When the last run that was bought was due.
    pub last_at: Option<Timestamp>,
    /// When it must be looked at next.
    pub look_at: Option<Timestamp>,
    /// Whether that is the end of a pause, which a clock may have put far away.
    pub is_pause: bool,
}

/// Why a run is not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunFailure {
    /// Its payment has definitely failed.
    Payment,
    /// Its payment was cancelled, such as by a user who did not approve it.
    Cancelled,
    /// It was refused before a payment existed.
    Refused(RunRefusal),
}

/// A step of a subscription: how far it comes, and the run that is written with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecurringStep {
    /// How far it comes.
    pub progress: RecurringProgress,
    /// The run.
    pub run: Option<RecurringRun>,
}

impl RecurringProgress {
    /// Before the first run.
    pub fn first(terms: &RecurringTerms) -> Self {
        Self {
            status: RecurringStatus::Active,
            next_run: 1,
            open: None,
            bought: 0,
            last_at: None,
            look_at: Some(terms.schedule.start),
            is_pause: false,
        }
    }

    fn with_open(self, run: RecurringRun, look_at: Timestamp) -> RecurringStep {
        RecurringStep {
            progress: Self {
                open: Some(run),
                look_at: Some(look_at),
                is_pause: true,
                ..self
            },
            run: Some(run),
        }
    }
}

impl RecurringPayment {
    /// The step of a subscription without a run in hand: of the runs that have become due the
    /// latest is begun, where it is still in its time, and the others are skipped.
    pub fn next(&self, calendar: &impl RunCalendar, now: Timestamp) -> RecurringStep {
        let progress = RecurringProgress {
            open: None,
            ..self.progress
        };
        let Some(latest) = self.latest_due(calendar, now) else {
            return self.waiting(progress, None, calendar);
        };
        let due_at = calendar.due_at(latest);
        let progress = RecurringProgress {
            next_run: latest.saturating_add(1),
            ..progress
        };
        if !is_in_time(due_at, now) {
            return self.waiting(progress, None, calendar);
        }
        let run = RecurringRun::begin((latest, due_at), now);
        progress.with_open(run, now.plus(RECURRING_LEASE))
    }

    /// The run in hand is begun once more.
    pub fn again(&self, run: RecurringRun, now: Timestamp) -> RecurringStep {
        self.progress
            .with_open(run.again(now), now.plus(RECURRING_LEASE))
    }

    /// The payment of a run was opened.
    pub fn bought(&self, run: RecurringRun, now: Timestamp) -> RecurringStep {
        let run = run.in_state(RecurringRunState::Bought, now);
        let progress = RecurringProgress {
            // A run that is bought again was counted.
            bought: self
                .progress
                .bought
                .saturating_add(u32::from(run.tries == 0)),
            last_at: self.progress.last_at.max(Some(run.due_at)),
            ..self.progress
        };
        if !self.has_in_hand(&run) {
            // It was paused or cancelled meanwhile: what is known of the run is kept.
            return RecurringStep {
                progress,
                run: Some(run),
            };
        }
        progress.with_open(run, now.plus(FOLLOW_PAUSE))
    }

    /// The payment of the run in hand was delivered.
    pub fn delivered(&self, calendar: &impl RunCalendar) -> RecurringStep {
        let progress = RecurringProgress {
            status: self.progress.status.after_delivery(),
            open: None,
            ..self.progress
        };
        self.waiting(progress, None, calendar)
    }

    /// The payment of the run in hand has no outcome so far: it is looked for again, unless the
    /// next run is due before.
    pub fn pending(&self, calendar: &impl RunCalendar, now: Timestamp) -> RecurringStep {
        let next = self.progress.next_run;
        let has_next = self.progress.status.is_live() && self.terms.has_run(next);
        if has_next && calendar.due_at(next) <= now {
            let progress = RecurringProgress {
                open: None,
                ..self.progress
            };
            return self.waiting(progress, None, calendar);
        }
        RecurringStep {
            progress: RecurringProgress {
                look_at: Some(now.plus(FOLLOW_PAUSE)),
                is_pause: true,
                ..self.progress
            },
            run: None,
        }
    }

    /// The run in hand has definitely failed: it is bought again, the next one is waited for, or no
    /// further one is bought.
    pub fn failed(
        &self,
        (run, failure): (RecurringRun, RunFailure),
        calendar: &impl RunCalendar,
        now: Timestamp,
    ) -> RecurringStep {
        let state = match failure {
            RunFailure::Payment | RunFailure::Cancelled => RecurringRunState::Failed,
            RunFailure::Refused(why) => RecurringRunState::Refused(why),
        };
        let run = run.in_state(state, now);
        if self.is_bought_again((run, failure), calendar, now) {
            let again_at = now.plus(RECURRING_RETRY_PAUSE);
            return self.progress.with_open(run, again_at);
        }
        let mut progress = RecurringProgress {
            open: None,
            ..self.progress
        };
        // What was delivered before a restore, and settled since, has not failed.
        let is_failure = failure != RunFailure::Refused(RunRefusal::Settled);
        if is_failure && progress.status.is_live() {
            progress.status = match self.terms.on_failure {
                OnRunFailure::Stop => RecurringStatus::Ended,
                OnRunFailure::Retry | OnRunFailure::Skip => RecurringStatus::Failing,
            };
        }
        self.waiting(progress, Some(run), calendar)
    }

    /// The run in hand was not bought in its time.
    pub fn missed(
        &self,
        run: RecurringRun,
        calendar: &impl RunCalendar,
        now: Timestamp,
    ) -> RecurringStep {
        let progress = RecurringProgress {
            open: None,
            ..self.progress
        };
        let run = run.in_state(RecurringRunState::Missed, now);
        self.waiting(progress, Some(run), calendar)
    }

    /// When the next run is due that will be bought; `None` where none will.
    pub fn next_at(&self, calendar: &impl RunCalendar) -> Option<Timestamp> {
        let next = self.progress.next_run;
        let is_planned = self.progress.status.is_live() && self.terms.has_run(next);
        is_planned.then(|| calendar.due_at(next))
    }

    /// Whether a run may still be bought.
    pub fn may_buy(&self, run: &RecurringRun, now: Timestamp) -> bool {
        self.progress.status.is_live() && self.has_in_hand(run) && is_in_time(run.due_at, now)
    }

    fn has_in_hand(&self, run: &RecurringRun) -> bool {
        let open = self.progress.open.as_ref();
        open.is_some_and(|open| open.number == run.number)
    }

    /// The next run is waited for, and there may be none.
    pub(super) fn waiting(
        &self,
        progress: RecurringProgress,
        run: Option<RecurringRun>,
        calendar: &impl RunCalendar,
    ) -> RecurringStep {
        let is_live = progress.status.is_live();
        let is_planned = is_live && self.terms.has_run(progress.next_run);
        let status = if is_live && !is_planned {
            RecurringStatus::Ended
        } else {
            progress.status
        };
        RecurringStep {
            progress: RecurringProgress {
                status,
                look_at: is_planned.then(|| calendar.due_at(progress.next_run)),
                is_pause: false,
                ..progress
            },
            run,
        }
    }

    fn is_bought_again(
        &self,
        (run, failure): (RecurringRun, RunFailure),
        calendar: &impl RunCalendar,
        now: Timestamp,
    ) -> bool {
        let may_pass = match failure {
            RunFailure::Payment => true,
            RunFailure::Cancelled => false,
            RunFailure::Refused(why) => why.may_pass(),
        };
        let again_at = now.plus(RECURRING_RETRY_PAUSE);
        let next = self.progress.next_run;
        let is_before_next = !self.terms.has_run(next) || again_at < calendar.due_at(next);
        self.terms.on_failure == OnRunFailure::Retry
            && may_pass
            && run.retries < RECURRING_RETRIES_MAX
            && self.may_buy(&run, again_at)
            && is_before_next
    }

    /// The latest run that is due of those that are not over.
    pub(super) fn latest_due(&self, calendar: &impl RunCalendar, now: Timestamp) -> Option<u32> {
        let first = self.progress.next_run;
        let first_due = calendar.due_at(first);
        if !self.terms.has_run(first) || first_due > now {
            return None;
        }
        // No interval is shorter than a day of 22 hours.
        let most = now.since(first_due).as_secs() / (22 * 3_600);
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let last = self.terms.schedule.count.unwrap_or(u32::MAX);
        let (mut low, mut high) = (first, first.saturating_add(most).min(last));
        while low < high {
            let middle = low.midpoint(high).saturating_add(1).min(high);
            if calendar.due_at(middle) <= now {
                low = middle;
            } else {
                high = middle.saturating_sub(1);
            }
        }
        Some(low)
    }
}

/// Whether a run that is due is not due for too long.
fn is_in_time(due_at: Timestamp, now: Timestamp) -> bool {
    now < due_at.plus(RECURRING_SPAN)
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
