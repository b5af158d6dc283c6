//! The store that the settings name: a file in the data folder, or a database that several
//! instances share. Callers must not see which of the two it is.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use application::credentials::Pepper;
use application::operators::fingerprint;
use key_ring::KeyRing;
use ports::audit::Serving;
use ports::clock::Clock as _;
use ports::measurements::{Measurements, Unmeasured};
use ports::peers::SingleInstance;
use ports::secret_proofs::{SecretProof, SecretProofs as _};
use sqlite::ServeLock;
use storage_sql::field_cipher::FieldCipher;
use tokio_util::sync::CancellationToken;

use super::row_codes::{newest_generation_later, spread_generation};
pub(crate) use super::store_ports::Ports;
use super::{pepper, store_secrets};
use crate::clock::SystemClock;
use crate::config::{Config, DatabaseUrl};
use crate::ids::Slot;
use crate::{entropy, secrets};

/// Up to this size a file is checked before it is served; a larger one while payments wait.
const CHECKED_FIRST_BYTES_MAX: u64 = 256 << 20;

/// The file the embedded store keeps its books in; its absence means that nothing was ever kept.
pub(crate) const BOOKS_FILE: &str = "manilla.db";

/// What to do where there is no data folder, or an empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataFolder {
    /// Begin one.
    MadeIfMissing,
    /// Refuse: the name is probably misspelt.
    MustExist,
}

/// An open store.
#[derive(Debug, Clone)]
pub(crate) enum Storage {
    /// A file that one process serves.
    Embedded(Arc<sqlite::SqliteStore>),
    /// A database that several instances serve.
    Shared(Arc<postgres::PostgresStore>),
}

/// The right to serve, for as long as it is held.
#[derive(Debug)]
pub(crate) enum ServeGuard {
    /// No other process may serve the folder.
    Exclusive { _lock: ServeLock },
    /// One place of many.
    Shared(Arc<postgres::PostgresStore>),
}

/// An open store with what belongs to it.
#[derive(Debug)]
pub(super) struct OpenedStorage {
    pub(super) storage: Storage,
    pub(super) pepper: Pepper,
    /// What is sealed with.
    pub(super) ring: KeyRing,
    /// What both make of a constant.
    pub(super) proofs: Vec<SecretProof>,
    /// Where it was opened to be served.
    pub(super) serve_guard: Option<ServeGuard>,
}

impl OpenedStorage {
    /// Refuses secrets that are not those of the store.
    async fn must_fit(&self, config: &Config) -> anyhow::Result<()> {
        let store = self.storage.ports().secret_proofs;
        let fits = store_secrets::check(&*store, &self.proofs, config).await;
        fits.map(drop)
    }
}

/// Opens the store that the settings name, for commands beside a server or without one.
pub(super) async fn open(config: &Config, folder: DataFolder) -> anyhow::Result<OpenedStorage> {
    let opened = open_unchecked(config, folder).await?;
    let store = opened.storage.ports().secret_proofs;
    store_secrets::keep(&*store, &opened.proofs, config).await?;
    opened.storage.complete_codes().await?;
    Ok(opened)
}

/// Opens the store that the settings name, whatever secrets it was used with before: an operator is
/// about to accept those there are.
pub(super) async fn open_to_accept(config: &Config) -> anyhow::Result<OpenedStorage> {
    open_unchecked(config, DataFolder::MustExist).await
}

async fn open_unchecked(config: &Config, folder: DataFolder) -> anyhow::Result<OpenedStorage> {
    let measurements = Arc::new(Unmeasured) as Arc<dyn Measurements>;
    match config.database.reachable()? {
        Some(url) => shared((config, measurements), url, folder).await,
        None => embedded((config, measurements), folder, |_| Ok(None)).await,
    }
}

/// Opens the store the settings name, to serve it.
pub(super) async fn open_to_serve(
    config: &Config,
    measurements: Arc<dyn Measurements>,
) -> anyhow::Result<OpenedStorage> {
    if let Some(url) = config.database.reachable()? {
        let measured = (config, measurements);
        let opened = shared(measured, url, DataFolder::MadeIfMissing).await?;
        opened.must_fit(config).await?;
        let serve_guard = match &opened.storage {
            Storage::Shared(store) => {
                store.join(&SystemClock).await?;
                if store.sells_at(&prices(config)).await? {
                    tracing::warn!(
                        "another instance over this database sells at other prices, so what a \
                         payment costs depends on which one is asked; give all the same \
                         [[price_override]], [[payout_charge]], [[credit_price]], \
                         [[collection_charge]], [[biller]] and [[paid_lookup]] sections and \
                         restart them"
                    );
                }
                Some(ServeGuard::Shared(Arc::clone(store)))
            }
            Storage::Embedded(_) => None,
        };
        return Ok(OpenedStorage {
            serve_guard,
            ..opened
        });
    }
    let only = |data: &Path| {
        Ok(Some(ServeGuard::Exclusive {
            _lock: ServeLock::acquire(data)?,
        }))
    };
    let measured = (config, measurements);
    let opened = embedded(measured, DataFolder::MadeIfMissing, only).await?;
    opened.must_fit(config).await?;
    opened.storage.complete_codes().await?;
    if let Storage::Embedded(store) = &opened.storage {
        store.await_integrity();
        if store.bytes().await? <= CHECKED_FIRST_BYTES_MAX {
            store
                .check_pages()
                .await
                .with_context(|| damaged(&config.data))?;
        }
    }
    Ok(opened)
}

