//! How often single accounts may ask, in the configuration and by a reload.

use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::patience::eventually;
use tests::process::GatewayProcess;

const BALANCE: &str = "/account/balance";

fn limited(account: &str, reads: u32) -> String {
    format!("{QUICK}[[account_limit]]\naccount = \"{account}\"\nreads_per_minute = {reads}\n")
}

/// The limit that an answer names.
async fn limit(merchant: &TestMerchant) -> String {
    let answer = merchant.get(BALANCE).await.with_status(200);
    answer
        .header("ratelimit-limit")
        .expect("a limit")
        .to_owned()
}

#[tokio::test]
async fn one_account_is_limited_as_the_configuration_says_and_as_a_reload_changes_it() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Limited", "10.00");
    let other = folder.account("Other", "10.00");
    let write = |text: &str| std::fs::write(folder.data().join("manilla.toml"), text).unwrap();
    write(&limited(&account.identity, 2));
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let other = TestMerchant::new(&folder, server.address(), &other);
    assert_eq!(limit(&merchant).await, "2");
    assert_ne!(limit(&other).await, "2");
    let _second = merchant.get(BALANCE).await.with_status(200);
    let refused = merchant.get(BALANCE).await.with_status(429);
    assert!(
        refused.body.contains("2 at once and 2 a minute"),
        "{refused:?}"
    );
    let shown = folder.run(&["config"]).well().stdout;
    let named = format!("account_limit.{}", account.identity);
    assert!(shown.contains(&named), "{shown}");

    write(&limited(&account.identity, 900));
    server.send("HUP");
    eventually("the reload", Duration::from_secs(10), async || {
        server
            .log()
            .contains("account_limits=\"1 → 1\"")
            .then_some(())
    })
    .await;
    // What it had used is kept: the budget fills as it does now.
    let limit = eventually("a request is taken", Duration::from_secs(10), async || {
        let answer = merchant.get(BALANCE).await;
        let limit = answer.header("ratelimit-limit").map(str::to_owned);
        (answer.status == 200).then_some(limit)
    });
    assert_eq!(limit.await.as_deref(), Some("900"));

    write(&limited(&account.identity, 0));
    server.send("HUP");
    eventually("the refusal", Duration::from_secs(10), async || {
        server.log().contains("nothing was reloaded").then_some(())
    })
    .await;
    let wrong = folder.run(&["config"]).refused().stderr;
    assert!(wrong.contains("`reads_per_minute` must be 1 to"), "{wrong}");
}
