//! Signals that do not ask the program to stop. None of them may end it, and what SIGHUP cannot use
//! must leave it as it was.

use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal;

const WITHIN: Duration = Duration::from_secs(10);

/// A delivery takes a second and a half.
const UNDER_WAY: &str = "[payment]\nanswer_window_ms = 5000\n[sandbox]\npending_delay_ms = 1500\n";

async fn logs(server: &GatewayProcess, what: &str) {
    eventually(what, WITHIN, async || {
        server.log().contains(what).then_some(())
    })
    .await;
}

#[tokio::test]
async fn signals_without_a_meaning_end_no_payment() {
    let folder = GatewayFolder::with(UNDER_WAY);
    let account = folder.account("Signalled", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("signalled", "0002");
    let buying = merchant.post(AIRTIME, &order);
    let signalling = async {
        let report = OrderFamily::Airtime.report("signalled");
        eventually("the payment is stored", WITHIN, async || {
            (merchant.get(&report).await.status == 200).then_some(())
        })
        .await;
        for signal in ["USR1", "USR2", "HUP"] {
            server.send(signal);
        }
    };
    let (answer, ()) = tokio::join!(buying, signalling);
    assert_eq!(answer.with_status(200).txn_status(), "Successful");
    for logged in ["SIGUSR1", "SIGUSR2", "reloaded the certificate"] {
        logs(&server, logged).await;
    }
    assert!(server.terminate().await.success());
    provider_journal::audit_is_clean(&folder);
}

#[tokio::test]
async fn sighup_reads_the_certificate_and_the_log_level_again() {
    let quiet = format!("{QUICK}\n[log]\nlevel = \"warn\"\n");
    let folder = GatewayFolder::with(&quiet);
    let account = folder.account("Reloading", "10.00");
    let server = GatewayProcess::start(&folder);
    let before = TestMerchant::new(&folder, server.address(), &account);
    let _ = before.balance().await;
    assert!(
        !server.log().contains("/account/balance"),
        "{}",
        server.log()
    );

    std::fs::write(folder.data().join("manilla.toml"), QUICK).unwrap();
    std::fs::remove_dir_all(folder.data().join("tls")).unwrap();
    std::fs::remove_file(folder.data().join("ca.pem")).unwrap();
    server.send("HUP");
    logs(&server, "reloaded the certificate").await;
    let after = TestMerchant::new(&folder, server.address(), &account);
    let _ = after.balance().await;
    logs(&server, "/account/balance").await;

    std::fs::write(
        folder.data().join("manilla.toml"),
        "[log]\nlevel = \"loud\"\n",
    )
    .unwrap();
    server.send("HUP");
    logs(&server, "nothing was reloaded").await;
    let _ = after.balance().await;
    assert!(server.interrupt().await.success());
}
