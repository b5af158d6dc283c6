//! Where the books are, and where lists of them are read.

use super::super::database::{DatabaseConfig, StandbyConfig};
use super::super::keys;
use super::super::problem::Problem;
use super::{SettingReader, secrets};

impl SettingReader<'_> {
    pub(super) fn database(&mut self) -> Option<DatabaseConfig> {
        let url = self.secret(&secrets::DATABASE_URL);
        let standby = self.standby();
        let certificate = self.get(&keys::VERIFY_SERVER);
        let writers = self.get(&keys::WRITERS);
        let readers = self.get(&keys::READERS);
        let has_lone_standby =
            matches!((&url, &standby), (Some(None), Some(it)) if it.url.is_some());
        if has_lone_standby {
            self.problems.push(Problem(format!(
                "`{}` names a standby of `{}`, which is not set; set it, or take the standby out",
                keys::STANDBY.name,
                keys::DATABASE.name
            )));
        }
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
