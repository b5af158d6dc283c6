//! Adapters that pay twice, each in its own way: the suite of adapters over HTTP fails each of
//! them, and passes the same adapter where it does nothing wrong.
#![cfg(test)]

use async_trait::async_trait;
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::provider::{
    AbsencePolicy, Fulfilment, ProviderId, QueryOutcome, Receipt, Refusal, RefusalKind, Submission,
    SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use ports::permit::{Granted, SendPermit};
use ports::provider::{AttemptQuery, Provider, ProviderAnswer};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::{airtime, provider_id, receipt_of};
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::contract::wire::{
    WireEcho, WireProviderUnderTest, a_request_that_is_lost_is_unknown_and_found_absent,
    an_answer_about_something_else_is_no_delivery,
    an_answer_that_is_lost_is_unknown_and_found_delivered, without_a_permit_no_request_arrives,
};
use testkit::http_server::{ServedAnswer, ServedRequest, TestHttpServer};
use testkit::wire_proxy::ProxiedServer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// What an adapter does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DoublePayer {
    /// Nothing.
    No,
    /// Silence until the deadline is taken for a request that was not sent.
    TimeoutIsNotSent,
    /// So is an error of the server.
    ServerErrorIsNotSent,
    /// A page that says so is taken for a refusal.
    PageIsDeclined,
    /// The answer to another attempt is taken for this one's.
    EchoUnchecked,
    /// The amount of the receipt is that of the order.
    AmountCopied,
    /// It writes whatever became of its permit.
    PermitIgnored,
}

/// What the server delivered: an amount by reference and number.
type Delivered = Arc<Mutex<BTreeMap<String, (String, i64)>>>;

/// The line that a delivery is answered with: `reference number minor`.
fn line(reference: &str, (number, minor): &(String, i64)) -> String {
    format!("ok {reference} {number} {minor}")
}

fn serve(delivered: &Delivered, request: &ServedRequest) -> ServedAnswer {
    let mut delivered = delivered.lock().unwrap();
    if request.method == "GET" {
        let reference = request.path.trim_start_matches("/pay/");
        let found = delivered.get(reference).map(|it| line(reference, it));
        return ServedAnswer::Json(200, found.unwrap_or_else(|| "absent".to_owned()));
    }
    let body = String::from_utf8(request.body.clone()).unwrap();
    let words: Vec<&str> = body.split(' ').collect();
    let entry = (words[1].to_owned(), words[2].parse().unwrap());
    let entry = delivered.entry(words[0].to_owned()).or_insert(entry);
    ServedAnswer::Json(200, line(words[0], entry))
}

#[derive(Debug)]
struct LineAdapter {
    id: ProviderId,
    port: u16,
    wrong: DoublePayer,
}

/// What was read as the answer.
enum LineAnswer {
    Silence,
    NoAnswer,
    Status(u16),
    Body(String),
}

impl LineAdapter {
    async fn exchange(&self, request: String, deadline: Duration) -> LineAnswer {
        let talk = async {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
            stream.write_all(request.as_bytes()).await?;
            stream.shutdown().await?;
            let mut text = String::new();
            stream.read_to_string(&mut text).await?;
            Ok::<String, io::Error>(text)
        };
        match timeout(deadline, talk).await {
            Err(_) => LineAnswer::Silence,
            Ok(Err(_)) => LineAnswer::NoAnswer,
            Ok(Ok(text)) => read(&text),
        }
    }

    /// What an answer says of an attempt.
    fn judge(&self, answer: &str, reference: &ProviderReference, order: &Order) -> SubmitOutcome {
        if self.wrong == DoublePayer::PageIsDeclined && answer.contains("declined") {
            return SubmitOutcome::Declined(Refusal {
                kind: RefusalKind::Order,
                code: "page".to_owned(),
                reason: answer.to_owned(),
            });
        }
        let unknown = SubmitOutcome::Unknown(UnknownCause::Unreadable);
        let words: Vec<&str> = answer.split(' ').collect();
        let ["ok", echoed, number, minor] = words.as_slice() else {
            return unknown;
        };
        if self.wrong == DoublePayer::EchoUnchecked {
            return SubmitOutcome::Delivered(receipt_of(reference, order));
        }
        let Ok(minor) = minor.parse::<i64>() else {
            return unknown;
        };
        if *echoed != reference.as_str() || *number != order.digits() {
            return unknown;
        }
        let said = Money::from_minor(minor, Currency::Ngn);
        let copied = self.wrong == DoublePayer::AmountCopied;
        SubmitOutcome::Delivered(Receipt {
            reference: reference.clone(),
            amount: if copied { order.amount() } else { said },
            fulfilment: Fulfilment::Airtime,
        })
    }
}

/// The body of an answer that came whole, or its status.
fn read(text: &str) -> LineAnswer {
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return LineAnswer::NoAnswer;
    };
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.parse::<usize>().ok()).flatten()
    });
    match status {
        Some(200) if length == Some(body.len()) => LineAnswer::Body(body.to_owned()),
        Some(200) | None => LineAnswer::NoAnswer,
        Some(status) => LineAnswer::Status(status),
    }
}

