//! `manilla key-ring rotate`. It must keep every generation there is.

use clap::Args;
use key_ring::KeyRing;
use ports::clock::Clock as _;
use serde::Serialize;

use super::data_folder_is_there;
use crate::clock::SystemClock;
use crate::config::{Config, SettingSource, keys};
use crate::failure::Failure;
use crate::{entropy, output, secrets};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key-ring rotate
  manilla key-ring rotate --data /var/lib/manilla --json

Instances read the key ring when they start: copy the file `keys` to every instance, to where
operators run commands and into backups, then restart each instance. Confidential fields are sealed
and keys of merchants are hashed under the new generation from then on; nothing of before is
invalidated. A store that was opened with a
generation refuses who lacks it. Keep every generation for as long as anything that was sealed with
it. Where the ring is set by secrets.keys or secrets.keys_file, nothing is changed: the line to add
is printed.")]
pub(crate) struct KeyRingRotateOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    generation: u32,
}

pub(super) fn run(options: &KeyRingRotateOptions, config: &Config) -> Result<(), Failure> {
    let now = SystemClock.now();
    if let Some(ring) = &config.keys {
        return by_hand(ring, config);
    }
    data_folder_is_there(config)?;
    let rotated = secrets::rotate_keys(&config.data, now)?;
    for warning in &rotated.warnings {
        tracing::warn!("{warning}");
    }
    let generation = rotated.ring.newest();
    if options.json {
        return Ok(output::json(&Answer { generation })?);
    }
    Ok(output::line(format!(
        "Generation {generation} was added to the key ring. Copy the file to every instance and to \
         where operators run commands, then restart every instance: from then on it seals with \
         {generation}."
    ))?)
}

/// Prints what to add to a ring that is set elsewhere.
fn by_hand(ring: &KeyRing, config: &Config) -> Result<(), Failure> {
    let made_at = secrets::moment(SystemClock.now());
    let line = ring.clone().rotated(entropy::bytes()?, &made_at)?;
    let line = line.newest_line().unwrap_or_default();
    output::line(line)?;
    let file = config.origin(keys::KEYS_FILE.name);
    let (setting, origin) = if file == SettingSource::Default.word() {
        (keys::KEYS.name, config.origin(keys::KEYS.name))
    } else {
        (keys::KEYS_FILE.name, file)
    };
    Err(Failure::from(anyhow::anyhow!(
        "the key ring comes from {setting} ({origin}), which cannot be changed from here; add the \
         line above to it for every instance, beside the generations it has, and restart them"
    )))
}
