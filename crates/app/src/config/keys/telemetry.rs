//! The settings of the traces that a collector is sent.

use outbound_http::OutboundTarget;

use crate::config::key::{SettingKey, SettingShape};
use crate::config::{parse, traces};

pub(crate) const TRACES: SettingKey<Option<OutboundTarget>> = SettingKey {
    name: "telemetry.traces",
    env: "MANILLA_TELEMETRY_TRACES",
    help: "Base address of the OpenTelemetry collector that traces are exported to over HTTP \
           (OTLP), such as http://127.0.0.1:4318; empty: none are made. It needs a program that \
           was built with `--features opentelemetry`.",
    default: "",
    shape: SettingShape::Text,
    parse: traces::collector,
};

pub(crate) const TRACES_PER_MILLE: SettingKey<u16> = SettingKey {
    name: "telemetry.traces_per_mille",
    env: "MANILLA_TELEMETRY_TRACES_PER_MILLE",
    help: "How many traces of a thousand are exported, of those that no caller has decided on.",
    default: "10",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 0..=1000),
};
