//! `GET /tools/countries`: the countries of ISO 3166-1.

use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::tree::Object;
use domain::country::CountryCode;
use domain::order::Service;

/// A country, and what the account can buy for its numbers.
#[derive(Debug, Clone)]
pub struct ListedCountry {
    pub code: CountryCode,
    pub sold: Vec<Service>,
}

/// The fields that say whether a family is sold.
const SOLD: [(&str, Service); 4] = [
    ("hasAirtime", Service::Airtime),
    ("hasMessages", Service::Sms),
    ("hasWhatsapp", Service::Whatsapp),
    ("hasVoice", Service::Voice),
];

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
    entry: view_one,
};

super::listed!(ListedCountry);

fn view_one(country: &ListedCountry) -> Object {
    let shown = Object::new()
        .with("countryCode", country.code.to_string())
        .with("countryAlpha2", country.code.alpha_2())
        .with("countryName", country.code.name());
    SOLD.into_iter().fold(shown, |shown, (field, service)| {
        shown.with(field, country.sold.contains(&service))
    })
}
