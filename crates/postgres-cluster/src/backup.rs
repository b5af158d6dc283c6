//! Copies of a server's data, as an operator takes them. They must be made by the server's own
//! tool or of a stopped server: a copy of files under a running server is none.

use crate::cluster::{Cluster, copy};
use crate::home::{Home, word};
use crate::options::ClusterOptions;
use crate::server::run;
use std::path::PathBuf;

/// A copy of a cluster at a moment. It is kept beside the cluster it was made of, and goes with it.
#[derive(Debug, Clone)]
pub struct BaseBackup {
    folder: PathBuf,
}

impl Cluster {
    /// Takes a backup while the server runs.
    #[must_use]
    pub fn backup(&self) -> BaseBackup {
        let folder = self.home.place(&format!("backup-{}", word()));
        run(self.base_backup(&folder));
        BaseBackup { folder }
    }

    /// Copies the files of a server that is stopped.
    #[must_use]
    pub fn cold_copy(&self) -> BaseBackup {
        let folder = self.home.place(&format!("copy-{}", word()));
        copy(&self.home, &self.data_dir(), &folder);
        BaseBackup { folder }
    }

    /// `pg_basebackup` of this server into a new folder.
    pub(crate) fn base_backup(&self, folder: &std::path::Path) -> std::process::Command {
        let mut command = self.program("pg_basebackup");
        command
            .args(["--checkpoint=fast", "--no-sync", "--wal-method=stream"])
            .arg("--pgdata")
            .arg(folder);
        command
    }

    /// Puts a backup in the place of the data and starts on it, on the same port. What was
    /// committed since is lost, as it is for an operator who restores one. The server may run or be
    /// stopped.
    pub fn restore(&self, backup: &BaseBackup) {
        let _ = self
            .control(&["stop", "--wait", "--mode=immediate"])
            .output();
        std::fs::remove_dir_all(self.data_dir()).expect("the data can be removed");
        copy(&self.home, &backup.folder, &self.data_dir());
        self.start();
    }
}

impl BaseBackup {
    /// Starts a second cluster on this backup, on a port of its own, with further settings.
    #[must_use]
    pub fn cluster(&self, options: &ClusterOptions) -> Cluster {
        let cluster = Cluster::without_data(Home::somewhere());
        copy(&cluster.home, &self.folder, &cluster.data_dir());
        cluster.apply(options);
        cluster.start_anywhere()
    }
}
