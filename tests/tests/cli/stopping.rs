//! Stopping and starting again. It must show that what was begun is finished, and that what was
//! kept is there.

use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, try_send};
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::{Stopwatch, eventually};
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal;

/// A merchant waits twenty seconds for what never ends.
const QUICK_BUT_PATIENT: &str = "[payment]\nanswer_window_ms = 20000\n";

/// A delivery takes a second and a half.
const UNDER_WAY: &str = "[payment]\nanswer_window_ms = 5000\n[sandbox]\npending_delay_ms = 1500\n";

#[tokio::test]
async fn ctrl_c_finishes_what_is_under_way_and_exits_well() {
    let folder = GatewayFolder::with(UNDER_WAY);
    let account = folder.account("Stopping", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("under-way", "0002");
    let buying = merchant.post(AIRTIME, &order);
    let stopping = async {
        let report = OrderFamily::Airtime.report("under-way");
        eventually(
            "the payment is stored",
            Duration::from_secs(5),
            async || (merchant.get(&report).await.status == 200).then_some(()),
        )
        .await;
        server.interrupt().await
    };
    let (answer, stopped) = tokio::join!(buying, stopping);
    assert_eq!(answer.with_status(200).txn_status(), "Successful");
    assert!(stopped.success(), "{stopped:?}");
    provider_journal::audit_is_clean(&folder);
    let again = GatewayProcess::start(&folder);
    let merchant = merchant.at(again.address());
    let report = merchant
        .get(&OrderFamily::Airtime.report("under-way"))
        .await
        .with_status(200);
    assert_eq!(report.txn_status(), "Successful");
}

#[tokio::test]
async fn a_second_ctrl_c_stops_at_once_and_loses_nothing() {
    let folder = GatewayFolder::with(QUICK_BUT_PATIENT);
    let account = folder.account("Twice", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("endless", "0010");
    let buying = try_send(merchant.posting(AIRTIME, order.to_string()));
    let stopping = async {
        let within = Duration::from_secs(5);
        let report = OrderFamily::Airtime.report("endless");
        eventually("the payment is stored", within, async || {
            (merchant.get(&report).await.status == 200).then_some(())
        })
        .await;
        server.ask_to_stop();
        eventually("the server has received it", within, async || {
            server.log().contains("stopping").then_some(())
        })
        .await;
        let stopwatch = Stopwatch::start();
        let stopped = server.interrupt().await;
        (stopped, stopwatch.elapsed())
    };
    let (answer, (stopped, took)) = tokio::join!(buying, stopping);
    assert!(answer.is_err(), "no process was left to answer: {answer:?}");
    assert!(!stopped.success(), "{stopped:?}");
    assert!(
        took < Duration::from_secs(5),
        "it took {took:?} to stop at once"
    );
    provider_journal::audit_is_clean(&folder);
    let again = GatewayProcess::start(&folder);
    let merchant = merchant.at(again.address());
    let report = merchant.get(&OrderFamily::Airtime.report("endless")).await;
    assert_eq!(report.with_status(200).txn_status(), "Pending");
}

#[tokio::test]
async fn a_stopped_server_answers_no_client_and_an_idle_one_stops_at_once() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Idle", "1.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let _ = merchant.balance().await;
    let stopwatch = Stopwatch::start();
    assert!(server.interrupt().await.success());
    let took = stopwatch.elapsed();
    assert!(
        took < Duration::from_secs(5),
        "an idle server took {took:?} to stop"
    );
    let request = merchant.request(reqwest::Method::GET, "/account/balance");
    assert!(try_send(request).await.is_err());
}

#[tokio::test]
async fn starting_again_on_the_same_address_keeps_everything() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Again", "10000.00");
    let server = GatewayProcess::start(&folder);
    let address = server.address();
    let merchant = TestMerchant::new(&folder, address, &account);
    let mut kept = Vec::new();
    for (family, ending) in [
        (OrderFamily::Airtime, "0000"),
        (OrderFamily::Electricity, "0000"),
        (OrderFamily::Airtime, "0001"),
    ] {
        let reference = format!("kept-{}-{ending}", family.word());
        let answer = merchant
            .post(family.path(), &family.order(&reference, ending))
            .await;
        assert_eq!(answer.status, 200, "{answer:?}");
        kept.push(family.report(&reference));
    }
    kept.push("/account/balance".to_owned());
    kept.push("/account/statement".to_owned());
    let mut before = Vec::new();
    for path in &kept {
        before.push(merchant.get(path).await.with_status(200).body);
    }
    assert!(server.interrupt().await.success());
    let launch = Launch {
        listen: Some(address),
        ..Launch::default()
    };
    let _again = GatewayProcess::launch(&folder, &launch);
    for (path, before) in kept.iter().zip(before) {
        assert_eq!(
            merchant.get(path).await.with_status(200).body,
            before,
            "{path}"
        );
    }
    // The certificate is still the one clients trust, and references stay used.
    let order = OrderFamily::Airtime.order("kept-airtime-0000", "0000");
    let answer = merchant.post(AIRTIME, &order).await;
    assert_eq!(answer.status, 422);
}

#[tokio::test]
async fn an_address_in_use_is_said_and_the_folder_stays_free() {
    let folder = GatewayFolder::with(QUICK);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = folder.run(&["serve", "--listen", &address]).refused();
    assert!(refused.stderr.contains(&address), "{refused:?}");
    assert!(GatewayProcess::start(&folder).runs());
}
