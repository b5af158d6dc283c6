//! Secrets, each written in place or in a file of its own. What is wrong must be said by the name
//! of the setting and the file, and never with any of the secret.

use std::path::PathBuf;

use key_ring::KeyRing;

use super::super::database::DatabaseUrl;
use super::super::key::{Setting as _, SettingKey};
use super::super::parse::{self, Parsed};
use super::super::problem::Problem;
use super::super::{keys, show};
use super::SettingReader;
use crate::secret_files;
use crate::secrets::PepperBytes;

/// A secret and the setting that names its file.
pub(super) struct FiledSecret<T: 'static> {
    setting: &'static SettingKey<T>,
    file: &'static SettingKey<Option<PathBuf>>,
    /// How the content of the file is read.
    parse: fn(&[u8]) -> Parsed<T>,
}

/// Where the database is.
pub(super) const DATABASE_URL: FiledSecret<Option<DatabaseUrl>> = FiledSecret {
    setting: &keys::DATABASE,
    file: &keys::DATABASE_FILE,
    parse: |content| parse::database(secret_files::text(content)?),
};

/// Where lists are read.
pub(super) const STANDBY_URL: FiledSecret<Option<DatabaseUrl>> = FiledSecret {
    setting: &keys::STANDBY,
    file: &keys::STANDBY_FILE,
    parse: |content| parse::database(secret_files::text(content)?),
};

/// What API keys are hashed with. A copy of the file of a data folder is 32 bytes.
pub(super) const PEPPER: FiledSecret<Option<PepperBytes>> = FiledSecret {
    setting: &keys::PEPPER,
    file: &keys::PEPPER_FILE,
    parse: |content| match <[u8; 32]>::try_from(content) {
        Ok(bytes) => Ok(Some(PepperBytes(bytes))),
        Err(_) => (keys::PEPPER.parse)(secret_files::text(content)?),
    },
};

/// What is sealed with. A copy of the file of a data folder has one generation a line.
pub(super) const KEY_RING: FiledSecret<Option<KeyRing>> = FiledSecret {
    setting: &keys::KEYS,
    file: &keys::KEYS_FILE,
    parse: |content| {
        let text = secret_files::text(content)?;
        let lines = text.parse::<KeyRing>();
        lines.map_or_else(|_| parse::key_ring(text), |ring| Ok(Some(ring)))
    },
};

impl SettingReader<'_> {
    /// A secret, from the one place it is given in.
    pub(super) fn secret<T>(&mut self, secret: &FiledSecret<T>) -> Option<T> {
        let raw = self.values.raw(secret.file);
        let Some(path) = self.get(secret.file)? else {
            return self.get(secret.setting);
        };
        let in_place = self.values.raw(secret.setting);
        if !in_place.text.is_empty() {
            self.problems.push(Problem(format!(
                "`{}` and `{}` are both given ({} and {}): keep one",
                secret.setting.name(),
                secret.file.name(),
                show::whence(secret.setting, &in_place),
                show::whence(secret.file, &raw),
            )));
            return None;
        }
        let read = secret_files::read(&path).and_then(|read| {
            let wrong = |wrong| format!("{} {wrong}", path.display());
            let value = (secret.parse)(read.secret.reveal()).map_err(wrong)?;
            self.warnings.extend(read.warning);
            Ok(value)
        });
        read.map_err(|wrong| {
            let named = show::named(secret.file, &raw);
            self.problems.push(Problem(format!("{named}: {wrong}")));
        })
        .ok()
    }
}
