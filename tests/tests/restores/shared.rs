//! Backups and copies of a PostgreSQL server put back. The gateway must notice by its journal alone
//! what the server does not say.

use crate::trial::Trial;
use tests::folder::{GatewayFolder, under_load};
use tests::load::LoadPlace;
use tests::process::GatewayProcess;
use tests::rng::SeededRng;
use tests::{Cluster, ClusterOptions, size};

/// How many restores unless `MANILLA_RESTORES` says otherwise: two of each way.
const RESTORES: u32 = 6;

/// Takes the log of a server as far as it likes, which writes nothing a merchant asked for.
const ADVANCE: &str = "
    VACUUM;
    SELECT pg_logical_emit_message(false, 'restores', 'advanced');
    SELECT pg_switch_wal();";

const LOG_POSITION: &str = "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint;";

/// A way to put a copy back.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// A base backup, under a gateway that runs on.
    Running,
    /// A base backup, before the gateway starts.
    AtStart,
    /// A copy of a stopped server, whose log is further than it ever was before the gateway starts.
    Advanced,
}

#[tokio::test(flavor = "multi_thread")]
async fn backups_of_a_server_put_back_lose_nothing_and_deliver_nothing_twice() {
    let restores = size::of_run("MANILLA_RESTORES", RESTORES);
    let chance = SeededRng::from_environment("MANILLA_RESTORES_SEED", 20_261_125);
    let cluster = Cluster::private(&ClusterOptions::default());
    let mut trial = Trial::new(GatewayFolder::on(&cluster, &under_load("")), chance);
    let mut server = trial.start();
    for restore in 0..restores {
        let ways = [Way::Running, Way::AtStart, Way::Advanced];
        let way = ways[usize::try_from(restore).unwrap() % ways.len()];
        server = match way {
            Way::Running => running(&mut trial, server, &cluster).await,
            Way::AtStart => at_start(&mut trial, server, &cluster).await,
            Way::Advanced => advanced(&mut trial, server, &cluster).await,
        };
    }
    trial.end(server, restores).await;
}

async fn running(trial: &mut Trial, server: GatewayProcess, cluster: &Cluster) -> GatewayProcess {
    let mut load = trial.load(&server);
    trial.a_while(&mut load).await;
    let backup = tokio::task::block_in_place(|| cluster.backup());
    let beside = trial.ended(load).await;
    let mut load = trial.load(&server);
    trial.a_while(&mut load).await;
    // What is under way meets the restore; nothing more is sent to a gateway without a database.
    load.is(LoadPlace::Down);
    tokio::task::block_in_place(|| cluster.restore(&backup));
    let lost = trial.ended(load).await;
    trial.may_have_lost(&beside);
    trial.reconciles(&server, &lost).await;
    server
}

async fn at_start(trial: &mut Trial, server: GatewayProcess, cluster: &Cluster) -> GatewayProcess {
    let mut load = trial.load(&server);
    trial.a_while(&mut load).await;
    let backup = tokio::task::block_in_place(|| cluster.backup());
    let beside = trial.ended(load).await;
    let lost = trial.until_killed(server).await;
    cluster.restore(&backup);
    let server = trial.start();
    trial.may_have_lost(&beside);
    trial.reconciles(&server, &lost).await;
    server
}

async fn advanced(trial: &mut Trial, server: GatewayProcess, cluster: &Cluster) -> GatewayProcess {
    trial.until_ended(server).await;
    cluster.stop_fast();
    let copy = cluster.cold_copy();
    cluster.start();
    let server = trial.start();
    let lost = trial.until_killed(server).await;
    let reached = log_position(cluster);
    cluster.restore(&copy);
    while log_position(cluster) <= reached {
        let database = trial.folder().database().expect("a database");
        let _ = database.psql(ADVANCE);
    }
    let server = trial.start();
    trial.reconciles(&server, &lost).await;
    server
}

fn log_position(cluster: &Cluster) -> i64 {
    let position = cluster.psql("postgres", LOG_POSITION);
    position.parse().expect("a number")
}
