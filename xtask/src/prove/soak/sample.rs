//! What a process has at a moment, as Linux says it. It must read nothing of another process.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ProcessSample {
    /// Seconds since the load began.
    pub(super) second: u64,
    pub(super) resident_kib: u64,
    pub(super) files: u64,
    pub(super) threads: u64,
    pub(super) store_kib: u64,
}

impl ProcessSample {
    pub(super) fn take(process: u32, second: u64, store_kib: u64) -> Result<Self> {
        let folder = Path::new("/proc").join(process.to_string());
        let status = fs::read_to_string(folder.join("status"));
        let status = status.context("the process has ended")?;
        let files = fs::read_dir(folder.join("fd"))?.count();
        Ok(Self {
            second,
            resident_kib: value(&status, "VmRSS:")?,
            files: u64::try_from(files)?,
            threads: value(&status, "Threads:")?,
            store_kib,
        })
    }
}

/// The first number after a name.
fn value(status: &str, name: &str) -> Result<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    let number = number.and_then(|number| number.parse().ok());
    number.with_context(|| format!("the process has no {name}"))
}

/// The files of a folder and of those in it, in KiB.
pub(super) fn folder_kib(folder: &Path) -> Result<u64> {
    let mut bytes = 0_u64;
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // A file may be gone by now.
            let Ok(about) = entry.metadata() else {
                continue;
            };
            if about.is_dir() {
                folders.push(entry.path());
            } else {
                bytes = bytes.saturating_add(about.len());
            }
        }
    }
    Ok(bytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::{ProcessSample, folder_kib, value};

    #[test]
    fn this_process_can_be_sampled() {
        let sample = ProcessSample::take(std::process::id(), 7, 3).unwrap();
        assert!(sample.resident_kib > 0 && sample.files > 2 && sample.threads > 0);
        assert_eq!((sample.second, sample.store_kib), (7, 3));
        let status = "Name:\tx\nVmRSS:\t    1234 kB\nThreads:\t9\n";
        assert_eq!(value(status, "VmRSS:").unwrap(), 1234);
        assert!(value(status, "VmSwap:").is_err());
    }

    #[test]
    fn a_folder_is_as_large_as_all_in_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        std::fs::write(folder.path().join("one"), [0; 2048]).unwrap();
        std::fs::write(folder.path().join("in/two"), [0; 1024]).unwrap();
        assert_eq!(folder_kib(folder.path()).unwrap(), 3);
    }
}
