//! The worker that writes the files of runs and removes those that have expired. A file must never
//! be in memory as a whole.

use super::{ReportFileForm, ReportKind, ReportRun, ReportSumsOf, RunState};
use crate::gateway::Gateway;
use crate::reports::walk::AcceptedWalk;
use crate::reports::{ReportError, ReportFilter, ReportScope, key};
use crate::request_error::RequestError;
use domain::reporting::{GroupedSums, PriceSums, RUN_ROWS_MAX, ReportDays, ReportGrouping};
use domain::statement::Sort;
use domain::webhook::{EventPayload, Topic, WebhookEvent, WebhookEventId};
use ports::report_runs::{RunClaim, RunPart, RunWrite};
use ports::{PortError, PortErrorKind};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How large a part is, about: a small commit beside those of payments.
const PART_BYTES: usize = 256 * 1024;

/// How long a claim lasts: a run that was begun by an instance that is gone waits for so long.
const CLAIM: Duration = Duration::from_mins(1);

/// How often a claim is renewed: sums write no part before their end, and reading all the rows that
/// a file may have takes minutes. Two renewals may fail, though each waits for the store for as
/// long as a statement may take.
const RENEWED_EVERY: Duration = Duration::from_secs(10);

/// How often a run is claimed at most, hours long: what always ends before its end has no file.
const CLAIMS_MAX: u32 = 300;

/// How often it is looked for runs that another instance began, or left.
const EVERY: Duration = Duration::from_secs(5);

/// How long a run is known after its file expired.
const KNOWN_AFTER: Duration = Duration::from_hours(7 * 24);

/// How many parts are forgotten at a time.
const FORGOTTEN_AT_ONCE: u32 = 16;

/// Writes the files of runs, and removes those that have expired.
#[derive(Debug)]
pub struct ReportWriter {
    gateway: Gateway,
    form: Arc<dyn ReportFileForm>,
    kept: Duration,
}

/// A file that is being written.
struct PartWriter<'a> {
    gateway: &'a Gateway,
    claim: &'a RunClaim,
    text: String,
    sum: Sha256,
    rows: u64,
    bytes: u64,
    parts: u32,
}

/// Why writing a file ends early.
enum Stopped {
    /// No file can be made of it.
    Failed(String),
    /// Another writes it, or will: the store is away.
    Left(String),
}

impl From<ReportError> for Stopped {
    fn from(error: ReportError) -> Self {
        let reason = error.to_string();
        match error {
            ReportError::TooManyRows | ReportError::TooLarge(_) => Self::Failed(reason),
            ReportError::Request(RequestError::Store(failed)) => failed.into(),
            ReportError::Request(_) => Self::Left(reason),
        }
    }
}

impl From<PortError> for Stopped {
    fn from(failed: PortError) -> Self {
        let reason = failed.to_string();
        if failed.trouble == PortErrorKind::Record {
            Self::Failed(reason)
        } else {
            Self::Left(reason)
        }
    }
}

impl PartWriter<'_> {
    async fn flush_full(&mut self) -> Result<(), Stopped> {
        if self.text.len() < PART_BYTES {
            return Ok(());
        }
        self.flush().await
    }

    async fn flush(&mut self) -> Result<(), Stopped> {
        if self.text.is_empty() {
            return Ok(());
        }
        self.sum.update(self.text.as_bytes());
        let bytes = u64::try_from(self.text.len()).unwrap_or(u64::MAX);
        self.bytes = self.bytes.saturating_add(bytes);
        self.parts = self.parts.saturating_add(1);
        let part = RunPart {
            text: &self.text,
            rows: self.rows,
            bytes: self.bytes,
            parts: self.parts,
            until: self.gateway.now().plus(CLAIM),
        };
        let runs = &self.gateway.parts().report_runs;
        match runs.write_part(self.claim, part).await? {
            RunWrite::Done => {
                self.text.clear();
                Ok(())
            }
            RunWrite::Lost => Err(Stopped::Left("another claimed the run".into())),
        }
    }
}

