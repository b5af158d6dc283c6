//! A server that answers as Paystack publishes: banks, recipients, transfers and queries, with a
//! record of its own. A test may replace any answer. The end-to-end suite and the counterparts use
//! this file as well.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use testkit::http_server::{ServedAnswer, ServedRequest, TestHttpServer};

pub(crate) const SECRET_KEY: &str = "sk_test_0123456789abcdef";

/// What comes of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransferFate {
    Paid,
    /// Refused at once.
    Refused,
    /// Taken, and failed.
    Failed,
    /// Pending until time passes.
    Later,
    /// Paid, and returned when time passes.
    TakenBack,
    /// Paid, and the answer never leaves.
    AnswerLost,
    /// The request is read, and nothing happens.
    RequestLost,
    /// Waits for a one-time password.
    Otp,
    Returned,
}

impl TransferFate {
    const fn word(self) -> &'static str {
        match self {
            Self::Paid | Self::TakenBack | Self::AnswerLost => "success",
            Self::Failed | Self::Refused | Self::RequestLost => "failed",
            Self::Later => "pending",
            Self::Otp => "otp",
            Self::Returned => "reversed",
        }
    }
}

/// One transfer that was taken.
#[derive(Debug, Clone)]
pub(crate) struct FakeTransfer {
    pub(crate) fate: TransferFate,
    number: usize,
    request: Value,
    recipient: Value,
}

#[derive(Debug, Default)]
pub(crate) struct PaystackBook {
    pub(crate) transfers: BTreeMap<String, FakeTransfer>,
    recipients: Vec<Value>,
    /// By account number; any other account is paid.
    pub(crate) fates: BTreeMap<String, TransferFate>,
    /// Answers that replace what the server would say, by path.
    pub(crate) replaced: BTreeMap<String, ServedAnswer>,
    pub(crate) seen: Vec<ServedRequest>,
}

/// The server. It ends with the test.
#[derive(Debug)]
pub(crate) struct FakePaystack {
    pub(crate) port: u16,
    book: Arc<Mutex<PaystackBook>>,
    _server: TestHttpServer,
}

impl FakePaystack {
    /// On a port of this machine; 0 is any that is free.
    pub(crate) async fn start(port: u16) -> Self {
        let book = Arc::<Mutex<PaystackBook>>::default();
        let shared = Arc::clone(&book);
        let server =
            TestHttpServer::at(port, move |request| shared.lock().unwrap().answer(&request)).await;
        Self {
            port: server.port,
            book,
            _server: server,
        }
    }

    pub(crate) fn book(&self) -> MutexGuard<'_, PaystackBook> {
        self.book.lock().unwrap()
    }

    /// Whether a reference was paid, those returned since included.
    pub(crate) fn payouts(&self, reference: &str) -> u32 {
        let paid = |it: &FakeTransfer| matches!(it.fate.word(), "success" | "reversed");
        u32::from(self.book().transfers.get(reference).is_some_and(paid))
    }

    pub(crate) fn let_time_pass(&self) {
        for transfer in self.book().transfers.values_mut() {
            if transfer.fate == TransferFate::Later {
                transfer.fate = TransferFate::Paid;
            } else if transfer.fate == TransferFate::TakenBack {
                transfer.fate = TransferFate::Returned;
            }
        }
    }

    /// The body of the event that a transfer sends.
    pub(crate) fn event(&self, reference: &str) -> String {
        let book = self.book();
        let transfer = &book.transfers[reference];
        let event = format!("transfer.{}", transfer.fate.word());
        json!({"event": event, "data": transfer.shown(true)}).to_string()
    }
}

