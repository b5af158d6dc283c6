//! Where the books are, and where lists of them are read.

use super::super::database::{DatabaseConfig, StandbyConfig};
use super::super::keys;
use super::{SettingReader, secrets};

impl SettingReader<'_> {
    pub(super) fn database(&mut self) -> Option<DatabaseConfig> {
        let url = self.secret(&secrets::DATABASE_URL);
        let standby = self.standby();
        let certificate = self.get(&keys::VERIFY_SERVER);
        let writers = self.get(&keys::WRITERS);
        let readers = self.get(&keys::READERS);
        Some(DatabaseConfig {
            url: url?,
            certificate: certificate?,
            writers: writers?,
            readers: readers?,
            standby: standby?,
        })
    }

    fn standby(&mut self) -> Option<StandbyConfig> {
        let url = self.secret(&secrets::STANDBY_URL);
        let wait = self.get(&keys::STANDBY_WAIT);
        Some(StandbyConfig {
            url: url?,
            wait: wait?,
        })
    }
}
