//! How long is kept what need not be kept for ever. Nothing may be erased earlier than is said
//! here.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::config::key::{SettingKey, SettingShape};
use crate::config::parse;

pub(crate) const METER_TOKENS: SettingKey<Option<Duration>> = SettingKey {
    name: "retention.meter_tokens_days",
    env: "MANILLA_RETENTION_METER_TOKENS_DAYS",
    help: "How many days after the purchase a meter token is erased; its report shows \
           `Unavailable` then. 0: never.",
    default: "0",
    shape: SettingShape::Number,
    parse: |text| match text {
        "0" => Ok(None),
        days => parse::days(days).map(Some),
    },
};

pub(crate) const DELIVERIES: SettingKey<Duration> = SettingKey {
    name: "retention.deliveries_days",
    env: "MANILLA_RETENTION_DELIVERIES_DAYS",
    help: "How many days an event is kept for `GET /webhook/deliveries` after it was delivered.",
    default: "30",
    shape: SettingShape::Number,
    parse: parse::days,
};

pub(crate) const REPORT_FILES: SettingKey<Duration> = SettingKey {
    name: "retention.report_files_hours",
    env: "MANILLA_RETENTION_REPORT_FILES_HOURS",
    help: "How many hours the file of a report is kept after it was written.",
    default: "24",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 1..=168_u64).map(Duration::from_hours),
};

/// What a delivery takes in the store at most, with 20 attempts and indexes: 256 of them are a
/// mebibyte.
const DELIVERIES_PER_MIB: u32 = 256;

pub(crate) const DELIVERIES_MAX: SettingKey<NonZeroU32> = SettingKey {
    name: "retention.deliveries_mib",
    env: "MANILLA_RETENTION_DELIVERIES_MIB",
    help: "How many MiB of deliveries an account may store, counted as 256 deliveries per MiB; \
           beyond, its oldest are forgotten, delivered or not.",
    default: "4096",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 1..=1_000_000).map(per_mib),
};

const fn per_mib(mebibytes: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(mebibytes * DELIVERIES_PER_MIB - 1)
}
