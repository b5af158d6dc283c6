//! The settings of the sandbox provider. They must not change what a number forces: that is the
//! same in every run.

use std::time::Duration;

use provider_sim::JournalSync;

use super::super::key::{SettingKey, SettingShape};
use super::super::parse;
use super::{DAY_MS, HOUR_MS};

pub(crate) const SANDBOX_SEED: SettingKey<u64> = SettingKey {
    name: "sandbox.seed",
    env: "MANILLA_SANDBOX_SEED",
    help: "Random seed of the sandbox provider: the same seed, the same run.",
    default: "1",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 0..=u64::MAX),
};

pub(crate) const SANDBOX_LATER: SettingKey<Duration> = SettingKey {
    name: "sandbox.pending_delay_ms",
    env: "MANILLA_SANDBOX_LATER_MS",
    help: "How much later the forced outcomes 0002, 0009 and 0013 finish.",
    default: "5000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=HOUR_MS),
};

pub(crate) const SANDBOX_SLOW: SettingKey<Duration> = SettingKey {
    name: "sandbox.slow_ms",
    env: "MANILLA_SANDBOX_SLOW_MS",
    help: "How long the forced outcome 0007 takes.",
    default: "25000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=HOUR_MS),
};

pub(crate) const SANDBOX_QUARANTINE: SettingKey<Duration> = SettingKey {
    name: "sandbox.quarantine_ms",
    env: "MANILLA_SANDBOX_QUARANTINE_MS",
    help: "How long the sandbox provider's \"not found\" proves nothing.",
    default: "600000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=DAY_MS),
};

pub(crate) const SANDBOX_NOT_FOUND_MIN: SettingKey<u32> = SettingKey {
    name: "sandbox.not_found_min",
    env: "MANILLA_SANDBOX_NOT_FOUND_MIN",
    help: "How many times \"not found\" proves that nothing was delivered.",
    default: "4",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 1..=100),
};

pub(crate) const SANDBOX_NOT_FOUND_SPACING: SettingKey<Duration> = SettingKey {
    name: "sandbox.not_found_spacing_ms",
    env: "MANILLA_SANDBOX_NOT_FOUND_SPACING_MS",
    help: "How far apart those must be.",
    default: "60000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=HOUR_MS),
};

pub(crate) const SANDBOX_REVIEW_AFTER: SettingKey<Duration> = SettingKey {
    name: "sandbox.review_after_ms",
    env: "MANILLA_SANDBOX_REVIEW_AFTER_MS",
    help: "After how long without evidence a person must decide.",
    default: "86400000",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 100..=30 * DAY_MS),
};

pub(crate) const SANDBOX_LATENCY_MIN: SettingKey<Duration> = SettingKey {
    name: "sandbox.latency_min_ms",
    env: "MANILLA_SANDBOX_LATENCY_MIN_MS",
    help: "The least time the sandbox provider takes to answer.",
    default: "0",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=120_000),
};

pub(crate) const SANDBOX_LATENCY_MAX: SettingKey<Duration> = SettingKey {
    name: "sandbox.latency_max_ms",
    env: "MANILLA_SANDBOX_LATENCY_MAX_MS",
    help: "The most time the sandbox provider takes to answer.",
    default: "0",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 0..=120_000),
};

/// A rate of a fault the sandbox makes by chance.
const fn fault(name: &'static str, env: &'static str, help: &'static str) -> SettingKey<u16> {
    SettingKey {
        name,
        env,
        help,
        default: "0",
        shape: SettingShape::Number,
        parse: |text| parse::whole(text, 0..=1000),
    }
}

pub(crate) const SANDBOX_SYNC: SettingKey<JournalSync> = SettingKey {
    name: "sandbox.sync",
    env: "MANILLA_SANDBOX_SYNC",
    help: "Whether each entry of the sandbox provider's journal is synced to the disk before it is \
           answered, for proofs about crashes of the machine: off or on.",
    default: "off",
    shape: SettingShape::Text,
    parse: |text| {
        parse::word(
            text,
            &[("off", JournalSync::Off), ("on", JournalSync::EachEntry)],
        )
    },
};

pub(crate) const FAULT_REQUEST_LOST: SettingKey<u16> = fault(
    "sandbox.request_lost_per_mille",
    "MANILLA_SANDBOX_REQUEST_LOST_PER_MILLE",
    "How many of a thousand requests are lost on the way and deliver nothing.",
);

pub(crate) const FAULT_ANSWER_LOST: SettingKey<u16> = fault(
    "sandbox.answer_lost_per_mille",
    "MANILLA_SANDBOX_ANSWER_LOST_PER_MILLE",
    "How many of a thousand deliveries lose their answer on the way.",
);

pub(crate) const FAULT_NOT_SENT: SettingKey<u16> = fault(
    "sandbox.not_sent_per_mille",
    "MANILLA_SANDBOX_NOT_SENT_PER_MILLE",
    "How many of a thousand requests are refused before the first byte.",
);
