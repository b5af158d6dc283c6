//! The settings of the secrets of an installation. Each can be given as a file as well.

use std::path::PathBuf;

use key_ring::KeyRing;

use crate::config::key::{SettingKey, SettingShape};
use crate::config::parse;
use crate::secrets::PepperBytes;

pub(crate) const PEPPER: SettingKey<Option<PepperBytes>> = SettingKey {
    name: "secrets.pepper",
    env: "MANILLA_PEPPER",
    help: "Secret that API keys are hashed with, in its first generation, 64 hexadecimal digits; \
           empty: one is kept in the data folder. Another value makes every key of it invalid.",
    default: "",
    shape: SettingShape::Secret,
    parse: |text| parse::optional_key(text).map(|key| key.map(PepperBytes)),
};

pub(crate) const KEYS: SettingKey<Option<KeyRing>> = SettingKey {
    name: "secrets.keys",
    env: "MANILLA_SECRETS_KEYS",
    help: "Keys that seal confidential fields of the books and the attempt journal, and that later \
           generations of the pepper are derived from: a generation number and 64 hexadecimal \
           digits for each, separated by commas; empty: the file `keys` in the data folder, which \
           is made at first use.",
    default: "",
    shape: SettingShape::Secret,
    parse: parse::key_ring,
};

pub(crate) const PEPPER_FILE: SettingKey<Option<PathBuf>> = SettingKey {
    name: "secrets.pepper_file",
    env: "MANILLA_PEPPER_FILE",
    help: "File that holds `secrets.pepper`, in place of it; not readable by every user.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};

pub(crate) const KEYS_FILE: SettingKey<Option<PathBuf>> = SettingKey {
    name: "secrets.keys_file",
    env: "MANILLA_SECRETS_KEYS_FILE",
    help: "File that holds `secrets.keys`, in place of it, such as a copy of the file `keys`; not \
           readable by every user.",
    default: "",
    shape: SettingShape::Path,
    parse: |text| Ok(parse::optional_file(text)),
};
