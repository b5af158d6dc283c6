//! A server that answers as Reloadly publishes: tokens, top-ups, their status and the report, with
//! a record of its own. A test may replace any answer.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use testkit::http_server::{ServedAnswer, ServedRequest, TestHttpServer};

pub(crate) const CLIENT: (&str, &str) = ("client-of-a-test", "secret-of-a-test");

/// The operator that is there.
pub(crate) const MTN: u64 = 341;

/// What comes of a top-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TopupFate {
    Credited,
    /// Refused at once.
    Refused,
    /// Taken, and failed.
    Failed,
    /// Processing until time passes.
    Later,
    /// Credited, and refunded when time passes.
    TakenBack,
    /// Credited, and the answer never leaves.
    AnswerLost,
    /// The request is read, and nothing happens.
    RequestLost,
    Refunded,
}

impl TopupFate {
    const fn word(self) -> &'static str {
        match self {
            Self::Credited | Self::TakenBack | Self::AnswerLost => "SUCCESSFUL",
            Self::Failed | Self::Refused | Self::RequestLost => "FAILED",
            Self::Later => "PROCESSING",
            Self::Refunded => "REFUNDED",
        }
    }
}

/// One top-up that was taken.
#[derive(Debug, Clone)]
pub(crate) struct FakeTopup {
    pub(crate) fate: TopupFate,
    /// Whether it was ever credited.
    credited: bool,
    number: usize,
    request: Value,
}

#[derive(Debug, Default)]
pub(crate) struct ReloadlyBook {
    pub(crate) topups: BTreeMap<String, FakeTopup>,
    /// By number; any other is credited.
    pub(crate) fates: BTreeMap<String, TopupFate>,
    /// Answers that replace what the server would say, by method and path.
    replaced: BTreeMap<String, ServedAnswer>,
    pub(crate) seen: Vec<ServedRequest>,
    tokens: usize,
}

/// The server. It ends with the test.
#[derive(Debug)]
pub(crate) struct FakeReloadly {
    pub(crate) port: u16,
    book: Arc<Mutex<ReloadlyBook>>,
    _server: TestHttpServer,
}

impl FakeReloadly {
    pub(crate) async fn start() -> Self {
        let book = Arc::<Mutex<ReloadlyBook>>::default();
        let shared = Arc::clone(&book);
        let answer = move |request| shared.lock().unwrap().answer(&request);
        let server = TestHttpServer::start(answer).await;
        Self {
            port: server.port,
            book,
            _server: server,
        }
    }

    pub(crate) fn book(&self) -> MutexGuard<'_, ReloadlyBook> {
        self.book.lock().unwrap()
    }

    /// Answers requests such as `POST /topups` with this from now on.
    pub(crate) fn replace(&self, what: &str, answer: ServedAnswer) {
        self.book().replaced.insert(what.to_owned(), answer);
    }

    /// Takes no token that was given out until now.
    pub(crate) fn expire_tokens(&self) {
        self.book().tokens += 1;
    }

    /// Whether a reference was credited, those refunded since included.
    pub(crate) fn deliveries(&self, reference: &str) -> u32 {
        u32::from(
            self.book()
                .topups
                .get(reference)
                .is_some_and(|it| it.credited),
        )
    }

    pub(crate) fn let_time_pass(&self) {
        for topup in self.book().topups.values_mut() {
            if topup.fate == TopupFate::Later {
                topup.fate = TopupFate::Credited;
                topup.credited = true;
            } else if topup.fate == TopupFate::TakenBack {
                topup.fate = TopupFate::Refunded;
            }
        }
    }

    /// The body of the event that a top-up sends.
    pub(crate) fn event(&self, reference: &str) -> String {
        let transaction = self.book().topups[reference].shown();
        json!({"type": "airtime_transaction.status", "data": {"transaction": transaction}})
            .to_string()
    }
}

