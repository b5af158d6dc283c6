//! The setting of what operators' tools ask.

use crate::config::MonitoringAddress;
use crate::config::key::{SettingKey, SettingShape};

pub(crate) const MONITORING_LISTEN: SettingKey<MonitoringAddress> = SettingKey {
    name: "monitoring.listen",
    env: "MANILLA_MONITORING_LISTEN",
    help: "Address and port of metrics, liveness and readiness, without encryption or passwords: \
           keep it within the machine or a private network; port 0 takes any that is free, off \
           serves none. Where the default port is taken, none are served.",
    default: MonitoringAddress::DEFAULT,
    shape: SettingShape::Text,
    parse: MonitoringAddress::parse,
};
