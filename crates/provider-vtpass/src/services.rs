//! What VTpass calls what we sell, read from `data/services.toml`. It must not know plans: those
//! are the operator's to map.

use domain::airtime::AirtimeOrder;
use domain::electricity::DiscoCode;
use domain::subscription::BillerCode;
use serde::Deserialize;
use std::collections::BTreeMap;

const TABLE: &str = include_str!("../data/services.toml");

/// A cable TV provider or a distribution company.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceEntry {
    pub(crate) service: String,
    pub(crate) brandname: String,
    #[serde(default)]
    pub(crate) renewable: bool,
}

/// The table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceTable {
    airtime: BTreeMap<String, String>,
    internet: BTreeMap<String, String>,
    cabletv: BTreeMap<String, ServiceEntry>,
    electricity: BTreeMap<String, ServiceEntry>,
}

impl ServiceTable {
    /// The table that is part of the program.
    #[expect(
        clippy::expect_used,
        reason = "the table is compiled in, and tests read it"
    )]
    pub(crate) fn embedded() -> Self {
        // Panic safety: the table cannot change after the tests have read it.
        toml::from_str(TABLE).expect("a readable table of services")
    }

    pub(crate) fn airtime(&self, order: &AirtimeOrder) -> Option<&str> {
        self.airtime.get(&order.network_code).map(String::as_str)
    }

    pub(crate) fn internet(&self, provider: &BillerCode) -> Option<&str> {
        self.internet.get(provider.as_str()).map(String::as_str)
    }

    pub(crate) fn cabletv(&self, provider: &BillerCode) -> Option<&ServiceEntry> {
        self.cabletv.get(provider.as_str())
    }

    pub(crate) fn electricity(&self, disco: &DiscoCode) -> Option<&ServiceEntry> {
        self.electricity.get(disco.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_identity_is_one_of_ours_and_every_service_is_named_once() {
        let table = ServiceTable::embedded();
        let mut named = BTreeSet::new();
        let entries = table.cabletv.iter().chain(&table.electricity);
        let entries = entries.map(|(code, entry)| (code, &entry.service));
        for (code, service) in table.internet.iter().chain(entries) {
            assert!(BillerCode::parse(code).is_ok(), "{code}");
            assert!(named.insert(service), "{service}");
        }
        assert_eq!(named.len(), 4 + 4 + 12);
        assert_eq!(table.airtime.len(), 4);
    }
}
