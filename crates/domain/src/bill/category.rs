//! A category of bills and the form of its data. It must not hold the data: that stands in
//! `categories`.

use super::categories::ALL;
use super::definition::CategoryDefinition;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// One category, such as water. Two are equal when their codes are.
#[derive(Clone, Copy)]
pub struct BillCategory(&'static CategoryDefinition);

impl BillCategory {
    /// Every category, in the order it is shown.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        ALL.iter().map(Self)
    }

    /// The category of a code; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::all().find(|category| category.code() == code)
    }

    /// The word for records, configuration and logs.
    pub const fn code(self) -> &'static str {
        self.0.code
    }

    /// Its data.
    pub const fn definition(self) -> &'static CategoryDefinition {
        self.0
    }

    /// Whether any of its billers sells plans.
    pub fn has_plans(self) -> bool {
        self.0.billers.iter().any(|biller| !biller.plans.is_empty())
    }
}

impl PartialEq for BillCategory {
    fn eq(&self, other: &Self) -> bool {
        self.code() == other.code()
    }
}

impl Eq for BillCategory {}

impl Hash for BillCategory {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code().hash(state);
    }
}

impl PartialOrd for BillCategory {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BillCategory {
    fn cmp(&self, other: &Self) -> Ordering {
        self.code().cmp(other.code())
    }
}

impl fmt::Debug for BillCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BillCategory({})", self.code())
    }
}
