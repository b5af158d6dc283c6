//! A customer as a biller knows them. A number must keep its leading zeros.

use super::category::BillCategory;
use crate::billing::Billing;
use crate::labelled_value::LabelledValue;
use crate::money::Money;
use crate::subscription::BillerCode;
use crate::time::Timestamp;
use std::fmt;

/// A customer's number of any category: 4 to 20 digits, leading zeros kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BillNumber(String);

/// The text is not such a number by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a number of {0} to {1} digits")]
pub struct InvalidBillNumber(usize, usize);

/// Which customer, as a merchant names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillQuery {
    /// What is paid.
    pub category: BillCategory,
    /// Whom.
    pub biller: BillerCode,
    /// The customer's number.
    pub number: BillNumber,
    /// What else the category asks for, in its order.
    pub fields: Vec<LabelledValue>,
}

/// A customer's account as its biller knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillAccount {
    /// Whom it is with.
    pub biller: BillerCode,
    /// The customer's number.
    pub number: BillNumber,
    /// The customer.
    pub customer_name: String,
    /// Where they are; `None` where the biller does not provide it.
    pub customer_address: Option<String>,
    /// How they are billed.
    pub billing: Billing,
    /// What they owe.
    pub debt: Money,
    /// The open bill; `None` where nothing is billed.
    pub bill_reference: Option<String>,
    /// The period it is for, such as `2026-10`.
    pub bill_period: Option<String>,
    /// When it is due.
    pub due_at: Option<Timestamp>,
    /// The tariff band, where there are bands.
    pub tariff_band: Option<String>,
}

impl BillNumber {
    /// Fewest and most digits of any category.
    pub const DIGITS: (usize, usize) = (4, 20);

    /// Reads a number of a category.
    ///
    /// # Errors
    /// Refuses anything but as many ASCII digits as the category has.
    pub fn parse(category: BillCategory, text: &str) -> Result<Self, InvalidBillNumber> {
        Self::within(category.definition().number.digits, text)
    }

    /// Reads a number of any category, as a record holds it.
    ///
    /// # Errors
    /// Refuses anything but [`Self::DIGITS`] ASCII digits.
    pub fn restore(text: &str) -> Result<Self, InvalidBillNumber> {
        Self::within(Self::DIGITS, text)
    }

    fn within((least, most): (usize, usize), text: &str) -> Result<Self, InvalidBillNumber> {
        let fits = (least..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidBillNumber(least, most))
    }

    /// The digits, leading zeros included.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BillNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
