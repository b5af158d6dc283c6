//! The data folder, the pepper that API keys are hashed with, and the key ring. It must never make
//! a new pepper over existing accounts, and never take a generation out of the key ring.

mod keys;
pub(crate) mod sealed;

pub(crate) use keys::{key_ring, known_keys, moment, rotate_keys};

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::entropy;
use crate::files::{self, FileAccess};
use crate::secret_files;

/// The name of the file in the data folder.
const FILE_NAME: &str = "pepper";

/// The 32 bytes that API keys are hashed with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PepperBytes(pub(crate) [u8; 32]);

impl fmt::Debug for PepperBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PepperBytes(…)")
    }
}

/// Whether books are kept in the data folder already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecretsScope {
    /// None yet: a missing pepper is made.
    New,
    /// There are: a missing pepper is lost.
    Existing,
}

/// Makes the data folder if it is not there. Returns what is worth a warning.
pub(crate) fn data_folder(path: &Path) -> anyhow::Result<Option<String>> {
    let remedy = || {
        format!(
            "the data folder {} cannot be made or written to; choose another with --data, or give \
             this user the right to write there",
            path.display()
        )
    };
    files::private_folder(path).with_context(remedy)?;
    let probe = path.join(format!(".writable.{}", std::process::id()));
    files::replace(&probe, b"", FileAccess::Private).with_context(remedy)?;
    files::remove(&probe).with_context(remedy)?;
    files::exposure(path).with_context(remedy)
}

/// The pepper in the data folder, made if this is the first start.
pub(crate) fn pepper(
    data: &Path,
    books: SecretsScope,
) -> anyhow::Result<(PepperBytes, Option<String>)> {
    let path = data.join(FILE_NAME);
    let kept = files::read(&path).with_context(|| unreadable(&path))?;
    let kept = match (kept, books) {
        (Some(kept), _) => kept,
        (None, SecretsScope::Existing) => bail!(
            "{} is missing, and the accounts' API keys can only be recognised with it; restore it \
             from a backup, or make a new one with `head -c 32 /dev/urandom > {0}`, accept it with \
             `manilla key-ring accept` and rotate the key of every account",
            path.display()
        ),
        (None, SecretsScope::New) => make(&path)?,
    };
    let Ok(bytes) = <[u8; 32]>::try_from(kept.as_slice()) else {
        bail!(
            "{} must hold 32 bytes and holds {}; restore it from a backup",
            path.display(),
            kept.len()
        );
    };
    let exposed = secret_files::guarded(&path)?;
    Ok((PepperBytes(bytes), exposed))
}

/// Makes the pepper, or takes the one that another process made in the same moment.
fn make(path: &Path) -> anyhow::Result<Vec<u8>> {
    let fresh = entropy::bytes::<32>()?;
    let written = files::create(path, &fresh, FileAccess::Private);
    if written.with_context(|| unreadable(path))? {
        return Ok(fresh.to_vec());
    }
    let theirs = files::read(path).with_context(|| unreadable(path))?;
    theirs.with_context(|| unreadable(path))
}

fn unreadable(path: &Path) -> String {
    format!(
        "{} cannot be read or written; it must belong to the user that runs the gateway",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_pepper_is_made_once_and_kept() {
        let folder = TempDir::new().unwrap();
        let (first, warning) = pepper(folder.path(), SecretsScope::New).unwrap();
        assert_eq!(warning, None);
        assert_ne!(first.0, [0; 32]);
        assert_eq!(
            pepper(folder.path(), SecretsScope::Existing).unwrap().0,
            first
        );
        let other = TempDir::new().unwrap();
        assert_ne!(pepper(other.path(), SecretsScope::New).unwrap().0, first);
    }

    #[test]
    fn a_lost_pepper_is_not_replaced_behind_the_operators_back() {
        let folder = TempDir::new().unwrap();
        let lost = pepper(folder.path(), SecretsScope::Existing).unwrap_err();
        assert!(
            lost.to_string().contains("restore it from a backup"),
            "{lost}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn half_a_pepper_is_refused() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(FILE_NAME), [1; 31]).unwrap();
        let short = pepper(folder.path(), SecretsScope::Existing).unwrap_err();
        assert!(
            short
                .to_string()
                .contains("must hold 32 bytes and holds 31"),
            "{short}"
        );
    }

    #[test]
    fn a_pepper_that_the_group_can_read_is_warned_of_and_one_that_all_can_is_refused() {
        let folder = TempDir::new().unwrap();
        pepper(folder.path(), SecretsScope::New).unwrap();
        let path = folder.path().join(FILE_NAME);
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let (_, warning) = pepper(folder.path(), SecretsScope::Existing).unwrap();
        assert!(warning.unwrap().contains("chmod 600"));
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        let refused = pepper(folder.path(), SecretsScope::Existing).unwrap_err();
        assert!(refused.to_string().contains("chmod o= "), "{refused}");
    }

    #[test]
    fn a_pepper_is_not_printed() {
        assert_eq!(format!("{:?}", PepperBytes([7; 32])), "PepperBytes(…)");
    }

    #[test]
    fn a_data_folder_is_private_from_the_start() {
        let folder = TempDir::new().unwrap();
        let data = folder.path().join("a/b");
        assert_eq!(data_folder(&data).unwrap(), None);
        assert_eq!(
            fs::metadata(&data).unwrap().permissions().mode() & 0o777,
            0o700
        );
        assert_eq!(fs::read_dir(&data).unwrap().count(), 0);

        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let refused = data_folder(&file.join("data")).unwrap_err();
        assert!(
            refused.to_string().contains("choose another with --data"),
            "{refused}"
        );
    }
}
