//! A server that answers as VTpass publishes: purchases, queries and lookups, with a record of its
//! own. A test may replace any answer.

use crate::fake_record::{ARREARS, FakeRecord, Fate};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

pub(crate) const API_KEY: &str = "api-key-of-a-test";
pub(crate) const SECRET_KEY: &str = "SK_of_a_test";
pub(crate) const PUBLIC_KEY: &str = "PK_of_a_test";

/// The values that the provider publishes for its sandbox.
const PUBLISHED: [(&str, Fate); 8] = [
    ("08011111111", Fate::Delivered),
    ("201000000000", Fate::Later),
    ("500000000000", Fate::Unexpected),
    ("400000000000", Fate::AnswerLost),
    ("300000000000", Fate::RequestLost),
    ("1111111111111", Fate::Delivered),
    ("1010101010101", Fate::Delivered),
    ("1212121212", Fate::Delivered),
];

/// An answer that replaces what the server would say.
#[derive(Debug, Clone)]
pub(crate) struct Replacement {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// One request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct SeenPost {
    pub(crate) path: String,
    pub(crate) body: Value,
}

#[derive(Debug, Default)]
pub(crate) struct FakeBook {
    pub(crate) records: BTreeMap<String, FakeRecord>,
    pub(crate) fates: BTreeMap<String, Fate>,
    pub(crate) replaced: BTreeMap<String, Replacement>,
    pub(crate) seen: Vec<SeenPost>,
}

/// The server. It ends with the test.
#[derive(Debug)]
pub(crate) struct FakeVtpass {
    pub(crate) port: u16,
    book: Arc<Mutex<FakeBook>>,
    _tasks: JoinSet<()>,
}

impl FakeVtpass {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let book = Arc::<Mutex<FakeBook>>::default();
        let mut tasks = JoinSet::new();
        let shared = book.clone();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                let book = shared.clone();
                let serve = service_fn(move |request| answer(book.clone(), request));
                let connection =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), serve);
                open.spawn(async move {
                    // A connection that is dropped on purpose ends with an error.
                    let _ = connection.await;
                });
            }
        });
        Self {
            port,
            book,
            _tasks: tasks,
        }
    }

    pub(crate) fn book(&self) -> MutexGuard<'_, FakeBook> {
        self.book.lock().unwrap()
    }

    /// Answers requests of a path with this from now on.
    pub(crate) fn replace(&self, path: &str, status: u16, body: impl Into<String>) {
        let body = body.into();
        let replaced = &mut self.book().replaced;
        replaced.insert(path.to_owned(), Replacement { status, body });
    }

    /// How often an identity was delivered, those taken back since included.
    pub(crate) fn deliveries(&self, request_id: &str) -> u32 {
        let delivered =
            |record: &FakeRecord| matches!(record.fate.word(), "delivered" | "reversed");
        u32::from(self.book().records.get(request_id).is_some_and(delivered))
    }

    pub(crate) fn let_time_pass(&self) {
        for record in self.book().records.values_mut() {
            if record.fate == Fate::Later {
                record.fate = Fate::Delivered;
            } else if record.fate == Fate::TakenBack {
                record.fate = Fate::Reversed;
            }
        }
    }
}

type Answered = Result<Response<Full<Bytes>>, io::Error>;

async fn answer(book: Arc<Mutex<FakeBook>>, request: Request<Incoming>) -> Answered {
    let path = request.uri().path().trim_start_matches("/api/").to_owned();
    let key = |name| {
        let value = request.headers().get(name);
        value
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    // A GET is known by the public key in place of the secret one.
    let second = match *request.method() {
        Method::GET => {
            key("public-key").as_deref() == Some(PUBLIC_KEY) && key("secret-key").is_none()
        }
        _ => key("secret-key").as_deref() == Some(SECRET_KEY),
    };
    let known = key("api-key").as_deref() == Some(API_KEY) && second;
    let query = request.uri().query().unwrap_or_default().to_owned();
    let body = request.into_body().collect().await;
    let body = body.map_err(io::Error::other)?.to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let mut book = book.lock().unwrap();
    book.seen.push(SeenPost {
        path: path.clone(),
        body: body.clone(),
    });
    if let Some(Replacement { status, body }) = book.replaced.get(&path) {
        let mut response = Response::new(Full::new(Bytes::from(body.clone())));
        *response.status_mut() = (*status).try_into().unwrap();
        return Ok(response);
    }
    let answered = match path.as_str() {
        _ if !known => Some(refusal("087", "INVALID CREDENTIALS")),
        "balance" => Some(json!({"code": 1, "contents": {"balance": 17_305.75}})),
        "pay" => pay(&mut book, body),
        "requery" => Some(requery(&book, &body)),
        "merchant-verify" => Some(verify(&body)),
        "service-variations" => Some(variations(&query)),
        _ => Some(refusal("011", "INVALID ARGUMENTS")),
    };
    // Without an answer the connection breaks.
    let answered = answered.ok_or_else(|| io::Error::other("lost on purpose"))?;
    Ok(Response::new(Full::new(Bytes::from(answered.to_string()))))
}

/// The plans of one service, spelled as the interface spells it for that.
fn variations(query: &str) -> Value {
    let plan = |code: &str, name: &str, amount: &str, fixed: &str| {
        json!({"variation_code": code, "name": name, "variation_amount": amount,
               "fixedPrice": fixed})
    };
    if query != "serviceID=mtn-data" {
        return refusal("012", "PRODUCT DOES NOT EXIST");
    }
    json!({"response_description": "000", "content": {
        "ServiceName": "MTN Data", "serviceID": "mtn-data", "convinience_fee": "0 %",
        "varations": [
            plan("mtn-2gb-1500", "N1500 2GB - 30 days", "1500.00", "Yes"),
            plan("mtn-any", "Any amount", "100.00", "No"),
        ],
    }})
}

fn refusal(code: &str, words: &str) -> Value {
    json!({"code": code, "response_description": words, "content": {"errors": words}})
}

fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body[name].as_str().unwrap_or_default()
}

