//! What the sandbox sells: the networks and distribution companies of Nigeria, read from the tables
//! in `data`. It must not set an account's own terms: those are the application's.

mod airtime;
mod electricity;

pub(crate) use electricity::DiscoRecord;

use domain::airtime::Network;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::money::{Currency, Money};
use domain::percent::Percent;
use domain::pricing::Terms;
use ports::catalogue::Catalogue;

/// The catalogue of the sandbox.
#[derive(Debug, Clone)]
pub struct SandboxCatalogue {
    networks: Vec<Network>,
    discos: Vec<DiscoRecord>,
}

/// The one country the sandbox sells in, and its currency.
const COUNTRY: CountryCode = CountryCode::NIGERIA;
const CURRENCY: Currency = Currency::Ngn;

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
enum TableError {
    #[error(transparent)]
    Shape(#[from] toml::de::Error),
    #[error("{entry}: {field} is not acceptable")]
    Field { entry: String, field: &'static str },
}

impl SandboxCatalogue {
    /// The catalogue that is part of the program.
    pub fn new() -> Self {
        embedded()
    }

    /// A company with what only its own system knows.
    pub(crate) fn record(&self, code: &DiscoCode) -> Option<&DiscoRecord> {
        self.discos.iter().find(|record| record.disco.code == *code)
    }
}

impl Default for SandboxCatalogue {
    fn default() -> Self {
        Self::new()
    }
}

impl Catalogue for SandboxCatalogue {
    fn network(&self, country: CountryCode, brandname: &str) -> Option<&Network> {
        let mut networks = self.networks.iter().filter(|_| country == COUNTRY);
        networks.find(|network| network.brandname.eq_ignore_ascii_case(brandname))
    }

    fn sells_airtime_in(&self, country: CountryCode) -> bool {
        country == COUNTRY && !self.networks.is_empty()
    }

    fn discos(&self, country: CountryCode) -> Vec<&Disco> {
        let discos = self.discos.iter().map(|record| &record.disco);
        discos.filter(|disco| disco.country == country).collect()
    }

    fn disco(&self, code: &DiscoCode) -> Option<&Disco> {
        self.record(code).map(|record| &record.disco)
    }
}

#[expect(
    clippy::expect_used,
    reason = "the tables are compiled in, and tests read them"
)]
fn embedded() -> SandboxCatalogue {
    // Panic safety: the tables cannot change after the tests have read them.
    SandboxCatalogue {
        networks: airtime::read(airtime::TABLE).expect("a readable table of networks"),
        discos: electricity::read(electricity::TABLE).expect("a readable table of companies"),
    }
}

/// Reads a share and what the provider leaves, both in percent; the sandbox asks no fees.
fn terms(commission: &str, discount: &str) -> Option<Terms> {
    Some(Terms {
        commission: Percent::parse(commission).ok()?,
        discount: Percent::parse(discount).ok()?,
        fee: Money::zero(CURRENCY),
    })
}
