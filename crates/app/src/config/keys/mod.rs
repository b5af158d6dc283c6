//! Every setting there is. A setting that is not in [`all`] must not be read anywhere.

mod collection;
mod database;
mod limits;
mod log;
mod lookup;
mod monitoring;
mod operator;
mod retention;
mod sandbox;
mod secrets;
mod telemetry;
mod topup;
mod webhook;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use domain::money::Money;

pub(crate) use self::collection::*;
pub(crate) use self::database::*;
pub(crate) use self::limits::*;
pub(crate) use self::log::*;
pub(crate) use self::lookup::*;
pub(crate) use self::monitoring::*;
pub(crate) use self::operator::*;
pub(crate) use self::retention::*;
pub(crate) use self::sandbox::*;
pub(crate) use self::secrets::*;
pub(crate) use self::telemetry::*;
pub(crate) use self::topup::*;
pub(crate) use self::webhook::*;
use super::key::{Setting, SettingKey, SettingShape};
use super::parse;

/// An hour: nothing here is worth waiting longer for.
const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;

pub(crate) const DATA: SettingKey<PathBuf> = SettingKey {
    name: "data",
    env: "MANILLA_DATA",
    help: "Folder of everything that is kept: the books, keys and certificates.",
    default: "manilla-data",
    shape: SettingShape::Path,
    parse: parse::folder,
};

pub(crate) const LISTEN: SettingKey<SocketAddr> = SettingKey {
    name: "server.listen",
    env: "MANILLA_LISTEN",
    help: "Address and port to answer on; port 0 takes any that is free.",
    default: "127.0.0.1:8443",
    shape: SettingShape::Text,
    parse: parse::address,
};

pub(crate) const TLS_CERT: SettingKey<Option<PathBuf>> = SettingKey {
    name: "server.tls_cert",
    env: "MANILLA_TLS_CERT",
    help: "Certificate chain (PEM) to show; empty: one is made by a local authority.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const TLS_KEY: SettingKey<Option<PathBuf>> = SettingKey {
    name: "server.tls_key",
    env: "MANILLA_TLS_KEY",
    help: "Private key (PEM) of `server.tls_cert`.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const TLS_NAMES: SettingKey<Vec<String>> = SettingKey {
    name: "server.tls_names",
    env: "MANILLA_TLS_NAMES",
    help: "More names and addresses the gateway is reached under, separated by commas: the local \
           certificate is for them too, and no event is delivered to them.",
    default: "",
    shape: SettingShape::Text,
    parse: parse::names,
};

pub(crate) const ANSWER_WINDOW: SettingKey<Duration> = SettingKey {
    name: "payment.answer_window_ms",
    env: "MANILLA_PAYMENT_ANSWER_WINDOW_MS",
    help: "How long a merchant waits for the outcome before the answer is 202, Pending.",
    default: "20000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 50..=120_000),
};

pub(crate) const CALL_DEADLINE: SettingKey<Duration> = SettingKey {
    name: "payment.call_deadline_ms",
    env: "MANILLA_PAYMENT_CALL_DEADLINE_MS",
    help: "How long a provider may take to answer; later answers count as unknown.",
    default: "30000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 50..=300_000),
};

pub(crate) const SEND_WITHIN: SettingKey<Duration> = SettingKey {
    name: "payment.send_within_ms",
    env: "MANILLA_PAYMENT_SEND_WITHIN_MS",
    help: "How long after it was recorded an attempt may still be sent.",
    default: "5000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 50..=60_000),
};

pub(crate) const LEASE: SettingKey<Duration> = SettingKey {
    name: "payment.lease_ms",
    env: "MANILLA_PAYMENT_LEASE_MS",
    help: "After how long recovery may take a payment over; longer than sending and answering may \
           take together.",
    default: "60000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 100..=HOUR_MS),
};

