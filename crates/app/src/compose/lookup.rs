//! Puts together who knows where IP addresses are. It must name the setting at fault: an operator
//! knows settings, not adapters.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use ip_intelligence::databases::{Anonymity, City, DatabaseError, Isp};
use ip_intelligence::{IpTables, ReverseResolver};
use ports::geolocation::{NoReverseDns, ReverseNames};
use transmitter_tables::TransmitterTables;

use crate::config::keys;
use crate::config::{Config, LookupConfig};

/// The tables within the program, and the databases the operator names.
pub(super) fn tables(lookup: &LookupConfig) -> anyhow::Result<IpTables> {
    Ok(IpTables::embedded()
        .with_city(opened(
            keys::CITY_DB.name,
            lookup.city_db.as_ref(),
            City::open,
        )?)
        .with_isp(opened(
            keys::ISP_DB.name,
            lookup.isp_db.as_ref(),
            Isp::open,
        )?)
        .with_anonymity(opened(
            keys::ANONYMITY_DB.name,
            lookup.anonymity_db.as_ref(),
            Anonymity::open,
        )?))
}

/// Where transmitters stand, by the tables the operator names.
pub(super) fn transmitters(lookup: &LookupConfig) -> anyhow::Result<TransmitterTables> {
    let mut tables = TransmitterTables::default();
    if let Some(path) = &lookup.cells_db {
        let read = tables.with_cells(path);
        tables = read.with_context(|| format!("`{}` cannot be used", keys::CELLS_DB.name))?;
    }
    if let Some(path) = &lookup.wifi_db {
        let read = tables.with_access_points(path);
        tables = read.with_context(|| format!("`{}` cannot be used", keys::WIFI_DB.name))?;
    }
    Ok(tables)
}

fn opened<T>(
    setting: &str,
    path: Option<&PathBuf>,
    open: impl FnOnce(&Path) -> Result<T, DatabaseError>,
) -> anyhow::Result<Option<T>> {
    let opened = path.map(|path| open(path)).transpose();
    opened.with_context(|| format!("`{setting}` cannot be used"))
}

/// The source of reverse names. A machine without configured DNS servers has no names for
/// addresses, which is no reason not to sell.
pub(super) fn names(config: &Config) -> Arc<dyn ReverseNames> {
    let Some(servers) = &config.lookup.dns else {
        return Arc::new(NoReverseDns);
    };
    let systems = config.lookup.as_names.clone();
    match ReverseResolver::new(servers, systems, config.settings.reverse_dns_deadline) {
        Ok(resolver) => Arc::new(resolver),
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the names of IP addresses are left out; set `{}` to addresses of DNS servers, or \
                 to off",
                keys::DNS.name
            );
            Arc::new(NoReverseDns)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> LookupConfig {
        LookupConfig {
            city_db: None,
            isp_db: None,
            anonymity_db: None,
            cells_db: None,
            wifi_db: None,
            dns: None,
            as_names: None,
        }
    }

    #[test]
    fn a_database_that_cannot_be_read_is_named_by_its_setting_and_its_path() {
        let missing = Some(PathBuf::from("no-such.mmdb"));
        let lookups = [
            (
                "lookup.city_db",
                LookupConfig {
                    city_db: missing.clone(),
                    ..none()
                },
            ),
            (
                "lookup.isp_db",
                LookupConfig {
                    isp_db: missing.clone(),
                    ..none()
                },
            ),
            (
                "lookup.anonymity_db",
                LookupConfig {
                    anonymity_db: missing,
                    ..none()
                },
            ),
        ];
        for (setting, lookup) in lookups {
            let reported = format!("{:#}", tables(&lookup).unwrap_err());
            assert!(
                reported.starts_with(&format!("`{setting}` cannot be used")),
                "{reported}"
            );
            assert!(reported.contains("no-such.mmdb"), "{reported}");
        }
        assert!(tables(&none()).is_ok());
    }

    #[test]
    fn a_table_of_transmitters_that_cannot_be_read_is_named_by_its_setting_and_its_path() {
        let missing = Some(PathBuf::from("no-such.csv"));
        let cells = LookupConfig {
            cells_db: missing.clone(),
            ..none()
        };
        let wifi = LookupConfig {
            wifi_db: missing,
            ..none()
        };
        for (setting, lookup) in [("lookup.cells_db", cells), ("lookup.wifi_db", wifi)] {
            let reported = format!("{:#}", transmitters(&lookup).unwrap_err());
            assert!(
                reported.starts_with(&format!("`{setting}` cannot be used")),
                "{reported}"
            );
            assert!(reported.contains("no-such.csv"), "{reported}");
        }
        assert!(transmitters(&none()).is_ok());
    }
}
