//! Clusters as tests use them: databases, crashes, backups, standbys, and that nothing stays. It
//! must start real servers: what is tested is how they are started and ended.
#![cfg(test)]

use postgres_cluster::{Cluster, ClusterOptions};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Says to a test of this file that it runs in a process of its own, to be ended by it.
const CHILD: &str = "MANILLA_CLUSTER_TEST_CHILD";

/// Runs one test of this file in a process of its own.
fn child(test: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, "yes");
    command.output().unwrap()
}

/// What a child said behind a word.
fn said(output: &Output, word: &str) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.lines().find_map(|line| line.split_once(word));
    found.unwrap_or_else(|| panic!("{output:?}")).1.to_owned()
}

fn listens(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the watchdog is another process, which does not say when it is done"
)]
fn goes_within_a_minute(folder: &Path) {
    let started = Instant::now();
    while folder.exists() {
        assert!(started.elapsed() < Duration::from_mins(1), "{folder:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_database_of_the_shared_cluster_is_empty_and_its_own_until_it_is_dropped() {
    let cluster = Cluster::shared();
    let (one, other) = (cluster.database(), cluster.database());
    let _ = one.psql("CREATE TABLE kept (number integer); INSERT INTO kept VALUES (1), (2);");
    assert_eq!(one.psql("SELECT number FROM kept ORDER BY number;"), "1\n2");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public';";
    assert_eq!(other.psql(tables), "0");
    assert!(other.try_psql("SELECT number FROM kept;").is_err());

    let name = one.name().to_owned();
    let count = format!("SELECT count(*) FROM pg_database WHERE datname = '{name}';");
    assert_eq!(cluster.psql("postgres", &count), "1");
    // A connection that is still open is closed.
    let mut idle = cluster.client("psql");
    idle.args(["--dbname", &name, "--command", "SELECT pg_sleep(60)"]);
    let mut idle = idle.stderr(std::process::Stdio::null()).spawn().unwrap();
    drop(one);
    assert!(!idle.wait().unwrap().success());
    assert_eq!(cluster.psql("postgres", &count), "0");
}

#[test]
fn processes_that_start_together_share_one_cluster() {
    if std::env::var_os(CHILD).is_some() {
        let cluster = Cluster::shared();
        let database = cluster.database();
        println!("port={}", cluster.port());
        assert_eq!(database.psql("SELECT 1;"), "1");
        return;
    }
    let test = "processes_that_start_together_share_one_cluster";
    let children: Vec<_> = (0..4)
        .map(|_| std::thread::spawn(move || child(test)))
        .collect();
    for child in children {
        let output = child.join().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(said(&output, "port="), Cluster::shared().port().to_string());
    }
}

#[test]
fn what_was_committed_survives_an_immediate_stop_on_the_same_port() {
    let cluster = Cluster::private(&ClusterOptions::default().setting("work_mem", "3MB"));
    let database = cluster.database();
    let _ = database.psql("CREATE TABLE kept (number integer); INSERT INTO kept VALUES (7);");
    let port = cluster.port();
    cluster.stop_immediate();
    assert!(!listens(port));
    cluster.start();
    assert_eq!(cluster.port(), port);
    assert_eq!(database.psql("SELECT number FROM kept;"), "7");
    assert_eq!(database.psql("SHOW work_mem;"), "3MB");
    let durable = "SELECT string_agg(setting, ' ') FROM pg_settings
                   WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit');";
    assert_eq!(database.psql(durable), "on on on");
    cluster.stop_fast();
    cluster.start();
    assert_eq!(database.psql("SELECT number FROM kept;"), "7");
}

#[test]
fn nothing_of_a_private_cluster_remains_after_its_drop() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let (port, home) = (cluster.port(), cluster.data_dir());
    let home = home.parent().unwrap().to_owned();
    assert!(listens(port) && home.is_dir());
    drop(cluster);
    assert!(!listens(port));
    assert!(!home.exists());
}

#[test]
fn nothing_of_a_private_cluster_remains_after_its_process_was_killed() {
    if std::env::var_os(CHILD).is_some() {
        let cluster = Cluster::private(&ClusterOptions::default());
        println!("port={}", cluster.port());
        println!("data={}", cluster.data_dir().display());
        std::process::abort();
    }
    let output = child("nothing_of_a_private_cluster_remains_after_its_process_was_killed");
    assert!(!output.status.success());
    let data = PathBuf::from(said(&output, "data="));
    goes_within_a_minute(data.parent().unwrap());
    assert!(!listens(said(&output, "port=").parse().unwrap()));
}

#[test]
fn a_backup_is_the_data_of_its_moment_restored_or_beside() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let count = "SELECT count(*) FROM kept;";
    let sql = |sql: &str| cluster.psql("postgres", sql);
    let _ = sql("CREATE TABLE kept (number integer); INSERT INTO kept VALUES (1);");
    let backup = cluster.backup();
    let _ = sql("INSERT INTO kept VALUES (2);");
    assert_eq!(sql(count), "2");

    let beside = backup.cluster(&ClusterOptions::default().setting("cluster_name", "beside"));
    assert_ne!(beside.port(), cluster.port());
    assert_eq!(beside.psql("postgres", count), "1");
    assert_eq!(beside.psql("postgres", "SHOW cluster_name;"), "beside");

    let port = cluster.port();
    cluster.restore(&backup);
    assert_eq!(cluster.port(), port);
    assert_eq!(sql(count), "1");
}

#[test]
fn a_standby_follows_and_takes_over_when_promoted() {
    let first = Cluster::private(&ClusterOptions::default());
    let standby = first.standby(&ClusterOptions::default());
    let _ = first.psql("postgres", "CREATE TABLE kept (number integer);");
    let _ = first.psql("postgres", "INSERT INTO kept VALUES (1);");
    first.await_standby(&standby);
    let recovering = "SELECT pg_is_in_recovery();";
    assert_eq!(standby.psql("postgres", recovering), "t");
    first.stop_immediate();
    standby.promote();
    assert_eq!(standby.psql("postgres", recovering), "f");
    let _ = standby.psql("postgres", "INSERT INTO kept VALUES (2);");
    assert_eq!(standby.psql("postgres", "SELECT count(*) FROM kept;"), "2");
}
