//! What the suites buy. Orders are plain JSON: a client knows nothing else.

use serde_json::{Value, json};

/// The path of top-ups.
pub const AIRTIME: &str = "/payment/airtime";

/// The path of meter payments.
pub const ELECTRICITY: &str = "/payment/electricity";

/// What is bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    Airtime,
    Electricity,
}

impl Family {
    pub const ALL: [Self; 2] = [Self::Airtime, Self::Electricity];

    /// The path its purchases are posted to.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Airtime => AIRTIME,
            Self::Electricity => ELECTRICITY,
        }
    }

    /// A purchase whose number or meter ends in these four digits.
    #[must_use]
    pub fn order(self, reference: &str, ending: &str) -> Value {
        match self {
            Self::Airtime => airtime(reference, &format!("234803123{ending}"), "1,000.00"),
            Self::Electricity => electricity(reference, &format!("0451234{ending}"), "5,000.00"),
        }
    }

    /// Where the report of a reference is.
    #[must_use]
    pub fn report(self, reference: &str) -> String {
        format!("{}/transaction?mrcReference={reference}", self.path())
    }

    /// The word for references.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Airtime => "airtime",
            Self::Electricity => "electricity",
        }
    }
}

/// A top-up of a prepaid line in Nigeria.
#[must_use]
pub fn airtime(reference: &str, number: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "number": number,
        "amount": amount,
        "billing": "prepaid",
    })
}

/// A payment for a prepaid meter.
#[must_use]
pub fn electricity(reference: &str, meter: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "disco": "101",
        "number": meter,
        "amount": amount,
        "billing": "prepaid",
    })
}
