//! How the text of a setting becomes a value. It must not know which setting it reads: what is
//! wrong is said so that it can follow the name of any.

use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use domain::money::{Currency, Money};
use domain::percent::Percent;
use ipnet::IpNet;
use key_ring::KeyRing;
use toml::Value;

use super::database::DatabaseUrl;

/// What is wrong with a value, and what would be right.
pub(crate) type Parsed<T> = Result<T, String>;

pub(crate) fn address(text: &str) -> Parsed<SocketAddr> {
    text.parse().map_err(|_| {
        "must be an address and a port such as 127.0.0.1:8443 or [::1]:8443".to_owned()
    })
}

pub(crate) fn folder(text: &str) -> Parsed<PathBuf> {
    if text.is_empty() {
        return Err("must name a folder such as manilla-data".to_owned());
    }
    Ok(PathBuf::from(text))
}

/// A file, or the empty text for none. Whether it is there is seen when it is read.
pub(crate) fn optional_file(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

pub(crate) fn millis(text: &str, bounds: RangeInclusive<u64>) -> Parsed<Duration> {
    let range = format!("{} to {} milliseconds", bounds.start(), bounds.end());
    whole(text, bounds)
        .map(Duration::from_millis)
        .map_err(|_| format!("must be a whole number from {range}"))
}

/// A number of days, ten years at most.
pub(crate) fn days(text: &str) -> Parsed<Duration> {
    whole(text, 1..=3_650_u64).map(|days| Duration::from_hours(24 * days))
}

pub(crate) fn whole<T: FromStr + PartialOrd + Display>(
    text: &str,
    bounds: RangeInclusive<T>,
) -> Parsed<T> {
    let number = text.parse::<T>().ok();
    number
        .filter(|number| bounds.contains(number))
        .ok_or_else(|| {
            format!(
                "must be a whole number from {} to {}",
                bounds.start(),
                bounds.end()
            )
        })
}

/// The address of a PostgreSQL database, or the empty text for none.
pub(crate) fn database(text: &str) -> Parsed<Option<DatabaseUrl>> {
    if text.is_empty() {
        return Ok(None);
    }
    DatabaseUrl::parse(text).map(Some).ok_or_else(|| {
        "must be the address of a database such as postgres://manilla@127.0.0.1:5432/manilla"
            .to_owned()
    })
}

/// An amount of naira, above zero.
pub(crate) fn amount(text: &str) -> Parsed<Money> {
    let amount = Money::parse(text, Currency::Ngn).map_err(|error| error.to_string())?;
    if amount.is_positive() {
        Ok(amount)
    } else {
        Err("must be above zero".to_owned())
    }
}

/// An amount of naira, zero included.
pub(crate) fn fee(text: &str) -> Parsed<Money> {
    Money::parse(text, Currency::Ngn).map_err(|error| error.to_string())
}

pub(crate) fn percent(text: &str) -> Parsed<Percent> {
    Percent::parse(text).map_err(|error| error.to_string())
}

/// 32 bytes as 64 hexadecimal digits, or the empty text for none.
pub(crate) fn optional_key(text: &str) -> Parsed<Option<[u8; 32]>> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || "must be 64 hexadecimal digits, as `openssl rand -hex 32` prints".to_owned();
    if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let mut key = [0_u8; 32];
    for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
    }
    Ok(Some(key))
}

/// A key ring whose generations are separated by commas or lines, or the empty text for none.
pub(crate) fn key_ring(text: &str) -> Parsed<Option<KeyRing>> {
    if text.is_empty() {
        return Ok(None);
    }
    let lines = text.replace(',', "\n");
    let ring = lines.parse::<KeyRing>();
    ring.map(Some).map_err(|error| error.to_string())
}

/// Host names and addresses separated by commas, none where the text is empty.
pub(crate) fn names(text: &str) -> Parsed<Vec<String>> {
    let names = text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'*');
    let read = |name: &str| {
        let fits = name.parse::<IpAddr>().is_ok() || name.bytes().all(allowed);
        fits.then(|| name.to_ascii_lowercase()).ok_or_else(|| {
            "must be host names or addresses separated by commas, such as pay.example.com, 10.0.0.5"
                .to_owned()
        })
    };
    names.map(read).collect()
}