pub(crate) const REPLAY_WAIT: SettingKey<Duration> = SettingKey {
    name: "payment.replay_wait_ms",
    env: "MANILLA_PAYMENT_REPLAY_WAIT_MS",
    help: "How long a repeat under one Idempotency-Key waits for the first to finish.",
    default: "2000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=30_000),
};

pub(crate) const LOOKUP_DEADLINE: SettingKey<Duration> = SettingKey {
    name: "payment.lookup_deadline_ms",
    env: "MANILLA_PAYMENT_LOOKUP_DEADLINE_MS",
    help: "How long a biller or bank may take to answer a lookup.",
    default: "10000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 50..=120_000),
};

pub(crate) const PAYMENTS_MAX: SettingKey<usize> = SettingKey {
    name: "payment.in_flight_max",
    env: "MANILLA_PAYMENT_UNDER_WAY_MAX",
    help: "How many payments may be under way at a time; more are refused with 503.",
    default: "4096",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 1..=1_000_000),
};

pub(crate) const CREDENTIAL_TTL: SettingKey<Duration> = SettingKey {
    name: "security.credential_ttl_ms",
    env: "MANILLA_SECURITY_CREDENTIAL_TTL_MS",
    help: "How long accounts and keys are cached while no instance announces changes: a revoked \
           key works no longer than this. Where they are announced it stops at once, and within \
           700 ms where the connection breaks. 0 reads them for every request.",
    default: "500",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=1000),
};

pub(crate) const RECOVERY_INTERVAL: SettingKey<Duration> = SettingKey {
    name: "recovery.interval_ms",
    env: "MANILLA_RECOVERY_INTERVAL_MS",
    help: "How often payments without an outcome are followed up.",
    default: "1000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 10..=60_000),
};

pub(crate) const RECOVERY_BATCH: SettingKey<u32> = SettingKey {
    name: "recovery.batch",
    env: "MANILLA_RECOVERY_BATCH",
    help: "Most payments followed up at a time.",
    default: "512",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 1..=10_000),
};

pub(crate) const RECHECK_FIRST: SettingKey<Duration> = SettingKey {
    name: "recovery.recheck_first_ms",
    env: "MANILLA_RECOVERY_RECHECK_FIRST_MS",
    help: "The first pause before a provider is asked again; each is twice the one before.",
    default: "250",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 10..=60_000),
};

pub(crate) const RECHECK_WAITING_MAX: SettingKey<Duration> = SettingKey {
    name: "recovery.recheck_waiting_max_ms",
    env: "MANILLA_RECOVERY_RECHECK_WAITING_MAX_MS",
    help: "The longest such pause while the merchant waits for the answer.",
    default: "2000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 10..=60_000),
};

pub(crate) const RECHECK_MAX: SettingKey<Duration> = SettingKey {
    name: "recovery.recheck_max_ms",
    env: "MANILLA_RECOVERY_RECHECK_MAX_MS",
    help: "The longest such pause afterwards.",
    default: "60000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 10..=HOUR_MS),
};

pub(crate) const CHANGES_INTERVAL: SettingKey<Duration> = SettingKey {
    name: "recovery.changes_interval_ms",
    env: "MANILLA_RECOVERY_CHANGES_INTERVAL_MS",
    help: "How often providers are asked what they changed by themselves, such as reversals.",
    default: "1000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 10..=HOUR_MS),
};

pub(crate) const DUAL_CONTROL_ABOVE: SettingKey<Money> = SettingKey {
    name: "review.dual_control_above",
    env: "MANILLA_REVIEW_DUAL_CONTROL_ABOVE",
    help: "Above this amount two operators decide a payment under review, or settle a reference.",
    default: "100000.00",
    shape: SettingShape::Text,
    parse: parse::amount,
};