impl PaystackBook {
    fn answer(&mut self, request: &ServedRequest) -> ServedAnswer {
        self.seen.push(request.clone());
        if let Some(answer) = self.replaced.get(&request.path) {
            return answer.clone();
        }
        let key = format!("Bearer {SECRET_KEY}");
        if request.header("authorization") != Some(&key) {
            return refusal(401, "invalid_Key", "Invalid key");
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let path: Vec<&str> = request.path.trim_matches('/').split('/').collect();
        match (request.method.as_str(), path.as_slice()) {
            ("GET", ["bank"]) => good(200, "Banks retrieved", &banks()),
            ("GET", ["bank", "resolve"]) => resolve(request),
            ("POST", ["transferrecipient"]) => self.recipient(&body),
            ("POST", ["transfer"]) => self.transfer(body),
            ("GET", ["transfer", "verify", reference]) => self.verify(reference),
            ("GET", ["transfer", code]) => {
                let known = |it: &&FakeTransfer| it.code() == *code;
                match self.transfers.values().find(known) {
                    Some(it) => good(200, "Transfer retrieved", &it.shown(true)),
                    None => refusal(404, "transfer_not_found", "Transfer not found"),
                }
            }
            ("GET", ["balance"]) => good(
                200,
                "Balances retrieved",
                &json!([{"currency": "NGN", "balance": 1_700_000},
                        {"currency": "USD", "balance": 0}]),
            ),
            _ => refusal(404, "route_not_found", "Invalid route"),
        }
    }

    fn recipient(&mut self, body: &Value) -> ServedAnswer {
        let text = |name: &str| body[name].as_str().unwrap_or_default();
        let (number, bank) = (text("account_number"), text("bank_code"));
        if text("type") != "nuban" || text("name").is_empty() {
            return refusal(400, "missing_params", "Name is required");
        }
        let Some(name) = bank_name(bank) else {
            return refusal(400, "invalid_bank_code", "Bank is invalid");
        };
        if number.len() != 10 || number.starts_with("999") {
            return refusal(400, "invalid_account_number", "Account number is invalid");
        }
        let same = |it: &&Value| {
            it["details"]["account_number"] == number && it["details"]["bank_code"] == bank
        };
        if let Some(known) = self.recipients.iter().find(same) {
            return good(201, "Transfer recipient created successfully", known);
        }
        let id = 900_000 + self.recipients.len();
        let made = json!({
            "active": true, "createdAt": "2026-01-15T09:00:00.000Z", "currency": "NGN",
            "description": null, "domain": "test", "email": null, "id": id,
            "integration": 100_043, "metadata": null, "name": text("name"),
            "recipient_code": format!("RCP_{id:015}"), "type": "nuban",
            "updatedAt": "2026-01-15T09:00:00.000Z", "is_deleted": false, "isDeleted": false,
            "details": {"authorization_code": null, "account_number": number,
                        "account_name": owner(number), "bank_code": bank, "bank_name": name},
        });
        self.recipients.push(made.clone());
        good(201, "Transfer recipient created successfully", &made)
    }

    fn transfer(&mut self, body: Value) -> ServedAnswer {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let reference = text("reference");
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b);
        if !(16..=50).contains(&reference.len()) || !reference.bytes().all(allowed) {
            return refusal(
                400,
                "invalid_params",
                "Reference contains illegal special characters",
            );
        }
        if self.transfers.contains_key(&reference) {
            return refusal(
                400,
                "duplicate_transfer_reference",
                "Please provide a unique reference. Reference already exists on a transfer",
            );
        }
        let code = text("recipient");
        let known = |it: &&Value| it["recipient_code"] == code.as_str();
        let Some(recipient) = self.recipients.iter().find(known).cloned() else {
            return refusal(
                400,
                "invalid_transfer_recipient",
                "Recipient specified is invalid",
            );
        };
        let amount = body["amount"].as_i64().filter(|amount| *amount > 0);
        if amount.is_none() || text("source") != "balance" {
            return refusal(400, "invalid_amount", "Amount must be a positive integer.");
        }
        let account = recipient["details"]["account_number"]
            .as_str()
            .unwrap_or_default();
        let fate = self.fates.get(account).copied();
        let fate = fate.unwrap_or(TransferFate::Paid);
        match fate {
            TransferFate::RequestLost => return ServedAnswer::Broken,
            TransferFate::Refused => {
                return refusal(
                    400,
                    "insufficient_balance",
                    "Your balance is not enough to fulfil this request",
                );
            }
            TransferFate::Paid
            | TransferFate::Failed
            | TransferFate::Later
            | TransferFate::TakenBack
            | TransferFate::AnswerLost
            | TransferFate::Otp
            | TransferFate::Returned => {}
        }
        let transfer = FakeTransfer {
            fate,
            number: self.transfers.len(),
            request: body,
            recipient,
        };
        let shown = transfer.shown(false);
        self.transfers.insert(reference, transfer);
        if fate == TransferFate::AnswerLost {
            return ServedAnswer::Broken;
        }
        good(200, "Transfer has been queued", &shown)
    }

