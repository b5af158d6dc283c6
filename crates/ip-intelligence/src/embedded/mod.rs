//! The tables within the binary: the country in which an address is used, and the autonomous system
//! that announces it. They must stay where the binary is mapped: nothing of them is copied into
//! memory.

pub(crate) mod countries;
mod lines;
mod ranges;

use std::net::IpAddr;

use domain::geolocation::{Address, AutonomousSystem};

use self::ranges::Ranges;

static COUNTRIES_IPV4: Ranges = Ranges::new(include_bytes!("../../data/countries-ipv4.ranges"));
static COUNTRIES_IPV6: Ranges = Ranges::new(include_bytes!("../../data/countries-ipv6.ranges"));
static SYSTEMS_IPV4: Ranges = Ranges::new(include_bytes!("../../data/systems-ipv4.ranges"));
static SYSTEMS_IPV6: Ranges = Ranges::new(include_bytes!("../../data/systems-ipv6.ranges"));

/// The organisations that run autonomous systems, by number.
static ORGANISATIONS: &str = include_str!("../../data/systems.tsv");

/// The alpha-2 code of the country an address is used in.
pub(crate) fn country(address: Address) -> Option<String> {
    let number = found(address, &COUNTRIES_IPV4, &COUNTRIES_IPV6)?;
    let number = number.checked_sub(1)?;
    let letter = |digit: u64| {
        u8::try_from(digit)
            .ok()
            .map(|digit| char::from(b'A' + digit))
    };
    let letters = [letter(number / 26)?, letter(number % 26)?];
    Some(letters.into_iter().collect())
}

/// The autonomous system that announces the block of an address.
pub(crate) fn system(address: Address) -> Option<AutonomousSystem> {
    let number = found(address, &SYSTEMS_IPV4, &SYSTEMS_IPV6)?;
    let number = u32::try_from(number).ok()?;
    let by_number = |key: &str| key.parse::<u32>().is_ok_and(|key| key < number);
    let organisation = lines::first_not(ORGANISATIONS, by_number)
        .and_then(|line| line.split_once('\t'))
        .filter(|(key, _)| key.parse() == Ok(number))
        .map(|(_, name)| name.to_owned());
    Some(AutonomousSystem {
        number,
        organisation,
        handle: None,
    })
}

/// The value of an address, which is never zero.
fn found(address: Address, ipv4: &Ranges, ipv6: &Ranges) -> Option<u64> {
    let value = match address.get() {
        IpAddr::V4(address) => ipv4.value(u64::from(address.to_bits())),
        // The tables contain only the first half of an address.
        IpAddr::V6(address) => ipv6.value(u64::try_from(address.to_bits() >> 64).ok()?),
    };
    value.filter(|value| *value != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    fn shown(text: &str) -> (Option<String>, Option<u32>, Option<String>) {
        let system = system(address(text));
        let number = system.as_ref().map(|system| system.number);
        let organisation = system.and_then(|system| system.organisation);
        (country(address(text)), number, organisation)
    }

    fn check(text: &str, code: &str, number: u32, organisation: &str) {
        let expected = (Some(code.into()), Some(number), Some(organisation.into()));
        assert_eq!(shown(text), expected, "{text}");
    }

    #[test]
    fn networks_everybody_knows_are_where_everybody_knows_them() {
        check("8.8.8.8", "US", 15_169, "Google LLC");
        check("2001:4860:4860::8888", "US", 15_169, "Google LLC");
        check("9.9.9.9", "US", 19_281, "Quad9");
        check("2606:4700:4700::1111", "US", 13_335, "Cloudflare, Inc.");
        check("185.60.216.35", "IE", 32_934, "Facebook, Inc.");
    }

    #[test]
    fn the_mobile_networks_of_nigeria_are_in_nigeria() {
        let mtn = "MTN NIGERIA Communication limited";
        check("197.210.64.1", "NG", 29_465, mtn);
        check("102.89.1.1", "NG", 29_465, mtn);
        check("105.112.0.1", "NG", 36_873, "Airtel Networks Limited");
        check("129.205.112.1", "NG", 37_148, "Globacom Limited");
    }

    #[test]
    fn nothing_is_known_of_an_unassigned_address() {
        for text in ["10.0.0.1", "0.0.0.0", "255.255.255.255", "::1", "ffff::"] {
            assert_eq!(shown(text), (None, None, None), "{text}");
        }
    }

    #[test]
    fn every_block_of_every_table_is_whole() {
        let tables = [
            &COUNTRIES_IPV4,
            &COUNTRIES_IPV6,
            &SYSTEMS_IPV4,
            &SYSTEMS_IPV6,
        ];
        for table in tables {
            let rows: Vec<_> = table.rows().collect();
            assert!(rows.len() > 100_000, "{}", rows.len());
            assert!(rows.is_sorted_by(|a, b| a.0 < b.0 && a.1 != b.1));
        }
    }

    #[test]
    fn every_number_of_a_country_is_a_country() {
        for table in [&COUNTRIES_IPV4, &COUNTRIES_IPV6] {
            for (at, number) in table.rows() {
                let letters = number.checked_sub(1).map(|n| (n / 26, n % 26));
                let fits = letters.is_none_or(|(a, b)| a < 26 && b < 26);
                assert!(fits, "{number} at {at}");
            }
        }
    }

    #[test]
    fn the_numbers_of_the_systems_are_sorted() {
        let lines = lines::of(ORGANISATIONS);
        let numbers: Vec<u32> = lines
            .map(|line| line.split_once('\t').unwrap().0.parse().unwrap())
            .collect();
        assert!(numbers.is_sorted_by(|a, b| a < b));
        assert!(numbers.len() > 50_000);
    }

    proptest! {
        #[test]
        fn no_address_breaks_a_lookup(bits: u128, short: u32) {
            for address in [IpAddr::from(bits.to_be_bytes()), IpAddr::from(short.to_be_bytes())] {
                let _ = shown(&address.to_string());
            }
        }
    }
}
