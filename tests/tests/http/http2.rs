//! Purchases over HTTP/2, many on one connection. They must have the same results as over HTTP/1.1.

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use reqwest::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE};
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::http_line::Dialler;
use tests::merchant::{TestMerchant, basic};
use tests::orders::{self, OrderFamily};
use tests::process::GatewayProcess;
use tokio::task::JoinSet;

/// One connection over which an account asks.
struct Http2Connection<'a> {
    requests: SendRequest<Bytes>,
    account: &'a MerchantCredentials,
    server: &'a GatewayProcess,
    /// What the connection is driven by.
    tasks: JoinSet<Result<(), h2::Error>>,
}

impl<'a> Http2Connection<'a> {
    async fn open(
        dialler: &Dialler,
        server: &'a GatewayProcess,
        account: &'a MerchantCredentials,
    ) -> Self {
        let stream = dialler.knowing(&["h2", "http/1.1"]).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        let (requests, connection) = h2::client::handshake(stream).await.unwrap();
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        Self {
            requests,
            account,
            server,
            tasks,
        }
    }

    async fn send(&self, method: &str, path: &str, body: &str) -> ResponseFuture {
        let MerchantCredentials { identity, key, .. } = self.account;
        let request = hyper::Request::builder()
            .method(method)
            .uri(format!("https://{}{path}", self.server.address()))
            .header(AUTHORIZATION, basic(identity, key))
            .header(CONTENT_TYPE, "application/json")
            .body(())
            .unwrap();
        let mut requests = self.requests.clone().ready().await.unwrap();
        let (answer, mut sent) = requests.send_request(request, body.is_empty()).unwrap();
        if !body.is_empty() {
            sent.send_data(body.to_owned().into(), true).unwrap();
        }
        answer
    }

    async fn ended(mut self) {
        let ended = self.tasks.join_next().await.unwrap();
        // A client that can ask no more would close the connection by itself.
        drop(self.requests);
        // What the client says at last may find the connection closed already.
        if let Err(error) = ended.unwrap() {
            assert!(error.is_io(), "an orderly end: {error}");
        }
    }
}

async fn answered(answer: ResponseFuture) -> HttpAnswer {
    let (head, mut stream) = answer.await.unwrap().into_parts();
    let mut body = Vec::new();
    while let Some(part) = stream.data().await {
        let part = part.unwrap();
        stream.flow_control().release_capacity(part.len()).unwrap();
        body.extend_from_slice(&part);
    }
    HttpAnswer {
        status: head.status.as_u16(),
        headers: head.headers,
        body: String::from_utf8(body).unwrap(),
    }
}

#[tokio::test]
async fn airtime_is_bought_beside_other_airtime_on_one_connection() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Multiplexed", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let dialler = Dialler::new(&folder, server.address());
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let connection = Http2Connection::open(&dialler, &server, &account).await;
    let mut answers = Vec::new();
    for index in 0..20 {
        let reference = format!("multiplexed-{index}");
        let order = orders::airtime(&reference, "2348031230000", "100").to_string();
        let answer = connection.send("POST", "/payment/airtime", &order).await;
        answers.push((reference, answer));
    }
    for (reference, answer) in answers {
        let answer = answered(answer).await.with_status(200);
        assert_eq!(answer.txn_status(), "Successful");
        assert_eq!(answer.text("mrcReference"), reference);
        assert!(!answer.headers.contains_key(CONNECTION), "{answer:?}");
        let report = OrderFamily::Airtime.report(&reference);
        let shown = answered(connection.send("GET", &report, "").await).await;
        let expected = merchant.get(&report).await;
        assert_eq!(shown.body_without_id(), expected.body_without_id());
    }
    let unnamed = answered(connection.send("GET", "/nowhere", "").await).await;
    assert_eq!(unnamed.status, 404);
    server.ask_to_stop();
    connection.ended().await;
}

#[tokio::test]
async fn an_operator_can_switch_it_off() {
    let folder = GatewayFolder::with(&format!("[server]\nhttp2 = false\n\n{QUICK}"));
    let server = GatewayProcess::start(&folder);
    let dialler = Dialler::new(&folder, server.address());
    let stream = dialler.knowing(&["h2", "http/1.1"]).await;
    let chosen = stream.get_ref().1.alpn_protocol();
    assert_eq!(chosen, Some(&b"http/1.1"[..]));
}
