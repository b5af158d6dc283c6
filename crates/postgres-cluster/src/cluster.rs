//! One PostgreSQL server with its data: started, stopped, killed and started again. It must not
//! give up durability: `fsync`, `full_page_writes` and `synchronous_commit` stay as PostgreSQL has
//! them.

use crate::USER;
use crate::database::TestDatabase;
use crate::home::Home;
use crate::options::ClusterOptions;
use crate::server::{ClusterServer, run};
use crate::{port, programs};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Settings of every cluster. Only tests and the benchmark connect, over TCP: the path of a Unix
/// socket is limited to 107 bytes, and a temporary folder may exceed it.
const DEFAULTS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
log_min_duration_statement = '1s'
log_line_prefix = '%m [%p] %d '
timezone = 'UTC'
";

/// How many ports are tried: another process may take one between our look and the server's.
const PORTS_TRIED: usize = 20;

/// A PostgreSQL server. It is stopped and its data removed when this is dropped, and soon after
/// this process ends if it never is.
#[derive(Debug)]
pub struct Cluster {
    pub(crate) server: ClusterServer,
    pub(crate) home: Home,
}

impl Cluster {
    /// Starts a server of its own, with no data.
    ///
    /// # Panics
    /// Where PostgreSQL is not installed, saying what to install.
    #[must_use]
    pub fn private(options: &ClusterOptions) -> Self {
        Self::at(Home::somewhere(), options)
    }

    /// Starts a server in a new folder.
    pub(crate) fn at(home: Home, options: &ClusterOptions) -> Self {
        let cluster = Self::without_data(home);
        cluster.make_data();
        cluster.set(DEFAULTS);
        cluster.apply(options);
        cluster.start_anywhere()
    }

    /// A cluster that has a place, but nothing in it.
    pub(crate) fn without_data(home: Home) -> Self {
        let server = ClusterServer {
            programs: programs::folder(),
            port: 0,
        };
        Self { server, home }
    }

    fn make_data(&self) {
        let mut initdb = self.tool("initdb");
        initdb
            .args(["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"])
            .args(["--username", USER, "--pgdata"])
            .arg(self.data_dir());
        run(initdb);
    }

    /// Adds what a test asked for to the settings.
    pub(crate) fn apply(&self, options: &ClusterOptions) {
        self.set(&options.text());
        if let Some(tls) = &options.tls {
            self.keep_secret("server.crt", &tls.certificate);
            self.keep_secret("server.key", &tls.key);
            self.set("ssl = on\n");
        }
    }

    /// Adds lines to `postgresql.conf`; they count from the next start on.
    pub(crate) fn set(&self, lines: &str) {
        let file = self.data_dir().join("postgresql.conf");
        let opened = std::fs::File::options().append(true).open(file);
        let written = opened.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.expect("the settings can be written");
    }

    /// Writes a file only the server can read: PostgreSQL refuses a key others may read.
    fn keep_secret(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        let file = self.data_dir().join(name);
        std::fs::write(&file, text).expect("a file in the server's folder");
        let secret = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&file, secret).expect("permissions of our own file");
        self.home.user.own(&file);
    }

    /// Starts on a free port.
    pub(crate) fn start_anywhere(mut self) -> Self {
        for _ in 0..PORTS_TRIED {
            self.server.port = port::free();
            if self.try_start() {
                return self;
            }
        }
        panic!("PostgreSQL does not start; its log:\n{}", self.log());
    }

    /// Starts it again, on the port it had, and waits until it takes connections.
    pub fn start(&self) {
        assert!(
            self.try_start(),
            "PostgreSQL does not start; its log:\n{}",
            self.log()
        );
    }

    fn try_start(&self) -> bool {
        let mut start = self.control(&["start", "--wait"]);
        let port = self.server.port;
        start
            .arg("--log")
            .arg(self.home.place("log"))
            .args(["--options", &format!("-p {port}")]);
        let status = start.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.expect("pg_ctl can be started").success()
    }

    /// Stops it in order, with a checkpoint. Open connections are closed.
    pub fn stop_fast(&self) {
        run(self.control(&["stop", "--wait", "--mode=fast"]));
    }

    /// Stops it on the spot, as a crash would; the next start recovers from its log.
    pub fn stop_immediate(&self) {
        run(self.control(&["stop", "--wait", "--mode=immediate"]));
    }

    /// `pg_ctl` on this server.
    pub(crate) fn control(&self, arguments: &[&str]) -> Command {
        let mut command = self.tool("pg_ctl");
        command.args(arguments).arg("--pgdata").arg(self.data_dir());
        command
    }

    /// The port of 127.0.0.1 it listens at, the same as long as it exists.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.server.port
    }

    /// How a client connects to one of its databases.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        self.server.url(database)
    }

    /// Creates an empty database with a unique name.
    #[must_use]
    pub fn database(&self) -> TestDatabase {
        TestDatabase::create(&self.server)
    }

    /// Runs SQL in a database and returns what it prints, one row a line, columns parted by `|`.
    /// Each statement commits by itself.
    ///
    /// # Panics
    /// With the message of the first statement that fails.
    #[must_use]
    pub fn psql(&self, database: &str, sql: &str) -> String {
        self.server.psql(database, sql)
    }

    /// A PostgreSQL client program, such as `pgbench`, that connects to this server by default
    /// and runs as the current user.
    #[must_use]
    pub fn client(&self, name: &str) -> Command {
        self.server.client(name)
    }

    /// A program of PostgreSQL that works on the files of a server, such as `pg_basebackup` or
    /// `pg_controldata`, and runs as the server does.
    #[must_use]
    pub fn program(&self, name: &str) -> Command {
        let mut command = self.tool(name);
        self.server.signal(&mut command);
        command
    }

    /// A program that works on the files alone: there is no server yet, or it does not matter.
    fn tool(&self, name: &str) -> Command {
        self.home.as_server(self.server.programs.join(name))
    }

    /// Where its files are. They belong to the user it runs as.
    #[must_use]
    pub fn data_dir(&self) -> PathBuf {
        self.home.data()
    }

    /// What it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        let log = std::fs::read(self.home.place("log")).unwrap_or_default();
        String::from_utf8_lossy(&log).into_owned()
    }
}

impl TestDatabase {
    /// The database of the same name in another cluster: a standby, or a server on a backup.
    #[must_use]
    pub fn within(&self, cluster: &Cluster) -> Self {
        self.at(&cluster.server)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The data is discarded, so nothing is flushed. The server may be stopped already.
        let _ = self
            .control(&["stop", "--wait", "--mode=immediate"])
            .output();
        self.home.remove();
    }
}

/// Copies a folder with its files' owners and permissions.
pub(crate) fn copy(home: &Home, from: &Path, to: &Path) {
    let mut copy = home.as_server("cp");
    copy.arg("-Rp").arg(from).arg(to);
    run(copy);
}
