//! A catalogue that holds what a test puts into it, for Nigeria. It must never decide what things
//! cost: the test says so.

use domain::airtime::Network;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use ports::catalogue::Catalogue;

/// One network and a few companies.
#[derive(Debug)]
pub struct Shelf {
    /// The network that is sold.
    pub network: Network,
    /// The companies that are listed.
    pub discos: Vec<Disco>,
}

impl Catalogue for Shelf {
    fn network(&self, country: CountryCode, brandname: &str) -> Option<&Network> {
        let sold = self.sells_airtime_in(country) && brandname == self.network.brandname;
        sold.then_some(&self.network)
    }

    fn sells_airtime_in(&self, country: CountryCode) -> bool {
        country == CountryCode::NIGERIA
    }

    fn discos(&self, country: CountryCode) -> Vec<&Disco> {
        let here = |disco: &&Disco| disco.country == country;
        self.discos.iter().filter(here).collect()
    }

    fn disco(&self, code: &DiscoCode) -> Option<&Disco> {
        self.discos.iter().find(|disco| disco.code == *code)
    }
}