/// Why a purchase is not taken at all.
fn refused(book: &FakeBook, body: &Value) -> Option<Value> {
    let id = text(body, "request_id");
    let dated = id.len() >= 12
        && id.bytes().take(12).all(|b| b.is_ascii_digit())
        && id.bytes().all(|b| b.is_ascii_alphanumeric());
    if !dated {
        return Some(refusal("085", "IMPROPER REQUEST ID"));
    }
    if book.records.contains_key(id) {
        return Some(refusal("014", "REQUEST ID ALREADY EXIST"));
    }
    let service = text(body, "serviceID");
    let needs_plan = service.ends_with("-data") || service.ends_with("-electric");
    if service.is_empty() || (needs_plan && text(body, "variation_code").is_empty()) {
        return Some(refusal("010", "VARIATION CODE DOES NOT EXIST"));
    }
    let is_cable = matches!(service, "dstv" | "gotv");
    let complete = match text(body, "subscription_type") {
        "change" => is_cable && !text(body, "variation_code").is_empty(),
        "renew" => is_cable && text(body, "variation_code").is_empty(),
        "" => !is_cable,
        _ => false,
    };
    let complete = complete && body["amount"].is_number() && !text(body, "phone").is_empty();
    (!complete).then(|| refusal("011", "INVALID ARGUMENTS"))
}

fn pay(book: &mut FakeBook, body: Value) -> Option<Value> {
    if let Some(refused) = refused(book, &body) {
        return Some(refused);
    }
    let credited = match text(&body, "billersCode") {
        "" => text(&body, "phone"),
        code => code,
    };
    let published = PUBLISHED.iter().find(|(value, _)| *value == credited);
    let published = published.map_or(Fate::Failed, |(_, fate)| *fate);
    let fate = book.fates.get(credited).copied().unwrap_or(published);
    if fate == Fate::RequestLost {
        return None;
    }
    let number = u64::try_from(book.records.len()).unwrap();
    let id = text(&body, "request_id").to_owned();
    let record = FakeRecord {
        fate,
        number,
        request: body,
    };
    let answer = record.answer();
    book.records.insert(id, record);
    (fate != Fate::AnswerLost).then_some(answer)
}

fn requery(book: &FakeBook, body: &Value) -> Value {
    match book.records.get(text(body, "request_id")) {
        Some(record) => record.answer(),
        None => refusal("015", "INVALID REQUEST ID"),
    }
}

fn verify(body: &Value) -> Value {
    let digits = text(body, "billersCode");
    let content = if digits.starts_with('0') {
        json!({"error": "This meter is not correct", "WrongBillersCode": true})
    } else if text(body, "type").is_empty() {
        json!({"Customer_Name": "CHINEDU OBI", "Status": "ACTIVE",
               "Due_Date": "2026-12-06T00:00:00",
               "Customer_Number": "275953782", "Current_Bouquet": "GOtv Jolli",
               "Renewal_Amount": 5800})
    } else {
        json!({"Customer_Name": "ADAEZE OKONKWO", "Address": "14 Bode Thomas Street, Lagos",
               "Meter_Number": digits, "Customer_Arrears": ARREARS, "Minimum_Amount": "500",
               "Max_Purchase_Amount": 0, "WrongBillersCode": false})
    };
    json!({"code": "000", "content": content})
}
