//! `GET /tools/countries`: the countries of ISO 3166-1.

use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::tree::Object;
use domain::country::CountryCode;

/// A country, and whether messages are sent there.
#[derive(Debug, Clone, Copy)]
pub struct ListedCountry {
    pub code: CountryCode,
    /// Whether the account can send messages there.
    pub has_messages: bool,
    pub has_whatsapp: bool,
    /// Whether airtime is sold there.
    pub has_airtime: bool,
}

const LAYOUT: Layout<ListedCountry> = Layout {
    path: "/tools/countries",
    plural: "countries",
    singular: "country",
    orders: &[
        ListingOrder {
            word: "countryName",
            compare: |one, other| one.code.name().cmp(&other.code.name()),
        },
        ListingOrder {
            word: "countryCode",
            compare: |one, other| one.code.cmp(&other.code),
        },
    ],
    entry: |country| view_one(*country),
};

super::listed!(ListedCountry);

fn view_one(country: ListedCountry) -> Object {
    Object::new()
        .with("countryCode", country.code.to_string())
        .with("countryAlpha2", country.code.alpha_2())
        .with("countryName", country.code.name())
        .with("hasAirtime", country.has_airtime)
        .with("hasMessages", country.has_messages)
        .with("hasWhatsapp", country.has_whatsapp)
}
