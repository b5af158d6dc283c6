//! A standby that lost nothing takes over. Payments must go on without a person.

use crate::trial::Trial;
use tests::folder::{GatewayFolder, under_load};
use tests::orders::OrderFamily;
use tests::purchases::{LastAnswer, TestPurchase};
use tests::rng::SeededRng;
use tests::{Cluster, ClusterOptions};

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_that_lost_nothing_takes_over_without_a_person() {
    let chance = SeededRng::from_environment("MANILLA_RESTORES_SEED", 20_261_126);
    let first = Cluster::private(&ClusterOptions::default());
    let mut trial = Trial::new(GatewayFolder::on(&first, &under_load("")), chance);
    let standby = first.standby(&ClusterOptions::default());
    let server = trial.start();
    trial.until_killed(server).await;
    first.await_standby(&standby);
    first.stop_immediate();
    standby.promote();
    trial.account.folder.move_to(&standby);
    let server = trial.start();
    let probe = TestPurchase {
        family: OrderFamily::Airtime,
        reference: "after-the-failover".to_owned(),
        ending: "0000",
        received: LastAnswer::Nothing,
    };
    trial.goes_on(&server, probe).await;
    let state = trial.reconcile(&[]);
    assert_eq!(state["suspended"], false, "{state}");
    let log = server.log();
    assert!(log.contains("payments are resumed: every journal"), "{log}");
    trial.until_stopped(server).await;
    let server = trial.start();
    trial.settle(&server).await;
}
