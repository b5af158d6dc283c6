//! Whether requests should be sent here. It must say no only where another instance, or a later
//! moment, would serve a merchant better; whatever else is amiss is said beside a yes.

use crate::state::in_time;
use crate::watched::{STORE_WITHIN, WatchedGateway};
use ports::PortError;
use serde::Serialize;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// How long a report is answered again: a balancer asks each second.
const FRESH: Duration = Duration::from_millis(500);

/// Below this much free space nothing more is taken: the attempt journal must be written before
/// anything is sent, and the store may need this much to end what is open.
const DISK_MIN: u64 = 64 << 20;

/// Below this much free space a person should look.
const DISK_LOW: u64 = 1 << 30;

/// Beyond this distance from the clock of the store a person should look.
const CLOCK_OFF: Duration = Duration::from_secs(2);

/// Beyond this distance times that merchants see would be wrong, and another instance is better.
const CLOCK_WRONG: Duration = Duration::from_mins(1);

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// As it should be.
    Ok,
    /// A person should look; requests are served.
    Degraded,
    /// No requests should be sent here.
    Failed,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadinessCheck {
    /// What was looked at.
    pub name: &'static str,
    /// What it came to.
    pub status: CheckStatus,
    /// Why, unless it is as it should be.
    pub reason: Option<String>,
}

impl ReadinessCheck {
    const fn ok(name: &'static str) -> Self {
        let status = CheckStatus::Ok;
        Self {
            name,
            status,
            reason: None,
        }
    }

    const fn not_ok(name: &'static str, status: CheckStatus, reason: String) -> Self {
        Self {
            name,
            status,
            reason: Some(reason),
        }
    }
}

/// Every check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadinessReport {
    /// Whether requests should be sent here.
    pub ready: bool,
    /// What was looked at.
    pub checks: Vec<ReadinessCheck>,
    /// How far our clock is from that of the store, where both are known.
    #[serde(skip)]
    pub clock_offset: Option<Duration>,
}

impl ReadinessReport {
    fn of(checks: Vec<ReadinessCheck>, clock_offset: Option<Duration>) -> Self {
        Self {
            ready: checks.iter().all(|it| it.status < CheckStatus::Failed),
            checks,
            clock_offset,
        }
    }
}

/// A question to the writer that it has not answered yet.
#[derive(Default)]
struct WriterQuestion(Mutex<Option<Pin<Box<Answer>>>>);

type Answer = dyn Future<Output = Result<(), PortError>> + Send;

impl fmt::Debug for WriterQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriterQuestion").finish_non_exhaustive()
    }
}

/// Looks whether a gateway is ready.
#[derive(Debug)]
pub struct Readiness {
    watched: WatchedGateway,
    stopping: CancellationToken,
    asked: WriterQuestion,
    /// The last report, and its uptime.
    last: Mutex<Option<(Duration, ReadinessReport)>>,
}

impl Readiness {
    /// Of a gateway that is ready until it is asked to stop.
    pub fn new(watched: WatchedGateway, stopping: CancellationToken) -> Self {
        Self {
            watched,
            stopping,
            asked: WriterQuestion::default(),
            last: Mutex::default(),
        }
    }

    /// Looks at everything.
    pub async fn report(&self) -> ReadinessReport {
        if self.stopping.is_cancelled() {
            let reason = "it finishes what is under way and takes no new connection".to_owned();
            let stopping = ReadinessCheck::not_ok("process", CheckStatus::Failed, reason);
            return ReadinessReport::of(vec![stopping], None);
        }
        let mut last = self.last.lock().await;
        let now = self.watched.gateway.uptime();
        if let Some((at, report)) = &*last
            && now.saturating_sub(*at) < FRESH
        {
            return report.clone();
        }
        let (database, writer, payments) =
            tokio::join!(self.database(), self.writer(), self.payments());
        let (database, clock, offset) = database;
        let checks = vec![
            ReadinessCheck::ok("process"),
            database,
            writer,
            payments,
            self.places(),
            self.disk(),
            clock,
        ];
        let report = ReadinessReport::of(checks, offset);
        *last = Some((self.watched.gateway.uptime(), report.clone()));
        report
    }

    /// The database, our clock beside its own, and how far they are apart.
    async fn database(&self) -> (ReadinessCheck, ReadinessCheck, Option<Duration>) {
        match in_time(self.watched.backlog.read_state()).await {
            Ok(state) => {
                let ours = self.watched.gateway.now();
                let theirs = state.clock.unwrap_or(ours);
                let apart = ours.since(theirs).max(theirs.since(ours));
                let offset = state.clock.map(|_| apart);
                (ReadinessCheck::ok("database"), clock(apart), offset)
            }
            Err(error) => (
                failed("database", &error),
                ReadinessCheck::not_ok(
                    "clock",
                    CheckStatus::Degraded,
                    "the database could not be asked for the time".to_owned(),
                ),
                None,
            ),
        }
    }