    fn verify(&self, reference: &str) -> ServedAnswer {
        match self.transfers.get(reference) {
            Some(it) => good(200, "Transfer retrieved", &it.shown(true)),
            None => refusal(404, "transfer_not_found", "Transfer not found"),
        }
    }
}

impl FakeTransfer {
    /// Whether an account is credited by it.
    pub(crate) fn goes_to(&self, account: &str) -> bool {
        self.recipient["details"]["account_number"] == account
    }

    fn code(&self) -> String {
        format!("TRF_{:015}", self.number)
    }

    /// As it is answered to its submission, and with its recipient and its fee to a query.
    fn shown(&self, with_recipient: bool) -> Value {
        let recipient = if with_recipient {
            self.recipient.clone()
        } else {
            self.recipient["id"].clone()
        };
        let mut shown = json!({
            "integration": 100_043, "domain": "test", "amount": self.request["amount"],
            "currency": "NGN", "source": "balance", "source_details": null,
            "reason": self.request["reason"], "recipient": recipient, "failures": null,
            "titan_code": null, "transferred_at": null, "reference": self.request["reference"],
            "request": 1_068_439_313 + self.number, "status": self.fate.word(),
            "transfer_code": self.code(), "id": 860_703_114 + self.number,
            "createdAt": "2026-01-15T09:00:01.000Z", "updatedAt": "2026-01-15T09:00:01.000Z",
            "session": {"provider": null, "id": null}, "transfersessionid": [],
            "transfertrials": [],
        });
        if with_recipient && self.fate.word() == "success" {
            shown["fee_charged"] = json!(2_500);
            shown["fees_breakdown"] = json!([{"type": "transfer", "amount": 2_500}]);
            shown["session"] = json!({"provider": "nip", "id": "110006260115090001"});
            shown["gateway_response"] = json!("Approved");
        }
        shown
    }
}

fn good(status: u16, message: &str, data: &Value) -> ServedAnswer {
    let body = json!({"status": true, "message": message, "data": data});
    ServedAnswer::Json(status, body.to_string())
}

fn refusal(status: u16, code: &str, message: &str) -> ServedAnswer {
    let kind = if status == 401 {
        "validation_error"
    } else {
        "api_error"
    };
    let body = json!({"status": false, "message": message, "code": code, "type": kind,
                      "meta": {"nextStep": "Look at the request and try again"}});
    ServedAnswer::Json(status, body.to_string())
}

fn bank_name(code: &str) -> Option<&'static str> {
    match code {
        "058" => Some("Guaranty Trust Bank"),
        "044" => Some("Access Bank"),
        "00103" => Some("Globus Bank"),
        _ => None,
    }
}

fn banks() -> Value {
    let bank = |(id, code): (usize, &str)| {
        json!({"id": id, "name": bank_name(code), "slug": format!("bank-{code}"), "code": code,
               "longcode": "", "gateway": null, "pay_with_bank": false,
               "supports_transfer": true, "active": true, "country": "Nigeria",
               "currency": "NGN", "type": "nuban", "is_deleted": false,
               "createdAt": "2016-07-14T10:04:29.000Z", "updatedAt": "2020-02-18T20:24:02.000Z"})
    };
    ["058", "044", "00103"]
        .into_iter()
        .enumerate()
        .map(bank)
        .collect()
}

/// The owner of an account, as its bank writes the name.
fn owner(number: &str) -> String {
    format!("OKAFOR CHIDI {}", &number[number.len() - 2..])
}

fn resolve(request: &ServedRequest) -> ServedAnswer {
    let number = request.parameter("account_number").unwrap_or_default();
    let bank = request.parameter("bank_code").unwrap_or_default();
    if bank_name(bank).is_none() {
        return refusal(400, "invalid_bank_code", "Unknown bank code");
    }
    if number.len() != 10 || number.starts_with("999") {
        return refusal(
            422,
            "unprocessed",
            "Could not resolve account name. Check parameters or try again.",
        );
    }
    let found = json!({"account_number": number, "account_name": owner(number), "bank_id": 9});
    good(200, "Account number resolved", &found)
}
