//! Proof: the release before beside this program, over one database, and each in the place of the
//! other. What the release before refuses must be said as it says it: it cannot be changed.

mod later;
mod previous;
mod stages;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use postgres_cluster::{Cluster, ClusterOptions};

use self::stages::ProofStage;
use super::gateway::instance::{InstanceProgram, RestartedInstance};
use super::gateway::load::{LoadPlan, PaymentReports, SteadyLoad};
use super::gateway::shop::{Shop, ShopDatabase};
use super::gateway::{answer, pause, program};
use super::{ProveOptions, document};
use crate::repo::Repo;
use crate::stopwatch::{StepTimer, milliseconds};

pub(super) const NAME: &str = "versions";
pub(super) const ABOUT: &str =
    "the release before beside this program under load: migrated, rolled on and rolled back";
pub(super) const UNIT: &str = "seconds";

/// How long each stage lasts by default, and how many payments a second each instance is sent.
pub(super) const SECONDS: u64 = 15;
const PER_SECOND: u64 = 20;

/// What both versions sell.
const FAMILIES: &str = "airtime,internet,electricity,cabletv,gas,sms,payout,hlr";

const PLACES: [(&str, &str); 2] = [("first", "127.0.28.11"), ("second", "127.0.28.12")];

/// How the release before says that it does not serve on a schema it does not know.
const REFUSAL: &str = "newer version of the gateway; use that one";

/// The longest until what was under way at the end is settled.
const SETTLED_WITHIN: Duration = Duration::from_mins(5);
const SETTLED_PAUSE: Duration = Duration::from_secs(5);

/// Which program runs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum ProgramVersion {
    Before,
    This,
}

pub(super) fn run(repo: &Repo, options: &ProveOptions) -> Result<()> {
    let this = program(repo, options)?;
    let before = match &options.previous {
        Some(file) => std::path::absolute(file)?,
        None => previous::build(repo)?,
    };
    let seconds = Duration::from_secs(options.count.unwrap_or(SECONDS));
    let mut sections = Vec::new();
    for is_shared in [true, false] {
        sections.push(over(repo, [&before, &this], (is_shared, seconds))?);
    }
    let section = sections.join("\n\n");
    println!("{NAME}: {section}");
    if options.write {
        document::put(repo, NAME, &section)?;
    }
    Ok(())
}

/// Goes through the stages over PostgreSQL, which instances share, or over the embedded store.
fn over(
    repo: &Repo,
    [before, this]: [&Path; 2],
    (is_shared, seconds): (bool, Duration),
) -> Result<String> {
    let folder = tempfile::tempdir().context("no folder for the instances")?;
    let cluster = is_shared.then(|| Cluster::private(&ClusterOptions::default()));
    let made = cluster.as_ref().map(Cluster::database);
    let database = made.as_ref().map_or_else(ShopDatabase::embedded, |made| {
        ShopDatabase::of_one_role(&made.url())
    });
    let mut shop = Shop::open(before, folder.path(), database)?;
    let mut proof = VersionsProof {
        repo,
        shop: &shop,
        this,
        seconds,
        places: Vec::new(),
        records: Vec::new(),
        stages: Vec::new(),
    };
    let (store, outcome) = match &made {
        Some(made) => {
            let stages = proof.shared(&|| later::migrate_postgres(made));
            ("Two instances over PostgreSQL", stages)
        }
        None => ("One instance over the embedded store", proof.embedded()),
    };
    if let (Err(_), Some(cluster)) = (&outcome, &cluster) {
        println!("{NAME}: the log of the server:\n{}", cluster.log());
    }
    outcome.with_context(|| format!("the stages: {:?}", proof.stages))?;
    let section = proof.end()?;
    shop.program = this.to_path_buf();
    let audit = audited(&shop, is_shared)?;
    Ok(format!(
        "{store}, release {} first: {section}; audit: {audit}.",
        previous::RELEASE
    ))
}

/// What an instance of 0.2.0 opens beside a later one is not counted against the limit of a day.
const UNCOUNTED: &str = "I26";

