//! The form of a category's data. It must not hold the data: that stands in `categories`.

use super::payment_rule::{AmountRule, BillingOffer};

/// The data of a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategoryDefinition {
    /// The lower-case word for records, configuration and logs, such as `water`.
    pub code: &'static str,
    /// Where its operations are.
    pub paths: CategoryPaths,
    /// Its name for people, such as `Water`.
    pub name: &'static str,
    /// What it sells, in a sentence.
    pub about: &'static str,
    /// The number a customer is known by.
    pub number: NumberDefinition,
    /// What billers ask for beside the number.
    pub fields: &'static [FieldDefinition],
    /// What the tokens of prepaid customers are counted in; `None` where there are none.
    pub unit: Option<&'static str>,
    /// The companies that are paid.
    pub billers: &'static [BillerDefinition],
}

/// The paths of a category's operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategoryPaths {
    /// Where it is paid and its transactions are listed.
    pub payment: &'static str,
    /// Its billers.
    pub providers: &'static str,
    /// The plans of a biller.
    pub plans: &'static str,
    /// A customer.
    pub validation: &'static str,
    /// The report of a transaction.
    pub transaction: &'static str,
}

/// The paths of a category by its code.
macro_rules! paths {
    ($code:literal) => {
        CategoryPaths {
            payment: concat!("/payment/", $code),
            providers: concat!("/payment/", $code, "/providers"),
            plans: concat!("/payment/", $code, "/plans"),
            validation: concat!("/payment/", $code, "/validation"),
            transaction: concat!("/payment/", $code, "/transaction"),
        }
    };
}
pub(super) use paths;

/// The number a customer is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberDefinition {
    /// What it is, which decides the service code of its errors.
    pub kind: BillNumberKind,
    /// Its name for people.
    pub label: &'static str,
    /// Fewest and most digits.
    pub digits: (usize, usize),
    /// One that the sandbox knows.
    pub example: &'static str,
}

/// What a customer's number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BillNumberKind {
    /// The number of a meter or of a customer's account.
    Meter,
    /// The number of a smartcard or decoder.
    Smartcard,
    /// The number of a fixed line.
    Phone,
}

/// A field that billers ask for beside the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldDefinition {
    /// The attribute of requests, such as `areaCode`.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// Which values there are.
    pub shape: FieldShape,
    /// Whether it must be sent.
    pub required: bool,
    /// One that the sandbox accepts.
    pub example: &'static str,
}

/// Which values a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldShape {
    /// So many digits, fewest and most.
    Digits(usize, usize),
    /// So many capital letters and digits, fewest and most.
    Code(usize, usize),
}

/// A biller as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BillerDefinition {
    /// The identity, 1 to 9 digits, unique in the category.
    pub code: &'static str,
    /// Brand name.
    pub brandname: &'static str,
    /// Legal name.
    pub company: &'static str,
    /// Contact address.
    pub address: &'static str,
    /// The merchant's share, in percent.
    pub commission: &'static str,
    /// What the provider leaves to the gateway, in percent.
    pub discount: &'static str,
    /// Smallest payment.
    pub minimum: &'static str,
    /// Largest payment.
    pub maximum: &'static str,
    /// How its customers are billed.
    pub billing: BillingOffer,
    /// Which amounts it takes of a bill.
    pub amount_rule: AmountRule,
    /// What a unit of a token costs before VAT; `None` where it hands over no tokens.
    pub unit_price: Option<&'static str>,
    /// Whether it can be paid at the moment.
    pub available: bool,
    /// What it sells for a fixed price.
    pub plans: &'static [PlanDefinition],
}

/// A plan as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanDefinition {
    /// The identity, 1 to 9 digits, unique in the category.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many days one period lasts.
    pub days: u16,
    /// What one period costs.
    pub amount: &'static str,
}

impl FieldShape {
    /// The regular expression of the values, without anchors.
    pub fn pattern(self) -> String {
        match self {
            Self::Digits(least, most) => format!("[0-9]{{{least},{most}}}"),
            Self::Code(least, most) => format!("[A-Z0-9]{{{least},{most}}}"),
        }
    }

    /// Whether a value is one of them.
    pub fn accepts(self, text: &str) -> bool {
        let (Self::Digits(least, most) | Self::Code(least, most)) = self;
        let fits = |b: u8| match self {
            Self::Digits(..) => b.is_ascii_digit(),
            Self::Code(..) => b.is_ascii_digit() || b.is_ascii_uppercase(),
        };
        (least..=most).contains(&text.len()) && text.bytes().all(fits)
    }
}
