//! The archive for systems without packages of Debian. It must unpack into one folder.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::staging::{ReleaseFiles, StagedFolder};
use crate::process::Run;
use crate::repo::Repo;

/// Files of the repository and what they are called in the archive.
const FILES: [(&str, &str); 8] = [
    ("LICENSE", "LICENSE"),
    ("README.md", "README.md"),
    ("docs/operations/alerts.yml", "alerts.yml"),
    ("packaging/proxy/haproxy.cfg", "proxy/haproxy.cfg"),
    ("packaging/proxy/nginx.conf", "proxy/nginx.conf"),
    (
        "packaging/systemd/manilla.service",
        "systemd/manilla.service",
    ),
    (
        "packaging/systemd/manilla.sysusers",
        "systemd/manilla.sysusers",
    ),
    (
        "packaging/systemd/manilla.tmpfiles",
        "systemd/manilla.tmpfiles",
    ),
];

/// Makes `manilla-VERSION-x86_64-linux-gnu.tar.gz`.
pub(crate) fn make(repo: &Repo, files: &ReleaseFiles<'_>, out: &Path) -> Result<PathBuf> {
    let name = format!("manilla-{}-x86_64-linux-gnu", files.version);
    let mut stage = StagedFolder::new(files.epoch)?;
    let places = FILES.map(|(source, place)| (source, format!("{name}/{place}")));
    let places = places
        .each_ref()
        .map(|(source, place)| (*source, place.as_str()));
    stage.add_from(repo, &places)?;
    stage.add(&format!("{name}/manilla"), files.program, 0o755)?;
    let settings = files.settings.as_bytes();
    stage.add(&format!("{name}/manilla.toml"), settings, 0o644)?;
    stage.finish()?;
    let archive = out.join(format!("{name}.tar.gz"));
    let options = [
        "--create",
        "--sort=name",
        "--format=gnu",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--use-compress-program=gzip --no-name -9",
        "--file",
        &archive.to_string_lossy(),
        &name,
    ];
    Run::new("tar", options).stream(stage.path())?;
    Ok(archive)
}
