//! What numbering plans know. It must not say who serves a number today: numbers are ported.

use domain::country::CountryCode;
use domain::phone::PhoneNumber;

/// What kind of line a number belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// A mobile line, or one that may be mobile.
    Mobile,
    /// A fixed line.
    FixedLine,
    /// Anything else: toll-free, shared cost, pager.
    Other,
}

/// What the plan says of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberFacts {
    /// The kind of line.
    pub kind: LineKind,
    /// Brand of the network the number's block was given to, such as `MTN`; `None` where not
    /// recorded.
    pub block_holder: Option<String>,
}

/// Numbering plans by country.
pub trait NumberingPlan: Send + Sync + std::fmt::Debug {
    /// What the plan of `country` says of `number`; `None` where the number does not exist in it.
    fn look_up(&self, number: &PhoneNumber, country: CountryCode) -> Option<NumberFacts>;
}
