//! A value of a setting before it is read, and where it was found. It must not know any setting.

use std::path::{Path, PathBuf};

/// What the name of a setting ends in that names the file of a secret.
pub(super) const FILE: &str = "_file";

/// Where a value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SettingSource {
    Default,
    File,
    Environment,
    Flag,
}

impl SettingSource {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Environment => "env",
            Self::Flag => "flag",
        }
    }
}

/// A value that is not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Raw {
    pub(crate) text: String,
    pub(crate) source: SettingSource,
}

/// A path as written in a file counts from the folder of that file.
pub(super) fn beside(folder: &Path, text: &str) -> String {
    let joined: PathBuf = folder.join(text);
    joined.to_string_lossy().into_owned()
}
