//! How a line or meter is billed. It must never be guessed from a number.

/// Prepaid or postpaid (interface §4.2 and §4.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Billing {
    /// Paid before use: airtime tops up, meters take a token.
    Prepaid,
    /// Paid after use: a bill is settled.
    Postpaid,
}

impl Billing {
    /// The word requests carry: `prepaid` or `postpaid`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Prepaid => "prepaid",
            Self::Postpaid => "postpaid",
        }
    }

    /// Reads the word of a request; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "prepaid" => Some(Self::Prepaid),
            "postpaid" => Some(Self::Postpaid),
            _ => None,
        }
    }
}
