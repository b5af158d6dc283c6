//! The settings of a database that several instances share. None of them must be needed where there
//! is none.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::database::{DatabaseUrl, ServerCertificate};
use crate::config::key::{SettingKey, SettingShape};
use crate::config::parse;

pub(crate) const DATABASE: SettingKey<Option<DatabaseUrl>> = SettingKey {
    name: "database.url",
    env: "MANILLA_DATABASE",
    help: "PostgreSQL database that holds the books, postgres://USER:PASSWORD@HOST:PORT/NAME; \
           empty: they are in a file in the data folder.",
    default: "",
    shape: SettingShape::Secret,
    parse: parse::database,
};

pub(crate) const DATABASE_FILE: SettingKey<Option<PathBuf>> = SettingKey {
    name: "database.url_file",
    env: "MANILLA_DATABASE_FILE",
    help: "File that holds `database.url`, in place of it; not readable by every user.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const STANDBY: SettingKey<Option<DatabaseUrl>> = SettingKey {
    name: "database.standby_url",
    env: "MANILLA_DATABASE_STANDBY",
    help: "Standby of `database.url` that lists and reports are read from once it has replayed \
           all that the database had when they were asked for; empty: the database itself.",
    default: "",
    shape: SettingShape::Secret,
    parse: parse::database,
};

pub(crate) const STANDBY_FILE: SettingKey<Option<PathBuf>> = SettingKey {
    name: "database.standby_url_file",
    env: "MANILLA_DATABASE_STANDBY_FILE",
    help: "File that holds `database.standby_url`, in place of it; not readable by every user.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const STANDBY_WAIT: SettingKey<Duration> = SettingKey {
    name: "database.standby_wait_ms",
    env: "MANILLA_DATABASE_STANDBY_WAIT_MS",
    help: "How long a list waits for the standby, in milliseconds, before it is read from the \
           database itself.",
    default: "500",
    shape: SettingShape::Number,
    parse: |text| parse::millis(text, 1..=10_000),
};

pub(crate) const VERIFY_SERVER: SettingKey<ServerCertificate> = SettingKey {
    name: "database.verify_server",
    env: "MANILLA_DATABASE_VERIFY_SERVER",
    help: "Whether a database on another machine is refused unless its address says \
           sslmode=verify-full: true, or false where the network between is trusted.",
    default: "true",
    shape: SettingShape::Text,
    parse: |text| {
        let words = [
            ("true", ServerCertificate::Verified),
            ("false", ServerCertificate::Any),
        ];
        parse::word(text, &words)
    },
};

pub(crate) const WRITERS: SettingKey<u32> = SettingKey {
    name: "database.writers",
    env: "MANILLA_DATABASE_WRITERS",
    help: "Connections that write; each looks after its share of the accounts.",
    default: "2",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 1..=64),
};

pub(crate) const READERS: SettingKey<u32> = SettingKey {
    name: "database.readers",
    env: "MANILLA_DATABASE_READERS",
    help: "Most connections that read.",
    default: "8",
    shape: SettingShape::Number,
    parse: |text| parse::whole(text, 1..=256),
};
