//! Changes that an operator asks a running gateway for over HTTP, and what another one's `approve`
//! makes of them: the same as the commands that operators run themselves.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::{Value, json};
use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::{TestMerchant, basic, send};
use tests::operators::BETA;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal::minor;

/// Until another instance obeys, on a busy machine.
const OBEYED_WITHIN: Duration = Duration::from_secs(30);

struct Desk {
    folder: GatewayFolder,
    account: MerchantCredentials,
    merchant: TestMerchant,
    operator: String,
    _server: GatewayProcess,
}

impl Desk {
    /// A gateway with two operators, the first of whom asks over HTTP.
    fn new(settings: &str) -> Self {
        let folder = GatewayFolder::with(&format!("{QUICK}{settings}"));
        let account = folder.account("Approving", "10000.00");
        folder.has_also(&BETA);
        let (name, key) = folder.operator_key();
        let server = GatewayProcess::start(&folder);
        Self {
            merchant: TestMerchant::new(&folder, server.address(), &account),
            account,
            operator: basic(&name, &key),
            folder,
            _server: server,
        }
    }

    /// Asks, and answers the number of the request.
    async fn ask(&self, path: &str, body: &Value) -> String {
        let request = self.merchant.anonymous(reqwest::Method::POST, path);
        let request = request.header(AUTHORIZATION, &self.operator);
        let request = request.header(CONTENT_TYPE, "application/json");
        let answer = send(request.body(body.to_string())).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        answer.json()["aprIdentifier"].to_string()
    }

    async fn see(&self, path: &str) -> Value {
        let request = self.merchant.anonymous(reqwest::Method::GET, path);
        send(request.header(AUTHORIZATION, &self.operator))
            .await
            .json()
    }

    fn grant(&self, number: &str, more: &[&str]) -> Value {
        let grant = ["approve", number, "--json"];
        let granted = self.folder.run_as(&BETA, &[&grant[..], more].concat());
        granted.well().json()
    }

    /// A payment that waits for a person.
    async fn waits(&self, reference: &str, amount: &str) -> String {
        let mut order = OrderFamily::Airtime.order(reference, "0008");
        order["amount"] = amount.into();
        self.merchant.post(AIRTIME, &order).await.with_status(202);
        let case = format!("review:{}:{reference}", self.account.identity);
        eventually("it waits for a person", OBEYED_WITHIN, async || {
            let listed = self.folder.run(&["case", "list", "--json"]).json();
            listed.to_string().contains(&case).then_some(())
        })
        .await;
        case
    }
}

#[tokio::test]
async fn a_provider_is_paused_and_resumed_and_what_was_granted_is_listed() {
    let desk = Desk::new("");
    for (is_enabled, state) in [(false, true), (true, false)] {
        let body = json!({"prvIdentifier": "sandbox", "prvEnabled": is_enabled, "reason": "float"});
        let number = desk.ask("/operations/providers", &body).await;
        let waits = desk.folder.run(&["approve"]).well().stdout;
        assert!(waits.contains("asked for by alpha"), "{waits}");
        let granted = desk.grant(&number, &[]);
        assert_eq!(granted["paused"], state, "{granted}");
        assert_eq!(granted["changed"], true, "{granted}");
        // Where it was cut short, the same again finishes it, and here there is nothing to finish.
        let again = desk.grant(&number, &[]);
        assert_eq!(again["changed"], false, "{again}");
        let listed = desk.folder.run(&["approve", "--json"]).well().json();
        let first = &listed["approvals"][0];
        assert_eq!(
            (&first["status"], &first["decided_by"]),
            (&"Granted".into(), &"beta".into())
        );
        eventually("the instance obeys", OBEYED_WITHIN, async || {
            let seen = desk.see("/operations/providers").await;
            (seen["providers"][0]["prvEnabled"] == is_enabled).then_some(())
        })
        .await;
    }
    let flag = desk.folder.run_as(&BETA, &["approve", "2", "--absorb"]);
    assert_eq!(flag.refused().status.code(), Some(2));
}

#[tokio::test]
async fn maintenance_is_announced_and_ended() {
    let desk = Desk::new("");
    let asked = |status: &str| {
        json!({"scope": "biller", "service": "electricity", "biller": "101", "mntStatus": status,
               "from": "2099-01-15T01:00:00+01:00", "until": "2099-01-15T03:00:00+01:00",
               "reason": "new switch"})
    };
    for (status, announced, count) in [("Announced", true, 1), ("Ended", false, 0)] {
        let number = desk.ask("/operations/maintenance", &asked(status)).await;
        let granted = desk.grant(&number, &[]);
        assert_eq!(granted["announced"], announced, "{granted}");
        assert_eq!(granted["changed"], true, "{granted}");
        eventually("the instance obeys", OBEYED_WITHIN, async || {
            let seen = desk.see("/operations/maintenance").await;
            let all = seen["maintenances"].as_array().expect("a list");
            (all.len() == count).then_some(())
        })
        .await;
    }
    let past = desk.folder.run(&["provider", "maintenance", "--json"]);
    assert_eq!(past.well().json()["maintenances"], json!([]));
}

#[tokio::test]
async fn a_case_is_decided_and_above_the_limit_by_two_of_whom_the_request_is_none() {
    let desk = Desk::new("[review]\ndual_control_above = \"2,000.00\"\n");
    for (reference, decision, status) in [
        ("first", "declined", "Failed"),
        ("second", "delivered", "Successful"),
    ] {
        let case = desk.waits(reference, "1,000.00").await;
        let status_of_case = async || {
            let listed = desk.see("/operations/cases").await;
            let cases = listed["cases"].as_array().unwrap().iter();
            let found = cases.filter(|it| it["caseIdentifier"] == case);
            let found: Vec<_> = found.map(|it| it["caseStatus"].clone()).collect();
            found
        };
        assert_eq!(status_of_case().await, ["Open"]);
        let body = json!({"caseIdentifier": case, "decision": decision, "reason": "a letter"});
        let number = desk.ask("/operations/resolve", &body).await;
        assert_eq!(status_of_case().await, ["Waiting"]);
        let granted = desk.grant(&number, &[]);
        assert_eq!(granted["txnStatus"], status, "{granted}");
        let (_, held) = desk.merchant.balance().await;
        assert_eq!(minor(&held), 0);
    }
    let case = desk.waits("large", "5,000.00").await;
    let body = json!({"caseIdentifier": case, "decision": "delivered", "reason": "a letter"});
    let number = desk.ask("/operations/resolve", &body).await;
    let proposed = desk.grant(&number, &[]);
    assert_eq!(proposed["txnStatus"], "Pending", "{proposed}");
    assert!(proposed["proposed"].is_u64(), "{proposed}");
    assert_eq!(desk.grant(&number, &[]), proposed, "one operator is one");
    let own = desk.folder.run(&["approve", &number]).refused();
    assert!(own.stderr.contains("another one must grant it"), "{own:?}");
    let resolve = ["case", "resolve", &case, "--verdict", "delivered"];
    let why = ["--reason", "a letter", "--json"];
    let resolved = desk.folder.run(&[&resolve[..], &why].concat());
    let resolved = resolved.well().json();
    assert_eq!(resolved["txnStatus"], "Successful", "{resolved}");
}
