//! An order of any family, frozen as it was priced. It must never be changed after the transaction
//! was opened.

use crate::airtime::AirtimeOrder;
use crate::bank::PayoutOrder;
use crate::cabletv::CableOrder;
use crate::electricity::ElectricityOrder;
use crate::hlr::HlrOrder;
use crate::internet::DataOrder;
use crate::money::Money;
use crate::sms::MessageOrder;

/// The family a transaction belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Service {
    /// Top-ups (interface §4.2).
    Airtime,
    /// Cable TV subscriptions (interface §4.3).
    CableTv,
    /// Meter payments (interface §4.4).
    Electricity,
    /// Internet data bundles (interface §4.5).
    Internet,
    /// Text messages (interface §4.6).
    Sms,
    /// Payouts to bank accounts (interface §4.7).
    Bank,
    /// Lookups of mobile numbers (interface §4.8).
    Hlr,
}

impl Service {
    /// Every family, in the order of the interface.
    pub const ALL: [Self; 7] = [
        Self::Airtime,
        Self::CableTv,
        Self::Electricity,
        Self::Internet,
        Self::Sms,
        Self::Bank,
        Self::Hlr,
    ];

    /// The lower-case word for configuration, records and logs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Airtime => "airtime",
            Self::CableTv => "cabletv",
            Self::Electricity => "electricity",
            Self::Internet => "internet",
            Self::Sms => "sms",
            Self::Bank => "bank",
            Self::Hlr => "hlr",
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
    /// A cable TV subscription.
    CableTv(CableOrder),
    /// A meter payment.
    Electricity(ElectricityOrder),
    /// A data bundle.
    Internet(DataOrder),
    /// A text message.
    Sms(MessageOrder),
    /// A payout.
    Bank(PayoutOrder),
    /// A lookup.
    Hlr(HlrOrder),
}

impl Order {
    /// The family.
    pub const fn service(&self) -> Service {
        match self {
            Self::Airtime(_) => Service::Airtime,
            Self::CableTv(_) => Service::CableTv,
            Self::Electricity(_) => Service::Electricity,
            Self::Internet(_) => Service::Internet,
            Self::Sms(_) => Service::Sms,
            Self::Bank(_) => Service::Bank,
            Self::Hlr(_) => Service::Hlr,
        }
    }

    /// The value bought; a provider must echo exactly this.
    pub const fn amount(&self) -> Money {
        match self {
            Self::Airtime(order) => order.amount,
            Self::CableTv(order) => order.amount,
            Self::Electricity(order) => order.amount,
            Self::Internet(order) => order.amount,
            Self::Sms(order) => order.amount,
            Self::Bank(order) => order.amount,
            Self::Hlr(order) => order.amount,
        }
    }

    /// One line for statements, such as `Airtime MTN 2348031234567`.
    pub fn narration(&self) -> String {
        match self {
            Self::Airtime(order) => {
                format!("Airtime {} {}", order.network_brandname, order.number)
            }
            Self::CableTv(order) => match &order.subscription {
                Some(subscription) => format!("Cable TV {} {}", subscription.name, order.number),
                None => format!("Cable TV {} {}", order.brandname, order.number),
            },
            Self::Electricity(order) => {
                format!(
                    "Electricity {} {}",
                    order.meter.brandname, order.meter.number
                )
            }
            Self::Internet(order) => {
                format!("Data {} {} {}", order.brandname, order.name, order.number)
            }
            Self::Sms(order) => format!("SMS {} to {}", order.sender_name.as_str(), order.number),
            Self::Bank(order) => {
                format!(
                    "Payout {} {}",
                    order.bank_fullname,
                    order.account.number.masked()
                )
            }
            Self::Hlr(order) => format!("HLR lookup {}", order.number),
        }
    }
}
