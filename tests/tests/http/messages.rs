//! Who may send under which name, and which wallet pays. It must show of every refusal that no
//! wallet moved and nothing was stored.

use serde_json::Value;
use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily, SMS};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal::{self, minor};

/// Within this a change to an account is felt.
const FELT_WITHIN: Duration = Duration::from_secs(1);

const NUMBER: &str = "2348031230000";

/// The attribute a sender is named in, in both sets of names.
const SENDER_IN: [&str; 2] = ["sender", "msgSender"];

struct Bench {
    folder: GatewayFolder,
    account: MerchantCredentials,
    merchant: TestMerchant,
    server: GatewayProcess,
}

fn bench() -> Bench {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Texter", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    Bench {
        folder,
        account,
        merchant,
        server,
    }
}

impl Bench {
    /// What can be spent of the two wallets: naira and credits.
    async fn wallets(&self) -> (i64, i64) {
        let balance = self.merchant.get("/account/balance").await.with_status(200);
        let listed = self
            .folder
            .run(&["account", "list", "--json"])
            .well()
            .json();
        let accounts = listed["accounts"].as_array().unwrap();
        let ours = |row: &&Value| row["mrcIdentity"] == *self.account.identity;
        let ours = accounts.iter().find(ours).expect("our account");
        let credits = ours["crdBalance"].as_str().map_or(0, minor);
        (minor(&balance.text("accBalance")), credits)
    }

    fn account(&self, command: &str, flags: &[&str]) {
        let named = ["account", command, "--identity", &self.account.identity];
        let _ = self.folder.run(&[&named[..], flags].concat()).well();
    }

    async fn send(&self, reference: &str, text: &str) -> HttpAnswer {
        let order = orders::message(reference, NUMBER, text);
        self.merchant.post(SMS, &order).await
    }
}

/// The same message in both sets of names, from a sender.
fn from_sender(reference: &str, serial: &str) -> [Value; 2] {
    let mut orders = [
        orders::message(reference, NUMBER, "Hello"),
        orders::message_b(reference, NUMBER, "Hello"),
    ];
    for (order, name) in orders.iter_mut().zip(SENDER_IN) {
        order[name] = serial.into();
    }
    orders
}

