//! Laws of files of reports.

use super::setup::Stores;
use crate::builders::{account_id, at, number};
use domain::order::Service;
use domain::reporting::{
    RUNS_MAX, ReportGrouping, ReportKind, ReportRun, ReportRunId, RunRequest, RunState,
};
use domain::time::Timestamp;
use domain::transaction::Status;
use ports::report_runs::{RunClaim, RunCreation, RunPart, RunWrite};

fn request() -> RunRequest {
    RunRequest {
        kind: ReportKind::Transactions,
        service: Some(Service::Bank),
        from: at(1),
        until: at(9),
        status: Some(Status::Failed),
        number: Some("0123456785".into()),
        grouping: ReportGrouping::DayAndService,
        time_zone: "Africa/Lagos".into(),
    }
}

fn id(n: u64) -> ReportRunId {
    ReportRunId::new(number(n))
}

fn begun(account: &str, n: u64) -> ReportRun {
    ReportRun::begun((account_id(account), id(n)), request(), at(10 + n))
}

const fn part(text: &str, parts: u32) -> RunPart<'_> {
    RunPart {
        text,
        rows: 7,
        bytes: 20,
        parts,
        until: Timestamp::from_millis(i64::MAX),
    }
}

impl Stores {
    async fn begins(&self, account: &str, n: u64) -> RunCreation {
        let run = begun(account, n);
        self.report_runs.begin_run(&run).await.expect("begin a run")
    }

    async fn run(&self, account: &str, n: u64) -> Option<ReportRun> {
        let found = self.report_runs.run(&account_id(account), id(n)).await;
        found.expect("read a run")
    }

    async fn claims(&self, now: Timestamp, until: Timestamp) -> Option<RunClaim> {
        let claimed = self.report_runs.claim_run(now, until).await;
        claimed.expect("claim a run")
    }

    async fn writes(&self, claim: &RunClaim, part: RunPart<'_>) -> RunWrite {
        let written = self.report_runs.write_part(claim, part).await;
        written.expect("write a part")
    }

    async fn renews(&self, claim: &RunClaim, until: Timestamp) -> RunWrite {
        let renewed = self.report_runs.renew_claim(claim, until).await;
        renewed.expect("renew a claim")
    }

    async fn ends(&self, claim: &RunClaim, state: RunState, expires: Timestamp) -> RunWrite {
        let ended = ReportRun {
            state,
            rows: 8,
            bytes: 30,
            parts: 2,
            expires_at: Some(expires),
            ..claim.run.clone()
        };
        let done = self.report_runs.end_run(claim, &ended).await;
        done.expect("end a run")
    }

    async fn part(&self, account: &str, n: u64, part: u32) -> Option<String> {
        let account = account_id(account);
        let found = self.report_runs.part(&account, id(n), part).await;
        found.expect("read a part")
    }
}

/// What began is read back by its account alone, one at a time for each account.
pub async fn an_account_has_one_file_under_way(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    assert_eq!(stores.begins("ghost", 1).await, RunCreation::AccountUnknown);
    assert_eq!(stores.begins("shop", 1).await, RunCreation::Done);
    assert_eq!(stores.begins("shop", 1).await, RunCreation::IdTaken);
    assert_eq!(stores.begins("shop", 2).await, RunCreation::UnderWay);
    assert_eq!(stores.begins("kiosk", 1).await, RunCreation::Done);
    assert_eq!(stores.run("shop", 1).await, Some(begun("shop", 1)));
    assert_eq!(stores.run("shop", 2).await, None);
    assert_eq!(stores.run("kiosk", 1).await, Some(begun("kiosk", 1)));
}

