//! What a provider lists of what it sells, as it says so. Nothing here may be sold by: an operator
//! compares it with the catalogue and publishes.

use crate::money::Money;
use crate::paid_lookup::LookupDefinition;

/// An offer as a provider lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedOffer {
    /// The product, such as `internet.301` or `airtime.mtn`.
    pub product: String,
    /// What the provider calls it.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its price; `None` where the customer chooses the amount.
    pub amount: Option<Money>,
    /// The smallest amount that may be chosen; `None` where the list does not say.
    pub minimum: Option<Money>,
    /// The largest amount that may be chosen; `None` where the list does not say.
    pub maximum: Option<Money>,
    /// Whether it can be bought at the moment.
    pub available: bool,
    /// What it asks for, where it is a lookup.
    pub lookup: Option<LookupDefinition>,
}
