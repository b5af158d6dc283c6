//! A server that answers as DT One publishes: products, transactions and queries, with a record of
//! its own. A test may replace any answer. The end-to-end suite and the counterparts use this file
//! as well.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use testkit::http_server::{ServedAnswer, ServedRequest, TestHttpServer};

pub(crate) const API_KEY: &str = "key-of-a-test";
pub(crate) const API_SECRET: &str = "secret-of-a-test";

/// `key-of-a-test:secret-of-a-test`.
const BASIC: &str = "Basic a2V5LW9mLWEtdGVzdDpzZWNyZXQtb2YtYS10ZXN0";

/// A product with a range and one of a single value.
pub(crate) const RANGED: u64 = 1_001;
pub(crate) const FIXED: u64 = 2_001;

/// What comes of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransactionFate {
    Completed,
    /// Declined by the operator.
    Declined,
    /// Submitted until time passes.
    Later,
    /// Completed, and reversed when time passes.
    TakenBack,
    /// Completed, and the answer never leaves.
    AnswerLost,
    /// The request is read, and nothing happens.
    RequestLost,
    Reversed,
}

impl TransactionFate {
    const fn state(self) -> (u32, &'static str, &'static str) {
        match self {
            Self::Completed | Self::TakenBack | Self::AnswerLost => (7, "COMPLETED", "COMPLETED"),
            Self::Declined | Self::RequestLost => {
                (9, "DECLINED", "DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE")
            }
            Self::Later => (5, "SUBMITTED", "SUBMITTED"),
            Self::Reversed => (8, "REVERSED", "REVERSED"),
        }
    }
}

/// One transaction that was taken.
#[derive(Debug, Clone)]
pub(crate) struct FakeTransaction {
    pub(crate) fate: TransactionFate,
    number: usize,
    request: Value,
}

#[derive(Debug, Default)]
pub(crate) struct DtoneBook {
    pub(crate) transactions: BTreeMap<String, FakeTransaction>,
    /// By number, with its plus; the sandbox's own rules hold for any other.
    pub(crate) fates: BTreeMap<String, TransactionFate>,
    /// Answers that replace what the server would say, by method and path.
    pub(crate) replaced: BTreeMap<String, ServedAnswer>,
    pub(crate) seen: Vec<ServedRequest>,
}

/// The server. It ends with the test.
#[derive(Debug)]
pub(crate) struct FakeDtone {
    pub(crate) port: u16,
    book: Arc<Mutex<DtoneBook>>,
    _server: TestHttpServer,
}

impl FakeDtone {
    /// On a port of this machine; 0 is any that is free.
    pub(crate) async fn start(port: u16) -> Self {
        let book = Arc::<Mutex<DtoneBook>>::default();
        let shared = Arc::clone(&book);
        let server =
            TestHttpServer::at(port, move |request| shared.lock().unwrap().answer(&request)).await;
        Self {
            port: server.port,
            book,
            _server: server,
        }
    }

    pub(crate) fn book(&self) -> MutexGuard<'_, DtoneBook> {
        self.book.lock().unwrap()
    }

    /// Answers requests such as `GET /transactions` with this from now on.
    pub(crate) fn replace(&self, what: &str, answer: ServedAnswer) {
        self.book().replaced.insert(what.to_owned(), answer);
    }

    /// Whether a reference was delivered, those reversed since included.
    pub(crate) fn deliveries(&self, reference: &str) -> u32 {
        let done = |it: &FakeTransaction| matches!(it.fate.state().0, 7 | 8);
        u32::from(self.book().transactions.get(reference).is_some_and(done))
    }

    pub(crate) fn let_time_pass(&self) {
        for transaction in self.book().transactions.values_mut() {
            if transaction.fate == TransactionFate::Later {
                transaction.fate = TransactionFate::Completed;
            } else if transaction.fate == TransactionFate::TakenBack {
                transaction.fate = TransactionFate::Reversed;
            }
        }
    }

    /// What a transaction posts to its callback address.
    pub(crate) fn callback(&self, reference: &str) -> String {
        self.book().transactions[reference].shown().to_string()
    }
}

