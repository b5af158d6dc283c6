//! Purchases through VTpass's interface, which another gateway serves: an answer that is lost, and
//! an instance that is killed while it waits for one. What was delivered must be proven by the
//! books of the gateway that delivered.

use serde_json::{Value, json};
use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::{TestMerchant, try_send};
use tests::orders::{self, AIRTIME, CABLETV, ELECTRICITY, INTERNET, OrderFamily};
use tests::patience;
use tests::process::GatewayProcess;
use tests::provider_journal;
use tokio::task::JoinSet;

/// It delivers what is slow after three seconds, and a client waits for it as long.
const DELIVERING: &str = "\
[server]
vtpass = true

[sandbox]
pending_delay_ms = 3000
";

/// What everything takes, and what a killed instance left is taken over in.
const SETTLED_WITHIN: Duration = Duration::from_secs(40);

/// A gateway that stands for VTpass, and the account that others have there.
struct Delivering {
    folder: GatewayFolder,
    account: MerchantCredentials,
    server: GatewayProcess,
}

impl Delivering {
    fn start() -> Self {
        let folder = GatewayFolder::embedded(DELIVERING);
        let account = folder.account("Seller", "100000.00");
        let server = GatewayProcess::start(&folder);
        Self {
            folder,
            account,
            server,
        }
    }

    fn merchant(&self) -> TestMerchant {
        TestMerchant::new(&self.folder, self.server.address(), &self.account)
    }

    /// The settings of a gateway that buys there; `more` is of its account.
    fn settings(&self, more: &str) -> String {
        let MerchantCredentials { identity, key, .. } = &self.account;
        let address = self.server.address();
        let routes = ["airtime", "internet", "cabletv", "electricity"]
            .map(|product| format!("[[route]]\nproduct = \"{product}\"\nprovider = \"seller\"\n"));
        format!(
            "{QUICK}
[provider.seller]
adapter = \"vtpass\"
environment = \"test\"
url = \"https://{address}/vtpass/api/\"
api_key = \"{identity}\"
secret_key = \"{key}\"
phone = \"2348031230000\"
internet_plans = \"30101=30101\"
cable_plans = \"20204=20204\"
{more}
{}",
            routes.join("\n")
        )
    }

    fn was_queried(&self) -> bool {
        self.server.log().contains("/vtpass/api/requery")
    }

    /// The buying gateway trusts its authority.
    fn trusted(&self, folder: GatewayFolder) -> GatewayFolder {
        let authority = self.folder.data().join("ca.pem");
        let authority = authority.to_string_lossy().into_owned();
        folder.in_environment(&[("SSL_CERT_FILE", authority)])
    }
}

async fn ends_as(merchant: &TestMerchant, reference: &str, status: &str) {
    let report = OrderFamily::Airtime.report(reference);
    patience::eventually("the end of a purchase", SETTLED_WITHIN, async || {
        let answer = merchant.get(&report).await.with_status(200);
        (answer.txn_status() == status).then_some(())
    })
    .await;
}

fn airtime(reference: &str, ending: &str) -> Value {
    orders::airtime(reference, &format!("234803123{ending}"), "100")
}

#[tokio::test]
async fn every_family_is_delivered_by_a_gateway_in_vtpass_shape_though_an_answer_is_lost() {
    let seller = Delivering::start();
    let folder = GatewayFolder::with(&seller.settings("deadline_seconds = 1"));
    let folder = seller.trusted(folder);
    let account = folder.account("Buyer", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let bundle = json!({"mrcReference": "data", "identifier": 30101, "number": "2348031230000"});
    let card = json!({"mrcReference": "card", "provider": 202, "number": "0201230000",
        "subscribe": "instant", "identifier": 20204, "duration": 1});
    let meter = orders::electricity("meter", "04512340000", "5000");
    for (path, order) in [
        (AIRTIME, airtime("airtime", "0000")),
        (INTERNET, bundle),
        (CABLETV, card),
        (ELECTRICITY, meter),
    ] {
        let paid = merchant.post(path, &order).await.with_status(200);
        assert_eq!(paid.txn_status(), "Successful", "{paid:?}");
    }
    merchant.post(AIRTIME, &airtime("refused", "0001")).await;
    ends_as(&merchant, "refused", "Failed").await;
    // The answer comes after three seconds, and one second is waited for it.
    merchant.post(AIRTIME, &airtime("lost", "0002")).await;
    ends_as(&merchant, "lost", "Successful").await;
    provider_journal::audit_is_clean(&folder);
    // Each side pays the same prices, so nothing was bought twice and nothing for another amount.
    let (bought, sold) = (merchant.balance().await, seller.merchant().balance().await);
    assert_eq!(bought, sold);
    assert_eq!(bought.1, "0.00");
    assert!(seller.was_queried());
    provider_journal::audit_is_clean(&seller.folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_instance_had_sent_another_finds_by_a_requery() {
    let seller = Delivering::start();
    let folder = seller.trusted(GatewayFolder::shared(&seller.settings("")));
    let account = folder.account("Buyer", "100000.00");
    let (doomed, other) = (
        GatewayProcess::start(&folder),
        GatewayProcess::start(&folder),
    );
    let merchant = TestMerchant::new(&folder, doomed.address(), &account);
    let buyer = merchant.clone();
    let mut waiting = JoinSet::new();
    waiting.spawn(async move {
        let order = airtime("killed", "0002").to_string();
        try_send(buyer.posting(AIRTIME, order)).await
    });
    let books = seller.merchant();
    patience::eventually("the purchase at the seller", SETTLED_WITHIN, async || {
        (books.balance().await.1 == "97.00").then_some(())
    })
    .await;
    doomed.kill();
    let answers = waiting.join_all().await;
    assert!(answers[0].is_err(), "the answer was not lost: {answers:?}");
    let merchant = merchant.at(other.address());
    ends_as(&merchant, "killed", "Successful").await;
    assert!(seller.was_queried());
    assert_eq!(merchant.balance().await.0, "99,903.00");
    assert_eq!(books.balance().await, ("99,903.00".into(), "0.00".into()));
    provider_journal::audit_is_clean(&folder);
}
