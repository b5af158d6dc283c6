//! Where webhooks may be delivered to, besides public addresses. Nothing must be allowed unless an
//! operator says so.

use std::path::PathBuf;

use ipnet::IpNet;
use webhook_dispatch::guard::Loopback;

use crate::config::key::{SettingKey, SettingShape};
use crate::config::parse;

pub(crate) const ALLOW_NETWORKS: SettingKey<Vec<IpNet>> = SettingKey {
    name: "webhook.allow_networks",
    env: "MANILLA_WEBHOOK_ALLOW_NETWORKS",
    help: "Addresses and networks of your own, separated by commas, that events are delivered to \
           although not everybody can reach them.",
    default: "",
    shape: SettingShape::Text,
    parse: parse::networks,
};

pub(crate) const ALLOW_LOOPBACK: SettingKey<Loopback> = SettingKey {
    name: "webhook.allow_loopback",
    env: "MANILLA_WEBHOOK_ALLOW_LOOPBACK",
    help: "Whether events are delivered to this machine itself, without TLS too, to try things \
           out: true or false. Any merchant can then call what listens on it.",
    default: "false",
    shape: SettingShape::Text,
    parse: |text| {
        let words = [("false", Loopback::Refused), ("true", Loopback::Allowed)];
        parse::word(text, &words)
    },
};

pub(crate) const AUTHORITIES: SettingKey<Option<PathBuf>> = SettingKey {
    name: "webhook.authorities",
    env: "MANILLA_WEBHOOK_AUTHORITIES",
    help: "Certificates (PEM) of authorities that endpoints are trusted by, besides those the \
           machine trusts; empty: none.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};
