//! The catalogue in force, from moment to moment: versions are loaded ahead of their time, and each
//! begins by the time of the store. An instance that may have missed one must sell nothing by the
//! one before.

use crate::snapshot::{CatalogueSnapshot, WithheldProducts};
use domain::time::Timestamp;
use ports::PortError;
use ports::catalogue::{Catalogue, CatalogueSource};
use ports::catalogue_versions::{CatalogueVersion, CatalogueVersions, LEAD_MIN};
use ports::clock::Clock;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often versions are looked for: a version is seen several times before it can begin.
pub const POLL_EVERY: Duration = Duration::from_secs(5);

/// How long after it was read the list of versions counts as complete. What is published later
/// begins [`LEAD_MIN`] after the reading at the earliest; the rest is for a commit that is slow and
/// for a clock that runs fast.
pub const STALE_AFTER: Duration = Duration::from_secs(45);

const _: () = assert!(STALE_AFTER.as_secs() < LEAD_MIN.as_secs());

/// The catalogue of an instance.
#[derive(Debug)]
pub struct LiveCatalogue {
    base: Arc<dyn Catalogue>,
    versions: Arc<dyn CatalogueVersions>,
    clock: Arc<dyn Clock>,
    state: RwLock<LiveState>,
}

#[derive(Debug, Default)]
struct LiveState {
    /// The time of the store, and the uptime of this machine before it was asked for.
    read: Option<(Timestamp, Duration)>,
    /// The greatest number that was seen.
    last: u32,
    known: BTreeMap<u32, KnownVersion>,
}

#[derive(Debug)]
struct KnownVersion {
    effective_from: Timestamp,
    digest: [u8; 32],
    changes: Vec<String>,
    loaded: Loaded,
}

#[derive(Debug)]
enum Loaded {
    /// It is asked for again with the next poll.
    NotYet,
    /// This program cannot read it.
    Unreadable,
    Ready(Arc<CatalogueSnapshot>),
}

impl LiveCatalogue {
    /// A catalogue over that of the program; it sells nothing before it was refreshed.
    pub fn new(
        base: Arc<dyn Catalogue>,
        versions: Arc<dyn CatalogueVersions>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            base,
            versions,
            clock,
            state: RwLock::default(),
        }
    }

    /// Reads which versions there are, and loads those that are or will be in force.
    ///
    /// # Errors
    /// When the store failed. What was loaded stays.
    pub async fn refresh(&self) -> Result<(), PortError> {
        let asked_at = self.clock.uptime();
        let last = self.state().last;
        let reading = self.versions.versions(last).await?;
        self.note((reading.now, asked_at), reading.versions);
        let missing: Vec<(u32, [u8; 32])> = {
            let state = self.state();
            let known = state.known.iter();
            let missing = known.filter(|(_, it)| matches!(it.loaded, Loaded::NotYet));
            missing.map(|(number, it)| (*number, it.digest)).collect()
        };
        for (number, digest) in missing {
            let document = self.versions.document(number).await?;
            let loaded = self.load(number, (digest, document.as_deref()));
            if let Some(known) = self.state_mut().known.get_mut(&number) {
                known.loaded = loaded;
            }
        }
        Ok(())
    }

    /// Refreshes until it is stopped.
    pub async fn keep_current(self: Arc<Self>, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = self.clock.sleep(POLL_EVERY) => {}
                () = stop.cancelled() => return,
            }
            if let Err(error) = self.refresh().await {
                tracing::warn!(%error, "the versions of the catalogue were not read");
            }
        }
    }

    fn note(&self, read: (Timestamp, Duration), versions: Vec<CatalogueVersion>) {
        let mut state = self.state_mut();
        state.read = Some(read);
        for version in versions {
            state.last = state.last.max(version.number);
            let known = KnownVersion {
                effective_from: version.effective_from,
                digest: version.digest,
                changes: version.changes,
                loaded: Loaded::NotYet,
            };
            state.known.insert(version.number, known);
        }
        // Of those that have begun only the last is in force; the one before is kept for a clock of
        // the store that is set back a little. What could not be read withholds until a later one
        // that can be takes its place.
        let begun = state.known.iter().rev().filter(|(_, it)| {
            it.effective_from <= read.0 && !matches!(it.loaded, Loaded::Unreadable)
        });
        let kept_from = begun.map(|(number, _)| *number).nth(1).unwrap_or(0);
        state.known.retain(|number, _| *number >= kept_from);
    }

    fn load(&self, number: u32, (digest, document): ([u8; 32], Option<&str>)) -> Loaded {
        let Some(document) = document else {
            tracing::error!(number, "a version of the catalogue has no document");
            return Loaded::Unreadable;
        };
        if digest_of(document) != digest {
            tracing::error!(
                number,
                "a version of the catalogue was changed after it was published"
            );
            return Loaded::Unreadable;
        }
        match CatalogueSnapshot::read(Arc::clone(&self.base), number, document) {
            Ok(snapshot) => {
                tracing::info!(number, "a version of the catalogue was loaded");
                Loaded::Ready(Arc::new(snapshot))
            }
            Err(problems) => {
                let first = problems.first().map(ToString::to_string);
                let first = first.unwrap_or_default();
                tracing::error!(
                    number,
                    first,
                    "a version of the catalogue cannot be read by this version of the gateway: \
                     what it changes is not sold here from its moment on; update this instance"
                );
                Loaded::Unreadable
            }
        }
    }

    fn state(&self) -> RwLockReadGuard<'_, LiveState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, LiveState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot(&self) -> Arc<CatalogueSnapshot> {
        let built_in = || Arc::new(CatalogueSnapshot::built_in(Arc::clone(&self.base)));
        let state = self.state();
        let Some((store_time, asked_at)) = state.read else {
            return Arc::new(built_in().withholding(WithheldProducts::Everything));
        };
        let since = self.clock.uptime().saturating_sub(asked_at);
        let now = store_time.plus(since);
        let begun = || state.known.values().filter(|it| it.effective_from <= now);
        let mut missed = Vec::new();
        let mut in_force = None;
        for version in begun().rev() {
            match &version.loaded {
                Loaded::Ready(snapshot) => {
                    in_force = Some(Arc::clone(snapshot));
                    break;
                }
                Loaded::NotYet | Loaded::Unreadable => missed.extend_from_slice(&version.changes),
            }
        }
        let in_force = in_force.unwrap_or_else(built_in);
        if since > STALE_AFTER {
            return Arc::new(in_force.withholding(WithheldProducts::Everything));
        }
        if missed.is_empty() {
            return in_force;
        }
        Arc::new(in_force.withholding(WithheldProducts::Products(missed)))
    }
}

/// The SHA-256 of a document, as versions name it.
pub fn digest_of(document: &str) -> [u8; 32] {
    Sha256::digest(document.as_bytes()).into()
}

impl CatalogueSource for LiveCatalogue {
    fn in_force(&self) -> Arc<dyn Catalogue> {
        self.snapshot()
    }
}
