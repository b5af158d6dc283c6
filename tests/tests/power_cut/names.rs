//! The names of files and folders, and how they change. It must not know what is in a file.

use std::collections::BTreeMap;

/// Names of files and folders, relative to the data folder, which itself is the empty name.
pub(crate) type FileNames = BTreeMap<String, usize>;

#[derive(Debug, Clone)]
pub(crate) enum NameChange {
    Given { name: String, object: usize },
    Taken { name: String },
    Moved { from: String, to: String },
}

impl NameChange {
    pub(crate) fn apply(&self, names: &mut FileNames) {
        match self {
            Self::Given { name, object } => {
                names.insert(name.clone(), *object);
            }
            Self::Taken { name } => {
                names.remove(name);
            }
            Self::Moved { from, to } => {
                let moved = |name: &str| Some((name.to_owned(), beneath(name, from, to)?));
                let moved: Vec<_> = names.keys().filter_map(|name| moved(name)).collect();
                for (before, after) in moved {
                    if let Some(object) = names.remove(&before) {
                        names.insert(after, object);
                    }
                }
            }
        }
    }

    /// The same where a folder that it is beneath has another name.
    pub(crate) fn follow(&mut self, from: &str, to: &str) {
        let names = match self {
            Self::Given { name, .. } | Self::Taken { name } => [Some(name), None],
            Self::Moved { from, to } => [Some(from), Some(to)],
        };
        for name in names.into_iter().flatten() {
            if let Some(after) = beneath(name, from, to) {
                *name = after;
            }
        }
    }

    pub(crate) fn is_in(&self, folder: &str) -> bool {
        match self {
            Self::Given { name, .. } | Self::Taken { name } => parent(name) == folder,
            Self::Moved { from, to } => parent(from) == folder || parent(to) == folder,
        }
    }
}

/// A name after `from` was renamed to `to`, where it is that name or one beneath it.
pub(crate) fn beneath(name: &str, from: &str, to: &str) -> Option<String> {
    let rest = name.strip_prefix(from)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
}

pub(crate) fn parent(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}