#[tokio::test]
async fn only_an_approved_sender_of_the_account_sends() {
    let bench = bench();
    let identity = &bench.account.identity;
    let decide = |decision: &str, serial: &str| {
        let _ = bench
            .folder
            .run(&["sender", decision, "--serial", serial])
            .well();
    };
    let theirs = bench.folder.account("Other", "1000.00").sender;
    let pending = bench.folder.sender(identity, "Pending", &[]);
    let rejected = bench.folder.sender(identity, "Rejected", &["--approved"]);
    decide("reject", &rejected);
    for (serial, status) in [(&theirs, 404), (&pending, 403), (&rejected, 403)] {
        for (order, name) in from_sender("refused", serial).iter().zip(SENDER_IN) {
            let refused = bench.merchant.post(SMS, order).await.with_status(status);
            assert_eq!(refused.json()["serviceCode"], 870, "{refused:?}");
            let reported = if status == 404 {
                vec![name.to_owned()]
            } else {
                vec![]
            };
            assert_eq!(refused.faulty(), reported, "{refused:?}");
        }
    }
    let report = bench
        .merchant
        .get(&OrderFamily::Sms.report("refused"))
        .await;
    report.with_status(404);
    assert_eq!(bench.wallets().await, (100_000, 0));
    // A decision counts from the next message on.
    decide("approve", &pending);
    let [order, _] = from_sender("approved", &pending);
    let sent = bench.merchant.post(SMS, &order).await.with_status(200);
    assert_eq!(sent.text("sender"), "Pending");
    decide("reject", &pending);
    let [order, _] = from_sender("again", &pending);
    bench.merchant.post(SMS, &order).await.with_status(403);
    assert_eq!(bench.wallets().await, (99_600, 0));
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn credits_pay_for_messages_and_nothing_else_does_once_the_account_is_billed_in_them() {
    let bench = bench();
    let sent = bench.send("in-naira", "Hello").await.with_status(200);
    assert_eq!(
        (&*sent.text("cost"), &*sent.text("currency")),
        ("4.00", "NGN")
    );
    bench.account("billing", &["--sms-currency", "CRD"]);
    // Nothing was paid in yet, so that only a refusal shows the change; until then it is naira.
    let mut charged = 400;
    let broke = eventually("messages are charged in credits", FELT_WITHIN, async || {
        let answer = bench.send(&format!("until-{charged}"), "Hello").await;
        charged += if answer.status == 200 { 400 } else { 0 };
        (answer.status == 400).then_some(answer)
    })
    .await;
    assert_eq!(broke.json()["serviceCode"], 808, "{broke:?}");
    assert_eq!(bench.wallets().await, (100_000 - charged, 0));

    let credit = [
        "--currency",
        "CRD",
        "--amount",
        "2.50",
        "--reference",
        "bank-1",
    ];
    bench.account("credit", &credit);
    // Two parts at one credit each; the half that is left is too little for a third.
    let sent = bench
        .send("in-credits", &"a".repeat(161))
        .await
        .with_status(200);
    assert_eq!(
        (&*sent.text("cost"), &*sent.text("currency")),
        ("2.00", "CRD")
    );
    let short = bench.send("short", "Hello").await.with_status(400);
    assert_eq!(short.json()["serviceCode"], 808, "{short:?}");
    bench
        .merchant
        .get(&OrderFamily::Sms.report("short"))
        .await
        .with_status(404);
    assert_eq!(bench.wallets().await, (100_000 - charged, 50));

    // What is not a message is paid for in naira as before.
    let top_up = orders::airtime("top-up", NUMBER, "100");
    let bought = bench
        .merchant
        .buy(OrderFamily::Airtime, &top_up)
        .await
        .with_status(200);
    assert_eq!(
        (&*bought.text("price"), &*bought.text("currency")),
        ("97.00", "NGN")
    );
    assert_eq!(bench.wallets().await, (100_000 - charged - 9_700, 50));
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn credits_come_back_when_a_message_is_refused_or_taken_back() {
    let bench = bench();
    bench.account("billing", &["--sms-currency", "CRD"]);
    let credit = [
        "--currency",
        "CRD",
        "--amount",
        "10",
        "--reference",
        "bank-1",
    ];
    bench.account("credit", &credit);
    // An unknown account is read afresh.
    let merchant = TestMerchant::new(&bench.folder, bench.server.address(), &bench.account);
    for (ending, status) in [("0001", "Failed"), ("0009", "Reversed")] {
        let order = OrderFamily::Sms.order(ending, ending);
        merchant.post(SMS, &order).await.with_status(200);
        let report = OrderFamily::Sms.report(ending);
        let what = format!("the message is {status}");
        eventually(&what, Duration::from_secs(10), async || {
            let report = merchant.get(&report).await.with_status(200);
            (report.txn_status() == status).then_some(())
        })
        .await;
    }
    assert_eq!(bench.wallets().await, (100_000, 1_000));
    let held = merchant
        .post(SMS, &OrderFamily::Sms.order("held", "0010"))
        .await;
    assert_eq!(held.with_status(202).txn_status(), "Pending");
    assert_eq!(bench.wallets().await, (100_000, 900));
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn poor_in_naira_a_message_is_refused_and_credits_do_not_help_out() {
    let bench = bench();
    let poor = bench.folder.account("Poor", "3.99");
    let credit = ["account", "credit", "--currency", "CRD", "--amount", "10"];
    let named = ["--identity", &poor.identity];
    let _ = bench.folder.run(&[&credit[..], &named].concat()).well();
    let merchant = bench.merchant.as_account(&poor);
    let order = orders::message("poor", NUMBER, "Hello");
    let refused = merchant.post(SMS, &order).await.with_status(400);
    assert_eq!(refused.json()["serviceCode"], 807, "{refused:?}");
    assert_eq!(merchant.balance().await.0, "3.99");
}
