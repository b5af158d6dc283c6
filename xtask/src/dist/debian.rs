//! The package of Debian, built with `dpkg-deb` alone. What is in it is listed in
//! `packaging/debian/contents.txt`; it must not contain anything else.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::staging::{ReleaseFiles, StagedFolder};
use crate::process::Run;
use crate::repo::Repo;

/// Files of the repository and where the package installs them.
const FILES: [(&str, &str); 10] = [
    (
        "packaging/systemd/manilla.service",
        "usr/lib/systemd/system/manilla.service",
    ),
    (
        "packaging/systemd/manilla.sysusers",
        "usr/lib/sysusers.d/manilla.conf",
    ),
    (
        "packaging/systemd/manilla.tmpfiles",
        "usr/lib/tmpfiles.d/manilla.conf",
    ),
    ("README.md", "usr/share/doc/manilla/README.md"),
    (
        "packaging/debian/copyright",
        "usr/share/doc/manilla/copyright",
    ),
    (
        "docs/operations/alerts.yml",
        "usr/share/doc/manilla/examples/alerts.yml",
    ),
    (
        "docs/operations/dashboard.json",
        "usr/share/doc/manilla/examples/dashboard.json",
    ),
    (
        "docs/operations/runbooks.md",
        "usr/share/doc/manilla/runbooks.md",
    ),
    (
        "packaging/proxy/haproxy.cfg",
        "usr/share/doc/manilla/examples/haproxy.cfg",
    ),
    (
        "packaging/proxy/nginx.conf",
        "usr/share/doc/manilla/examples/nginx.conf",
    ),
];

/// What dpkg runs, and the folder they are in.
pub(crate) const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];
pub(crate) const FOLDER: &str = "packaging/debian";

/// What the program is linked against beside the libc: its version is the oldest with the symbols.
const UNWINDER: &str = "libgcc-s1 (>= 4.2)";

/// Makes `manilla_VERSION_amd64.deb`.
pub(crate) fn make(repo: &Repo, files: &ReleaseFiles<'_>, out: &Path) -> Result<PathBuf> {
    let mut stage = StagedFolder::new(files.epoch)?;
    stage.add_from(repo, &FILES)?;
    stage.add("usr/bin/manilla", files.program, 0o755)?;
    let settings = files.settings.as_bytes();
    stage.add("etc/manilla/manilla.toml", settings, 0o640)?;
    for (place, script) in files.completions {
        stage.add(place, script.as_bytes(), 0o644)?;
    }
    let installed = ["etc", "usr"];
    let sums = ["find"].into_iter().chain(installed);
    let sums = sums.collect::<Vec<_>>().join(" ");
    let sums = format!("{sums} -type f | LC_ALL=C sort | xargs md5sum");
    let sums = Run::new("sh", ["-c", &sums]).capture(stage.path())?;
    let control = control(repo, files, stage.kibibytes())?;
    stage.add("DEBIAN/control", control.as_bytes(), 0o644)?;
    stage.add("DEBIAN/md5sums", sums.as_bytes(), 0o644)?;
    let conffiles = format!("{FOLDER}/conffiles");
    stage.add_from(repo, &[(&conffiles, "DEBIAN/conffiles")])?;
    for script in SCRIPTS {
        let content = fs::read(repo.root().join(FOLDER).join(script))?;
        stage.add(&format!("DEBIAN/{script}"), &content, 0o755)?;
    }
    stage.finish()?;
    let package = out.join(format!("manilla_{}_amd64.deb", files.version));
    let folder = stage.path().to_string_lossy().into_owned();
    // Several threads compress into other bytes than one.
    let options = [
        "--root-owner-group",
        "-Zxz",
        "--threads-max=1",
        "--build",
        &folder,
        &package.to_string_lossy(),
    ];
    Run::new("dpkg-deb", options)
        .variable("SOURCE_DATE_EPOCH", files.epoch.to_string())
        .stream(repo.root())?;
    Ok(package)
}

fn control(repo: &Repo, files: &ReleaseFiles<'_>, kibibytes: u64) -> Result<String> {
    let (major, minor) = newest_libc(files.program)
        .context("the program names no version of the libc; only linked programs are packaged")?;
    let depends = format!("ca-certificates, libc6 (>= {major}.{minor}), {UNWINDER}");
    let control = fs::read_to_string(repo.root().join(FOLDER).join("control.in"))?;
    filled(
        &control,
        [
            ("@VERSION@", files.version),
            ("@INSTALLED_SIZE@", &kibibytes.to_string()),
            ("@DEPENDS@", &depends),
        ],
    )
}

fn filled(template: &str, values: [(&str, &str); 3]) -> Result<String> {
    let mut text = template.to_owned();
    for (place, value) in values {
        if !text.contains(place) {
            bail!("the template of the package's metadata has no {place}");
        }
        text = text.replace(place, value);
    }
    Ok(text)
}

/// The newest version of the libc that the program has symbols of: it does not start with an older
/// one.
fn newest_libc(program: &[u8]) -> Option<(u32, u32)> {
    let mut newest = None;
    let mut rest = program;
    while let Some(found) = rest.iter().position(|byte| *byte == b'G') {
        rest = rest.get(found..).unwrap_or_default();
        if let Some(version) = rest.strip_prefix(b"GLIBC_") {
            newest = newest.max(version_at(version));
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    newest
}

/// The `2.34` or `2.2.5` that the bytes begin with, without its third number.
fn version_at(bytes: &[u8]) -> Option<(u32, u32)> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let end = bytes.iter().position(|byte| !is_part(byte))?;
    let text = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let mut numbers = text.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::{filled, newest_libc};

    #[test]
    fn the_newest_libc_counts_by_number_and_not_by_letter() {
        let program = b"\x7fELF GGLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0GLIB";
        assert_eq!(newest_libc(program), Some((2, 34)));
        assert_eq!(newest_libc(b"#!/bin/sh"), None);
    }

    #[test]
    fn a_template_without_a_place_for_a_value_is_refused() {
        let values = [("@A@", "1"), ("@B@", "2"), ("@C@", "3")];
        assert_eq!(filled("@A@ @B@ @C@", values).unwrap(), "1 2 3");
        filled("@A@ @B@", values).unwrap_err();
    }
}