#[async_trait]
impl Provider for LineAdapter {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy::CAUTIOUS
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let granted = permit.ask().await;
        let refused = granted.and_then(Granted::begin_writing).is_err();
        if refused && self.wrong != DoublePayer::PermitIgnored {
            return SubmitOutcome::NotSent.into();
        }
        let (reference, order) = (&submission.reference, &submission.order);
        let body = format!("{reference} {} {}", order.digits(), order.amount().minor());
        let length = body.len();
        let request =
            format!("POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n{body}");
        let unknown = |cause| SubmitOutcome::Unknown(cause);
        let outcome = match self.exchange(request, submission.deadline).await {
            LineAnswer::Body(body) => self.judge(&body, reference, order),
            LineAnswer::Silence if self.wrong == DoublePayer::TimeoutIsNotSent => {
                SubmitOutcome::NotSent
            }
            LineAnswer::Silence => unknown(UnknownCause::Timeout),
            LineAnswer::NoAnswer => unknown(UnknownCause::ConnectionLost),
            LineAnswer::Status(500..) if self.wrong == DoublePayer::ServerErrorIsNotSent => {
                SubmitOutcome::NotSent
            }
            LineAnswer::Status(_) => unknown(UnknownCause::ServerError),
        };
        outcome.into()
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let reference = attempt.reference;
        let request = format!("GET /pay/{reference} HTTP/1.1\r\nHost: a\r\n\r\n");
        let found = match self.exchange(request, Duration::from_secs(5)).await {
            LineAnswer::Body(body) if body == "absent" => QueryOutcome::NotFound,
            LineAnswer::Body(body) => match self.judge(&body, reference, attempt.order.unwrap()) {
                SubmitOutcome::Delivered(receipt) => QueryOutcome::Delivered(receipt),
                other @ (SubmitOutcome::Declined(_)
                | SubmitOutcome::NotSent
                | SubmitOutcome::Pending
                | SubmitOutcome::Reversed
                | SubmitOutcome::Unknown(_)) => panic!("{other:?}"),
            },
            LineAnswer::Silence | LineAnswer::NoAnswer | LineAnswer::Status(_) => {
                QueryOutcome::Unknown
            }
        };
        found.into()
    }
}

pub(crate) struct LineBench {
    delivered: Delivered,
    server: TestHttpServer,
    wrong: DoublePayer,
    orders: Mutex<u32>,
}

async fn bench(wrong: DoublePayer) -> LineBench {
    let delivered = Delivered::default();
    let shared = Arc::clone(&delivered);
    LineBench {
        server: TestHttpServer::start(move |request| serve(&shared, &request)).await,
        delivered,
        wrong,
        orders: Mutex::default(),
    }
}

impl LineBench {
    fn adapter(&self, port: u16) -> Arc<dyn Provider> {
        Arc::new(LineAdapter {
            id: provider_id("lines"),
            port,
            wrong: self.wrong,
        })
    }
}

#[async_trait]
impl ProviderUnderTest for LineBench {
    fn provider(&self) -> Arc<dyn Provider> {
        self.adapter(self.server.port)
    }

    fn services(&self) -> Vec<Service> {
        vec![Service::Airtime]
    }

    async fn order(&self, _: Service, behaviour: ProviderBehaviour) -> Order {
        assert_eq!(behaviour, ProviderBehaviour::Delivers);
        let mut orders = self.orders.lock().unwrap();
        *orders += 1;
        airtime().to(&format!("234803{:07}", *orders)).order()
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        let delivered = self.delivered.lock().unwrap();
        u32::from(delivered.contains_key(reference.as_str()))
    }

    async fn let_time_pass(&self) {}
}

#[async_trait]
impl WireProviderUnderTest for LineBench {
    fn server(&self) -> ProxiedServer {
        ProxiedServer {
            port: self.server.port,
            writes: |method, target| (method, target) == ("POST", "/pay"),
        }
    }

    async fn at_port(&self, port: u16) -> Arc<dyn Provider> {
        self.adapter(port)
    }

    fn echoes(&self, sent: &Submission) -> Vec<WireEcho> {
        let minor = sent.order.amount().minor();
        vec![
            WireEcho::new("reference", (sent.reference.as_str(), "shop.another.1")),
            WireEcho::new("number", (sent.order.digits(), "2348039999999")),
            WireEcho::new("amount", (format!(" {minor}"), format!(" {}", minor / 100))),
        ]
    }
}

pub(crate) async fn right() -> LineBench {
    bench(DoublePayer::No).await
}

/// The same adapter without a fault keeps every law.
mod right {
    testkit::wire_contract!(super::right);
}

#[tokio::test]
#[should_panic(expected = "Airtime Held: NotSent")]
async fn an_adapter_that_takes_a_timeout_for_not_sent_is_found() {
    let bench = bench(DoublePayer::TimeoutIsNotSent).await;
    an_answer_that_is_lost_is_unknown_and_found_delivered(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Airtime BadGateway: NotSent")]
async fn an_adapter_that_takes_a_server_error_for_not_sent_is_found() {
    let bench = bench(DoublePayer::ServerErrorIsNotSent).await;
    an_answer_that_is_lost_is_unknown_and_found_delivered(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Airtime Page: Declined")]
async fn an_adapter_that_takes_a_page_for_a_refusal_is_found() {
    let bench = bench(DoublePayer::PageIsDeclined).await;
    a_request_that_is_lost_is_unknown_and_found_absent(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "another reference is a delivery of this")]
async fn an_adapter_that_checks_no_echo_is_found() {
    an_answer_about_something_else_is_no_delivery(&bench(DoublePayer::EchoUnchecked).await).await;
}

#[tokio::test]
#[should_panic(expected = "another amount is a delivery of this")]
async fn an_adapter_that_copies_the_amount_is_found() {
    an_answer_about_something_else_is_no_delivery(&bench(DoublePayer::AmountCopied).await).await;
}

#[tokio::test]
#[should_panic(expected = "Airtime: without a permit")]
async fn an_adapter_that_ignores_its_permit_is_found() {
    without_a_permit_no_request_arrives(&bench(DoublePayer::PermitIgnored).await).await;
}
