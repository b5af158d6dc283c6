//! Proof: two instances behind haproxy, then behind nginx, restarted in turn while merchants buy,
//! and no request fails. The proxies are set up as `packaging/proxy` has them; nothing but
//! addresses and files may differ.

mod proxy;

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use postgres_cluster::{Cluster, ClusterOptions};
use serde::Deserialize;

use self::proxy::{ProxyKind, RunningProxy};
use super::ProveOptions;
use super::gateway::instance::RestartedInstance;
use super::gateway::shop::{Shop, ShopDatabase};
use super::gateway::{pause, program};
use crate::repo::Repo;

pub(super) const NAME: &str = "rolling-restarts";
pub(super) const ABOUT: &str = "restarts of two instances behind haproxy and nginx under load";
pub(super) const UNIT: &str = "requests";

/// How many requests are sent through each proxy by default, and how many a second.
pub(super) const COUNT: u64 = 10_000;
const PER_SECOND: &str = "80";

const BUYERS: &str = "xtask/src/prove/gateway/buyers.py";

/// How long an instance serves before the other is restarted: haproxy asks each once a second, and
/// nginx passes over one that refused a connection for two.
const PAUSE: Duration = Duration::from_secs(7);

/// What the buyers print.
#[derive(Debug, Deserialize)]
struct Purchases {
    answers: std::collections::BTreeMap<String, u64>,
    failed: u64,
    failures: Vec<String>,
    connections: u64,
    slowest_ms: u64,
}

pub(super) fn run(repo: &Repo, options: &ProveOptions) -> Result<()> {
    let program = program(repo, options)?;
    let folder = tempfile::tempdir().context("no folder for the instances")?;
    let cluster = Cluster::private(&ClusterOptions::default());
    let made = cluster.database();
    let database = ShopDatabase::of_one_role(&made.url());
    let shop = Shop::open(&program, folder.path(), database)?;
    let count = options.count.unwrap_or(COUNT);
    let mut failed = 0;
    for kind in ProxyKind::ALL {
        let purchases = through(repo, kind, (&shop, count))?;
        failed += purchases.failed;
    }
    shop.audit()?;
    ensure!(failed == 0, "{NAME}: {failed} request(s) FAILED");
    Ok(())
}

/// Buys so often through one proxy, and restarts the instances for as long as that takes.
fn through(repo: &Repo, kind: ProxyKind, (shop, count): (&Shop, u64)) -> Result<Purchases> {
    let mut instances = [
        RestartedInstance::start(shop, "first", "127.0.0.11")?,
        RestartedInstance::start(shop, "second", "127.0.0.12")?,
    ];
    let [first, second] = &instances;
    let proxy = RunningProxy::start(repo, kind, (shop, [first, second]))?;
    let mut buyers = buyers(repo, &proxy, (shop, count))?;
    let mut restarts = 0_u64;
    let mut turns = [0, 1].into_iter().cycle();
    loop {
        pause(PAUSE);
        if buyers.try_wait()?.is_some() {
            break;
        }
        let turn = turns.next().unwrap_or_default();
        if let Some(instance) = instances.get_mut(turn) {
            instance.restart(shop)?;
            restarts += 1;
        }
    }
    let output = buyers.wait_with_output()?;
    ensure!(
        output.status.success(),
        "the buyers ended before all was bought"
    );
    let purchases: Purchases = serde_json::from_slice(&output.stdout)?;
    println!(
        "{NAME}: {kind}, requests: {count}, restarts: {restarts}, failed: {}, answers: {:?}, \
         connections: {}, slowest: {} ms",
        purchases.failed, purchases.answers, purchases.connections, purchases.slowest_ms
    );
    for failure in &purchases.failures {
        println!("  {failure}");
    }
    ensure!(
        purchases.answers.values().sum::<u64>() == count,
        "not every request was sent"
    );
    ensure!(restarts >= 2, "the load was over before each was restarted");
    for instance in instances {
        instance.stop()?;
    }
    Ok(purchases)
}

fn buyers(repo: &Repo, proxy: &RunningProxy, (shop, count): (&Shop, u64)) -> Result<Child> {
    // -B: what is compiled is not left among the sources.
    let mut buyers = Command::new("python3")
        .arg("-B")
        .arg(repo.root().join(BUYERS))
        .args([proxy::ADDRESS, &proxy.port.to_string()])
        .arg(&proxy.certificate)
        .args([&count.to_string(), PER_SECOND])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("python3 is needed")?;
    let mut input = buyers.stdin.take().context("the buyers have no input")?;
    writeln!(input, "{}", shop.credentials())?;
    Ok(buyers)
}
