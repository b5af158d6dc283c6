//! The store that the settings name, opened for a person who looks. It must make no file, no key
//! and no schema, and write nothing.

use std::sync::Arc;

use application::credentials::Pepper;
use key_ring::KeyRing;
use storage_sql::field_cipher::FieldCipher;

use super::storage::Storage;
use super::{AdminContext, journal, store_secrets};
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
        let store = postgres::PostgresStore::open_to_read(url.as_str(), &options, sealing).await?;
        Storage::Shared(Arc::new(store))
    } else {
        let cipher = FieldCipher::new(&ring, entropy::bytes()?);
        let store = sqlite::SqliteStore::open_to_read(&config.data, cipher).await?;
        Storage::Embedded(Arc::new(store))
    };
    let pepper = stored_pepper(config).unwrap_or_else(|_| Pepper::new([0; 32]));
    let pepper = super::pepper::in_generations(pepper, &ring);
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

/// The key ring of the settings or of the data folder; none is made.
pub(crate) fn stored_keys(config: &Config) -> anyhow::Result<Option<KeyRing>> {
    journal::known_ring(config)
}

impl AdminContext {
    /// Refuses a pepper and a key ring that are not those the store was used with.
    pub(crate) async fn must_fit(
        &self,
        (pepper, ring): (&Pepper, &KeyRing),
        config: &Config,
    ) -> anyhow::Result<()> {
        let store = self.storage.ports().secret_proofs;
        let ours = store_secrets::proofs(pepper, ring);
        store_secrets::check(&*store, &ours, config).await.map(drop)
    }
}
