//! How often accounts may ask, how often anyone may fail to be let in, and whose word counts on who
//! that is. Limits of accounts are shared by the instances over one store; failed logins must be
//! meant for one process, which counts them by itself.

use std::num::NonZeroU32;

use http_server::{Http2Support, VtpassRequests};
use ipnet::IpNet;

use super::super::key::{SettingKey, SettingShape};
use super::super::parse;

/// More than any machine answers in a minute.
pub(crate) const PER_MINUTE_MAX: u32 = 60_000_000;

pub(crate) const TRUSTED_PROXIES: SettingKey<Vec<IpNet>> = SettingKey {
    name: "server.trusted_proxies",
    env: "MANILLA_TRUSTED_PROXIES",
    help: "Addresses and networks of proxies, separated by commas, whose X-Forwarded-For and \
           X-Forwarded-Proto are believed; from anyone else these headers mean nothing.",
    default: "",
    shape: SettingShape::Text,
    parse: parse::networks,
};

pub(crate) const CORS_ORIGINS: SettingKey<Option<Vec<String>>> = SettingKey {
    name: "server.cors_origins",
    env: "MANILLA_CORS_ORIGINS",
    help: "Origins, separated by commas, whose pages a browser lets read answers, such as \
           https://shop.example.com; * is all of them, as the interface has it.",
    default: "*",
    shape: SettingShape::Text,
    parse: parse::origins,
};

pub(crate) const VTPASS: SettingKey<VtpassRequests> = SettingKey {
    name: "server.vtpass",
    env: "MANILLA_VTPASS",
    help: "Whether requests in the shape of VTpass's API are served as well, below /vtpass/api/: \
           true or false.",
    default: "false",
    shape: SettingShape::Text,
    parse: |text| {
        let words = [
            ("false", VtpassRequests::Refused),
            ("true", VtpassRequests::Served),
        ];
        parse::word(text, &words)
    },
};

pub(crate) const HTTP2: SettingKey<Http2Support> = SettingKey {
    name: "server.http2",
    env: "MANILLA_HTTP2",
    help: "Whether clients may use HTTP/2 over TLS, beside HTTP/1.1: true or false.",
    default: "true",
    shape: SettingShape::Text,
    parse: |text| {
        let words = [
            ("true", Http2Support::Offered),
            ("false", Http2Support::Off),
        ];
        parse::word(text, &words)
    },
};

pub(crate) const PAYMENTS_PER_MINUTE: SettingKey<NonZeroU32> = per_minute(
    "limits.payments_per_minute",
    "MANILLA_LIMITS_PAYMENTS_PER_MINUTE",
    "How many requests that make transactions an account may send a minute in the long run.",
    "300",
);

pub(crate) const PAYMENTS_AT_ONCE: SettingKey<NonZeroU32> = per_minute(
    "limits.payments_at_once",
    "MANILLA_LIMITS_PAYMENTS_AT_ONCE",
    "How many of them at once, after a pause; not more than in a minute.",
    "60",
);

pub(crate) const BULKS_PER_MINUTE: SettingKey<NonZeroU32> = per_minute(
    "limits.bulks_per_minute",
    "MANILLA_LIMITS_BULKS_PER_MINUTE",
    "How many requests that make up to a thousand transactions each an account may send a minute.",
    "10",
);

pub(crate) const READS_PER_MINUTE: SettingKey<NonZeroU32> = per_minute(
    "limits.reads_per_minute",
    "MANILLA_LIMITS_READS_PER_MINUTE",
    "How many requests that read an account may send a minute.",
    "1200",
);

pub(crate) const LOOKUPS_PER_MINUTE: SettingKey<NonZeroU32> = per_minute(
    "limits.lookups_per_minute",
    "MANILLA_LIMITS_LOOKUPS_PER_MINUTE",
    "How many requests that a biller, bank or network is asked for an account may send a minute.",
    "60",
);

pub(crate) const VIOLATION_MINUTES_PER_HOUR: SettingKey<NonZeroU32> = SettingKey {
    name: "limits.violation_minutes_per_hour",
    env: "MANILLA_LIMITS_FULL_MINUTES_MAX",
    help: "In how many minutes of an hour an account may exceed a limit before what it limits is \
           refused with 403 until the next hour.",
    default: "10",
    shape: SettingShape::Number,
    parse: |text| parse::count(text, 60),
};

pub(crate) const FAILED_LOGINS_PER_MINUTE: SettingKey<NonZeroU32> = per_minute(
    "limits.failed_logins_per_minute",
    "MANILLA_LIMITS_FAILED_LOGINS_PER_MINUTE",
    "How many logins of one identity may fail a minute from one address, at each instance.",
    "10",
);

/// A number of requests in a minute.
const fn per_minute(
    name: &'static str,
    env: &'static str,
    help: &'static str,
    default: &'static str,
) -> SettingKey<NonZeroU32> {
    SettingKey {
        name,
        env,
        help,
        default,
        shape: SettingShape::Number,
        parse: |text| parse::count(text, PER_MINUTE_MAX),
    }
}
