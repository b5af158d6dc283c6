//! Where what is known of IP addresses comes from. Databases must be named by the operator: the
//! gateway fetches none.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ip_intelligence::Servers;

use super::super::key::{SettingKey, SettingShape};
use super::super::parse::{self, Parsed};

/// The port of the DNS (RFC 1035 §4.2).
const DNS_PORT: u16 = 53;

pub(crate) const CITY_DB: SettingKey<Option<PathBuf>> = SettingKey {
    name: "lookup.city_db",
    env: "MANILLA_LOOKUP_CITY_DB",
    help: "Database of places (MMDB: GeoLite2-City, GeoIP2-City, DB-IP City), held in memory; \
           empty: countries only.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const ISP_DB: SettingKey<Option<PathBuf>> = SettingKey {
    name: "lookup.isp_db",
    env: "MANILLA_LOOKUP_ISP_DB",
    help: "Database of providers (MMDB: GeoIP2-ISP, GeoLite2-ASN, DB-IP ISP or ASN), held in \
           memory; empty: networks only.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const ANONYMITY_DB: SettingKey<Option<PathBuf>> = SettingKey {
    name: "lookup.anonymity_db",
    env: "MANILLA_LOOKUP_ANONYMITY_DB",
    help: "Database of proxies and data centres (MMDB: GeoIP2-Anonymous-IP), held in memory; \
           empty: anonymity fields are null.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const CELLS_DB: SettingKey<Option<PathBuf>> = SettingKey {
    name: "lookup.cells_db",
    env: "MANILLA_LOOKUP_CELLS_DB",
    help: "Table of where cells stand (CSV as OpenCelliD exports it), held in memory; empty: only \
           those of the test network, for test accounts.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const WIFI_DB: SettingKey<Option<PathBuf>> = SettingKey {
    name: "lookup.wifi_db",
    env: "MANILLA_LOOKUP_WIFI_DB",
    help: "Table of where Wi-Fi access points stand (CSV: bssid, lat, lon, range), held in memory; \
           empty: only those of the test network, for test accounts.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const DNS: SettingKey<Option<Servers>> = SettingKey {
    name: "lookup.dns",
    env: "MANILLA_LOOKUP_DNS",
    help: "Who is asked for the names of IP addresses: system, off, or addresses of DNS servers \
           separated by commas.",
    default: "system",
    shape: SettingShape::Text,
    parse: servers,
};

pub(crate) const AS_NAMES: SettingKey<Option<String>> = SettingKey {
    name: "lookup.as_names",
    env: "MANILLA_LOOKUP_AS_NAMES",
    help: "The DNS zone that is asked for the names of autonomous systems (TXT records in the \
           form of Team Cymru's), or off.",
    default: "asn.cymru.com",
    shape: SettingShape::Text,
    parse: zone,
};

pub(crate) const DNS_DEADLINE: SettingKey<Duration> = SettingKey {
    name: "lookup.dns_deadline_ms",
    env: "MANILLA_LOOKUP_DNS_DEADLINE_MS",
    help: "How long a lookup of an IP address waits for its name; later it is left out.",
    default: "800",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 10..=10_000),
};

fn zone(text: &str) -> Parsed<Option<String>> {
    let zone = text.trim().trim_end_matches('.');
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    match zone {
        "off" => Ok(None),
        zone if !zone.is_empty() && zone.bytes().all(allowed) => Ok(Some(zone.to_owned())),
        _ => Err("must be a name such as asn.cymru.com, or off".to_owned()),
    }
}

fn servers(text: &str) -> Parsed<Option<Servers>> {
    match text.trim() {
        "off" => Ok(None),
        "system" => Ok(Some(Servers::System)),
        addresses => {
            let read: Option<Vec<_>> = addresses.split(',').map(server).collect();
            read.map(|addresses| Some(Servers::These(addresses)))
                .ok_or_else(|| {
                    "must be system, off, or addresses separated by commas such as 9.9.9.9, \
                     [2620:fe::fe]:53"
                        .to_owned()
                })
        }
    }
}

fn server(text: &str) -> Option<SocketAddr> {
    let text = text.trim();
    let plain = text.parse::<IpAddr>().ok();
    plain
        .map(|address| SocketAddr::new(address, DNS_PORT))
        .or_else(|| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_those_of_the_machine_none_or_the_listed() {
        assert_eq!(servers("off"), Ok(None));
        assert_eq!(servers("system"), Ok(Some(Servers::System)));
        let listed = ["9.9.9.9:53", "[2620:fe::fe]:53", "127.0.0.1:5353"];
        assert_eq!(
            servers("9.9.9.9, 2620:fe::fe,127.0.0.1:5353"),
            Ok(Some(Servers::These(
                listed.map(|text| text.parse().unwrap()).into()
            )))
        );
        for wrong in ["", "on", "dns.example", "9.9.9.9,", "9.9.9.9:port"] {
            assert!(servers(wrong).is_err(), "{wrong}");
        }
    }
}