/// What the audit says: it is clean, but for what is written down of instances of both versions.
fn audited(shop: &Shop, is_shared: bool) -> Result<&'static str> {
    let Err(error) = shop.audit() else {
        return Ok("clean");
    };
    let text = format!("{error:#}");
    let mut broken = text.lines().filter(|line| line.contains(" BROKEN "));
    let is_known = broken
        .next()
        .is_some_and(|line| line.starts_with(UNCOUNTED))
        && broken.next().is_none();
    ensure!(is_shared && is_known, "{text}");
    Ok(
        "clean but for I26, until the day of the wallet ends: N-1 does not count what it opens \
        beside N ([ADR 45](adr/0045-limits-are-counted-by-the-commit-that-opens.md))",
    )
}

/// One instance, and its load while it has one.
#[derive(Debug)]
struct LoadedPlace {
    load: Option<SteadyLoad>,
    instance: RestartedInstance,
    is_running: bool,
}

#[derive(Debug)]
struct VersionsProof<'a> {
    repo: &'a Repo,
    shop: &'a Shop,
    this: &'a Path,
    seconds: Duration,
    places: Vec<LoadedPlace>,
    records: Vec<PathBuf>,
    stages: Vec<ProofStage>,
}

impl<'a> VersionsProof<'a> {
    fn shared(&mut self, migrate_later: &dyn Fn() -> Result<()>) -> Result<()> {
        self.stage("both N-1");
        self.start_places(2)?;
        self.served();
        self.stage("`migrate` of N, both N-1 serve");
        self.migrate()?;
        self.served();
        self.stage("one N, one N-1");
        self.roll(0, ProgramVersion::This)?;
        self.served();
        self.stage("N-1 started again on the schema of N");
        self.roll(1, ProgramVersion::Before)?;
        self.served();
        self.stage("N rolled back to N-1");
        self.roll(0, ProgramVersion::Before)?;
        self.served();
        self.stage("both N");
        for place in 0..2 {
            self.roll(place, ProgramVersion::This)?;
        }
        self.served();
        self.stage("a migration of N+1 that allows N, both N serve");
        migrate_later()?;
        self.served();
        self.stage("both N started again on the schema of N+1");
        for place in 0..2 {
            self.roll(place, ProgramVersion::This)?;
        }
        self.served();
        Ok(())
    }

    fn embedded(&mut self) -> Result<()> {
        self.stage("N-1");
        self.start_places(1)?;
        self.served();
        self.stage("N, which migrates");
        self.roll(0, ProgramVersion::This)?;
        self.served();
        self.stage("N rolled back to N-1");
        self.roll(0, ProgramVersion::Before)?;
        self.served();
        self.stage("N started again after a migration of N+1 that allows N");
        self.stop(0)?;
        later::migrate_embedded(&self.shop.data())?;
        self.roll(0, ProgramVersion::This)?;
        self.served();
        Ok(())
    }

    fn stage(&mut self, name: &str) {
        println!("{NAME}: {name}");
        self.stages.push(ProofStage::begin(name, milliseconds()));
    }

    /// Lets the instances serve for as long as a stage lasts.
    fn served(&self) {
        pause(self.seconds);
    }