/// Every setting, in the order they are shown.
pub(crate) fn all() -> Vec<&'static dyn Setting> {
    let mut all = of_the_store();
    let of_the_server: [&'static dyn Setting; 61] = [
        &LISTEN,
        &TLS_CERT,
        &TLS_KEY,
        &TLS_NAMES,
        &TRUSTED_PROXIES,
        &CORS_ORIGINS,
        &VTPASS,
        &HTTP2,
        &MONITORING_LISTEN,
        &TRACES,
        &TRACES_PER_MILLE,
        &PAYMENTS_PER_MINUTE,
        &PAYMENTS_AT_ONCE,
        &BULKS_PER_MINUTE,
        &READS_PER_MINUTE,
        &LOOKUPS_PER_MINUTE,
        &VIOLATION_MINUTES_PER_HOUR,
        &FAILED_LOGINS_PER_MINUTE,
        &PEPPER,
        &PEPPER_FILE,
        &KEYS,
        &KEYS_FILE,
        &CREDENTIAL_TTL,
        &ANSWER_WINDOW,
        &CALL_DEADLINE,
        &SEND_WITHIN,
        &LEASE,
        &REPLAY_WAIT,
        &LOOKUP_DEADLINE,
        &PAYMENTS_MAX,
        &RECOVERY_INTERVAL,
        &RECOVERY_BATCH,
        &RECHECK_FIRST,
        &RECHECK_WAITING_MAX,
        &RECHECK_MAX,
        &CHANGES_INTERVAL,
        &DUAL_CONTROL_ABOVE,
        &TOP_UP_BANK,
        &TOP_UP_ACCOUNT,
        &TOP_UP_NAME,
        &COLLECTION_BANK,
        &COLLECTION_CODE,
        &COLLECTION_PREFIX,
        &CHECKOUT_URL,
        &OPERATOR_KEY,
        &PASSPHRASE_FILE,
        &CITY_DB,
        &ISP_DB,
        &ANONYMITY_DB,
        &CELLS_DB,
        &WIFI_DB,
        &DNS,
        &AS_NAMES,
        &DNS_DEADLINE,
        &ALLOW_NETWORKS,
        &ALLOW_LOOPBACK,
        &AUTHORITIES,
        &METER_TOKENS,
        &REPORT_FILES,
        &DELIVERIES,
        &DELIVERIES_MAX,
    ];
    all.extend(of_the_server);
    all.extend(of_the_sandbox());
    all.extend(of_the_log());
    all
}

fn of_the_log() -> [&'static dyn Setting; 2] {
    [&LOG_LEVEL, &LOG_FORMAT]
}

fn of_the_store() -> Vec<&'static dyn Setting> {
    vec![
        &DATA,
        &DATABASE,
        &DATABASE_FILE,
        &STANDBY,
        &STANDBY_FILE,
        &STANDBY_WAIT,
        &VERIFY_SERVER,
        &WRITERS,
        &READERS,
    ]
}

fn of_the_sandbox() -> [&'static dyn Setting; 13] {
    [
        &SANDBOX_SEED,
        &SANDBOX_LATER,
        &SANDBOX_SLOW,
        &SANDBOX_QUARANTINE,
        &SANDBOX_NOT_FOUND_MIN,
        &SANDBOX_NOT_FOUND_SPACING,
        &SANDBOX_REVIEW_AFTER,
        &SANDBOX_LATENCY_MIN,
        &SANDBOX_LATENCY_MAX,
        &FAULT_REQUEST_LOST,
        &FAULT_ANSWER_LOST,
        &FAULT_NOT_SENT,
        &SANDBOX_SYNC,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_of_its_setting() {
        for key in all() {
            assert_eq!(key.check(key.default()), Ok(()), "{}", key.name());
        }
    }

    #[test]
    fn no_two_settings_share_a_name_or_a_variable() {
        let mut names: Vec<&str> = all()
            .iter()
            .flat_map(|key| [key.name(), key.env()])
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_setting_says_what_it_does_and_has_a_variable_of_ours() {
        for key in all() {
            assert!(key.help().ends_with('.'), "{}", key.name());
            assert!(key.env().starts_with("MANILLA_"), "{}", key.env());
        }
    }
}
