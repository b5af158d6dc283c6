//! The store that the settings name, opened for a person who looks. It must make no file, no key
//! and no schema, and write nothing.

use std::sync::Arc;

use application::credentials::Pepper;
use key_ring::KeyRing;
use storage_sql::field_cipher::FieldCipher;

use super::storage::Storage;
use super::{AdminContext, journal};
use crate::config::Config;
use crate::{entropy, secrets};

/// Connections that read: nothing is asked at the same time.
const READERS: u32 = 2;

/// Opens the store to look into it. Secrets that are missing are found by checks of their own: what
/// is asked of the store needs none.
pub(crate) async fn open_to_inspect(config: &Config) -> anyhow::Result<AdminContext> {
    let ring = match journal::known_ring(config) {
        Ok(Some(ring)) => ring,
        Ok(None) | Err(_) => KeyRing::generate(entropy::bytes()?, ""),
    };
    let storage = if let Some(url) = config.database.reachable()? {
        let options = postgres::PostgresOptions {
            writers: 1,
            readers: READERS,
            ..postgres::PostgresOptions::default()
        };
        let sealing = postgres::MessageSealing::new(&ring, entropy::bytes()?);
        let store = postgres::PostgresStore::connect(url.as_str(), &options, sealing).await?;
        Storage::Shared(Arc::new(store))
    } else {
        let cipher = FieldCipher::new(&ring, entropy::bytes()?);
        let store = sqlite::SqliteStore::open_to_read(&config.data, cipher).await?;
        Storage::Embedded(Arc::new(store))
    };
    let pepper = stored_pepper(config).unwrap_or_else(|_| Pepper::new([0; 32]));
    Ok(AdminContext::over(config, storage, pepper))
}

/// The pepper of the settings or of the data folder; none is made.
pub(crate) fn stored_pepper(config: &Config) -> anyhow::Result<Pepper> {
    let pepper = match config.pepper {
        Some(pepper) => pepper,
        None => secrets::pepper(&config.data, secrets::SecretsScope::Existing)?.0,
    };
    Ok(Pepper::new(pepper.0))
}

impl AdminContext {
    /// Whether API keys in the store are hashed under a pepper, as far as the store knows.
    pub(crate) async fn recognises(&self, pepper: &Pepper) -> anyhow::Result<bool> {
        match &self.storage {
            Storage::Embedded(_) => Ok(true),
            Storage::Shared(store) => Ok(store.recognises(&pepper.proof()).await?),
        }
    }
}
