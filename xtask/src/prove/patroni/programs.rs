//! The programs of the cluster, of Debian's packages. It must not install them.

use anyhow::Result;

use crate::debian_program::{DebianProgram, FoundProgram};
use crate::packaging::HAPROXY;
use crate::repo::Repo;

const ETCD: DebianProgram = DebianProgram {
    name: "etcd",
    probe: "--version",
    place: "usr/bin/etcd",
    packages: &["etcd-server"],
};

const PATRONI: DebianProgram = DebianProgram {
    name: "patroni",
    probe: "--version",
    place: "usr/bin/patroni",
    packages: &[
        "patroni",
        "python3-cdiff",
        "python3-click",
        "python3-dateutil",
        "python3-dnspython",
        "python3-etcd",
        "python3-pkg-resources",
        "python3-prettytable",
        "python3-psutil",
        "python3-psycopg2",
        "python3-six",
        "python3-urllib3",
        "python3-wcwidth",
        "python3-yaml",
    ],
};

#[derive(Debug)]
pub(super) struct ClusterPrograms {
    pub(super) etcd: FoundProgram,
    pub(super) patroni: FoundProgram,
    pub(super) haproxy: FoundProgram,
}

impl ClusterPrograms {
    pub(super) fn find(repo: &Repo) -> Result<Self> {
        Ok(Self {
            etcd: ETCD.find(repo)?,
            patroni: PATRONI.find(repo)?,
            haproxy: HAPROXY.find(repo)?,
        })
    }

    /// Their versions, as they say them.
    pub(super) fn versions(&self, repo: &Repo) -> Result<String> {
        let first = |program: &FoundProgram, option: &str| {
            let printed = program.run([option]).capture(repo.root())?;
            Ok::<_, anyhow::Error>(printed.lines().next().unwrap_or_default().to_owned())
        };
        let haproxy = first(&self.haproxy, "-v")?;
        let haproxy: Vec<_> = haproxy.split(' ').take(3).collect();
        Ok(format!(
            "{}, {}, {}",
            first(&self.patroni, "--version")?,
            first(&self.etcd, "--version")?,
            haproxy.join(" ")
        ))
    }
}
