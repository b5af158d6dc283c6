//! One server for all test processes of a user: `cargo nextest` runs each test in a process, and a
//! server for each would take longer than the tests. No process may own it: the first process
//! starts it, and the watchdog removes it after the last one has ended.

use crate::cluster::Cluster;
use crate::home::{Home, our_uid, place};
use crate::options::ClusterOptions;
use crate::patience::soon;
use crate::programs;
use crate::server::ClusterServer;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// Long enough for the pauses of a run, and for a second run right after the first.
const UNUSED_FOR: Duration = Duration::from_secs(10);

/// A test uses a few dozen connections at most, but many tests run at a time. Without standbys the
/// write-ahead log can be minimal, and a checkpoint would only disturb tests.
const SETTINGS: [(&str, &str); 7] = [
    ("max_connections", "300"),
    ("shared_buffers", "128MB"),
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    ("max_wal_size", "4GB"),
    ("checkpoint_timeout", "1h"),
    ("autovacuum_naptime", "5min"),
];

/// Where the port is written once the server takes connections.
const READY: &str = "port";

impl Cluster {
    /// The server that all test processes of this user share. The first process starts it; it
    /// stops a few seconds after the last process that used it has ended.
    ///
    /// # Panics
    /// Where PostgreSQL is not installed, saying what to install.
    #[must_use]
    pub fn shared() -> &'static Self {
        static CLUSTER: OnceLock<Cluster> = OnceLock::new();
        CLUSTER.get_or_init(|| find_or_start(&Site::of_this_user()))
    }
}

/// Where the shared cluster stands.
#[derive(Debug)]
struct Site {
    folder: PathBuf,
    lock: PathBuf,
}

impl Site {
    fn of_this_user() -> Self {
        let uid = our_uid();
        let mut hasher = DefaultHasher::new();
        // Another version or other settings are another cluster.
        (programs::folder(), SETTINGS).hash(&mut hasher);
        let digest = hasher.finish();
        Self {
            folder: place(&format!("{uid}-{digest:016x}")),
            lock: place(&format!("{uid}.lock")),
        }
    }
}

fn find_or_start(site: &Site) -> Cluster {
    // Held until we return, or until this process ends: at most one process starts a cluster.
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&site.lock);
    let lock = lock.expect("a file in the system's folder for such things");
    lock.lock().expect("a lock on a file of ours");
    find(&site.folder).unwrap_or_else(|| start(&site.folder))
}

/// Joins the cluster of a folder. `None` once there is none: what is left of another is removed.
fn find(folder: &Path) -> Option<Cluster> {
    let home = Home::existing(folder)?;
    let mut joined = home.join();
    if home.is_closing() {
        // It goes, or the watchdog has seen us and leaves it. Where there is no watchdog any more,
        // as after a crash of the machine, it is ours to remove.
        let decided = || (!home.is_closing()).then_some(());
        joined = soon(decided).is_some() && home.join();
    }
    if joined && let Some(server) = server_of(&home) {
        return Some(Cluster { server, home });
    }
    home.remove();
    None
}

/// The server of a folder, if it answers and is that one: its port may be another's by now.
fn server_of(home: &Home) -> Option<ClusterServer> {
    let port = std::fs::read_to_string(home.place(READY)).ok()?;
    let server = ClusterServer {
        programs: programs::folder(),
        port: port.parse().ok()?,
    };
    let answer = server.try_psql("postgres", "SHOW data_directory;").ok()?;
    (Path::new(&answer) == home.data()).then_some(server)
}

fn start(folder: &Path) -> Cluster {
    let mut options = ClusterOptions::default();
    for (name, value) in SETTINGS {
        options = options.setting(name, value);
    }
    let cluster = Cluster::at(Home::create(folder, UNUSED_FOR), &options);
    let port = cluster.port().to_string();
    std::fs::write(cluster.home.place(READY), port).expect("a file in a folder of ours");
    cluster
}
