//! A folder as a power cut leaves it, in memory. It must not add or leave out anything but the
//! index of the database's log, which every start makes anew.

use crate::names::parent;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// A folder as it is found after a power cut: folders without content, files with theirs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Image(pub(crate) BTreeMap<String, Option<Vec<u8>>>);

impl Image {
    /// What is in a folder now, without the index of the database's log.
    pub(crate) fn of(folder: &Path) -> Self {
        let mut found = BTreeMap::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(&next).expect("a folder") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                if path.is_dir() {
                    found.insert(name.to_owned(), None);
                    folders.push(path);
                } else if !name.ends_with("-shm") {
                    found.insert(name.to_owned(), Some(fs::read(&path).expect("a file")));
                }
            }
        }
        Self(found)
    }

    /// Writes it to a folder that does not exist yet.
    pub(crate) fn write(&self, folder: &Path) {
        let private = || {
            let mut builder = fs::DirBuilder::new();
            builder.mode(0o700);
            builder
        };
        private().create(folder).expect("the folder of an image");
        // A folder sorts before what is in it.
        for (name, content) in &self.0 {
            let path = folder.join(name);
            let Some(content) = content else {
                private().create(&path).expect("a folder of an image");
                continue;
            };
            let mut file = fs::OpenOptions::new();
            let file = file.write(true).create_new(true).mode(0o600).open(&path);
            std::io::Write::write_all(&mut file.expect("a file"), content).expect("its content");
        }
    }

    /// Without what is in folders that are not there.
    pub(crate) fn without_orphans(mut self) -> Self {
        let names: Vec<_> = self.0.keys().cloned().collect();
        for name in names {
            let folder = parent(&name);
            if !folder.is_empty() && !self.0.contains_key(folder) {
                self.0.remove(&name);
            }
        }
        self
    }
}
