//! Files that hold a secret: reading one, and refusing one that every user can get at. No message
//! may contain any of what is read.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::Path;

use anyhow::{Context as _, bail};

/// Longest secret in bytes: more than any key of an interface, and no file by mistake.
pub(crate) const SECRET_FILE_BYTES_MAX: u64 = 64 * 1024;

/// The rights of the group of a file, and of every other user.
const GROUP_READS: u32 = 0o040;
const GROUP_WRITES: u32 = 0o020;
const OTHERS_READ: u32 = 0o004;
const OTHERS_WRITE: u32 = 0o002;

/// What was read of a file.
#[derive(Debug)]
pub(crate) struct SecretFile {
    pub(crate) secret: FileSecret,
    /// What is worth a warning.
    pub(crate) warning: Option<String>,
}

/// The secret in a file, which is never shown.
pub(crate) struct FileSecret(Vec<u8>);

impl FileSecret {
    /// The whole content.
    pub(crate) fn reveal(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for FileSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FileSecret(…)")
    }
}

/// Who, beside its owner, can get at a file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Exposure {
    /// No user that does not have to.
    Closed,
    /// Its group, without need: worth a warning.
    Group(String),
    /// Every user of the machine: not to be used.
    Everyone(String),
}

/// The content of a file that holds a secret. What is wrong with the file is said with its name and
/// the remedy.
pub(crate) fn read(path: &Path) -> Result<SecretFile, String> {
    let named = |wrong: &dyn std::fmt::Display| format!("{} {wrong}", path.display());
    let mut file = File::open(path).map_err(|error| named(&unopened(&error)))?;
    let unreadable = |error: io::Error| named(&format!("cannot be read: {error}"));
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(named(&"is a folder; name the file of the secret"));
    }
    let warning = match exposure_of(path, &metadata) {
        Exposure::Closed => None,
        Exposure::Group(warning) => Some(warning),
        Exposure::Everyone(refused) => return Err(refused),
    };
    let mut bytes = Vec::new();
    // One byte more than there may be shows that there are too many.
    let most = SECRET_FILE_BYTES_MAX.saturating_add(1);
    let read = file.by_ref().take(most).read_to_end(&mut bytes);
    let length = read.map_err(unreadable)?;
    if u64::try_from(length).is_ok_and(|length| length > SECRET_FILE_BYTES_MAX) {
        return Err(named(
            &"is longer than 64 KiB: it is no secret; name the file of one",
        ));
    }
    Ok(SecretFile {
        secret: FileSecret(bytes),
        warning,
    })
}

/// The text of such a file, without the line break that editors leave at its end. What is wrong can
/// follow the name of the file.
pub(crate) fn text(content: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(content)
        .map_err(|_| "is no text in UTF-8; write the secret into it as one line of text")?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.is_empty() {
        return Err("is empty; write the secret into it".to_owned());
    }
    Ok(text)
}

/// Why a file was not opened, with the remedy.
fn unopened(error: &io::Error) -> String {
    let kind = error.kind();
    if kind == io::ErrorKind::NotFound {
        "is not there; write the secret into it".to_owned()
    } else if kind == io::ErrorKind::PermissionDenied {
        "cannot be read by this user; give it to the user that runs the gateway".to_owned()
    } else {
        format!("cannot be read: {error}")
    }
}

/// Refuses a file that every user can get at; answers what is worth a warning. A link is followed:
/// the file behind it counts.
pub(crate) fn guarded(path: &Path) -> anyhow::Result<Option<String>> {
    let metadata =
        fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
    match exposure_of(path, &metadata) {
        Exposure::Closed => Ok(None),
        Exposure::Group(warning) => Ok(Some(warning)),
        Exposure::Everyone(refused) => bail!(refused),
    }
}

fn exposure_of(path: &Path, metadata: &Metadata) -> Exposure {
    // The null device and terminals keep nothing, and everyone may write to them.
    if metadata.file_type().is_char_device() {
        return Exposure::Closed;
    }
    let owner = metadata.uid();
    // What root gives to a group, as `0640 root:manilla`, a service reads as that group.
    let is_given = owner == 0 && metadata.gid() != 0;
    let is_ours = owner == rustix::process::geteuid().as_raw() && !is_given;
    exposure(path, metadata.mode(), is_ours)
}

