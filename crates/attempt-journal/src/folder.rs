//! The folder of one journal: which files it has and whose lock it is under. It must never be
//! written by two processes.

use crate::JournalError;
use crate::disk::{open_private, private_folder, sync_folder};
use crate::header::RANDOM_BYTES;
use ports::journal::JournalId;
use std::fmt::Write as _;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The file whose lock the writing process holds.
const LOCK_FILE: &str = "lock";

/// The file that says when a journal was made.
const IDENTITY_FILE: &str = "identity";

/// What the names of folders begin with that are being made.
const DRAFT: &str = "new-";

pub(crate) const ENTRIES: &str = "entries";
pub(crate) const MARKS: &str = "marks";

/// The folder of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JournalFolder {
    pub(crate) path: PathBuf,
    pub(crate) id: JournalId,
}

/// The folder of all journals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root(pub(crate) PathBuf);

impl Root {
    /// Makes the folder if it is not there.
    pub(crate) fn make(path: &Path) -> Result<Self, JournalError> {
        match private_folder(path) {
            Ok(()) => sync_folder(
                path.parent()
                    .filter(|it| !it.as_os_str().is_empty())
                    .unwrap_or(Path::new(".")),
            ),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
        .map_err(JournalError::io(path, "made"))?;
        Ok(Self(path.to_owned()))
    }

    /// The lock under which journals are looked for, adopted and made; it is held for moments.
    pub(crate) fn lock(&self) -> Result<File, JournalError> {
        let path = self.0.join(LOCK_FILE);
        let file = open_private(&path).map_err(JournalError::io(&path, "opened"))?;
        file.lock().map_err(JournalError::io(&path, "locked"))?;
        Ok(file)
    }

    /// The journals, in the order of their identities.
    pub(crate) fn journals(&self) -> Result<Vec<JournalFolder>, JournalError> {
        let failed = |source| JournalError::io(&self.0, "listed")(source);
        let mut journals = Vec::new();
        for item in fs::read_dir(&self.0).map_err(failed)? {
            let item = item.map_err(failed)?;
            let folder = item
                .file_name()
                .into_string()
                .ok()
                .filter(|name| is_id(name));
            journals.extend(folder.map(|name| self.journal(&JournalId(name))));
        }
        journals.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(journals)
    }

    pub(crate) fn journal(&self, id: &JournalId) -> JournalFolder {
        JournalFolder {
            path: self.0.join(&id.0),
            id: id.clone(),
        }
    }

    /// Makes a journal, which is locked before it can be found under its name.
    pub(crate) fn create(
        &self,
        id: [u8; RANDOM_BYTES],
        made_at: domain::time::Timestamp,
    ) -> Result<(JournalFolder, File), JournalError> {
        let folder = self.journal(&id_text(id));
        let draft = self.0.join(format!("{DRAFT}{}", folder.id.0));
        let make = || -> io::Result<Option<File>> {
            private_folder(&draft)?;
            let lock = try_lock(&draft)?;
            let mut identity = open_private(&draft.join(IDENTITY_FILE))?;
            writeln!(identity, "made_at = {}", made_at.as_millis())?;
            identity.sync_all()?;
            sync_folder(&draft)?;
            fs::rename(&draft, &folder.path)?;
            sync_folder(&self.0)?;
            Ok(lock)
        };
        let lock = make().map_err(JournalError::io(&folder.path, "made"))?;
        let lock = lock.ok_or_else(|| JournalError::InUse(folder.id.0.clone()))?;
        Ok((folder, lock))
    }
}

impl JournalFolder {
    /// The lock of the journal; none while a living process holds it.
    pub(crate) fn try_lock(&self) -> Result<Option<File>, JournalError> {
        try_lock(&self.path).map_err(JournalError::io(&self.path, "locked"))
    }

    pub(crate) fn file(&self, segment: u32, kind: &str) -> PathBuf {
        self.path.join(format!("{segment:06}.{kind}"))
    }

    /// The numbers of the segments, oldest first.
    pub(crate) fn segments(&self) -> Result<Vec<u32>, JournalError> {
        self.numbers(ENTRIES)
    }

    /// The numbers of the files of a kind, lowest first.
    pub(crate) fn numbers(&self, kind: &str) -> Result<Vec<u32>, JournalError> {
        let failed = |source| JournalError::io(&self.path, "listed")(source);
        let mut numbers = Vec::new();
        for item in fs::read_dir(&self.path).map_err(failed)? {
            let name = item.map_err(failed)?.file_name();
            let parts = name.to_str().and_then(|name| name.split_once('.'));
            let number = parts.filter(|(_, of)| *of == kind);
            numbers.extend(number.and_then(|(number, _)| number.parse::<u32>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The random bytes of the identity.
    pub(crate) fn id_bytes(&self) -> Result<[u8; RANDOM_BYTES], JournalError> {
        let bytes = id_bytes(&self.id.0);
        bytes.ok_or_else(|| JournalError::NoJournal(self.id.0.clone()))
    }
}

/// The content of a file; none where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, JournalError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(JournalError::io(path, "read")(error)),
    }
}

fn try_lock(folder: &Path) -> io::Result<Option<File>> {
    let file = open_private(&folder.join(LOCK_FILE))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn id_text(bytes: [u8; RANDOM_BYTES]) -> JournalId {
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    JournalId(text)
}

fn is_id(name: &str) -> bool {
    id_bytes(name).is_some()
}

fn id_bytes(text: &str) -> Option<[u8; RANDOM_BYTES]> {
    let digit = |b: u8| b.is_ascii_digit() || matches!(b, b'a'..=b'f');
    if text.len() != RANDOM_BYTES * 2 || !text.bytes().all(digit) {
        return None;
    }
    let number = u128::from_str_radix(text, 16).ok()?;
    Some(number.to_be_bytes())
}
