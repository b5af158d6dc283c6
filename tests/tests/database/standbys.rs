//! Lists and reports that are read from a standby: none lacks what was paid before it was asked
//! for, whatever the standby lacks.

use std::time::Duration;

use tests::folder::GatewayFolder;
use tests::merchant::TestMerchant;
use tests::monitored::{Monitored, value};
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::{Cluster, ClusterOptions};

/// Long enough for a standby that failed to be asked again.
const ASKED_AGAIN: Duration = Duration::from_secs(30);

const PAUSE: &str = "SELECT pg_wal_replay_pause();";
const PAUSED: &str = "SELECT pg_get_wal_replay_pause_state() = 'paused';";
const RESUME: &str = "SELECT pg_wal_replay_resume();";

const SETTINGS: &str = "[sandbox]\npending_delay_ms = 50\n[database]\nstandby_wait_ms = 2000\n";

/// A merchant who reads a list after each payment.
struct Reader {
    merchant: TestMerchant,
    monitored: Monitored,
    bought: usize,
}

impl Reader {
    async fn buys(&mut self) {
        self.bought += 1;
        let reference = format!("listed-{}", self.bought);
        let order = OrderFamily::Airtime.order(&reference, "4567");
        let answer = self.merchant.post(AIRTIME, &order).await.with_status(200);
        assert_eq!(answer.txn_status(), "Successful");
    }

    /// Reads every list; each must have all that was bought.
    async fn reads(&self) {
        let list = self
            .merchant
            .get("/account/transactions/airtime?length=100");
        let list = list.await.with_status(200).json();
        let listed = list["transactions"].as_array().expect("a list").len();
        assert_eq!(listed, self.bought, "{list}");
        let today = tests::merchant::today();
        let report = format!("/reporting/commission/airtime?from={today}&to={today}");
        let report = self.merchant.get(&report).await.with_status(200).json();
        let counted = report.to_string();
        assert!(counted.contains(&format!(":{}", self.bought)), "{report}");
    }

    /// How many pages were read from a server.
    async fn pages(&self, source: &str) -> f64 {
        let metrics = self.monitored.metrics().await;
        let series = format!("manilla_list_reads_total{{source=\"{source}\"}}");
        value(&metrics, &series).unwrap_or_default()
    }

    async fn reads_from(&self, source: &str) {
        let before = self.pages(source).await;
        self.reads().await;
        let after = self.pages(source).await;
        assert!(after > before, "{source}: {before}, {after}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_list_from_a_standby_lacks_a_payment() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let folder = GatewayFolder::on(&cluster, SETTINGS);
    let standby = cluster.standby(&ClusterOptions::default());
    let url = folder.url_in(&standby);
    let folder = folder.in_environment(&[("MANILLA_DATABASE_STANDBY", url)]);
    let account = folder.account("Reader", "10000.00");
    let (mut server, monitored) = Monitored::start(&folder);
    let mut reader = Reader {
        merchant: TestMerchant::new(&folder, server.address(), &account),
        monitored,
        bought: 0,
    };
    for _ in 0..3 {
        reader.buys().await;
        reader.reads_from("standby").await;
    }
    assert!(reader.pages("primary").await < 1.0);

    let _ = standby.psql("postgres", PAUSE);
    eventually("replay pauses", ASKED_AGAIN, async || {
        (standby.psql("postgres", PAUSED) == "t").then_some(())
    })
    .await;
    reader.buys().await;
    reader.reads_from("primary").await;
    let metrics = reader.monitored.metrics().await;
    let behind = value(&metrics, "manilla_store_standby_behind_bytes");
    assert!(behind > Some(0.0), "{metrics}");

    let _ = standby.psql("postgres", RESUME);
    let read_again = async || {
        let before = reader.pages("standby").await;
        reader.reads().await;
        (reader.pages("standby").await > before).then_some(())
    };
    eventually("the standby is read again", ASKED_AGAIN, read_again).await;

    standby.stop_immediate();
    reader.buys().await;
    reader.reads_from("primary").await;
    // A standby that is away takes no instance out of service.
    let (ready, database) = reader.monitored.check("database").await;
    assert!(ready, "{database}");
    let metrics = reader.monitored.metrics().await;
    assert_eq!(value(&metrics, "manilla_store_up"), Some(1.0), "{metrics}");
    standby.start();
    standby.promote();
    assert!(server.runs());
    let log = server.log();
    assert!(server.terminate().await.success());
    assert!(log.contains("it has not replayed enough"), "{log}");

    // A server that was a standby once, and goes its own way.
    let (server, monitored) = Monitored::start(&folder);
    reader.monitored = monitored;
    reader.merchant = reader.merchant.at(server.address());
    reader.buys().await;
    reader.reads_from("primary").await;
    let pages = reader.pages("standby").await;
    let log = server.log();
    assert!(server.terminate().await.success());
    assert!(
        pages < 1.0 && log.contains("it is no standby of this database"),
        "{log}"
    );
    assert!(!log.contains("postgres://"), "{log}");
}
