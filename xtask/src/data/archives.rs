//! Fetches the packages that data comes from, through the clients of their registries. It must not
//! use a byte of an archive that is not the pinned one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::process::Run;

/// A file of a package.
#[derive(Debug)]
pub(super) struct Archive {
    pub(super) registry: Registry,
    pub(super) package: &'static str,
    pub(super) file: &'static str,
    pub(super) sha256: &'static str,
    pub(super) member: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Registry {
    PyPi,
    Npm,
}

const LICENCES: Archive = Archive {
    registry: Registry::PyPi,
    package: "naija-data==1.0.0",
    file: "naija_data-1.0.0-py3-none-any.whl",
    sha256: "b6598bab090620d905bc2e1ca24c2268ae27ae8a90b0b9dd9a835e9346e1bb34",
    member: "naija_data/_data/banks.json",
};

const TRANSFER_CODES: Archive = Archive {
    registry: Registry::PyPi,
    package: "banklist-ng==0.0.1",
    file: "banklist_ng-0.0.1-py3-none-any.whl",
    sha256: "9b3c6819a22db456792e1258abb12e9b1aa105da91b092747187619701afdbf0",
    member: "banklist_ng/banks data.json",
};

const TRANSFER_CODES_TOO: Archive = Archive {
    registry: Registry::PyPi,
    package: "py-nuban==0.2.0",
    file: "py_nuban-0.2.0-py3-none-any.whl",
    sha256: "a084825854a8557f173de17197c336d61ad71da82a50b0931db3584bd65d105c",
    member: "py_nuban/banks.py",
};

const MARKS: Archive = Archive {
    registry: Registry::Npm,
    package: "banks-ng@1.1.1",
    file: "banks-ng-1.1.1.tgz",
    sha256: "ba7511d383721f343807dff13b4abe00a0708f21fda449804b5cce21505b3b13",
    member: "package/bin/banks.js",
};

/// The files that the table of institutions is made from.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) licences: String,
    pub(crate) transfer_codes: String,
    pub(crate) transfer_codes_too: String,
    pub(crate) marks: String,
}

/// Fetches and checks every archive and reads the file that is used from each.
pub(crate) fn fetch() -> Result<Files> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let read = |archive: &Archive| {
        archive
            .read(folder.path())
            .with_context(|| format!("package {}", archive.package))
    };
    Ok(Files {
        licences: read(&LICENCES)?,
        transfer_codes: read(&TRANSFER_CODES)?,
        transfer_codes_too: read(&TRANSFER_CODES_TOO)?,
        marks: read(&MARKS)?,
    })
}

impl Archive {
    fn read(&self, folder: &Path) -> Result<String> {
        self.unpack_into(folder)?;
        fs::read_to_string(folder.join(self.member)).context(self.member)
    }

    /// Fetches the archive, checks it, and puts what it holds into the folder.
    pub(super) fn unpack_into(&self, folder: &Path) -> Result<()> {
        self.download().stream(folder)?;
        let bytes = fs::read(folder.join(self.file)).context(self.file)?;
        let sha256 = hex(&Sha256::digest(&bytes));
        if sha256 != self.sha256 {
            bail!("{} has SHA-256 {sha256}, not {}", self.file, self.sha256);
        }
        self.unpack().capture(folder)?;
        Ok(())
    }

    fn download(&self) -> Run {
        match self.registry {
            Registry::PyPi => Run::new(
                "python3",
                [
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-deps",
                    self.package,
                ],
            ),
            Registry::Npm => Run::new("npm", ["pack", "--silent", self.package]),
        }
    }

    fn unpack(&self) -> Run {
        match self.registry {
            Registry::PyPi => Run::new("python3", ["-m", "zipfile", "-e", self.file, "."]),
            Registry::Npm => Run::new("tar", ["-xzf", self.file]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
