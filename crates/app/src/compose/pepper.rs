//! The pepper of a process, with its generations. None may be made where a store was used with one.

use application::credentials::Pepper;
use key_ring::{KeyRing, Purpose};

use crate::config::Config;
use crate::secrets;

/// The pepper with its generations: the file is the first, and each later one is derived from the
/// generation of the key ring with its number, so that one rotation is of both.
pub(super) fn in_generations(pepper: Pepper, ring: &KeyRing) -> Pepper {
    let derived = ring.key(Purpose::Credentials).derived();
    let later = derived
        .into_iter()
        .filter(|(number, _)| *number > pepper.newest());
    later
        .collect::<Vec<_>>()
        .into_iter()
        .fold(pepper, |pepper, (number, secret)| {
            pepper.rotated(number, secret)
        })
}

/// Makes the data folder ready and finds the pepper.
pub(super) fn kept(config: &Config, has_books: bool) -> anyhow::Result<Pepper> {
    let data = &config.data;
    let open_door = secrets::data_folder(data)?;
    let kept = if has_books {
        secrets::SecretsScope::Existing
    } else {
        secrets::SecretsScope::New
    };
    let (pepper, readable) = match config.pepper {
        Some(pepper) => (pepper, None),
        None => secrets::pepper(data, kept)?,
    };
    for warning in open_door.into_iter().chain(readable) {
        tracing::warn!("{warning}");
    }
    Ok(Pepper::new(pepper.0))
}
