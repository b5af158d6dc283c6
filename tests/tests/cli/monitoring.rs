//! What operators' tools see of a running gateway. It must agree with what was done, and name no
//! account, reference or customer.

use std::net::TcpListener;
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, send};
use tests::monitored::{LISTEN, Monitored, value};
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// A delivery takes a second and a half.
const UNDER_WAY: &str = "[payment]\nanswer_window_ms = 5000\n[sandbox]\npending_delay_ms = 1500\n";

/// A delivery takes longer than what was counted is shown again.
const WAITING: &str = "[payment]\nanswer_window_ms = 9000\n[sandbox]\npending_delay_ms = 6000\n";

/// Two payments, a body that is too large and a path that is not ours, as they are counted.
const COUNTED: [(&str, f64); 14] = [
    (
        "manilla_payments_opened_total{service=\"airtime\",provider=\"sandbox\"}",
        2.0,
    ),
    (
        "manilla_payments_ended_total\
         {service=\"airtime\",provider=\"sandbox\",status=\"successful\"}",
        1.0,
    ),
    (
        "manilla_payments_ended_total\
         {service=\"airtime\",provider=\"sandbox\",status=\"failed\"}",
        1.0,
    ),
    (
        "manilla_payment_final_duration_seconds_count{service=\"airtime\"}",
        2.0,
    ),
    (
        "manilla_provider_calls_total\
         {provider=\"sandbox\",call=\"submit\",outcome=\"delivered\"}",
        1.0,
    ),
    (
        "manilla_provider_calls_total\
         {provider=\"sandbox\",call=\"submit\",outcome=\"declined\"}",
        1.0,
    ),
    (
        "manilla_http_requests_total\
         {method=\"POST\",path=\"/payment/airtime\",status=\"200\"}",
        2.0,
    ),
    (
        "manilla_http_requests_total{method=\"GET\",path=\"other\",status=\"404\"}",
        1.0,
    ),
    ("manilla_limit_hits_total{limit=\"body_bytes\"}", 1.0),
    ("manilla_payments_suspended", 0.0),
    ("manilla_payments_frozen", 0.0),
    ("manilla_payment_places_taken", 0.0),
    ("manilla_store_up", 1.0),
    ("manilla_webhook_events_waiting", 0.0),
];

/// What is never zero.
const NEVER_ZERO: [&str; 7] = [
    "manilla_commit_duration_seconds_count",
    "manilla_commit_batch_size_count",
    "manilla_store_size_bytes",
    "manilla_disk_free_bytes",
    "manilla_certificate_remaining_seconds",
    "manilla_resident_memory_bytes",
    "manilla_open_files",
];

#[tokio::test]
async fn metrics_count_what_was_done_and_name_none_of_it() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Counted", "10000.00");
    let (server, monitored) = Monitored::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for (reference, digits, expected) in [
        ("counted-delivered", "4567", "Successful"),
        ("counted-refused", "0001", "Failed"),
    ] {
        let order = OrderFamily::Airtime.order(reference, digits);
        let answer = merchant.post(AIRTIME, &order).await.with_status(200);
        assert_eq!(answer.txn_status(), expected);
    }
    let oversized = merchant.posting(AIRTIME, "x".repeat(2_000_000));
    assert_eq!(send(oversized).await.status, 413);
    let unknown = merchant.get("/no/such/path").await;
    assert_eq!(unknown.status, 404);

    let metrics = monitored.metrics().await;
    for (series, expected) in COUNTED {
        assert_eq!(
            value(&metrics, series),
            Some(expected),
            "{series}\n{metrics}"
        );
    }
    for at_least_one in NEVER_ZERO {
        let found = value(&metrics, at_least_one);
        assert!(found >= Some(1.0), "{at_least_one}\n{metrics}");
    }
    for secret in [
        account.identity.as_str(),
        "counted-",
        "234803123",
        "no/such",
    ] {
        assert!(!metrics.contains(secret), "{secret}\n{metrics}");
    }
}

#[tokio::test]
async fn what_is_not_final_is_counted_until_it_is() {
    let folder = GatewayFolder::with(WAITING);
    let account = folder.account("Waiting", "10000.00");
    let (server, monitored) = Monitored::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("waits", "0002");
    let buying = merchant.post(AIRTIME, &order);
    let series = "manilla_open_payments\
                  {provider=\"sandbox\",state=\"in_doubt\",older_than=\"0s\"}";
    let counted = async || {
        let metrics = monitored.metrics().await;
        (value(&metrics, series) == Some(1.0)).then_some(metrics)
    };
    let seen = eventually("it is counted", Duration::from_secs(10), counted);
    let (answer, metrics) = tokio::join!(buying, seen);
    assert_eq!(answer.with_status(200).txn_status(), "Successful");
    let after_a_minute = series.replace("0s", "1m");
    assert_eq!(value(&metrics, &after_a_minute), Some(0.0), "{metrics}");
    let gone = async || {
        let metrics = monitored.metrics().await;
        value(&metrics, series).is_none().then_some(())
    };
    eventually("it is final", Duration::from_secs(10), gone).await;
}

#[tokio::test]
async fn it_is_ready_until_it_stops() {
    let folder = GatewayFolder::with(UNDER_WAY);
    let account = folder.account("Stopping", "10000.00");
    let (mut server, monitored) = Monitored::start(&folder);
    for name in [
        "process", "database", "writer", "payments", "places", "disk", "clock",
    ] {
        let (ready, check) = monitored.check(name).await;
        assert_eq!((ready, &check["status"]), (true, &"ok".into()), "{check}");
    }
    let (status, live) = monitored.get("/live").await;
    assert_eq!((status, live.as_str()), (200, "{\"live\":true}\n"));
    assert_eq!(monitored.get("/").await.0, 404);

    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("last", "0002");
    let buying = merchant.post(AIRTIME, &order);
    let stopping = async {
        let report = OrderFamily::Airtime.report("last");
        eventually("it is stored", Duration::from_secs(5), async || {
            (merchant.get(&report).await.status == 200).then_some(())
        })
        .await;
        server.ask_to_stop();
        eventually("it is not ready", Duration::from_secs(5), async || {
            let (ready, check) = monitored.check("process").await;
            (!ready && check["status"] == "failed").then_some(())
        })
        .await;
    };
    let (answer, ()) = tokio::join!(buying, stopping);
    assert_eq!(answer.with_status(200).txn_status(), "Successful");
    eventually("it ends", Duration::from_secs(10), async || {
        (!server.runs()).then_some(())
    })
    .await;
}

#[tokio::test]
async fn clients_that_wait_do_not_keep_tools_away() {
    let folder = GatewayFolder::with(QUICK);
    let (_server, monitored) = Monitored::start(&folder);
    let mut waiting = Vec::new();
    for _ in 0..200 {
        if let Ok(mut stream) = TcpStream::connect(monitored.address()).await {
            // Where there is no place it is closed at once.
            let _ = stream.write_all(b"GET /metrics HTTP/1.1\r\n").await;
            waiting.push(stream);
        }
    }
    eventually("metrics are served", Duration::from_secs(30), async || {
        let answer = monitored.try_get("/metrics").await;
        answer
            .is_some_and(|(status, _)| status == 200)
            .then_some(())
    })
    .await;
    drop(waiting);
}

#[test]
fn an_address_that_is_set_must_be_free() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its number").to_string();
    let folder = GatewayFolder::with(QUICK);
    let mut command = folder.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env(LISTEN, &address);
    let refused = tests::program::run(command).refused();
    let expected = format!("cannot listen on {address} for operators' tools");
    assert!(refused.stderr.contains(&expected), "{}", refused.stderr);
}
