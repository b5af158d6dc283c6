//! The system user of servers: PostgreSQL refuses to run as root, so root's tests start them as
//! another user. It must not change the user of any other process.

use crate::home::our_uid;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Users that a server started by root may run as, the preferred one first.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

/// The user that servers run as.
#[derive(Debug, Clone, Copy)]
pub enum SystemUser {
    /// The user that runs the tests.
    Ourselves,
    /// A user without root's rights.
    Other {
        /// Its number.
        uid: u32,
        /// The number of its group.
        gid: u32,
    },
}

impl SystemUser {
    /// The user that the servers of this process run as.
    #[must_use]
    pub fn of_servers() -> Self {
        Self::for_whom(our_uid())
    }

    /// The user that a server started by the user `uid` runs as.
    pub(crate) fn for_whom(uid: u32) -> Self {
        if uid != 0 {
            return Self::Ourselves;
        }
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        CANDIDATES
            .iter()
            .find_map(|name| named(&users, name))
            .expect("a user `postgres` in /etc/passwd: PostgreSQL does not run as root")
    }

    /// Has a program run as this user.
    pub fn run(self, command: &mut Command) {
        if let Self::Other { uid, gid } = self {
            command.uid(uid).gid(gid);
        }
    }

    /// Gives this user a file or a folder.
    pub fn own(self, path: &Path) {
        if let Self::Other { uid, gid } = self {
            chown(path, Some(uid), Some(gid)).expect("root may give away its files");
        }
    }
}

/// The number of the user a folder belongs to, if there is such a folder.
pub(crate) fn owner(folder: &Path) -> Option<u32> {
    Some(std::fs::metadata(folder).ok()?.uid())
}

/// A user of `/etc/passwd`, whose lines are `name:password:uid:gid:…`.
fn named(users: &str, name: &str) -> Option<SystemUser> {
    let fields = users
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|fields| fields.first() == Some(&name))?;
    let number = |place: usize| fields.get(place)?.parse().ok();
    Some(SystemUser::Other {
        uid: number(2)?,
        gid: number(3)?,
    })
}

#[cfg(test)]
mod tests {
    use super::{SystemUser, named};

    #[test]
    fn a_user_is_found_by_its_whole_name() {
        let users = "root:x:0:0::/:/bin/sh\npostgres2:x:7:7::/:/bin/sh\n\
                     postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/sh\n";
        let found = named(users, "postgres");
        assert!(
            matches!(found, Some(SystemUser::Other { uid: 101, gid: 104 })),
            "{found:?}"
        );
        assert!(named(users, "nobody").is_none());
    }
}