    /// One question waits for the writer at a time, whatever became of those that asked: questions
    /// that pile up would keep payments waiting.
    async fn writer(&self) -> ReadinessCheck {
        let mut asked = self.asked.0.lock().await;
        let question = asked.get_or_insert_with(|| {
            let backlog = Arc::clone(&self.watched.backlog);
            Box::pin(async move { backlog.await_writer().await })
        });
        let answer = tokio::time::timeout(STORE_WITHIN, question.as_mut()).await;
        let Ok(answer) = answer else {
            let reason = "the writer has not come to the last question".to_owned();
            return ReadinessCheck::not_ok("writer", CheckStatus::Failed, reason);
        };
        *asked = None;
        match answer {
            Ok(()) => ReadinessCheck::ok("writer"),
            Err(error) => failed("writer", &error),
        }
    }

    /// Every instance over a store is suspended with the others, and reports are still served.
    async fn payments(&self) -> ReadinessCheck {
        match in_time(self.watched.reconciliation.suspension()).await {
            Ok(None) => ReadinessCheck::ok("payments"),
            Ok(Some(suspension)) => {
                let reason = format!(
                    "new payments are suspended: {}; see `manilla reconcile`",
                    suspension.because
                );
                ReadinessCheck::not_ok("payments", CheckStatus::Degraded, reason)
            }
            Err(error) => failed("payments", &error),
        }
    }

    fn places(&self) -> ReadinessCheck {
        let (taken, places) = self.watched.gateway.payment_places();
        if taken < places {
            return ReadinessCheck::ok("places");
        }
        let reason = format!("{places} payments are under way, as many as may be");
        ReadinessCheck::not_ok("places", CheckStatus::Degraded, reason)
    }

    fn disk(&self) -> ReadinessCheck {
        let host = &self.watched.host;
        // A file system that failed may show as much room as before.
        if let Some(failure) = host.write_failure() {
            let reason = format!("nothing can be written where the data folder is: {failure}");
            return ReadinessCheck::not_ok("disk", CheckStatus::Failed, reason);
        }
        disk(host.free_bytes())
    }
}

fn failed(name: &'static str, error: &PortError) -> ReadinessCheck {
    ReadinessCheck::not_ok(name, CheckStatus::Failed, error.to_string())
}

/// Whether there is room where the data folder is.
pub fn disk(free: Option<u64>) -> ReadinessCheck {
    let Some(free) = free else {
        let reason = "what is free where the data folder is cannot be found out".to_owned();
        return ReadinessCheck::not_ok("disk", CheckStatus::Degraded, reason);
    };
    let status = match free {
        _ if free < DISK_MIN => CheckStatus::Failed,
        _ if free < DISK_LOW => CheckStatus::Degraded,
        _ => return ReadinessCheck::ok("disk"),
    };
    let reason = format!(
        "{} MiB are free where the data folder is; {} should be, and {} must be",
        free >> 20,
        DISK_LOW >> 20,
        DISK_MIN >> 20
    );
    ReadinessCheck::not_ok("disk", status, reason)
}

fn clock(apart: Duration) -> ReadinessCheck {
    let status = match apart {
        _ if apart > CLOCK_WRONG => CheckStatus::Failed,
        _ if apart > CLOCK_OFF => CheckStatus::Degraded,
        _ => return ReadinessCheck::ok("clock"),
    };
    let reason = format!(
        "the clock is {} s off that of the database; {} s are too much",
        apart.as_secs(),
        CLOCK_WRONG.as_secs()
    );
    ReadinessCheck::not_ok("clock", status, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_and_clock_fail_at_their_bounds() {
        let statuses = |bytes: u64| disk(Some(bytes)).status;
        assert_eq!(statuses(DISK_MIN - 1), CheckStatus::Failed);
        assert_eq!(statuses(DISK_MIN), CheckStatus::Degraded);
        assert_eq!(statuses(DISK_LOW), CheckStatus::Ok);
        assert_eq!(disk(None).status, CheckStatus::Degraded);
        assert_eq!(clock(CLOCK_OFF).status, CheckStatus::Ok);
        assert_eq!(clock(CLOCK_WRONG).status, CheckStatus::Degraded);
        assert_eq!(clock(Duration::from_hours(1)).status, CheckStatus::Failed);
    }

    #[test]
    fn one_failure_is_not_ready_and_a_degradation_is() {
        let degraded = ReadinessCheck::not_ok("a", CheckStatus::Degraded, String::new());
        let failed = ReadinessCheck::not_ok("b", CheckStatus::Failed, String::new());
        let report = |checks: &[&ReadinessCheck]| {
            let checks = checks.iter().copied().cloned();
            ReadinessReport::of(checks.collect(), None).ready
        };
        assert!(report(&[&degraded, &ReadinessCheck::ok("c")]));
        assert!(!report(&[&degraded, &failed]));
    }
}