    fn program(&self, version: ProgramVersion) -> InstanceProgram<'a> {
        match version {
            ProgramVersion::This => InstanceProgram {
                path: self.this,
                ..InstanceProgram::of(self.shop)
            },
            ProgramVersion::Before => InstanceProgram {
                is_monitored: false,
                ..InstanceProgram::of(self.shop)
            },
        }
    }

    fn start_places(&mut self, count: usize) -> Result<()> {
        for (place, named) in PLACES.into_iter().take(count).enumerate() {
            let program = self.program(ProgramVersion::Before);
            let instance = RestartedInstance::start_as(self.shop, program, named)?;
            self.places.push(LoadedPlace {
                load: None,
                instance,
                is_running: true,
            });
            self.begin_load(place)?;
        }
        Ok(())
    }

    fn migrate(&mut self) -> Result<()> {
        let data = self.shop.data().to_string_lossy().into_owned();
        let address = &self.shop.database.owner;
        let took = StepTimer::start();
        let migrate = ["migrate", "--database", address, "--data", &data];
        answer(self.this, &migrate)?;
        let outcome = format!("migrated in {} ms", took.elapsed().as_millis());
        self.say(outcome);
        Ok(())
    }

    /// What became of the stage.
    fn say(&mut self, outcome: String) {
        println!("{NAME}: {outcome}");
        if let Some(stage) = self.stages.last_mut() {
            stage.outcome = outcome;
        }
    }

    fn place(&mut self, place: usize) -> Result<&mut LoadedPlace> {
        self.places.get_mut(place).context("no such place")
    }

    /// Buys of an instance from now on.
    fn begin_load(&mut self, place: usize) -> Result<()> {
        let prefix = format!("versions-{}-{place}", milliseconds());
        let plan = LoadPlan {
            families: FAMILIES,
            ..LoadPlan::airtime(&prefix, PER_SECOND)
        };
        let (repo, shop) = (self.repo, self.shop);
        let place = self.place(place)?;
        place.load = Some(SteadyLoad::start(
            repo,
            (shop, &place.instance.listen),
            plan,
        )?);
        Ok(())
    }

    /// Takes the load from an instance, as a balancer does, and ends it.
    fn stop(&mut self, place: usize) -> Result<()> {
        let place = self.place(place)?;
        let record = place.load.take().map(SteadyLoad::end).transpose()?;
        if place.is_running {
            place.instance.terminate()?;
            place.is_running = false;
        }
        self.records.extend(record);
        Ok(())
    }

    /// Ends an instance and starts a version in its place. Where the release before refuses, that
    /// is noted, and the place has what ran there last or, where that was it too, this version.
    fn roll(&mut self, place: usize, version: ProgramVersion) -> Result<()> {
        self.stop(place)?;
        if let Err(error) = self.launch(place, version) {
            let why = format!("{error:#}");
            let is_refusal = version == ProgramVersion::Before && why.contains(REFUSAL);
            ensure!(is_refusal, "{why}");
            let said = why.lines().rev().find(|line| line.contains(REFUSAL));
            let said = said.unwrap_or_default().trim();
            let data = self.shop.data().to_string_lossy().into_owned();
            self.say(format!("REFUSED by N-1: {}", said.replace(&data, "DATA")));
            self.launch(place, ProgramVersion::This)?;
        }
        self.begin_load(place)
    }

    fn launch(&mut self, place: usize, version: ProgramVersion) -> Result<()> {
        let (shop, program) = (self.shop, self.program(version));
        let place = self.place(place)?;
        place.instance.launch_as(shop, program)?;
        place.is_running = true;
        Ok(())
    }

    /// Asks for every report, ends the instances, and gives back the figures.
    fn end(mut self) -> Result<String> {
        let until = self.places.len();
        for place in 0..until {
            let load = self.place(place)?.load.take();
            self.records.extend(load.map(SteadyLoad::end).transpose()?);
        }
        let reports = self.settled()?;
        for place in 0..until {
            self.stop(place)?;
        }
        stages::count(&mut self.stages, &self.records)?;
        let failures = self.stages.iter().flat_map(|stage| &stage.failures);
        let failures: Vec<_> = failures.cloned().collect();
        for shown in failures.iter().take(20).chain(&reports.shown) {
            println!("  FAILED {shown}");
        }
        let table = stages::table(&self.stages);
        println!("{table}");
        ensure!(reports.lost == 0, "{} payments are LOST", reports.lost);
        ensure!(failures.is_empty(), "{} payments FAILED", failures.len());
        Ok(format!(
            "{} acknowledged, each there once, of them lost: 0, failed: 0\n\n{table}\n\nAfter them",
            reports.count("acknowledged")
        ))
    }

    fn settled(&mut self) -> Result<PaymentReports> {
        let (repo, shop) = (self.repo, self.shop);
        let listen = self.place(0)?.instance.listen.clone();
        let records: Vec<_> = self.records.iter().map(PathBuf::as_path).collect();
        let waited = StepTimer::start();
        while waited.elapsed() < SETTLED_WITHIN {
            pause(SETTLED_PAUSE);
            let reports = PaymentReports::ask(repo, (shop, &listen), (0, &records))?;
            if reports.count("Pending") == 0 {
                return Ok(reports);
            }
        }
        bail!("payments are not settled")
    }
}
