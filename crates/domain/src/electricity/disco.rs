//! Distribution companies. Commissions here are the catalogue's; an account's own price override is
//! applied in pricing, never here.

use crate::billing::Billing;
use crate::country::CountryCode;
use crate::pricing::Terms;
use std::fmt;

/// The identity of a distribution company, `disco` on the interface: 1–9 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiscoCode(String);

/// The text is not a company identity by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the identifier of a distribution company, 1 to 9 digits")]
pub struct InvalidDisco;

impl DiscoCode {
    /// Reads a company identity.
    ///
    /// # Errors
    /// Refuses anything but 1–9 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidDisco> {
        let fits = (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned())).ok_or(InvalidDisco)
    }

    /// The identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DiscoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A distribution company as listed (interface §2.6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disco {
    /// The identity.
    pub code: DiscoCode,
    /// Where it distributes.
    pub country: CountryCode,
    /// Brand name, such as `Ikeja Electric`.
    pub brandname: String,
    /// Legal name.
    pub company: String,
    /// Contact address.
    pub address: String,
    /// Terms of prepaid vends.
    pub prepaid: Terms,
    /// Terms of postpaid payments.
    pub postpaid: Terms,
    /// Whether it can be paid at the moment; lists without `retrieve=all` hold only these.
    pub available: bool,
}

impl Disco {
    /// The terms that apply to a kind of billing.
    pub const fn terms(&self, billing: Billing) -> Terms {
        match billing {
            Billing::Prepaid => self.prepaid,
            Billing::Postpaid => self.postpaid,
        }
    }
}