impl ReloadlyBook {
    fn answer(&mut self, request: &ServedRequest) -> ServedAnswer {
        self.seen.push(request.clone());
        let key = format!("{} {}", request.method, request.path);
        if let Some(answer) = self.replaced.get(&key) {
            return answer.clone();
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        if key == "POST /oauth/token" {
            return self.token(&body);
        }
        let token = format!("Bearer token-{}", self.tokens);
        if request.header("authorization") != Some(&token) {
            return error(401, "TOKEN_EXPIRED");
        }
        let path: Vec<&str> = request.path.trim_matches('/').split('/').collect();
        match (request.method.as_str(), path.as_slice()) {
            ("POST", ["topups"]) => self.topup(body),
            ("GET", ["topups", "reports", "transactions"]) => self.report(request),
            ("GET", ["topups", id, "status"]) => {
                let known = |it: &&FakeTopup| it.id().to_string() == *id;
                match self.topups.values().find(known) {
                    Some(it) => ServedAnswer::Json(200, it.status().to_string()),
                    None => error(404, "NOT_FOUND"),
                }
            }
            ("GET", ["operators", "mnp-lookup", "phone", _, "countries", "NG"]) => {
                let operator = json!({"id": MTN, "operatorId": MTN, "name": "MTN Nigeria",
                    "country": {"isoName": "NG", "name": "Nigeria"}});
                ServedAnswer::Json(200, operator.to_string())
            }
            ("GET", ["accounts", "balance"]) => {
                let balance = json!({"balance": 5_000.5, "currencyCode": "NGN",
                    "currencyName": "Naira", "updatedAt": "2026-01-15 09:00:00"});
                ServedAnswer::Json(200, balance.to_string())
            }
            _ => error(404, "NOT_FOUND"),
        }
    }

    fn token(&self, body: &Value) -> ServedAnswer {
        let known = body["client_id"] == CLIENT.0
            && body["client_secret"] == CLIENT.1
            && body["grant_type"] == "client_credentials"
            && body["audience"] == "https://topups.reloadly.com";
        if !known {
            return error(401, "INVALID_CREDENTIALS");
        }
        let token = json!({"access_token": format!("token-{}", self.tokens),
            "scope": "send-topups", "expires_in": 86_400, "token_type": "Bearer"});
        ServedAnswer::Json(200, token.to_string())
    }

    fn topup(&mut self, body: Value) -> ServedAnswer {
        let reference = body["customIdentifier"].as_str().unwrap_or_default();
        let reference = reference.to_owned();
        if self.topups.contains_key(&reference) {
            return error(400, "CUSTOM_IDENTIFIER_ALREADY_USED");
        }
        if body["operatorId"] != json!(MTN) {
            return error(404, "OPERATOR_NOT_FOUND");
        }
        let local = body["useLocalAmount"] == json!(true);
        if !local || !body["amount"].is_number() || reference.is_empty() {
            return error(400, "INVALID_INPUT_PROVIDED");
        }
        let number = body["recipientPhone"]["number"]
            .as_str()
            .unwrap_or_default();
        let fate = self.fates.get(number).copied();
        let fate = fate.unwrap_or(TopupFate::Credited);
        if fate == TopupFate::RequestLost {
            return ServedAnswer::Broken;
        }
        if fate == TopupFate::Refused {
            return error(400, "OPERATOR_NOT_IN_SERVICE");
        }
        let topup = FakeTopup {
            fate,
            credited: fate.word() == "SUCCESSFUL",
            number: self.topups.len(),
            request: body,
        };
        let shown = topup.shown().to_string();
        self.topups.insert(reference, topup);
        if fate == TopupFate::AnswerLost {
            return ServedAnswer::Broken;
        }
        ServedAnswer::Json(200, shown)
    }

    fn report(&self, request: &ServedRequest) -> ServedAnswer {
        let reference = request.parameter("customIdentifier").unwrap_or_default();
        let found = self.topups.get(reference).map(FakeTopup::shown);
        let found: Vec<Value> = found.into_iter().collect();
        let page = json!({"totalElements": found.len(), "size": 10, "number": 1,
            "content": found});
        ServedAnswer::Json(200, page.to_string())
    }
}

impl FakeTopup {
    const fn id(&self) -> usize {
        4_602_843 + self.number
    }

    /// As it is answered to its submission and in the report.
    fn shown(&self) -> Value {
        let number = self.request["recipientPhone"]["number"].as_str();
        let number = number.unwrap_or_default();
        // A number or a text, as it comes.
        let phone = if self.number.is_multiple_of(2) {
            json!(number)
        } else {
            json!(number.parse::<u64>().unwrap())
        };
        json!({
            "transactionId": self.id(), "status": self.fate.word(),
            "operatorTransactionId": null,
            "customIdentifier": self.request["customIdentifier"], "recipientPhone": phone,
            "recipientEmail": null, "senderPhone": null, "countryCode": "NG",
            "operatorId": MTN, "operatorName": "MTN Nigeria", "discount": 30,
            "discountCurrencyCode": "NGN", "requestedAmount": self.request["amount"],
            "requestedAmountCurrencyCode": "NGN", "deliveredAmount": self.request["amount"],
            "deliveredAmountCurrencyCode": "NGN", "transactionDate": "2026-01-15 09:00:00",
            "pinDetail": null,
            "balanceInfo": {"oldBalance": 5_970.5, "newBalance": 5_000.5, "cost": 970,
                            "currencyCode": "NGN", "currencyName": "Naira",
                            "updatedAt": "2026-01-15 09:00:00"},
        })
    }

    /// As it is answered when it is asked about: a refund comes without the transaction.
    fn status(&self) -> Value {
        let transaction = if self.fate == TopupFate::Refunded {
            Value::Null
        } else {
            self.shown()
        };
        json!({"code": "STATUS", "message": "The transaction", "status": self.fate.word(),
               "transaction": transaction})
    }
}

fn error(status: u16, code: &str) -> ServedAnswer {
    let body = json!({"timeStamp": "2026-01-15 09:00:00", "message": "words", "path": "/",
        "errorCode": code, "infoLink": null, "details": []});
    ServedAnswer::Json(status, body.to_string())
}
