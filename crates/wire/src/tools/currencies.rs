//! `GET /tools/currencies`: what accounts are billed in, and what arrives abroad.

use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::tree::{Node, Object};
use domain::international::DestinationCurrency;
use domain::money::Currency;

/// Codes of ISO 4217 and their English names; message credits have a code of the interface.
const NAMES: [(&str, &str); 18] = [
    ("AED", "United Arab Emirates dirham"),
    ("CAD", "Canadian dollar"),
    ("CNY", "Chinese yuan"),
    ("CRD", "Message credit"),
    ("EGP", "Egyptian pound"),
    ("EUR", "Euro"),
    ("GBP", "Pound sterling"),
    ("GHS", "Ghanaian cedi"),
    ("INR", "Indian rupee"),
    ("KES", "Kenyan shilling"),
    ("NGN", "Nigerian naira"),
    ("RWF", "Rwandan franc"),
    ("TZS", "Tanzanian shilling"),
    ("UGX", "Ugandan shilling"),
    ("USD", "United States dollar"),
    ("XAF", "Central African CFA franc"),
    ("XOF", "West African CFA franc"),
    ("ZAR", "South African rand"),
];

/// A currency, and what it is used for.
#[derive(Debug, Clone, Copy)]
pub enum ListedCurrency {
    /// Accounts are billed in it.
    Billing(Currency),
    /// Transfers abroad arrive in it.
    Abroad(DestinationCurrency),
}

impl ListedCurrency {
    /// Every currency there is.
    pub fn all() -> Vec<Self> {
        let billing = Currency::ALL.into_iter().map(Self::Billing);
        billing
            .chain(DestinationCurrency::all().map(Self::Abroad))
            .collect()
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Billing(currency) => currency.code(),
            Self::Abroad(currency) => currency.code(),
        }
    }

    /// Its English name.
    fn name(&self) -> &'static str {
        let mut all = NAMES.iter();
        let found = all.find(|(code, _)| *code == self.code());
        found.map_or("", |(_, name)| *name)
    }

    const fn decimals(&self) -> usize {
        match self {
            Self::Billing(currency) => currency.decimals(),
            Self::Abroad(currency) => currency.decimals(),
        }
    }
}

const LAYOUT: Layout<ListedCurrency> = Layout {
    path: "/tools/currencies",
    plural: "currencies",
    singular: "currency",
    orders: &[ListingOrder {
        word: "currencyCode",
        compare: |one, other| one.code().cmp(other.code()),
    }],
    entry: view_one,
};

super::listed!(ListedCurrency);

fn view_one(currency: &ListedCurrency) -> Object {
    let decimals = i64::try_from(currency.decimals()).unwrap_or(i64::MAX);
    Object::new()
        .with("currencyCode", currency.code())
        .with("currencyName", currency.name())
        .with("decimals", Node::Integer(decimals))
        .with("isBilled", matches!(currency, ListedCurrency::Billing(_)))
        .with(
            "arrivesAbroad",
            matches!(currency, ListedCurrency::Abroad(_)),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_currency_has_one_code_and_a_name() {
        let mut codes: Vec<_> = ListedCurrency::all()
            .iter()
            .map(ListedCurrency::code)
            .collect();
        codes.sort_unstable();
        assert_eq!(codes, NAMES.map(|(code, _)| code));
        assert!(
            ListedCurrency::all()
                .iter()
                .all(|currency| !currency.name().is_empty())
        );
    }
}
