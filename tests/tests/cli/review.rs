//! A payment that waits for a person, decided from the command line beside the running server. It
//! must move the money exactly as decided, once.

use std::time::Duration;
use tests::books::minor;
use tests::folder::{Credentials, Folder, QUICK};
use tests::merchant::Merchant;
use tests::orders::{AIRTIME, Family};
use tests::patience::eventually;
use tests::process::Server;
use tests::program::Said;

fn resolve(folder: &Folder, account: &Credentials, arguments: [&str; 2]) -> Said {
    let [reference, verdict] = arguments;
    let id = account.identity.as_str();
    folder.run(&[
        "review",
        "resolve",
        "--identity",
        id,
        "--reference",
        reference,
        "--verdict",
        verdict,
        "--by",
        "ada",
        "--evidence",
        "settlement file of the day",
        "--json",
    ])
}

#[tokio::test]
async fn a_payment_in_review_is_decided_by_a_person_and_settled_once() {
    let folder = Folder::with(QUICK);
    let account = folder.account("Review", "10000.00");
    let server = Server::start(&folder);
    let merchant = Merchant::new(&folder, server.address(), &account);
    for reference in ["review-1", "review-2"] {
        let order = Family::Airtime.order(reference, "0008");
        let answer = merchant.post(AIRTIME, &order).await.with_status(202);
        assert_eq!(answer.txn_status(), "Pending");
    }
    let (_, held) = merchant.balance().await;
    assert_eq!(minor(&held), 2 * 97_000);
    let listed = folder.run(&["review", "list", "--json"]).well().json();
    assert_eq!(
        listed["reviews"].as_array().map(Vec::len),
        Some(2),
        "{listed}"
    );

    for (reference, verdict, status) in [
        ("review-1", "not-delivered", "Failed"),
        ("review-2", "delivered", "Successful"),
    ] {
        let resolved = resolve(&folder, &account, [reference, verdict])
            .well()
            .json();
        assert_eq!(resolved["txnStatus"], status);
        let what = format!("{reference} is {status}");
        let report = Family::Airtime.report(reference);
        eventually(&what, Duration::from_secs(5), async || {
            let report = merchant.get(&report).await.with_status(200);
            (report.txn_status() == status).then_some(())
        })
        .await;
        let again = resolve(&folder, &account, [reference, verdict]).refused();
        assert_eq!(again.status.code(), Some(1), "{again:?}");
    }
    assert_eq!(
        merchant.balance().await,
        ("9,030.00".to_owned(), "0.00".to_owned())
    );
    let listed = folder.run(&["review", "list", "--json"]).well().json();
    assert_eq!(
        listed["reviews"].as_array().map(Vec::len),
        Some(0),
        "{listed}"
    );
}

#[test]
fn whoever_decides_cannot_lift_the_limit_for_one_person() {
    let folder = Folder::with(QUICK);
    let account = folder.account("Limits", "1.00");
    let lifted = "review.dual_control_above=900000000.00";
    let refused = folder
        .run(&[
            "review",
            "resolve",
            "--identity",
            &account.identity,
            "--reference",
            "order-1",
            "--verdict",
            "not-delivered",
            "--by",
            "ada",
            "--evidence",
            "a letter",
            "--set",
            lifted,
        ])
        .refused();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(refused.stderr.contains("must not set it"), "{refused:?}");
}
