//! What the server remembers of a request, and how it writes it down. Types and names of fields
//! differ from answer to answer, as they do at the real one.

use domain::token::breakdown;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use testkit::builders::naira;

/// What a kilowatt-hour costs at every meter, and what is owed at it.
pub(crate) const RATE: (i64, u32) = (20_950, 2);
pub(crate) const ARREARS: &str = "1,250.50";

/// What of a payment goes to old debt, where a company says so.
const RECOVERED: &str = "100.00";

/// What comes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Delivered,
    /// Code 016.
    Failed,
    /// Code 091.
    NotProcessed,
    /// Pending until time passes.
    Later,
    /// Delivered, and taken back when time passes.
    TakenBack,
    /// Delivered, and the answer never leaves.
    AnswerLost,
    /// The request is read, and nothing happens.
    RequestLost,
    /// What no page describes.
    Unexpected,
    Reversed,
}

impl Fate {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Delivered | Self::TakenBack | Self::AnswerLost => "delivered",
            Self::Failed | Self::NotProcessed => "failed",
            Self::Later => "pending",
            Self::Reversed => "reversed",
            Self::RequestLost | Self::Unexpected => "unexpected",
        }
    }

    const fn code(self) -> &'static str {
        match self {
            Self::Delivered | Self::TakenBack | Self::AnswerLost | Self::Later => "000",
            Self::Failed => "016",
            Self::NotProcessed => "091",
            Self::Reversed => "040",
            Self::RequestLost | Self::Unexpected => "777",
        }
    }
}

/// One request that was taken.
#[derive(Debug, Clone)]
pub(crate) struct FakeRecord {
    pub(crate) fate: Fate,
    pub(crate) number: u64,
    pub(crate) request: Value,
}

impl FakeRecord {
    fn field(&self, name: &str) -> &str {
        self.request[name].as_str().unwrap_or_default()
    }

    /// Its number, meter or card.
    fn credited(&self) -> &str {
        match self.field("billersCode") {
            "" => self.field("phone"),
            code => code,
        }
    }

    /// The amount as it was written in the request, which is a number.
    fn amount(&self) -> String {
        format!("{:.2}", self.request["amount"].as_f64().unwrap())
    }

    /// As it is answered to `pay` and to `requery`.
    pub(crate) fn answer(&self) -> Value {
        let even = self.number.is_multiple_of(2);
        let amount = self.amount();
        let amount = if even {
            json!(amount)
        } else {
            self.request["amount"].clone()
        };
        let date = match self.number % 3 {
            0 => json!("2026-11-24T10:15:00.000000Z"),
            1 => json!({"date": "2026-11-24 10:15:00.000000", "timezone_type": 3,
                        "timezone": "Africa/Lagos"}),
            _ => Value::Null,
        };
        let mut answer = json!({
            "code": self.fate.code(),
            "content": {"transactions": {
                "status": self.fate.word(),
                "product_name": self.field("serviceID"),
                "unique_element": self.credited(),
                "unit_price": amount,
                "quantity": 1,
                "channel": "api",
                "commission": 3,
                "total_amount": if even { json!("97.00") } else { json!(97) },
                "commission_details": {"amount": 3, "rate": "3.00", "rate_type": "percent",
                                       "computation_type": "default"},
                "convinience_fee": "0.00",
                "amount": amount,
                "phone": self.field("phone"),
                "email": "shop@shop.example",
                "transactionId": format!("1732{:012}", self.number),
            }},
            "response_description": "TRANSACTION SUCCESSFUL",
            "requestId": self.field("request_id"),
            "amount": amount,
            "transaction_date": date,
            "purchased_code": "",
        });
        if self.fate.word() == "delivered" {
            self.hand_over(&mut answer);
        }
        answer
    }

    /// What companies hand over, each under names of its own.
    fn hand_over(&self, answer: &mut Value) {
        if self.field("variation_code") != "prepaid" {
            return;
        }
        let amount = naira(&self.amount());
        let rate = Decimal::new(RATE.0, RATE.1);
        let recovered = naira(RECOVERED);
        let token = format!("2636205440{:010}", self.number);
        let parts = |recovered| breakdown(amount, recovered, rate).unwrap();
        let nothing = naira("0.00");
        let (names, recovered) = match self.field("serviceID") {
            "ikeja-electric" => (
                json!({"token": token, "Units": "", "debtAmount": "100.00",
                       "exchangeReference": "1407202423"}),
                recovered,
            ),
            "eko-electric" => (
                json!({"mainToken": token, "token": null, "arrearsBalance": ARREARS}),
                nothing,
            ),
            _ => (
                json!({"purchased_code": format!("Token : {token}")}),
                nothing,
            ),
        };
        let parts = parts(recovered);
        let (units, cost) = match self.field("serviceID") {
            "eko-electric" => ("mainTokenUnits", "tokenAmount"),
            _ => ("units", "tokenAmount"),
        };
        for (name, value) in names.as_object().unwrap() {
            answer[name] = value.clone();
        }
        answer.as_object_mut().unwrap().remove("Units");
        answer[units] = json!(format!("{} kWh", parts.units));
        answer[cost] = json!(parts.cost.to_string());
    }
}
