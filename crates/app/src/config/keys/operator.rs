//! The settings of who acts: where the key of an operator is. Nothing here may hold a secret.

use std::path::PathBuf;

use crate::config::key::{SettingKey, SettingShape};
use crate::config::parse;

pub(crate) const OPERATOR_KEY: SettingKey<Option<PathBuf>> = SettingKey {
    name: "operator.key",
    env: "MANILLA_OPERATOR_KEY",
    help: "File of the key of the operator who acts, outside the data folder; empty: operator.key \
           in the folder manilla of the user's configuration.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const PASSPHRASE_FILE: SettingKey<Option<PathBuf>> = SettingKey {
    name: "operator.passphrase_file",
    env: "MANILLA_OPERATOR_PASSPHRASE_FILE",
    help: "File whose first line is the passphrase of that key, or - for standard input; empty: \
           the terminal is asked.",
    default: "",
    shape: SettingShape::Text,
    parse: |text| Ok(parse::optional_file(text)),
};
