//! An order of any family, frozen as it was priced. It must never be changed after the transaction
//! was opened.

use crate::airtime::AirtimeOrder;
use crate::electricity::ElectricityOrder;
use crate::money::Money;

/// The family a transaction belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Service {
    /// Top-ups (interface §4.2).
    Airtime,
    /// Meter payments (interface §4.4).
    Electricity,
}

impl Service {
    /// Every family, in the order of the interface.
    pub const ALL: [Self; 2] = [Self::Airtime, Self::Electricity];

    /// The lower-case word for configuration, records and logs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Airtime => "airtime",
            Self::Electricity => "electricity",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|service| service.code() == code)
    }
}

/// What the merchant bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// A top-up.
    Airtime(AirtimeOrder),
    /// A meter payment.
    Electricity(ElectricityOrder),
}

impl Order {
    /// The family.
    pub const fn service(&self) -> Service {
        match self {
            Self::Airtime(_) => Service::Airtime,
            Self::Electricity(_) => Service::Electricity,
        }
    }

    /// The value bought; a provider must echo exactly this.
    pub const fn amount(&self) -> Money {
        match self {
            Self::Airtime(order) => order.amount,
            Self::Electricity(order) => order.amount,
        }
    }

    /// One line for statements, such as `Airtime MTN 2348031234567`.
    pub fn narration(&self) -> String {
        match self {
            Self::Airtime(order) => {
                format!("Airtime {} {}", order.network_brandname, order.number)
            }
            Self::Electricity(order) => {
                format!(
                    "Electricity {} {}",
                    order.meter.brandname, order.meter.number
                )
            }
        }
    }
}