impl DtoneBook {
    fn answer(&mut self, request: &ServedRequest) -> ServedAnswer {
        self.seen.push(request.clone());
        let path = request.path.strip_prefix("/v1").unwrap_or_default();
        let key = format!("{} {path}", request.method);
        if let Some(answer) = self.replaced.get(&key) {
            return answer.clone();
        }
        if request.header("authorization") != Some(BASIC) {
            return error(401, 1_000_401, "Unauthorized");
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let path: Vec<&str> = path.trim_matches('/').split('/').collect();
        match (request.method.as_str(), path.as_slice()) {
            ("POST", ["async", "transactions"]) => self.create(body),
            ("GET", ["transactions"]) => self.list(request),
            ("GET", ["transactions", id]) => {
                let known = |it: &&FakeTransaction| it.id().to_string() == *id;
                match self.transactions.values().find(known) {
                    Some(it) => ServedAnswer::Json(200, it.shown().to_string()),
                    None => error(404, 1_008_004, "Transaction not found"),
                }
            }
            ("GET", ["products"]) => {
                ServedAnswer::Json(200, json!([product(RANGED), product(FIXED)]).to_string())
            }
            ("GET", ["balances"]) => {
                let balance = json!([{"id": 1, "unit_type": "CURRENCY", "unit": "NGN",
                    "available": 15_000.5, "holding": 0, "credit_limit": 0}]);
                ServedAnswer::Json(200, balance.to_string())
            }
            _ => error(404, 1_000_404, "Resource not found"),
        }
    }

    fn create(&mut self, body: Value) -> ServedAnswer {
        let reference = body["external_id"].as_str().unwrap_or_default().to_owned();
        if reference.is_empty() || body["auto_confirm"] != json!(true) {
            return error(400, 1_000_400, "Bad request");
        }
        if self.transactions.contains_key(&reference) {
            return error(400, 1_007_001, "External id has already been used");
        }
        let product = body["product_id"].as_u64().unwrap_or_default();
        if ![RANGED, FIXED].contains(&product) {
            return error(404, 1_003_001, "Product is not available in your account");
        }
        let side = match body["calculation_mode"].as_str() {
            Some("DESTINATION_AMOUNT") => Some("destination"),
            Some("SOURCE_AMOUNT") => Some("source"),
            Some(_) | None => None,
        };
        let complete = match side {
            Some(side) => product == RANGED && body[side]["amount"].is_number(),
            None => product == FIXED,
        };
        if !complete {
            return error(400, 1_000_400, "Bad request");
        }
        let number = &body["credit_party_identifier"]["mobile_number"];
        let number = number.as_str().unwrap_or_default();
        if !number.starts_with('+') {
            return error(400, 1_005_003, "Credit party mobile number is invalid");
        }
        let by_rule = match number.get(number.len() - 2..) {
            Some("04") => TransactionFate::Declined,
            Some(_) | None => TransactionFate::Completed,
        };
        let fate = self.fates.get(number).copied().unwrap_or(by_rule);
        if fate == TransactionFate::RequestLost {
            return ServedAnswer::Broken;
        }
        let transaction = FakeTransaction {
            fate,
            number: self.transactions.len(),
            request: body,
        };
        let shown = transaction.shown().to_string();
        self.transactions.insert(reference, transaction);
        match fate {
            TransactionFate::AnswerLost => ServedAnswer::Broken,
            TransactionFate::Completed
            | TransactionFate::Declined
            | TransactionFate::Later
            | TransactionFate::TakenBack
            | TransactionFate::RequestLost
            | TransactionFate::Reversed => ServedAnswer::Json(201, shown),
        }
    }

    fn list(&self, request: &ServedRequest) -> ServedAnswer {
        let found: Vec<Value> = match request.parameter("external_id") {
            Some(reference) => self.transactions.get(reference).into_iter().collect(),
            None => self.transactions.values().collect::<Vec<_>>(),
        }
        .into_iter()
        .map(FakeTransaction::shown)
        .collect();
        ServedAnswer::Json(200, Value::from(found).to_string())
    }
}

impl FakeTransaction {
    /// Whether a number, with its plus, is credited by it.
    pub(crate) fn goes_to(&self, number: &str) -> bool {
        self.request["credit_party_identifier"]["mobile_number"] == number
    }

    const fn id(&self) -> u64 {
        // Their identities have ten digits and rise.
        2_323_000_000 + self.number as u64
    }

    /// As it is answered.
    fn shown(&self) -> Value {
        let (id, class, message) = self.fate.state();
        let product_id = self.request["product_id"].as_u64().unwrap_or_default();
        let value = |side: &str| {
            let mut value = self.request[side].clone();
            if value.is_object() {
                value["fee"] = json!(0);
            }
            value
        };
        let values = json!({"source": value("source"), "destination": value("destination")});
        let at = |decided: bool| {
            if decided {
                json!("2026-01-15T09:00:01Z")
            } else {
                Value::Null
            }
        };
        json!({
            "id": self.id(), "external_id": self.request["external_id"],
            "creation_date": at(true), "confirmation_date": at(true),
            "confirmation_expiration_date": "2026-01-15T10:00:00Z",
            "status": {"id": id * 10_000, "message": message,
                       "class": {"id": id, "message": class}},
            "operator_reference": null, "pin": null, "product": product(product_id),
            "prices": {"wholesale": {"unit_type": "CURRENCY", "unit": "NGN",
                                     "amount": 970.25, "fee": 0},
                       "retail": {"unit_type": "CURRENCY", "unit": "NGN",
                                  "amount": 1_000, "fee": 0}},
            "rates": {"base": 1, "wholesale": 1, "retail": 1}, "benefits": [], "promotions": [],
            "requested_values": values,
            "adjusted_values": {"source": null, "destination": null},
            "credit_party_identifier": self.request["credit_party_identifier"],
            "callback_url": self.request["callback_url"],
        })
    }
}

fn product(id: u64) -> Value {
    let kind = if id == RANGED {
        "RANGED_VALUE_RECHARGE"
    } else {
        "FIXED_VALUE_RECHARGE"
    };
    json!({"id": id, "name": format!("Product {id}"), "description": "", "type": kind,
           "service": {"id": 1, "name": "Mobile"},
           "operator": {"id": 1, "name": "MTN Nigeria",
                        "country": {"iso_code": "NGA", "name": "Nigeria", "regions": null}},
           "regions": null})
}

fn error(status: u16, code: u32, message: &str) -> ServedAnswer {
    let body = json!({"errors": [{"code": code, "message": message}]});
    ServedAnswer::Json(status, body.to_string())
}
