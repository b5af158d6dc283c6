//! Looking a mobile number up in its home network's register: whether it is live, who serves it
//! now, whether it roams. It must never be paid for where no network has to be asked.

use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A lookup as asked for (interface §4.8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HlrQuery {
    /// The merchant's reference; a lookup under one is paid for once, however often it is asked.
    pub reference: Option<MerchantReference>,
    /// The country whose plan the number is looked up in first.
    pub country: CountryCode,
    /// The number.
    pub number: PhoneNumber,
}

/// A lookup that a network has to be asked for, frozen as it was priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HlrOrder {
    /// The number, a mobile one.
    pub number: PhoneNumber,
    /// The country whose plan it is in.
    pub country: CountryCode,
    /// The network its block was given to, where that is recorded.
    pub network_origin: Option<String>,
    /// What the lookup costs, greater than zero.
    pub amount: Money,
}

/// What a register says of a number in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HlrStatus {
    /// In use and reachable.
    Ok,
    /// In use, switched off or out of reach.
    Absent,
    /// The register does not know it: it is not in use.
    Unknown,
    /// Not a number of its plan; no register was asked.
    Invalid,
    /// A fixed line; no register was asked.
    FixedLine,
    /// Served over the internet; no register was asked.
    Voip,
    /// The register had no answer.
    Failed,
}

impl HlrStatus {
    /// Every status.
    pub const ALL: [Self; 7] = [
        Self::Ok,
        Self::Absent,
        Self::Unknown,
        Self::Invalid,
        Self::FixedLine,
        Self::Voip,
        Self::Failed,
    ];

    /// The lower-case word for records and answers.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Absent => "absent",
            Self::Unknown => "unknown",
            Self::Invalid => "invalid",
            Self::FixedLine => "fixed-line",
            Self::Voip => "voip",
            Self::Failed => "failed",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }
}

/// What a register answered. What it did not report is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HlrReport {
    /// In one word.
    pub status: HlrStatus,
    /// Whether the number is in use.
    pub live: Option<bool>,
    /// Whether another network serves it than the one its block was given to.
    pub ported: Option<bool>,
    /// Whether it is in a foreign network at the moment.
    pub roaming: Option<bool>,
    /// The network that serves it now.
    pub network_current: Option<String>,
    /// Mobile country code of that network: 3 digits (ITU-T E.212).
    pub mcc: Option<String>,
    /// Mobile network code of that network: 2 or 3 digits (ITU-T E.212).
    pub mnc: Option<String>,
    /// Where it roams.
    pub roaming_country: Option<CountryCode>,
}

impl HlrReport {
    /// The answer of a register that was asked and whose answer is not known.
    pub const fn unavailable() -> Self {
        Self {
            status: HlrStatus::Failed,
            live: None,
            ported: None,
            roaming: None,
            network_current: None,
            mcc: None,
            mnc: None,
            roaming_country: None,
        }
    }
}

impl FamilyOrder for HlrOrder {
    fn service(&self) -> Service {
        Service::Hlr
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("HLR lookup {}", self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Hlr(HlrReport::unavailable()))
    }
}

impl Fulfilment {
    /// What the register answered; `None` of any other family.
    pub const fn hlr_report(&self) -> Option<&HlrReport> {
        if let Self::Hlr(report) = self {
            Some(report)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_read_back_from_its_word() {
        for status in HlrStatus::ALL {
            assert_eq!(HlrStatus::from_code(status.code()), Some(status));
        }
        assert_eq!(HlrStatus::from_code("OK"), None);
    }
}
