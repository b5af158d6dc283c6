//! The attempt journal of a serving process: a folder beside the embedded store, or the only thing
//! this machine keeps of a shared one. It must never lie within a database that it vouches for.

use std::error::Error as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use attempt_journal::{FileJournal, JournalOptions, Start};
use key_ring::KeyRing;
use ports::clock::Clock as _;
use ports::journal::JournalReader as _;

use crate::clock::SystemClock;
use crate::config::Config;
use crate::{entropy, secrets};

/// The folder of journals within the data folder.
const FOLDER: &str = "journal";

/// What names this boot of the machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// Opens the journal of this process, or makes one.
pub(super) async fn open(
    config: &Config,
    ring: KeyRing,
) -> anyhow::Result<Arc<dyn ports::journal::Journal>> {
    let folder = config.data.join(FOLDER);
    let (boot_id, random) = (boot_id()?, entropy::bytes()?);
    let within = folder.clone();
    let opened = tokio::task::spawn_blocking(move || {
        let start = Start {
            ring: &ring,
            options: JournalOptions::default(),
            boot_id,
            random,
            now: SystemClock.now(),
        };
        FileJournal::open(&within, &start)
    });
    let opened = opened.await?.with_context(|| remedy(&folder))?;
    let journal = opened.journal.id().0.as_str();
    tracing::info!(journal, origin = ?opened.origin, "the attempt journal is open");
    warn_of_other_keys(&opened.journal).await;
    Ok(Arc::new(opened.journal))
}

/// Tries the key ring on the newest entry, before the first one of this process is sealed: what is
/// sealed under the key ring of another installation opens under none that is put back later.
async fn warn_of_other_keys(journal: &FileJournal) {
    // A damaged journal is reported where it is compared with the store.
    let newest = journal.page(journal.id(), None, 1).await;
    for entry in newest.unwrap_or_default() {
        let opened = journal.transaction(journal.id(), entry.entry).await;
        if let Err(error) = opened {
            let cause = error.source().map(ToString::to_string);
            tracing::warn!(
                %error,
                cause,
                "the newest entry of the attempt journal cannot be opened; if the file `keys` or \
                 secrets.keys is of another installation or lacks a generation, stop and restore \
                 it: what is sealed meanwhile opens under no other"
            );
        }
    }
}

/// The keys that entries, confidential fields and messages to other instances are sealed with.
pub(super) fn ring(config: &Config) -> anyhow::Result<KeyRing> {
    if let Some(ring) = &config.keys {
        return Ok(ring.clone());
    }
    let found = secrets::key_ring(&config.data, SystemClock.now())?;
    for warning in &found.warnings {
        tracing::warn!("{warning}");
    }
    Ok(found.ring)
}

/// The same, if the settings or the data folder have them already: none are made.
pub(super) fn known_ring(config: &Config) -> anyhow::Result<Option<KeyRing>> {
    match &config.keys {
        Some(ring) => Ok(Some(ring.clone())),
        None => secrets::known_keys(&config.data),
    }
}

/// A shared database was used, and this folder has no key ring for it.
pub(super) fn missing_ring(config: &Config) -> anyhow::Error {
    anyhow::anyhow!(
        "{} holds no key ring, and this database was used under one already: copy the files `keys` \
         and `pepper` from the data folder of an instance that works, or set secrets.keys; if the \
         key ring is lost, `manilla key-ring rotate` makes another and `manilla key-ring accept` \
         has the store used with it, which opens nothing of what was sealed before",
        config.data.display()
    )
}

fn remedy(folder: &Path) -> String {
    format!(
        "the attempt journal in {} cannot be used; nothing is sent without one, so give this user \
         the right to write there",
        folder.display()
    )
}

/// Without a name of the boot every process counts as a boot of its own: entries that were never
/// confirmed are then asked about instead of forgotten.
fn boot_id() -> anyhow::Result<String> {
    match fs::read_to_string(BOOT_ID) {
        Ok(text) => Ok(text.trim().to_owned()),
        Err(_) => Ok(u64::from_le_bytes(entropy::bytes()?).to_string()),
    }
}
