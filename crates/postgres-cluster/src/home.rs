//! The folder of one cluster, and what watches over it. It must outlive every process that uses the
//! cluster, and not by much.

use crate::system_user::{SystemUser, owner};
use std::collections::hash_map::RandomState;
use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Its header describes the files in the folder.
const WATCHDOG: &str = include_str!("watchdog.sh");

/// A folder with a cluster in it, or a cluster to come.
#[derive(Debug)]
pub(crate) struct Home {
    folder: PathBuf,
    pub(crate) user: SystemUser,
}

impl Home {
    /// A new folder with a name of its own.
    pub(crate) fn somewhere() -> Self {
        Self::create(&place(&word()), Duration::from_secs(1))
    }

    /// A new folder, used by this process, and removed some time after the last process that uses
    /// it ends.
    pub(crate) fn create(folder: &Path, unused_for: Duration) -> Self {
        let made = std::fs::create_dir_all(folder.join("users"));
        made.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let home = Self::existing(folder).expect("the folder that was just made");
        assert!(home.join(), "a folder that was just made is there");
        // The server writes its log beside its data.
        home.user.own(folder);
        let seconds = unused_for.as_secs().to_string();
        let watches = watchdog(&[
            OsStr::new("watch"),
            folder.as_os_str(),
            OsStr::new(&seconds),
        ]);
        assert!(watches, "the watchdog does not start");
        home
    }

    /// A folder that was made before, if it still stands.
    pub(crate) fn existing(folder: &Path) -> Option<Self> {
        let folder = folder.to_owned();
        // Unlike the folder, this one is never given to the server's user.
        let owner = owner(&folder.join("users"))?;
        let user = SystemUser::for_whom(owner);
        Some(Self { folder, user })
    }

    /// Registers this process as a user of the cluster until it ends. False where the cluster is
    /// being removed.
    pub(crate) fn join(&self) -> bool {
        let user = std::process::id().to_string();
        let said = std::fs::write(self.folder.join("users").join(user), "");
        said.is_ok() && !self.is_closing()
    }

    /// Whether the watchdog found the cluster unused and may be removing it.
    pub(crate) fn is_closing(&self) -> bool {
        self.folder.join("closing").exists()
    }

    /// A place within.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where the server keeps its files.
    pub(crate) fn data(&self) -> PathBuf {
        self.place("data")
    }

    /// A program that runs as the server does, without the settings of the user who runs the tests.
    pub(crate) fn as_server(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = without_settings(program);
        self.user.run(&mut command);
        command.current_dir(&self.folder);
        command
    }

    /// Stops the server if it runs, and removes everything. What cannot be removed yet is left to
    /// the watchdog, which looks again when this process has ended.
    pub(crate) fn remove(&self) {
        let _ = watchdog(&[OsStr::new("remove"), self.folder.as_os_str()]);
    }
}

/// A program without the settings that PostgreSQL's clients read from the environment.
pub(crate) fn without_settings(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PG") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Where a folder of a name stands: few letters, in a folder every user can reach.
pub(crate) fn place(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("manilla-pg-{name}"))
}

/// A random word, unique in practice.
pub(crate) fn word() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// The user id of this process: the standard library does not say it, the owner of what we
/// make does.
pub(crate) fn our_uid() -> u32 {
    let probe = place(&word());
    std::fs::create_dir(&probe).expect("a folder in the system's folder for such things");
    let uid = owner(&probe).expect("an owner of what was just made");
    // What stays is empty.
    let _ = std::fs::remove_dir(&probe);
    uid
}

/// Runs the script to its end; what watches goes on by itself. It belongs to no terminal and no
/// group of ours: what ends this process must not end it.
fn watchdog(arguments: &[&OsStr]) -> bool {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", WATCHDOG, "watchdog"])
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    shell.status().is_ok_and(|ended| ended.success())
}
