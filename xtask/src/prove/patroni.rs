//! Proof: the leader of three PostgreSQL servers under Patroni is killed again and again while two
//! instances behind haproxy serve a steady load. The cluster must be the one that
//! `packaging/patroni` sets up, and nothing here may help a gateway to come back.

mod certificates;
mod cluster;
mod figures;
mod member;
mod programs;
mod rest;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use self::cluster::PatroniCluster;
use super::ProveOptions;
use super::document;
use super::gateway::instance::RestartedInstance;
use super::gateway::load::{LoadPlan, PaymentReports, RecordedAnswer, SteadyLoad};
use super::gateway::shop::Shop;
use super::gateway::{pause, program};
use super::part::ProofPart;
use super::state::ProofState;
use crate::repo::Repo;
use crate::stopwatch::{StepTimer, milliseconds};

pub(super) const NAME: &str = "patroni";
pub(super) const ABOUT: &str =
    "SIGKILL of the leader of three PostgreSQL servers under Patroni, two instances serve on";
pub(super) const UNIT: &str = "kills";

/// How many kills by default, and how many payments a second each instance is sent.
pub(super) const COUNT: u64 = 20;
const PER_SECOND: u64 = 20;

/// How long a whole cluster serves before the next kill.
const PAUSE: Duration = Duration::from_secs(5);

/// The longest from a kill until payments are served again: what fails later fails for good.
const SERVED_WITHIN: Duration = Duration::from_mins(3);

/// The longest until payments whose outcome was unknown are settled.
const SETTLED_WITHIN: Duration = Duration::from_mins(5);

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A gateway that serves later than so many milliseconds after the cluster takes writes is slow.
const SLOW_AFTER: u64 = 5_000;

/// How many times as long as the longest kill so far the next may take.
const LONGEST_KILL: u64 = 2;

/// Everything that runs. Fields end in this order: the load before what it asks.
#[derive(Debug)]
struct FailoverProof<'a> {
    repo: &'a Repo,
    loads: [SteadyLoad; 2],
    instances: [RestartedInstance; 2],
    shop: &'a Shop,
    cluster: PatroniCluster,
}

pub(super) fn run(repo: &Repo, options: &ProveOptions) -> Result<()> {
    let mut state = begin(repo, options)?;
    let program = program(repo, options)?;
    // PostgreSQL runs as another user, who must get at its folder.
    let home = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o755))
        .tempdir()
        .context("no folder for the cluster")?;
    let folder = tempfile::tempdir().context("no folder for the instances")?;
    let cluster = PatroniCluster::start(repo, home.path())?;
    let versions = cluster.programs.versions(repo)?;
    println!("{NAME}: {versions}");
    let shop = Shop::open(&program, folder.path(), cluster.database())?;
    let instances = [
        RestartedInstance::start(&shop, "first", "127.0.26.11")?,
        RestartedInstance::start(&shop, "second", "127.0.26.12")?,
    ];
    let run = milliseconds();
    let [first, second] = &instances;
    let load = |instance: &RestartedInstance, name: &str| {
        let prefix = format!("{name}-{run}");
        let plan = LoadPlan::airtime(&prefix, PER_SECOND);
        SteadyLoad::start(repo, (&shop, &instance.listen), plan)
    };
    let mut proof = FailoverProof {
        repo,
        loads: [load(first, "first")?, load(second, "second")?],
        instances,
        shop: &shop,
        cluster,
    };
    let outcome = proof.kills(options, &mut state);
    let outcome = outcome.and_then(|()| proof.end());
    if let (Err(_), Some(part)) = (&outcome, state.parts.last_mut()) {
        part.failed = true;
        state.write(repo, NAME)?;
    }
    println!("{}", figures::table(&state));
    if options.write {
        document::put(repo, NAME, &figures::section(&state, &versions))?;
    }
    outcome?;
    ensure!(
        state.failures() == 0,
        "{NAME}: {} kill(s) FAILED",
        state.failures()
    );
    Ok(())
}

/// The state to go on with: each kill is a part, and the seed is the number of the first.
fn begin(repo: &Repo, options: &ProveOptions) -> Result<ProofState> {
    let before = ProofState::read(repo, NAME)?.filter(|_| options.resume);
    let mut state = before.unwrap_or_else(|| ProofState {
        seed: 1,
        wanted: COUNT,
        parts: Vec::new(),
    });
    state.wanted = options.count.unwrap_or(state.wanted);
    Ok(state)
}

