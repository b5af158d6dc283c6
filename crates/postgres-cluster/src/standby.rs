//! A second server that follows the first, and takes over. It must follow through the protocol of
//! PostgreSQL, never by copying files.

use crate::cluster::Cluster;
use crate::home::Home;
use crate::options::ClusterOptions;
use crate::patience::eventually;
use crate::server::run;

impl Cluster {
    /// Starts a standby that follows this server, with further settings.
    #[must_use]
    pub fn standby(&self, options: &ClusterOptions) -> Self {
        let standby = Self::without_data(Home::somewhere());
        let mut copy = self.base_backup(&standby.data_dir());
        copy.arg("--write-recovery-conf");
        run(copy);
        standby.apply(options);
        standby.start_anywhere()
    }

    /// Waits until a standby has everything this server has committed so far.
    pub fn await_standby(&self, standby: &Self) {
        let place = self.psql("postgres", "SELECT pg_current_wal_flush_lsn();");
        let there = format!("SELECT pg_last_wal_replay_lsn() >= '{place}';");
        eventually("the standby has everything", || {
            (standby.psql("postgres", &there) == "t").then_some(())
        });
    }

    /// Makes a standby the server that is written to, and waits until it is.
    pub fn promote(&self) {
        run(self.control(&["promote", "--wait"]));
    }
}