/// A claim lasts for its time, each part and each renewal makes it last longer, and what is written
/// or renewed under an older one is refused.
pub async fn a_file_is_written_under_the_last_claim(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    assert_eq!(stores.claims(at(99), at(100)).await, None);
    stores.begins("shop", 1).await;
    let first = stores.claims(at(20), at(30)).await.expect("a claim");
    assert_eq!(first.run, begun("shop", 1));
    assert_eq!(stores.claims(at(29), at(39)).await, None);
    let short = RunPart {
        until: at(40),
        ..part("early,", 1)
    };
    assert_eq!(stores.writes(&first, short).await, RunWrite::Done);
    let seen = stores.run("shop", 1).await.expect("the run");
    assert_eq!((seen.rows, seen.bytes, seen.parts), (7, 20, 1));
    assert_eq!(stores.claims(at(39), at(49)).await, None);
    assert_eq!(stores.renews(&first, at(45)).await, RunWrite::Done);
    let seen = stores.run("shop", 1).await.expect("the run");
    assert_eq!((seen.rows, seen.bytes, seen.parts), (7, 20, 1));
    assert_eq!(stores.claims(at(44), at(54)).await, None);
    let second = stores.claims(at(45), at(55)).await.expect("a claim");
    assert_eq!(second.run, begun("shop", 1));
    assert_eq!(stores.renews(&first, at(90)).await, RunWrite::Lost);
    assert_eq!(stores.writes(&first, part("x", 2)).await, RunWrite::Lost);
    let lost = stores.ends(&first, RunState::Failed, at(60)).await;
    assert_eq!(lost, RunWrite::Lost);
    assert_eq!(
        stores.writes(&second, part("late,", 1)).await,
        RunWrite::Done
    );
    assert_eq!(stores.writes(&second, part("end", 2)).await, RunWrite::Done);
    let ready = RunState::Ready([7; 32]);
    assert_eq!(stores.ends(&second, ready, at(60)).await, RunWrite::Done);
    assert_eq!(stores.ends(&second, ready, at(60)).await, RunWrite::Lost);
    assert_eq!(stores.writes(&second, part("x", 3)).await, RunWrite::Lost);
    assert_eq!(stores.renews(&second, at(90)).await, RunWrite::Lost);
    assert_eq!(stores.claims(at(999), at(1_000)).await, None);
    let ended = stores.run("shop", 1).await.expect("the run");
    assert_eq!((ended.state, ended.expires_at), (ready, Some(at(60))));
    assert_eq!((ended.rows, ended.bytes, ended.parts), (8, 30, 2));
    assert_eq!(stores.part("shop", 1, 1).await.as_deref(), Some("late,"));
    assert_eq!(stores.part("shop", 1, 2).await.as_deref(), Some("end"));
    assert_eq!(stores.part("shop", 1, 3).await, None);
    assert_eq!(stores.part("kiosk", 1, 1).await, None);
}

/// What has expired is removed a few parts at a time, and its run later than its parts.
pub async fn an_expired_file_is_removed_part_by_part(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.begins("shop", 1).await;
    let claim = stores.claims(at(20), at(30)).await.expect("a claim");
    for n in 1..=3 {
        assert_eq!(stores.writes(&claim, part("x", n)).await, RunWrite::Done);
    }
    stores.ends(&claim, RunState::Ready([7; 32]), at(60)).await;
    let forget = async |now, before, most| {
        let forgotten = stores.report_runs.forget_runs(now, before, most).await;
        forgotten.expect("forget runs")
    };
    assert_eq!(forget(at(59), at(59), 9).await, 0);
    assert_eq!(stores.part("shop", 1, 3).await.as_deref(), Some("x"));
    assert_eq!(forget(at(60), at(0), 2).await, 2);
    assert_eq!(forget(at(60), at(59), 2).await, 1);
    assert!(stores.run("shop", 1).await.is_some());
    assert_eq!(forget(at(60), at(60), 2).await, 0);
    assert_eq!(stores.run("shop", 1).await, None);
}

/// So many files that have not expired, newest first, and no more.
pub async fn an_account_has_so_many_files(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let most = u64::from(RUNS_MAX);
    for n in 1..=most {
        assert_eq!(stores.begins("shop", n).await, RunCreation::Done);
        let claim = stores.claims(at(99), at(100)).await.expect("a claim");
        let expires = if n == 1 { at(40) } else { at(999) };
        stores.ends(&claim, RunState::Failed, expires).await;
    }
    let known = stores.report_runs.runs(&account_id("shop")).await;
    let known: Vec<_> = known.unwrap().iter().map(|run| run.id).collect();
    assert_eq!(known, (1..=most).rev().map(id).collect::<Vec<_>>());
    assert_eq!(stores.begins("shop", 29).await, RunCreation::TooMany);
    // By then the first one has expired.
    assert_eq!(stores.begins("shop", 30).await, RunCreation::Done);
}
