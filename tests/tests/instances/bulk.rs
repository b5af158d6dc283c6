//! One bulk transfer that all instances are asked for at once, and the one that answered first
//! killed: the others must send what is left, and nothing twice.

use std::time::Duration;
use tests::account::Figures;
use tests::bulk::{BULK, batch, stored};
use tests::fleet::Fleet;
use tests::folder::under_load;
use tests::merchant::try_send;
use tests::provider_journal::{self, ProviderJournal};
use tests::purchases::LastAnswer;

const PAYOUTS: usize = 200;

/// How long after the answers the first instance is killed: some payouts are under way.
const KILLED_AFTER: Duration = Duration::from_millis(60);

/// What a killed instance had claimed is taken over after ten seconds.
const SETTLED_WITHIN: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_several_instances_are_asked_for_is_one_and_is_sent_by_those_that_live() {
    let mut fleet = Fleet::start(&under_load(""));
    let (body, mut payouts) = batch("run", PAYOUTS, &["0000", "0001"]);
    let asked = fleet.merchants().map(|merchant| {
        let request = merchant.posting(BULK, body.to_string());
        try_send(request.header("idempotency-key", "once"))
    });
    let [first, second, third] = asked;
    let (first, second, third) = tokio::join!(first, second, third);
    let answers = [first, second, third].map(|answer| answer.expect("an answer"));
    let numbers = answers.each_ref().map(|answer| {
        assert_eq!(answer.status, 202, "{answer:?}");
        answer.json()["batReference"].clone()
    });
    assert_eq!([&numbers[0], &numbers[0]], [&numbers[1], &numbers[2]]);
    tokio::time::sleep(KILLED_AFTER).await;
    fleet.take(0).kill();
    for payout in &mut payouts {
        payout.received = LastAnswer::Accepted("Pending".to_owned());
    }
    let within = (&*payouts, SETTLED_WITHIN);
    let endings = fleet.account.settle(fleet.instance(0), within).await;
    let folder = &fleet.account.folder;
    let figures = Figures::of(&endings, &ProviderJournal::read(folder));
    println!("{figures}");
    assert_eq!(stored(&endings).get("run"), Some(&PAYOUTS));
    assert!(figures.delivered > PAYOUTS / 4, "{figures}");
    fleet.end().await;
    provider_journal::audit_is_clean(&fleet.account.folder);
}
