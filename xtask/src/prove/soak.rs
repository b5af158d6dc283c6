//! Proof: an instance under a steady load of the common products, with reads and deliveries of
//! events, for as long as is said. Its memory must not grow, its end and its next start must lose
//! nothing, and nothing here may be counted that was not asked of the program itself.

mod figures;
mod sample;
mod trend;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use postgres_cluster::{Cluster, ClusterOptions, TestDatabase};

use self::figures::SoakFigures;
use self::sample::{ProcessSample, folder_kib};
use super::gateway::instance::{InstanceProgram, RestartedInstance};
use super::gateway::load::{
    EventReceiver, LoadPlan, PaymentReports, RecordedAnswer, SteadyLoad, recorded,
};
use super::gateway::shop::{Shop, ShopDatabase};
use super::gateway::{pause, program};
use super::{ProveOptions, document};
use crate::repo::Repo;
use crate::stopwatch::{StepTimer, milliseconds};

pub(super) const NAME: &str = "soak";
pub(super) const ABOUT: &str =
    "memory, files, threads and latency under a steady load of every product, then drain and start";
pub(super) const UNIT: &str = "minutes";

/// How long by default, and how many payments and reads a second.
pub(super) const MINUTES: u64 = 30;
const PER_SECOND: u64 = 100;
const READS_PER_SECOND: u64 = 40;

const FAMILIES: &str =
    "airtime,internet,electricity,cabletv,gas,sms,whatsapp,payout,mobilemoney,hlr";

const SAMPLE_EVERY: Duration = Duration::from_secs(10);

/// Events go to a receiver on this machine.
const SETTINGS: [&str; 1] = ["webhook.allow_loopback=true"];

/// How long the load goes on after the end was asked for.
const LOAD_AFTER_END: Duration = Duration::from_secs(1);

/// The longest until a started instance is ready, and until what it found open is settled.
const READY_WITHIN: Duration = Duration::from_mins(1);
const SETTLED_WITHIN: Duration = Duration::from_mins(10);
const SETTLED_PAUSE: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Where the transactions are.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum SoakStore {
    Embedded,
    Postgres,
}

impl SoakStore {
    pub(super) const ALL: [Self; 2] = [Self::Embedded, Self::Postgres];

    /// How it is called in docs/TESTING.md.
    pub(super) const fn section(self) -> &'static str {
        match self {
            Self::Embedded => NAME,
            Self::Postgres => "soak-postgres",
        }
    }

    /// Where the instance is: both stores can be proven at once.
    const fn address(self) -> &'static str {
        match self {
            Self::Embedded => "127.0.27.11",
            Self::Postgres => "127.0.27.12",
        }
    }
}

pub(super) fn run(repo: &Repo, options: &ProveOptions) -> Result<()> {
    let program = program(repo, options)?;
    let stores = options
        .store
        .map_or(SoakStore::ALL.to_vec(), |one| vec![one]);
    let mut failed = Vec::new();
    for store in stores {
        let name = store.section();
        println!("prove {name}: begins");
        let figures = over(repo, store, (&program, options.minutes.unwrap_or(MINUTES)))?;
        let section = figures.section();
        println!("{name}: {section}");
        for failure in figures.failures() {
            println!("{name}: FAILED: {failure}");
            failed.push(name);
        }
        if options.write {
            document::put(repo, name, &section)?;
        }
    }
    ensure!(failed.is_empty(), "FAILED: {}", failed.join(", "));
    Ok(())
}

fn over(repo: &Repo, store: SoakStore, (program, minutes): (&Path, u64)) -> Result<SoakFigures> {
    let folder = tempfile::tempdir().context("no folder for the instance")?;
    match store {
        SoakStore::Embedded => {
            let shop = Shop::open(program, folder.path(), ShopDatabase::embedded())?;
            let data = shop.data();
            soak(repo, (&shop, store), (minutes, &|| folder_kib(&data)))
        }
        SoakStore::Postgres => {
            let cluster = Cluster::private(&ClusterOptions::default());
            let made = cluster.database();
            let database = ShopDatabase::of_one_role(&made.url());
            let shop = Shop::open(program, folder.path(), database)?;
            soak(repo, (&shop, store), (minutes, &|| database_kib(&made)))
        }
    }
}