impl ReportWriter {
    /// Over a gateway; files are kept for a time after they were written.
    pub fn new(gateway: Gateway, form: Arc<dyn ReportFileForm>, kept: Duration) -> Self {
        Self {
            gateway,
            form,
            kept,
        }
    }

    /// Writes files as they are begun, until it is stopped.
    pub async fn run(self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if self.work(&stop).await {
                continue;
            }
            tokio::select! {
                () = self.gateway.report_begun().notified() => {}
                () = self.gateway.parts().clock.sleep(EVERY) => {}
                () = stop.cancelled() => {}
            }
        }
    }

    /// Writes one file, or removes a part of those that have expired. Whether there was something
    /// to do. What is stopped half way is given back, for another instance to write it at once.
    pub async fn work(&self, stop: &CancellationToken) -> bool {
        let now = self.gateway.now();
        let runs = &self.gateway.parts().report_runs;
        match runs.claim_run(now, now.plus(CLAIM)).await {
            Ok(Some(claim)) => {
                tokio::select! {
                    biased;
                    () = self.write(&claim) => {}
                    () = self.keep(&claim) => {}
                    () = stop.cancelled() => self.give_back(&claim).await,
                }
                return true;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "no report run could be claimed"),
        }
        let forgotten = runs.forget_runs(now, now.minus(KNOWN_AFTER), FORGOTTEN_AT_ONCE);
        match forgotten.await {
            Ok(parts) => parts > 0,
            Err(error) => {
                tracing::warn!(%error, "expired files of reports could not be removed");
                false
            }
        }
    }

    /// Renews a claim until it is lost.
    async fn keep(&self, claim: &RunClaim) {
        let (parts, run) = (self.gateway.parts(), &claim.run.id);
        loop {
            parts.clock.sleep(RENEWED_EVERY).await;
            let until = self.gateway.now().plus(CLAIM);
            match parts.report_runs.renew_claim(claim, until).await {
                Ok(RunWrite::Done) => {}
                Ok(RunWrite::Lost) => {
                    tracing::warn!(%run, "another instance claimed a report that is written here");
                    return;
                }
                Err(error) => tracing::warn!(%run, %error, "a claim was not renewed"),
            }
        }
    }

    /// Has a claim end now.
    async fn give_back(&self, claim: &RunClaim) {
        let runs = &self.gateway.parts().report_runs;
        if let Err(error) = runs.renew_claim(claim, self.gateway.now()).await {
            tracing::warn!(run = %claim.run.id, %error, "a claim could not be given back");
        }
    }

    async fn write(&self, claim: &RunClaim) {
        let mut file = PartWriter {
            gateway: &self.gateway,
            claim,
            text: String::new(),
            sum: Sha256::new(),
            rows: 0,
            bytes: 0,
            parts: 0,
        };
        let run = &claim.run;
        let written = if claim.count > CLAIMS_MAX {
            Err(Stopped::Failed("it was begun too often".into()))
        } else {
            self.lines(run, &mut file).await
        };
        let state = match written {
            Ok(()) => RunState::Ready(file.sum.finalize().into()),
            Err(Stopped::Failed(reason)) => {
                tracing::warn!(run = %run.id, reason, "a report cannot be made");
                RunState::Failed
            }
            Err(Stopped::Left(reason)) => {
                tracing::warn!(run = %run.id, reason, "a report is left to be written again");
                return;
            }
        };
        let ended = ReportRun {
            state,
            rows: file.rows,
            bytes: file.bytes,
            parts: file.parts,
            expires_at: Some(self.gateway.now().plus(self.kept)),
            ..run.clone()
        };
        // First: an event that was recorded is delivered, and once, by its number.
        if let Err(error) = self.announce(&ended).await {
            tracing::warn!(run = %run.id, %error, "the event of a file could not be recorded");
            return;
        }
        let runs = &self.gateway.parts().report_runs;
        match runs.end_run(claim, &ended).await {
            Ok(RunWrite::Done) => {}
            Ok(RunWrite::Lost) => tracing::warn!(run = %run.id, "a report was written twice"),
            Err(error) => tracing::warn!(run = %run.id, %error, "a report could not be ended"),
        }
    }

    /// Reports that the file is there. Its number names the event, so it is delivered once.
    async fn announce(&self, run: &ReportRun) -> Result<(), PortError> {
        if !matches!(run.state, RunState::Ready(_)) {
            return Ok(());
        }
        let event = WebhookEvent {
            id: WebhookEventId::fresh(run.id.number()),
            topic: Topic::ReportReady,
            sequence: 1,
            at: self.gateway.now(),
            subject: EventPayload::Report(run.id),
        };
        let outbox = &self.gateway.parts().outbox;
        outbox.announce(&run.account, None, &event).await.map(drop)
    }

    async fn lines(&self, run: &ReportRun, file: &mut PartWriter<'_>) -> Result<(), Stopped> {
        let request = &run.request;
        let until = request.until.min(run.as_of.plus(Duration::from_millis(1)));
        let midnights = self.form.midnights(request);
        let scope = ReportScope::of(
            request.service,
            ReportDays::new(request.from, until, midnights),
        );
        let grouping = request.grouping;
        if request.kind == ReportKind::Transactions {
            self.transactions((run, &scope), file).await?;
        } else {
            let sums = self.sums(run, &scope, grouping).await?;
            (file.text, file.rows) = self.form.sums(request, sums);
        }
        file.flush().await
    }

    async fn transactions(
        &self,
        (run, scope): (&ReportRun, &ReportScope),
        file: &mut PartWriter<'_>,
    ) -> Result<(), Stopped> {
        let mut lines = self.form.transactions(&run.request);
        let filter = ReportFilter {
            status: run.request.status,
            number: run.request.number.clone(),
            offset: 0,
            length: 0,
            sort: Sort::Ascending,
        };
        let of = (&run.account, RUN_ROWS_MAX);
        let mut walk = AcceptedWalk::new(&self.gateway, of, scope, run.as_of);
        let mut sums = GroupedSums::default();
        file.text = lines.columns();
        while let Some(row) = walk.next().await? {
            if !filter.takes(&row) {
                continue;
            }
            let key = key(scope, ReportGrouping::Account, &row);
            let added = sums.add(key, &PriceSums::of(&row.quote));
            added.map_err(ReportError::from)?;
            lines.line(&row, &mut file.text);
            file.rows = file.rows.saturating_add(1);
            file.flush_full().await?;
        }
        file.text.push_str(&lines.totals(&sums));
        Ok(())
    }

    async fn sums(
        &self,
        run: &ReportRun,
        scope: &ReportScope,
        grouping: ReportGrouping,
    ) -> Result<ReportSumsOf, ReportError> {
        let (gateway, of) = (&self.gateway, (&run.account, RUN_ROWS_MAX));
        Ok(match run.request.kind {
            ReportKind::Commission | ReportKind::Transactions => ReportSumsOf::Commission(
                gateway
                    .commission_sums(of, (scope, run.as_of), grouping)
                    .await?,
            ),
            ReportKind::Settlement => ReportSumsOf::Settlement(
                gateway
                    .settlement_sums(of, (scope, run.as_of), grouping)
                    .await?,
            ),
            ReportKind::Reconciliation => ReportSumsOf::Reconciliation(
                gateway
                    .reconciliation_sums(of, (scope, run.as_of), grouping)
                    .await?,
            ),
            ReportKind::Float => {
                ReportSumsOf::Float(gateway.float_days(of, &scope.days, grouping).await?)
            }
        })
    }
}
