//! What a merchant does to a subscription. What is so already is no step.

use super::RecurringPayment;
use super::progress::{RecurringProgress, RecurringStatus, RecurringStep, RunCalendar};
use crate::time::Timestamp;

/// A subscription whose runs are over is neither paused nor resumed nor cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the subscription is over")]
pub struct RecurringOver;

impl RecurringPayment {
    /// Its merchant pauses it; `None` where it is paused. The run in hand, if there is one, is not
    /// bought again.
    ///
    /// # Errors
    /// Refuses one that is over.
    pub fn pause(&self) -> Result<Option<RecurringStep>, RecurringOver> {
        match self.progress.status {
            RecurringStatus::Active | RecurringStatus::Failing => {
                Ok(Some(self.at_rest(RecurringStatus::Paused)))
            }
            RecurringStatus::Paused => Ok(None),
            RecurringStatus::Ended | RecurringStatus::Cancelled => Err(RecurringOver),
        }
    }

    /// Its merchant resumes it; `None` where its runs are bought. What was due meanwhile is
    /// skipped.
    ///
    /// # Errors
    /// Refuses one that is over.
    pub fn resume(
        &self,
        calendar: &impl RunCalendar,
        now: Timestamp,
    ) -> Result<Option<RecurringStep>, RecurringOver> {
        match self.progress.status {
            RecurringStatus::Active | RecurringStatus::Failing => return Ok(None),
            RecurringStatus::Paused => {}
            RecurringStatus::Ended | RecurringStatus::Cancelled => return Err(RecurringOver),
        }
        let latest = self.latest_due(calendar, now);
        let progress = RecurringProgress {
            status: RecurringStatus::Active,
            next_run: latest.map_or(self.progress.next_run, |run| run.saturating_add(1)),
            ..self.progress
        };
        Ok(Some(self.waiting(progress, None, calendar)))
    }

    /// Its merchant cancels it; `None` where it is cancelled.
    ///
    /// # Errors
    /// Refuses one that has ended.
    pub fn cancel(&self) -> Result<Option<RecurringStep>, RecurringOver> {
        match self.progress.status {
            RecurringStatus::Active | RecurringStatus::Failing | RecurringStatus::Paused => {
                Ok(Some(self.at_rest(RecurringStatus::Cancelled)))
            }
            RecurringStatus::Cancelled => Ok(None),
            RecurringStatus::Ended => Err(RecurringOver),
        }
    }

    fn at_rest(&self, status: RecurringStatus) -> RecurringStep {
        RecurringStep {
            progress: RecurringProgress {
                status,
                open: None,
                look_at: None,
                is_pause: false,
                ..self.progress
            },
            run: None,
        }
    }
}
