//! How long is kept what need not be kept for ever. Nothing may be erased earlier than is said
//! here.

use std::time::Duration;

use crate::config::key::{Key, Shape};
use crate::config::parse;

pub(crate) const METER_TOKENS: Key<Option<Duration>> = Key {
    name: "retention.meter_tokens_days",
    env: "MANILLA_RETENTION_METER_TOKENS_DAYS",
    help: "How many days after the purchase a meter token is erased; its report shows \
           `Unavailable` then. 0: never.",
    default: "0",
    shape: Shape::Number,
    parse: |text| match text {
        "0" => Ok(None),
        days => parse::days(days).map(Some),
    },
};

pub(crate) const DELIVERIES: Key<Duration> = Key {
    name: "retention.deliveries_days",
    env: "MANILLA_RETENTION_DELIVERIES_DAYS",
    help: "How many days an event is kept for `GET /webhook/deliveries` after it was delivered.",
    default: "30",
    shape: Shape::Number,
    parse: parse::days,
};