impl FailoverProof<'_> {
    /// Kills until everything is done or the time is over.
    fn kills(&mut self, options: &ProveOptions, state: &mut ProofState) -> Result<()> {
        let stopwatch = StepTimer::start();
        let mut longest = 0;
        self.await_served(0, [0, 0])?;
        while state.done() < state.wanted {
            let elapsed = stopwatch.elapsed().as_secs();
            if elapsed + longest * LONGEST_KILL > options.seconds() {
                println!("prove {NAME}: the time is over; go on with --resume");
                return Ok(());
            }
            let number = state.parts.len() as u64 + 1;
            let part = self.kill(number)?;
            println!("prove {NAME}: {}", figures::line(&part));
            longest = longest.max(part.seconds);
            let failed = part.failed;
            state.parts.push(part);
            state.write(self.repo, NAME)?;
            ensure!(!failed, "{NAME}: kill {number} FAILED");
        }
        Ok(())
    }

    fn kill(&mut self, number: u64) -> Result<ProofPart> {
        let stopwatch = StepTimer::start();
        let began = milliseconds();
        pause(PAUSE);
        let positions = self.positions()?;
        let (member, at) = self.cluster.kill_leader()?;
        println!("prove {NAME}: {} is killed", self.cluster.name(member));
        let failover = self.cluster.await_failover((member, at))?;
        let served = self.await_served(at, positions)?;
        self.cluster.rejoin(member)?;
        let rejoined = milliseconds().saturating_sub(at);
        pause(PAUSE);
        let refused = self.refused_until(at, positions)?;
        let reports = self.reports(number, began)?;
        let slow = u64::from(served > failover.writable + SLOW_AFTER);
        let in_doubt = ["Successful", "Failed", "Pending", "absent"]
            .map(|state| reports.count(&format!("in doubt, {state}")));
        let [bought, not_bought, pending, absent] = in_doubt;
        let figures = [
            (figures::MEMBER, member as u64 + 1),
            (figures::PROMOTED, failover.promoted),
            (figures::WRITABLE, failover.writable),
            (figures::SERVED, served),
            (figures::REFUSED_UNTIL, refused),
            (figures::REJOINED, rejoined),
            (figures::ACKNOWLEDGED, reports.count("acknowledged")),
            (figures::PENDING_FIRST, reports.count("pending first")),
            (figures::REFUSED, reports.count("refused")),
            (
                figures::REFUSED_AND_STORED,
                reports.count("refused") - reports.count("refused, absent"),
            ),
            (figures::IN_DOUBT, reports.count("in doubt")),
            (figures::BOUGHT, bought),
            (figures::NOT_BOUGHT, not_bought + absent),
            (figures::PENDING, pending),
            (figures::LOST, reports.lost),
            (figures::SLOW, slow),
        ];
        for lost in &reports.shown {
            println!("  LOST {lost}");
        }
        Ok(ProofPart {
            seed: number,
            count: 1,
            seconds: stopwatch.elapsed().as_secs(),
            failed: reports.lost + slow > 0,
            figures: figures.map(|(name, value)| (name.to_owned(), value)).into(),
        })
    }

    fn positions(&self) -> Result<[u64; 2]> {
        let [first, second] = &self.loads;
        Ok([first.position()?, second.position()?])
    }

    /// What each instance has answered since.
    fn answers(&self, [first, second]: [u64; 2]) -> Result<[Vec<RecordedAnswer>; 2]> {
        let [one, other] = &self.loads;
        Ok([one.answers(first)?, other.answers(second)?])
    }

    /// Waits until both instances have served a payment that was sent after a moment, and gives
    /// back how many milliseconds later the slower one did.
    fn await_served(&self, at: u64, positions: [u64; 2]) -> Result<u64> {
        let waited = StepTimer::start();
        while waited.elapsed() < SERVED_WITHIN {
            let served = self.answers(positions)?.map(|answers| {
                let served = answers.iter();
                let served = served.filter(|it| it.sent >= at && it.is_acknowledged());
                served.map(|it| it.answered).min()
            });
            if let [Some(first), Some(second)] = served {
                return Ok(first.max(second).saturating_sub(at));
            }
            pause(LOOK_EVERY);
        }
        bail!("payments are not served again:\n{}", self.logs());
    }

    /// When the last payment was not acknowledged, in milliseconds after a moment.
    fn refused_until(&self, at: u64, positions: [u64; 2]) -> Result<u64> {
        let answers = self.answers(positions)?.concat();
        let refused = answers.iter().filter(|it| !it.is_acknowledged());
        let last = refused.map(|it| it.answered).max();
        Ok(last.unwrap_or(at).saturating_sub(at))
    }

    /// Asks one instance or the other.
    fn reports(&self, number: u64, since: u64) -> Result<PaymentReports> {
        let [first, second] = &self.instances;
        let asked = if number.is_multiple_of(2) {
            first
        } else {
            second
        };
        let records = self.loads.each_ref().map(|load| load.record.as_path());
        self.ask(&asked.listen, (since, &records))
    }

    fn ask(&self, listen: &str, asked: (u64, &[&Path])) -> Result<PaymentReports> {
        PaymentReports::ask(self.repo, (self.shop, listen), asked)
    }

    /// Ends the load, and compares everything that was sent with the books and the provider.
    fn end(self) -> Result<()> {
        let Self {
            repo,
            loads: [first, second],
            instances: [one, other],
            shop,
            cluster,
        } = self;
        let records: [PathBuf; 2] = [first.end()?, second.end()?];
        let records = records.each_ref().map(PathBuf::as_path);
        let waited = StepTimer::start();
        let reports = loop {
            let asked = (0, &records[..]);
            let reports = PaymentReports::ask(repo, (shop, &one.listen), asked)?;
            if reports.count("Pending") == 0 || waited.elapsed() > SETTLED_WITHIN {
                break reports;
            }
            pause(PAUSE);
        };
        println!("{NAME}: all payments of this run: {:?}", reports.counts);
        for lost in &reports.shown {
            println!("  LOST {lost}");
        }
        ensure!(reports.lost == 0, "{} payments are LOST", reports.lost);
        let pending = reports.count("Pending");
        ensure!(pending == 0, "{pending} payments are not settled");
        one.stop()?;
        other.stop()?;
        shop.audit()?;
        drop(cluster);
        Ok(())
    }

    /// The ends of the logs of both instances.
    fn logs(&self) -> String {
        let log = |name: &str| {
            let path = self.shop.folder().join(format!("{name}.log"));
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let lines: Vec<_> = text.lines().collect();
            let from = lines.len().saturating_sub(20);
            format!(
                "{name}:\n{}\n",
                lines.get(from..).unwrap_or_default().join("\n")
            )
        };
        ["first", "second"].map(log).concat()
    }
}
