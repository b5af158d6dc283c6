//! The pepper and the key ring: that they are there, whole and private, and belong to the store. It
//! must make none, and show none.

use crate::compose::{AdminContext, stored_keys, stored_pepper};
use crate::config::{Config, keys};
use crate::{secret_files, secrets};

use super::finding::Finding;

/// Whether there is a pepper and a key ring, and who can read them.
pub(super) fn files(config: &Config) -> Vec<Finding> {
    let operator = config.operator.passphrase_file.as_ref();
    let passphrase = operator.filter(|it| it.as_os_str() != "-");
    let passphrase = passphrase.map(|it| match secret_files::guarded(it) {
        Ok(warning) => warned("passphrase", warning, "is private"),
        Err(error) => Finding::error("passphrase", error),
    });
    let own = [pepper(config), key_ring(config)];
    own.into_iter().chain(passphrase).collect()
}

fn pepper(config: &Config) -> Finding {
    let check = "pepper";
    if config.pepper.is_some() {
        let names = [keys::PEPPER.name, keys::PEPPER_FILE.name];
        return Finding::ok(check, set_by(config, names));
    }
    match secrets::pepper(&config.data, secrets::SecretsScope::Existing) {
        Ok((_, warning)) => warned(check, warning, "it is in the data folder, and private"),
        Err(error) => Finding::error(check, error),
    }
}

fn key_ring(config: &Config) -> Finding {
    let check = "key ring";
    if config.keys.is_some() {
        let names = [keys::KEYS.name, keys::KEYS_FILE.name];
        return Finding::ok(check, set_by(config, names));
    }
    let path = config.data.join("keys");
    match secrets::known_keys(&config.data) {
        Ok(Some(ring)) => match secret_files::guarded(&path) {
            Ok(warning) => {
                let newest = ring.newest();
                let found =
                    format!("generation {newest} seals; it is in the data folder, and private");
                warned(check, warning, &found)
            }
            Err(error) => Finding::error(check, error),
        },
        Ok(None) => Finding::fail(check, format!("{} is missing", path.display()))
            .remedied_by("restore it from a backup, or copy it from an instance that works"),
        Err(error) => Finding::error(check, error),
    }
}

/// Which of two settings a secret comes from.
fn set_by(config: &Config, names: [&str; 2]) -> String {
    let given = |name: &&str| config.origin(name) != "default";
    let name = names.into_iter().find(given).unwrap_or_default();
    format!("it is set by {name} ({})", config.origin(name))
}

fn warned(check: &str, warning: Option<String>, well: &str) -> Finding {
    warning.map_or_else(
        || Finding::ok(check, well),
        |warning| Finding::warn(check, warning),
    )
}

/// Whether the pepper and the key ring are those that the store was used with.
pub(super) async fn fit(context: &AdminContext, config: &Config) -> Option<Finding> {
    // One that is missing was found before.
    let pepper = stored_pepper(config).ok()?;
    let ring = stored_keys(config).ok()??;
    let fits = context.must_fit((&pepper, &ring), config).await;
    fits.err().map(|error| Finding::error("secrets", error))
}
