//! What a copy of the embedded store is opened with. It must make no key: a copy is only read with
//! those that it was written with.

use std::path::Path;

use anyhow::{anyhow, bail};
use key_ring::KeyRing;
use ports::reconciliation::{Clearance, Reconciliation as _};
use storage_sql::field_cipher::FieldCipher;

use super::journal;
use crate::config::Config;
use crate::{entropy, secrets};

/// What a copy of the database is opened with: keys that are there already.
#[derive(Debug)]
pub(crate) struct KeptSecrets {
    ring: KeyRing,
}

/// The keys of a data folder, or of the settings. None is made: a copy of the database is only read
/// with those that it was written with.
pub(crate) fn kept_secrets(config: &Config) -> anyhow::Result<KeptSecrets> {
    let data = &config.data;
    if !data.is_dir() {
        bail!(
            "there is no folder {}; name the data folder with --data, with the files `pepper` and \
             `keys` that belong to the copy",
            data.display()
        );
    }
    if config.pepper.is_none() {
        drop(secrets::pepper(data, secrets::SecretsScope::Existing)?);
    }
    let ring = journal::known_ring(config)?.ok_or_else(|| {
        anyhow!(
            "{} holds no key ring, the file `keys`, and what is sealed in the copy cannot be \
             opened without; put it there first",
            data.display()
        )
    })?;
    Ok(KeptSecrets { ring })
}

impl KeptSecrets {
    /// Suspends payments in the database of a folder, until a person says that they may go on.
    pub(crate) async fn suspend(&self, folder: &Path, because: &str) -> anyhow::Result<()> {
        let cipher = FieldCipher::new(&self.ring, entropy::bytes()?);
        let options = sqlite::SqliteOptions::default();
        let store = sqlite::SqliteStore::connect(folder, options, cipher).await?;
        let suspended = store.suspend(because, Clearance::Person).await;
        store.close().await;
        Ok(suspended?)
    }
}
