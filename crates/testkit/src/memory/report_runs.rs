//! Files of reports: a list of runs, each with its parts.

use super::MemoryStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reporting::{RUNS_MAX, ReportRun, ReportRunId, RunState};
use domain::time::Timestamp;
use ports::PortError;
use ports::report_runs::{ReportRuns, RunClaim, RunCreation, RunPart, RunWrite};
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub(super) struct RunEntry {
    run: ReportRun,
    claims: u32,
    due_at: Timestamp,
    parts: BTreeMap<u32, String>,
}

impl RunEntry {
    fn is(&self, account: &AccountId, id: ReportRunId) -> bool {
        self.run.account == *account && self.run.id == id
    }

    fn is_pending(&self) -> bool {
        self.run.state == RunState::Pending
    }

    fn is_claimed_by(&self, claim: &RunClaim) -> bool {
        self.is(&claim.run.account, claim.run.id) && self.claims == claim.count && self.is_pending()
    }
}

#[async_trait]
impl ReportRuns for MemoryStore {
    async fn begin_run(&self, run: &ReportRun) -> Result<RunCreation, PortError> {
        let mut tables = self.tables();
        if tables.account(&run.account).is_none() {
            return Ok(RunCreation::AccountUnknown);
        }
        let theirs = tables.report_runs.iter();
        let theirs: Vec<_> = theirs.filter(|it| it.run.account == run.account).collect();
        if theirs.iter().any(|it| it.run.id == run.id) {
            return Ok(RunCreation::IdTaken);
        }
        if theirs.iter().any(|it| it.is_pending()) {
            return Ok(RunCreation::UnderWay);
        }
        let kept = theirs
            .iter()
            .filter(|it| !it.run.is_expired(run.created_at));
        if kept.count() >= RUNS_MAX as usize {
            return Ok(RunCreation::TooMany);
        }
        tables.report_runs.push(RunEntry {
            run: run.clone(),
            claims: 0,
            due_at: run.created_at,
            parts: BTreeMap::new(),
        });
        Ok(RunCreation::Done)
    }

    async fn run(
        &self,
        account: &AccountId,
        id: ReportRunId,
    ) -> Result<Option<ReportRun>, PortError> {
        let tables = self.tables();
        let found = tables.report_runs.iter().find(|it| it.is(account, id));
        Ok(found.map(|it| it.run.clone()))
    }

    async fn runs(&self, account: &AccountId) -> Result<Vec<ReportRun>, PortError> {
        let tables = self.tables();
        let runs = tables.report_runs.iter().map(|it| &it.run);
        let theirs = runs.filter(|run| run.account == *account);
        let mut theirs: Vec<_> = theirs.cloned().collect();
        theirs.sort_by_key(|run| std::cmp::Reverse((run.created_at, run.id)));
        Ok(theirs)
    }

    async fn claim_run(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<RunClaim>, PortError> {
        let mut tables = self.tables();
        let runs = tables.report_runs.iter_mut();
        let due = runs.filter(|it| it.is_pending() && it.due_at <= now);
        let Some(entry) = due.min_by_key(|it| it.due_at) else {
            return Ok(None);
        };
        entry.due_at = until;
        entry.claims += 1;
        (entry.run.rows, entry.run.bytes, entry.run.parts) = (0, 0, 0);
        Ok(Some(RunClaim {
            run: entry.run.clone(),
            count: entry.claims,
        }))
    }

    async fn renew_claim(&self, claim: &RunClaim, until: Timestamp) -> Result<RunWrite, PortError> {
        let mut tables = self.tables();
        let mut runs = tables.report_runs.iter_mut();
        let Some(entry) = runs.find(|it| it.is_claimed_by(claim)) else {
            return Ok(RunWrite::Lost);
        };
        entry.due_at = until;
        Ok(RunWrite::Done)
    }

    async fn write_part(&self, claim: &RunClaim, part: RunPart<'_>) -> Result<RunWrite, PortError> {
        let mut tables = self.tables();
        let mut runs = tables.report_runs.iter_mut();
        let Some(entry) = runs.find(|it| it.is_claimed_by(claim)) else {
            return Ok(RunWrite::Lost);
        };
        entry.due_at = part.until;
        (entry.run.rows, entry.run.bytes, entry.run.parts) = (part.rows, part.bytes, part.parts);
        entry.parts.insert(part.parts, part.text.to_owned());
        Ok(RunWrite::Done)
    }

    async fn end_run(&self, claim: &RunClaim, ended: &ReportRun) -> Result<RunWrite, PortError> {
        let mut tables = self.tables();
        let mut runs = tables.report_runs.iter_mut();
        let Some(entry) = runs.find(|it| it.is_claimed_by(claim)) else {
            return Ok(RunWrite::Lost);
        };
        entry.run = ended.clone();
        Ok(RunWrite::Done)
    }

    async fn part(
        &self,
        account: &AccountId,
        id: ReportRunId,
        part: u32,
    ) -> Result<Option<String>, PortError> {
        let tables = self.tables();
        let found = tables.report_runs.iter().find(|it| it.is(account, id));
        Ok(found.and_then(|it| it.parts.get(&part).cloned()))
    }

    async fn forget_runs(
        &self,
        now: Timestamp,
        before: Timestamp,
        most: u32,
    ) -> Result<u64, PortError> {
        let mut tables = self.tables();
        let mut forgotten = 0;
        for entry in &mut tables.report_runs {
            while entry.run.is_expired(now) && forgotten < u64::from(most) {
                let Some(_) = entry.parts.pop_first() else {
                    break;
                };
                forgotten += 1;
            }
        }
        tables
            .report_runs
            .retain(|it| !it.run.is_expired(before) || !it.parts.is_empty());
        Ok(forgotten)
    }
}