fn database_kib(database: &TestDatabase) -> Result<u64> {
    let size = database.psql("SELECT pg_database_size(current_database()) / 1024");
    let size = size.trim().parse();
    size.context("the server says no size")
}

/// How large the store is, in KiB.
type StoreSize<'a> = &'a dyn Fn() -> Result<u64>;

fn soak(
    repo: &Repo,
    (shop, store): (&Shop, SoakStore),
    (minutes, size): (u64, StoreSize<'_>),
) -> Result<SoakFigures> {
    let program = InstanceProgram {
        settings: &SETTINGS,
        ..InstanceProgram::of(shop)
    };
    let mut instance = RestartedInstance::start_as(shop, program, ("soak", store.address()))?;
    let listen = instance.listen.clone();
    let receiver = EventReceiver::start(repo, (shop, &listen))?;
    let prefix = format!("soak-{}", milliseconds());
    let plan = LoadPlan {
        prefix: &prefix,
        per_second: PER_SECOND,
        families: FAMILIES,
        reads: READS_PER_SECOND,
    };
    let load = SteadyLoad::start(repo, (shop, &listen), plan)?;
    let (samples, seconds) = sampled(instance.process(), (minutes, size))?;
    let ended = milliseconds();
    let drain = StepTimer::start();
    instance.terminate()?;
    let drain_ms = in_milliseconds(&drain);
    pause(LOAD_AFTER_END);
    let record = load.end()?;
    let start = StepTimer::start();
    instance.launch_as(shop, program)?;
    await_ready(&instance)?;
    let ready_ms = in_milliseconds(&start);
    let reports = settled(repo, (shop, &listen), &record)?;
    let before = |answers: Vec<RecordedAnswer>| {
        let before = answers.into_iter().filter(|it| it.answered < ended);
        before.collect::<Vec<_>>()
    };
    let payments = before(recorded(&record, 0)?);
    let reads = before(recorded(&record.with_extension("record.reads"), 0)?);
    let events = receiver.end()?;
    instance.stop()?;
    let audit = shop.audit().err().map(|error| format!("{error:#}"));
    Ok(SoakFigures {
        seconds,
        per_second: PER_SECOND,
        samples,
        payments,
        reads,
        events,
        drain_ms,
        ready_ms,
        reports,
        audit,
    })
}

/// Samples a process until the time is over.
fn sampled(
    process: u32,
    (minutes, size): (u64, StoreSize<'_>),
) -> Result<(Vec<ProcessSample>, u64)> {
    let began = StepTimer::start();
    let mut samples = Vec::new();
    let until = Duration::from_secs(minutes.saturating_mul(60));
    while began.elapsed() < until {
        pause(SAMPLE_EVERY);
        let second = began.elapsed().as_secs();
        let sample = ProcessSample::take(process, second, size()?)?;
        println!(
            "{} s: {} KiB resident, {} files, {} threads, store {} KiB",
            sample.second, sample.resident_kib, sample.files, sample.threads, sample.store_kib
        );
        samples.push(sample);
    }
    Ok((samples, began.elapsed().as_secs()))
}

fn in_milliseconds(timer: &StepTimer) -> u64 {
    u64::try_from(timer.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Waits until `/ready` is answered 200.
fn await_ready(instance: &RestartedInstance) -> Result<()> {
    let waited = StepTimer::start();
    while waited.elapsed() < READY_WITHIN {
        if is_ready(instance).unwrap_or(false) {
            return Ok(());
        }
        pause(LOOK_EVERY);
    }
    bail!("the instance is not ready")
}

fn is_ready(instance: &RestartedInstance) -> Result<bool> {
    let mut stream = TcpStream::connect(instance.monitoring())?;
    stream.set_read_timeout(Some(READY_WITHIN))?;
    stream.write_all(b"GET /ready HTTP/1.1\r\nHost: proof\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.starts_with("HTTP/1.1 200 "))
}

/// The reports of everything that was sent, once what was under way at the end is settled.
fn settled(repo: &Repo, (shop, listen): (&Shop, &str), record: &Path) -> Result<PaymentReports> {
    let waited = StepTimer::start();
    loop {
        pause(SETTLED_PAUSE);
        let reports = PaymentReports::ask(repo, (shop, listen), (0, &[record]))?;
        println!("all payments of this run: {:?}", reports.counts);
        if reports.count("Pending") == 0 || waited.elapsed() > SETTLED_WITHIN {
            return Ok(reports);
        }
    }
}
