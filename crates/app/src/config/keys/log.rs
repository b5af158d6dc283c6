//! The settings of the log.

use tracing_subscriber::filter::LevelFilter;

use crate::config::key::{SettingKey, SettingShape};
use crate::config::{LogFormat, parse};

pub(crate) const LOG_LEVEL: SettingKey<LevelFilter> = SettingKey {
    name: "log.level",
    env: "MANILLA_LOG_LEVEL",
    help: "How much is logged: off, error, warn, info, debug or trace.",
    default: "info",
    shape: SettingShape::Text,
    parse: |text| {
        let words = [
            ("off", LevelFilter::OFF),
            ("error", LevelFilter::ERROR),
            ("warn", LevelFilter::WARN),
            ("info", LevelFilter::INFO),
            ("debug", LevelFilter::DEBUG),
            ("trace", LevelFilter::TRACE),
        ];
        parse::word(text, &words)
    },
};

pub(crate) const LOG_FORMAT: SettingKey<LogFormat> = SettingKey {
    name: "log.format",
    env: "MANILLA_LOG_FORMAT",
    help: "How it is logged: text for people, json for machines.",
    default: "text",
    shape: SettingShape::Text,
    parse: |text| {
        parse::word(
            text,
            &[("text", LogFormat::Text), ("json", LogFormat::Json)],
        )
    },
};
