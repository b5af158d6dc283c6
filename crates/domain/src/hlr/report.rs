//! What a register answered. It must leave out what was not reported.

use crate::country::CountryCode;
use crate::provider::Fulfilment;

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
