//! A payment that waits for a person, decided from the command line beside the running server. It
//! must move the money exactly as decided, once.

use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::operators::BETA;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::program::ProgramOutput;
use tests::provider_journal::{self, minor};

fn resolve(
    folder: &GatewayFolder,
    account: &MerchantCredentials,
    arguments: [&str; 2],
) -> ProgramOutput {
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
        "--evidence",
        "settlement file of the day",
        "--json",
    ])
}

#[tokio::test]
async fn a_payment_in_review_is_decided_by_a_person_and_settled_once() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Review", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for reference in ["review-1", "review-2"] {
        let order = OrderFamily::Airtime.order(reference, "0008");
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
        let report = OrderFamily::Airtime.report(reference);
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

#[tokio::test]
async fn above_the_limit_another_operator_decides_the_very_same() {
    let limit = "[review]\ndual_control_above = \"500.00\"\n";
    let folder = GatewayFolder::with(&format!("{QUICK}{limit}"));
    let account = folder.account("Review", "10000.00");
    folder.has_also(&BETA);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("review-1", "0008");
    merchant.post(AIRTIME, &order).await.with_status(202);
    let id = account.identity.as_str();
    let arguments = |evidence: &'static str| {
        let what = [
            "--identity",
            id,
            "--reference",
            "review-1",
            "--verdict",
            "delivered",
        ];
        let why = ["--evidence", evidence, "--json"];
        [&["review", "resolve"], &what[..], &why[..]].concat()
    };
    let (letter, other) = (arguments("a letter"), arguments("another letter"));
    let proposed = folder.run(&letter).well().json();
    assert_eq!(proposed["txnStatus"], "Pending", "{proposed}");
    assert_eq!(
        folder.run(&letter).well().json(),
        proposed,
        "one shell is one operator"
    );
    let differs = folder.run_as(&BETA, &other).well().json();
    assert_ne!(differs["proposed"], proposed["proposed"], "{differs}");
    assert_eq!(differs["txnStatus"], "Pending", "{differs}");
    let resolved = folder.run_as(&BETA, &letter).well().json();
    assert_eq!(resolved["txnStatus"], "Successful", "{resolved}");
    assert!(resolved.get("proposed").is_none(), "{resolved}");
    let log = folder.run(&["operator", "log", "--json"]).well().json();
    let last = log["entries"].as_array().and_then(|it| it.last()).unwrap();
    assert_eq!(
        (&last["actor"], &last["approves"]),
        (&"beta".into(), &proposed["proposed"])
    );
    // The provider delivered more than was ordered, which the comparison with it goes on naming.
    let audit = provider_journal::audit(&folder).json();
    let checks = audit["checks"].as_array().unwrap().iter();
    let broken = checks.filter(|check| check["status"] == "broken");
    let broken: Vec<_> = broken.map(|check| &check["invariant"]).collect();
    assert_eq!(broken, ["I7"], "{audit}");
}

#[test]
fn an_operator_cannot_lift_the_limit_for_one_person() {
    let folder = GatewayFolder::with(QUICK);
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
            "--evidence",
            "a letter",
            "--set",
            lifted,
        ])
        .refused();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(refused.stderr.contains("must not set it"), "{refused:?}");
}
