//! The look at connections that the runs of this suite end with. It must find what it is for.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;
use tests::Cluster;
use tests::connections::left_in_a_transaction;
use tests::folder::GatewayFolder;
use tests::patience::eventually;

/// What a client does that forgets its transaction.
const FORGET: &str = "SET idle_in_transaction_session_timeout = '2s'; BEGIN; SELECT 1;\n";

const SEEN_WITHIN: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_connection_left_in_a_transaction_is_found_while_it_is_there_and_when_it_was_ended() {
    let folder = GatewayFolder::shared("");
    let database = folder.database().expect("a database");
    assert_eq!(left_in_a_transaction(&folder), [""; 0]);
    let mut psql = Cluster::shared().client("psql");
    psql.args(["--no-psqlrc", "--quiet", "--dbname", &database.url()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut psql = psql.spawn().expect("psql can be started");
    let mut input = psql.stdin.take().expect("stdin is piped");
    input.write_all(FORGET.as_bytes()).expect("psql listens");
    for mark in ["idle in transaction|", "idle-in-transaction timeout"] {
        eventually(mark, SEEN_WITHIN, async || {
            let left = left_in_a_transaction(&folder);
            left.iter().any(|line| line.contains(mark)).then_some(())
        })
        .await;
    }
    drop(input);
    let _ = psql.wait();
}
