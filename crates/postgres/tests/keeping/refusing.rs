//! Servers that cannot keep money, and addresses where there is none: each is refused at once, with
//! what to do about it.

use crate::stage::{database, migrated};
use ports::{PortError, PortErrorKind};
use postgres::{PostgresOptions, PostgresStore, Roles, migrate};
use postgres_cluster::{Cluster, TestDatabase};
use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

/// Both the server and the command that migrates say it, soon.
async fn is_refused(url: &str, remedy: &str) -> PortError {
    let soon = Duration::from_secs(4);
    let reported = tokio::time::timeout(soon, migrate(url, &Roles::default())).await;
    let reported = reported.expect("soon").unwrap_err();
    assert!(reported.to_string().contains(remedy), "{reported:?}");
    let reported = tokio::time::timeout(
        soon,
        PostgresStore::connect(url, &PostgresOptions::default(), crate::stage::sealing()),
    )
    .await;
    let reported = reported.expect("soon").unwrap_err();
    assert!(reported.to_string().contains(remedy), "{reported:?}");
    reported
}

#[tokio::test]
async fn a_server_that_would_lose_what_it_confirmed_is_refused_with_the_remedy() {
    let cluster = Cluster::private(&postgres_cluster::ClusterOptions::default());
    let database = migrated(&cluster).await;
    for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
        let off = format!("ALTER SYSTEM SET {setting} = off; SELECT pg_reload_conf();");
        let _ = database.psql(&off);
        is_refused(&database.url(), &format!("set `{setting} = on`")).await;
        let on = format!("ALTER SYSTEM RESET {setting}; SELECT pg_reload_conf();");
        let _ = database.psql(&on);
        crate::stage::eventually("it is accepted again", async || {
            let store = PostgresStore::connect(
                &database.url(),
                &PostgresOptions::default(),
                crate::stage::sealing(),
            )
            .await;
            store.is_ok()
        })
        .await;
    }
    let standby = cluster.standby(&postgres_cluster::ClusterOptions::default());
    is_refused(&standby.url(database.name()), "name the primary").await;
}

#[tokio::test]
async fn commits_that_are_not_waited_for_are_refused_wherever_that_was_set() {
    let database = database().await;
    let set = |database: &TestDatabase, whose: &str| {
        let _ = database.psql(&format!("ALTER {whose} SET synchronous_commit = off;"));
    };
    set(&database, &format!("DATABASE {}", database.name()));
    is_refused(&database.url(), "set `synchronous_commit = on`").await;
    let other = crate::stage::database().await;
    let role = crate::least_privilege::role(&other);
    migrate(&other.url(), &crate::least_privilege::server(&role))
        .await
        .unwrap();
    set(&other, &format!("ROLE \"{role}\""));
    let of_role = other
        .url()
        .replace("manilla@", &format!("{}@", role.replace(' ', "%20")));
    let reported = PostgresStore::connect(
        &of_role,
        &PostgresOptions::default(),
        crate::stage::sealing(),
    )
    .await;
    let reported = reported.unwrap_err().to_string();
    assert!(
        reported.contains("set `synchronous_commit = on`"),
        "{reported}"
    );
}

#[tokio::test]
async fn a_database_that_cannot_hold_every_text_is_refused() {
    let database = Cluster::shared().database();
    let name = format!("{}_latin", database.name());
    let _ = database.psql(&format!(
        "CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C';"
    ));
    is_refused(&Cluster::shared().url(&name), "ENCODING 'UTF8'").await;
    let _ = database.psql(&format!("DROP DATABASE {name};"));
}

#[tokio::test]
async fn an_address_where_no_server_answers_is_reported_by_name() {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = silent.local_addr().unwrap().port();
    let url = format!("postgres://manilla@127.0.0.1:{port}/books");
    let where_to = format!("the database books at 127.0.0.1:{port} cannot be reached");
    let reported = is_refused(&url, &where_to).await;
    assert_eq!(reported.trouble, PortErrorKind::Unreachable);
    drop(silent);
    let reported = is_refused(&url, &where_to).await;
    assert_eq!(reported.trouble, PortErrorKind::Unreachable);
    is_refused("not an address", "postgres://USER").await;
}