/// Origins separated by commas as browsers write them, or `*` for all.
pub(crate) fn origins(text: &str) -> Parsed<Option<Vec<String>>> {
    if text.trim() == "*" {
        return Ok(None);
    }
    let origins = text.split(',').map(str::trim);
    let origins = origins.filter(|origin| !origin.is_empty());
    let read = |origin: &str| {
        let host = origin
            .strip_prefix("https://")
            .or(origin.strip_prefix("http://"));
        let fits = |host: &str| {
            let allowed =
                |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-:[]".contains(&b);
            !host.is_empty() && host.bytes().all(allowed)
        };
        host.is_some_and(fits).then(|| origin.to_owned()).ok_or_else(|| {
            "must be * or origins separated by commas, in small letters and without a path, such \
             as https://shop.example.com"
                .to_owned()
        })
    };
    origins.map(read).collect::<Parsed<Vec<_>>>().map(Some)
}

/// A whole number from one.
pub(crate) fn count(text: &str, max: u32) -> Parsed<NonZeroU32> {
    let number = whole(text, 1..=max)?;
    NonZeroU32::new(number).ok_or_else(|| "must not be zero".to_owned())
}

/// Addresses and networks separated by commas, none where the text is empty.
pub(crate) fn networks(text: &str) -> Parsed<Vec<IpNet>> {
    let elements = text.split(',').map(str::trim);
    let named = elements.filter(|element| !element.is_empty());
    let networks: Vec<IpNet> = named
        .map(|element| match element.parse::<IpAddr>() {
            Ok(address) => Ok(IpNet::from(address.to_canonical())),
            Err(_) => element.parse::<IpNet>(),
        })
        .collect::<Result<_, _>>()
        .map_err(|_| {
            "must be addresses or networks separated by commas, such as 127.0.0.1, 10.0.0.0/8, \
             fd00::/8"
                .to_owned()
        })?;
    if networks.iter().any(|network| network.prefix_len() == 0) {
        return Err("must not be everybody: name the addresses of your own proxies".to_owned());
    }
    Ok(networks)
}

/// One word out of a list.
pub(crate) fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Parsed<T> {
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("must be one of {}", words.join(", "))
    })
}

/// The text of a single value; `None` for lists, tables and dates.
pub(super) fn scalar(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(truth) => Some(truth.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_outside_its_bounds_is_refused_with_the_bounds() {
        assert_eq!(
            millis("99", 100..=200),
            Err("must be a whole number from 100 to 200 milliseconds".to_owned())
        );
        assert_eq!(millis("100", 100..=200), Ok(Duration::from_millis(100)));
        for text in ["", "-1", "1.5", "1e3", " 150", "0x80"] {
            assert!(millis(text, 0..=1000).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_key_is_64_hexadecimal_digits_or_nothing() {
        let key = optional_key(&"0aF0".repeat(16)).unwrap().unwrap();
        assert_eq!(&key[..4], &[0x0a, 0xf0, 0x0a, 0xf0]);
        assert_eq!(optional_key(""), Ok(None));
        for text in ["00", &"g".repeat(64), &"+1".repeat(32), &"é".repeat(32)] {
            assert!(optional_key(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_separated_by_commas_and_addresses_are_names() {
        let read = names(" Pay.example.com, 10.0.0.5,::1, ").unwrap();
        assert_eq!(read, ["pay.example.com", "10.0.0.5", "::1"]);
        assert_eq!(names("").unwrap(), Vec::<String>::new());
        for text in ["a b", "pay.example.com:8443", "https://pay", "é"] {
            assert!(names(text).is_err(), "{text}");
        }
    }

    #[test]
    fn networks_are_addresses_or_prefixes_and_never_everybody() {
        let read = networks(" 127.0.0.1, 10.0.0.0/8,fd00::/8, ::ffff:192.0.2.1 ").unwrap();
        let shown: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            ["127.0.0.1/32", "10.0.0.0/8", "fd00::/8", "192.0.2.1/32"]
        );
        assert_eq!(networks("").unwrap(), []);
        for text in [
            "proxy.internal",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0",
            "a b",
        ] {
            let wrong = networks(text).unwrap_err();
            assert!(wrong.starts_with("must be addresses"), "{text}: {wrong}");
        }
        for text in ["0.0.0.0/0", "127.0.0.1, ::/0"] {
            let wrong = networks(text).unwrap_err();
            assert!(
                wrong.starts_with("must not be everybody"),
                "{text}: {wrong}"
            );
        }
    }

    #[test]
    fn a_count_begins_at_one() {
        assert_eq!(count("1", 5).unwrap().get(), 1);
        for text in ["0", "6", "", "-1"] {
            assert!(count(text, 5).is_err(), "{text}");
        }
    }

    #[test]
    fn an_unknown_word_is_refused_with_the_known_ones() {
        let words = [("text", 1), ("json", 2)];
        assert_eq!(word("json", &words), Ok(2));
        assert_eq!(
            word("JSON", &words),
            Err("must be one of text, json".to_owned())
        );
    }
}