/// A fingerprint of everything that prices follow from and that instances may differ in.
fn prices(config: &Config) -> String {
    let mut overrides: Vec<_> = config
        .price_overrides
        .iter()
        .map(|price| format!("{price:?}"))
        .collect();
    overrides.sort();
    fingerprint(&format!(
        "{} {overrides:?} {:?} {:?} {:?} {:?} {:?}",
        env!("CARGO_PKG_VERSION"),
        config.charges,
        config.credit_prices,
        config.collection.charges,
        config.billers,
        config.paid_lookups
    ))
}

fn damaged(data: &Path) -> String {
    format!(
        "the database file in {} is damaged, and nothing is bought over it; restore {BOOKS_FILE} \
         from a backup and remove {BOOKS_FILE}-wal and {BOOKS_FILE}-shm, which belong to the \
         damaged one, but keep the folder journal",
        data.display()
    )
}

/// The pepper is made before the database, so a database without a pepper has lost it.
async fn embedded(
    (config, measurements): (&Config, Arc<dyn Measurements>),
    folder: DataFolder,
    serve_guard: impl FnOnce(&Path) -> anyhow::Result<Option<ServeGuard>>,
) -> anyhow::Result<OpenedStorage> {
    let data = &config.data;
    let has_books = data.join(BOOKS_FILE).exists();
    if folder == DataFolder::MustExist && !has_books {
        bail!(
            "{} holds no books; name the data folder with --data (it is made by `manilla serve` or \
             `manilla account create`)",
            data.display()
        );
    }
    if folder == DataFolder::MustExist && super::journal::known_ring(config)?.is_none() {
        return Err(no_keys(config));
    }
    if has_books && super::journal::known_ring(config)?.is_none() && has_sealed(data).await {
        return Err(super::journal::missing_ring(config));
    }
    let pepper = pepper::kept(config, has_books)?;
    let serve_guard = serve_guard(data)?;
    let ring = super::journal::ring(config)?;
    let pepper = pepper::in_generations(pepper, &ring);
    let cipher = FieldCipher::new(&ring, entropy::bytes()?);
    let options = sqlite::SqliteOptions {
        measurements,
        ..sqlite::SqliteOptions::default()
    };
    let store = sqlite::SqliteStore::connect(data, options, cipher).await;
    let store = store.with_context(|| {
        format!(
            "the books in {} cannot be opened; if {BOOKS_FILE} is damaged, restore the folder from \
             a backup",
            data.display()
        )
    })?;
    let proofs = store_secrets::proofs(&pepper, &ring);
    Ok(OpenedStorage {
        storage: Storage::Embedded(Arc::new(store)),
        pepper,
        ring,
        proofs,
        serve_guard,
    })
}

/// Whether the database in a data folder was used with a key ring, as far as it can say so: one of
/// an older release cannot.
async fn has_sealed(data: &Path) -> bool {
    // What is asked for is sealed under no key.
    let cipher = FieldCipher::new(&KeyRing::generate([0; 32], ""), [0; 16]);
    let Ok(store) = sqlite::SqliteStore::open_to_read(data, cipher).await else {
        return false;
    };
    let proofs = store.accepted_proofs().await;
    store.close().await;
    proofs.is_ok_and(|proofs| !proofs.is_empty())
}

