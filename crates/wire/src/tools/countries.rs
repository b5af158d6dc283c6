//! `GET /tools/countries`: the countries of ISO 3166-1.

use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::tree::Object;
use domain::country::CountryCode;
use domain::order::Service;

/// A country, and what an account can buy there.
#[derive(Debug, Clone)]
pub struct ListedCountry {
    pub code: CountryCode,
    /// Of what is sold by country.
    pub services: Vec<Service>,
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
    entry: view_one,
};

super::listed!(ListedCountry);

fn view_one(country: &ListedCountry) -> Object {
    let has = |service| country.services.contains(&service);
    Object::new()
        .with("countryCode", country.code.to_string())
        .with("countryAlpha2", country.code.alpha_2())
        .with("countryName", country.code.name())
        .with("hasAirtime", has(Service::Airtime))
        .with("hasMessages", has(Service::Sms))
        .with("hasWhatsapp", has(Service::Whatsapp))
        .with("hasRcs", has(Service::Rcs))
        .with("hasVoice", has(Service::Voice))
        .with("hasIvr", has(Service::Ivr))
}
