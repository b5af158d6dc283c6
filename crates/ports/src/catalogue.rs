//! What can be bought and from whom. Prices here are the catalogue's; an account's own deals are
//! applied by the application.

use domain::airtime::Network;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};

/// The catalogue of products.
pub trait Catalogue: Send + Sync + std::fmt::Debug {
    /// The network sold under a brand in a country, such as `MTN` in 566; brands compare without
    /// regard to case.
    fn network(&self, country: CountryCode, brandname: &str) -> Option<&Network>;

    /// Whether anything at all is sold for numbers of a country.
    fn sells_airtime_in(&self, country: CountryCode) -> bool;

    /// Every active distribution company of a country, in the order they are shown.
    fn discos(&self, country: CountryCode) -> Vec<&Disco>;

    /// A distribution company by its identity.
    fn disco(&self, code: &DiscoCode) -> Option<&Disco>;
}
