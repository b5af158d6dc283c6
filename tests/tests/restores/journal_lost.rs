//! The journal is lost with what came after the copy: only the provider knows what is missing.
//! Nothing may be bought under a reference that it knows and the database does not.

use crate::trial::{Trial, accepted, is_suspended};
use domain::reference::ProviderReference;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use tests::folder::{GatewayFolder, under_load};
use tests::orders::OrderFamily;
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal};
use tests::purchases::{LastAnswer, TestPurchase};
use tests::rng::SeededRng;
use tests::{Cluster, ClusterOptions};

const SUSPENDED_WITHIN: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn without_its_journal_a_new_server_on_a_backup_asks_for_the_list_of_the_provider() {
    let chance = SeededRng::from_environment("MANILLA_RESTORES_SEED", 20_261_127);
    let cluster = Cluster::private(&ClusterOptions::default());
    let mut trial = Trial::new(GatewayFolder::on(&cluster, &under_load("")), chance);
    let server = trial.start();
    trial.until_stopped(server).await;
    let backup = cluster.backup();
    let server = trial.start();
    let lost = trial.until_killed(server).await;
    let beside = backup.cluster(&ClusterOptions::default());
    trial.account.folder.move_to(&beside);
    is_settled_by_the_list(trial, &lost).await;
}

mod embedded {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn without_its_journal_a_copy_of_the_file_asks_for_the_list_of_the_provider() {
        let chance = SeededRng::from_environment("MANILLA_RESTORES_SEED", 20_261_128);
        let mut trial = Trial::new(GatewayFolder::embedded(&under_load("")), chance);
        let server = trial.start();
        trial.until_stopped(server).await;
        let file = trial.folder().data().join("manilla.db");
        let copy = trial.folder().beside("copy.db");
        std::fs::copy(&file, &copy).unwrap();
        let server = trial.start();
        let lost = trial.until_killed(server).await;
        for name in ["manilla.db-wal", "manilla.db-shm"] {
            std::fs::remove_file(trial.folder().data().join(name)).unwrap();
        }
        std::fs::copy(&copy, &file).unwrap();
        is_settled_by_the_list(trial, &lost).await;
    }
}

async fn is_settled_by_the_list(mut trial: Trial, lost: &[TestPurchase]) {
    std::fs::remove_dir_all(trial.folder().data().join("journal")).unwrap();
    let server = trial.start();
    let look = async || Some(trial.reconcile(&[])).filter(|it| it["suspended"] == true);
    let state = eventually("payments are suspended", SUSPENDED_WITHIN, look).await;
    assert_eq!(state["needs"], "records", "{state}");
    is_suspended(&trial.account.merchant(&server), "probe").await;
    let refused = trial.folder().run(&["reconcile", "--acknowledge"]);
    let refused = refused.refused();
    assert!(refused.stderr.contains("--references"), "{refused:?}");
    let arguments = ["--references", "sandbox", "--acknowledge"];
    let said = trial.reconcile(&arguments);
    assert_eq!(said["acknowledged"], true, "{said}");
    let probe = TestPurchase {
        family: OrderFamily::Airtime,
        reference: "probe".to_owned(),
        ending: "0000",
        received: LastAnswer::Nothing,
    };
    trial.goes_on(&server, probe).await;
    let unsettled = unsettled(&trial);
    are_not_bought_again((&trial, &server), lost, &unsettled).await;
    trial.until_stopped(server).await;
    let server = trial.start();
    trial.settle_but(&server, lost).await;
    assert_eq!(ProviderJournal::read(trial.folder()).doubled(), 0);
    audit_names_only(trial.folder(), &unsettled);
    assert!(server.terminate().await.success());
}

/// The merchants' references that wait to be settled.
fn unsettled(trial: &Trial) -> BTreeSet<String> {
    let state = trial.reconcile(&[]);
    let listed = state["unsettled"].as_array().expect("a list").iter();
    let reference = |it: &Value| merchants(it.as_str().expect("text"));
    listed.map(reference).collect()
}

/// The merchant's reference in a provider's.
fn merchants(reference: &str) -> String {
    let reference = ProviderReference::from_echo(reference.to_owned());
    let (_, reference, _) = reference.parts().expect("the gateway's own reference");
    reference.to_string()
}

/// Whatever was sent to the provider and is not stored: its reference cannot be used.
async fn are_not_bought_again(
    (trial, server): (&Trial, &GatewayProcess),
    lost: &[TestPurchase],
    unsettled: &BTreeSet<String>,
) {
    let merchant = trial.account.merchant(server);
    let lost = accepted(lost);
    assert!(!lost.is_empty(), "nothing was lost");
    let before = ProviderJournal::read(trial.folder());
    let identity = &trial.account.credentials.identity;
    for purchase in lost {
        let delivered = before.deliveries(identity, &purchase.reference);
        let is_listed = unsettled.contains(&purchase.reference);
        // What never reached the provider is in no list of it, and cost nothing.
        let cost_nothing = purchase.received != LastAnswer::Accepted("Successful".to_owned());
        assert!(
            is_listed || (delivered == 0 && cost_nothing),
            "not listed: {purchase:?}"
        );
        if is_listed {
            let order = purchase.family.order(&purchase.reference, purchase.ending);
            merchant.buy(purchase.family, &order).await.with_status(409);
        }
    }
    assert_eq!(ProviderJournal::read(trial.folder()).doubled(), 0);
}

/// The audit goes on saying what only the provider knows, and nothing else.
fn audit_names_only(folder: &GatewayFolder, unsettled: &BTreeSet<String>) {
    let audit = provider_journal::audit(folder).refused().json();
    let checks = audit["checks"].as_array().expect("a list of checks").iter();
    let broken: Vec<_> = checks.filter(|it| it["status"] == "broken").collect();
    let offences = broken.iter().filter_map(|it| it["offences"].as_array());
    for offence in offences.flatten() {
        let text = offence.as_str().expect("text");
        let unapplied = text.strip_prefix("sandbox reported a change of ");
        let known = unapplied.unwrap_or(text).split([' ', ':']).next();
        let reference = known.expect("a reference");
        let reference = merchants(reference);
        assert!(unsettled.contains(&reference), "{text}");
    }
}