/// What the rights of a file come to. Where it belongs to another user, we read it as its group
/// does, as in a mount of Kubernetes with an `fsGroup`: that is no more than is needed.
fn exposure(path: &Path, mode: u32, is_ours: bool) -> Exposure {
    let path = path.display();
    let verbs = |reads: u32, writes: u32| match (mode & reads != 0, mode & writes != 0) {
        (true, true) => Some("read and write"),
        (true, false) => Some("read"),
        (false, true) => Some("write"),
        (false, false) => None,
    };
    if let Some(verbs) = verbs(OTHERS_READ, OTHERS_WRITE) {
        return Exposure::Everyone(format!(
            "every user of this machine can {verbs} {path}, which holds a secret: run `chmod o= \
             {path}`; for a secret that is mounted set `defaultMode: 0440` (Kubernetes), or `uid` \
             and `mode: 0400` (Docker)"
        ));
    }
    let needed = if is_ours { 0 } else { GROUP_READS };
    match verbs(GROUP_READS & !needed, GROUP_WRITES) {
        None => Exposure::Closed,
        Some(verbs) => Exposure::Group(format!(
            "the group of {path}, which holds a secret, can {verbs} it: run `chmod 600 {path}` \
             unless it has to"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::PathBuf;

    use tempfile::TempDir;

    use super::*;

    fn secret(folder: &TempDir, content: impl AsRef<[u8]>, mode: u32) -> PathBuf {
        let path = folder.path().join("token");
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn a_secret_is_a_whole_file_without_its_last_line_break() {
        let folder = TempDir::new().unwrap();
        for (content, expected) in [
            ("abc", "abc"),
            ("abc\n", "abc"),
            ("abc\r\n", "abc"),
            ("abc\n\n", "abc\n"),
            (" abc ", " abc "),
        ] {
            let read = read(&secret(&folder, content, 0o600)).unwrap();
            assert_eq!(text(read.secret.reveal()).unwrap(), expected);
            assert_eq!(format!("{:?}", read.secret), "FileSecret(…)");
        }
    }

    #[test]
    fn a_file_that_holds_no_secret_is_named_with_what_is_wrong_and_the_remedy() {
        let folder = TempDir::new().unwrap();
        let wrong = |path: &Path| {
            let read = read(path);
            let wrong = read.and_then(|it| {
                let text = text(it.secret.reveal());
                let text = text.map_err(|wrong| format!("{} {wrong}", path.display()))?;
                Ok(text.to_owned())
            });
            let wrong = wrong.unwrap_err();
            let named = format!("{} ", path.display());
            wrong.strip_prefix(&named).unwrap_or(&wrong).to_owned()
        };
        let missing = wrong(&folder.path().join("missing"));
        assert_eq!(missing, "is not there; write the secret into it");
        for empty in ["", "\n", "\r\n"] {
            let wrong = wrong(&secret(&folder, empty, 0o600));
            assert_eq!(wrong, "is empty; write the secret into it");
        }
        assert!(wrong(&secret(&folder, [0xff], 0o600)).contains("UTF-8"));
        assert_eq!(
            wrong(folder.path()),
            "is a folder; name the file of the secret"
        );
        let most = usize::try_from(SECRET_FILE_BYTES_MAX).unwrap();
        let longest = secret(&folder, vec![b'a'; most], 0o600);
        assert_eq!(read(&longest).unwrap().secret.reveal().len(), most);
        let longer = secret(&folder, vec![b'a'; most + 1], 0o600);
        assert!(wrong(&longer).contains("longer than 64 KiB"));
    }

    #[test]
    fn a_file_that_every_user_can_get_at_is_refused_with_the_remedy() {
        let folder = TempDir::new().unwrap();
        for (mode, verbs) in [
            (0o644, "can read /"),
            (0o604, "can read /"),
            (0o602, "can write /"),
            (0o666, "can read and write /"),
        ] {
            let path = secret(&folder, "5ec4e7", mode);
            let refused = read(&path).unwrap_err();
            let shown = path.display();
            for part in [verbs, &format!("`chmod o= {shown}`"), "defaultMode: 0440"] {
                assert!(refused.contains(part), "{mode:o} {part}: {refused}");
            }
            assert!(!refused.contains("5ec4e7"), "{refused}");
            assert_eq!(guarded(&path).unwrap_err().to_string(), refused);
        }
    }

    #[test]
    fn the_file_behind_a_link_counts_as_in_a_mount_of_kubernetes() {
        let folder = TempDir::new().unwrap();
        let path = secret(&folder, "abc", 0o644);
        let link = folder.path().join("link");
        symlink("token", &link).unwrap();
        assert!(read(&link).unwrap_err().contains("link"));
        fs::set_permissions(&path, Permissions::from_mode(0o440)).unwrap();
        assert_eq!(read(&link).unwrap().secret.reveal(), b"abc");
        fs::remove_file(&path).unwrap();
        assert!(read(&link).unwrap_err().contains("is not there"));
    }

    #[test]
    fn a_file_that_the_group_can_get_at_is_warned_of_and_used() {
        let folder = TempDir::new().unwrap();
        let path = secret(&folder, "abc", 0o640);
        let read = read(&path).unwrap();
        assert_eq!(read.secret.reveal(), b"abc");
        let warning = read.warning.unwrap();
        assert!(warning.contains("can read it: run `chmod 600"), "{warning}");
        assert_eq!(guarded(&path).unwrap(), Some(warning));
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(guarded(&path).unwrap(), None);
    }

    #[test]
    fn the_group_may_read_what_belongs_to_another_user_and_never_write() {
        let path = Path::new("/etc/manilla/token");
        assert_eq!(exposure(path, 0o100_440, false), Exposure::Closed);
        assert_eq!(exposure(path, 0o100_640, false), Exposure::Closed);
        let warned = |mode, is_ours| match exposure(path, mode, is_ours) {
            Exposure::Group(warning) => warning,
            other @ (Exposure::Closed | Exposure::Everyone(_)) => panic!("{other:?}"),
        };
        assert!(warned(0o100_660, false).contains("can write it"));
        assert!(warned(0o100_660, true).contains("can read and write it"));
        assert!(warned(0o100_440, true).contains("can read it"));
        assert!(matches!(
            exposure(path, 0o100_444, false),
            Exposure::Everyone(_)
        ));
    }

    #[test]
    fn a_device_that_keeps_nothing_is_no_exposure() {
        assert_eq!(guarded(Path::new("/dev/null")).unwrap(), None);
    }
}