/// The schema of a shared database was made by `manilla migrate`; the pepper is of the process that
/// opens the first account in it.
async fn shared(
    (config, measurements): (&Config, Arc<dyn Measurements>),
    url: &DatabaseUrl,
    folder: DataFolder,
) -> anyhow::Result<OpenedStorage> {
    let standby = config.database.reachable_standby()?;
    let options = postgres::PostgresOptions {
        measurements: Arc::clone(&measurements),
        writers: config.database.writers,
        readers: config.database.readers,
    };
    // What it warns of is said where the pepper is looked for.
    drop(secrets::data_folder(&config.data)?);
    if super::journal::known_ring(config)?.is_none() {
        // Other instances could not open what is sealed under a new key ring, for good.
        let unused = KeyRing::generate(entropy::bytes()?, "");
        let store = connected(&unused, url, &options).await?;
        let is_known = store.was_used().await?;
        store.close().await;
        if is_known {
            return Err(super::journal::missing_ring(config));
        }
        if folder == DataFolder::MustExist {
            return Err(no_keys(config));
        }
    }
    let ring = super::journal::ring(config)?;
    let mut store = connected(&ring, url, &options).await?;
    store.make_codes_under(spread_generation(&ring, SystemClock.now()));
    if let Some(standby) = standby {
        let wait = config.database.standby.wait;
        let reading = store.with_standby(standby.as_str(), (wait, measurements));
        store = reading.context("`database.standby_url`")?;
    }
    // A folder without one is given none where the database knows which it must be.
    let is_known = store.was_used().await?;
    let pepper = pepper::kept(config, is_known).with_context(|| {
        if is_known {
            "the database knows which pepper its API keys are hashed under: copy the file `pepper` \
             from the data folder of an instance that works, and `keys` with it, or set \
             secrets.pepper and secrets.keys"
        } else {
            "there is no pepper to hash API keys under"
        }
    })?;
    let pepper = pepper::in_generations(pepper, &ring);
    let proofs = store_secrets::proofs(&pepper, &ring);
    Ok(OpenedStorage {
        storage: Storage::Shared(Arc::new(store)),
        pepper,
        ring,
        proofs,
        serve_guard: None,
    })
}

async fn connected(
    ring: &KeyRing,
    url: &DatabaseUrl,
    options: &postgres::PostgresOptions,
) -> anyhow::Result<postgres::PostgresStore> {
    let sealing = postgres::MessageSealing::new(ring, entropy::bytes()?);
    let store = postgres::PostgresStore::connect(url.as_str(), options, sealing).await;
    store.context("the books in the database cannot be opened")
}

/// A command that looks into a store makes no keys: those it made would not be the store's.
fn no_keys(config: &Config) -> anyhow::Error {
    anyhow::anyhow!(
        "{} holds no key ring, the file `keys`; name the data folder of the gateway with --data, \
         or put the file there that belongs to this store",
        config.data.display()
    )
}

impl Storage {
    /// What it is asked through.
    pub(super) fn ports(&self) -> Ports {
        match self {
            Self::Embedded(store) => Ports::of(store, Arc::new(SingleInstance)),
            Self::Shared(store) => Ports::of(store, Arc::clone(store) as _),
        }
    }

    /// What erases its meter tokens after a time.
    pub(super) fn retention(
        &self,
        meter_tokens: Option<Duration>,
    ) -> application::retention::Retention {
        let store = self.ports().retention;
        application::retention::Retention::new(store, Arc::new(SystemClock), meter_tokens)
    }

    /// Which of the instances over the store this process is, once it is seated.
    pub(super) fn slot(&self) -> Slot {
        match self {
            Self::Embedded(_) => Slot::default(),
            Self::Shared(store) => Slot::over(store.instance_slot().slot()),
        }
    }

    /// Whether a server works on these books.
    pub(super) async fn serving(&self, data: &Path) -> anyhow::Result<Serving> {
        match self {
            Self::Shared(store) => Ok(store.serving().await?),
            Self::Embedded(_) if sqlite::is_held(data)? => Ok(Serving::Yes),
            Self::Embedded(_) => Ok(Serving::No),
        }
    }

    /// Checks the whole of an embedded file while it is served. A shared database checks its pages
    /// itself.
    pub(crate) async fn check_integrity(&self, data: &Path) {
        let Self::Embedded(store) = self else {
            return;
        };
        let pages = store.check_pages().await;
        let checked = match pages {
            Ok(()) => store.check_integrity().await,
            Err(error) => Err(error),
        };
        if let Err(error) = checked {
            let remedy = damaged(data);
            tracing::error!(%error, remedy, "payments are suspended: the database file is damaged");
        }
    }

    /// Finishes what is queued and lets go of the store.
    pub(crate) async fn close(&self) {
        match self {
            Self::Embedded(store) => store.close().await,
            Self::Shared(store) => store.close().await,
        }
    }
}

impl ServeGuard {
    /// Renews the slot until it is stopped; the lock of a folder needs no renewal.
    pub(crate) async fn keep(&self, stop: CancellationToken) {
        match self {
            Self::Exclusive { .. } => stop.cancelled().await,
            Self::Shared(store) => {
                let renewed = store.renew_slot(&SystemClock, stop.cancelled());
                tokio::join!(renewed, newest_generation_later(store, &stop));
            }
        }
    }
}
