//! One machine of the cluster: etcd, and Patroni with its PostgreSQL, set up as the examples in
//! `packaging/patroni` with other addresses and folders. It must end all its processes.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result, ensure};
use postgres_cluster::{SystemUser, programs_folder};

use super::programs::ClusterPrograms;
use super::rest::PatroniRest;
use crate::packaging::substituted;
use crate::process::Run;
use crate::repo::Repo;

const ETCD_EXAMPLE: &str = "packaging/patroni/etcd.yml";
const PATRONI_EXAMPLE: &str = "packaging/patroni/patroni.yml";

/// The addresses of the members but for their numbers: in the examples, and here.
pub(super) const ADDRESSES: (&str, &str) = ("10.0.0.2", "127.0.26.2");

#[derive(Debug)]
pub(super) struct PatroniMember {
    pub(super) name: String,
    pub(super) address: String,
    folder: PathBuf,
    etcd: Child,
    patroni: Option<Child>,
}

impl PatroniMember {
    /// Makes the folder of one of three, and starts its etcd.
    pub(super) fn start(
        repo: &Repo,
        programs: &ClusterPrograms,
        (home, number): (&Path, u8),
    ) -> Result<Self> {
        let name = format!("db{number}");
        let folder = home.join(&name);
        DirBuilder::new().mode(0o755).create(&folder)?;
        SystemUser::of_servers().own(&folder);
        let address = format!("{}{number}", ADDRESSES.1);
        let own = (folder.as_path(), number);
        fs::write(folder.join("etcd.yml"), etcd_settings(repo, own)?)?;
        let patroni = patroni_settings(repo, own)?;
        fs::write(folder.join("patroni.yml"), patroni)?;
        let settings = folder.join("etcd.yml");
        let etcd = programs
            .etcd
            .run(["--config-file", &settings.to_string_lossy()]);
        let etcd = spawn(&etcd, &folder, "etcd.log")?;
        Ok(Self {
            name,
            address,
            folder,
            etcd,
            patroni: None,
        })
    }

    /// Starts Patroni, which starts PostgreSQL.
    pub(super) fn start_patroni(&mut self, programs: &ClusterPrograms) -> Result<()> {
        let settings = self.folder.join("patroni.yml");
        let patroni = programs.patroni.run([&*settings.to_string_lossy()]);
        self.patroni = Some(spawn(&patroni, &self.folder, "patroni.log")?);
        Ok(())
    }

    pub(super) fn rest(&self) -> PatroniRest<'_> {
        PatroniRest {
            address: &self.address,
        }
    }

    /// Kills Patroni, PostgreSQL and every process of it at once, as the end of a machine does.
    pub(super) fn kill(&mut self) -> Result<()> {
        let mut patroni = self.patroni.take().context("Patroni does not run")?;
        let mut processes = vec!["-KILL".to_owned(), patroni.id().to_string()];
        let server = self.server().context("PostgreSQL does not run")?;
        processes.extend(children(&server)?);
        processes.push(server);
        // One that ended by itself meanwhile is none to worry about.
        Run::new("kill", processes.iter().map(String::as_str)).quiet(&self.folder)?;
        patroni.wait()?;
        Ok(())
    }

    /// The process of its PostgreSQL.
    fn server(&self) -> Option<String> {
        let text = fs::read_to_string(self.folder.join("data/postmaster.pid")).ok()?;
        let process = text.lines().next()?;
        let runs = Path::new("/proc").join(process).is_dir();
        runs.then(|| process.to_owned())
    }

    /// The end of what it has logged.
    pub(super) fn log(&self) -> String {
        let log = fs::read_to_string(self.folder.join("patroni.log")).unwrap_or_default();
        let lines: Vec<_> = log.lines().collect();
        let last = lines.len().saturating_sub(20);
        lines.get(last..).unwrap_or_default().join("\n")
    }
}

impl Drop for PatroniMember {
    fn drop(&mut self) {
        // Whatever has ended already is none to worry about here.
        drop(self.kill());
        let _ = self.etcd.kill();
        let _ = self.etcd.wait();
    }
}

/// An example with what belongs to a member in the places of what belongs to `db1`.
fn settings(repo: &Repo, example: &str, places: &[(&str, &str)]) -> Result<String> {
    let text = fs::read_to_string(repo.root().join(example));
    let text = text.with_context(|| format!("{example} cannot be read"))?;
    let text = substituted(text, example, places)?;
    // What is left are the addresses of all members.
    substituted(text, example, &[ADDRESSES])
}

fn etcd_settings(repo: &Repo, (folder, number): (&Path, u8)) -> Result<String> {
    let name = format!("name: db{number}");
    let urls = format!("-urls: http://{}{number}", ADDRESSES.1);
    let data = within(folder, "etcd");
    let places = [
        ("name: db1", name.as_str()),
        ("-urls: http://10.0.0.21", &urls),
        ("/var/lib/etcd/manilla", &data),
    ];
    settings(repo, ETCD_EXAMPLE, &places)
}

fn patroni_settings(repo: &Repo, (folder, number): (&Path, u8)) -> Result<String> {
    let name = format!("name: db{number}");
    let connect = format!("connect_address: {}{number}", ADDRESSES.1);
    let listen = format!("listen: {}{number}", ADDRESSES.1);
    let (data, passwords) = (within(folder, "data"), within(folder, "pgpass"));
    let tls = within(folder, "../tls");
    let programs = programs_folder().to_string_lossy().into_owned();
    let places = [
        ("name: db1", name.as_str()),
        ("10.0.0.0/24", "127.0.0.0/8"),
        ("connect_address: 10.0.0.21", &connect),
        ("listen: 10.0.0.21", &listen),
        ("/var/lib/postgresql/15/manilla", &data),
        ("/var/lib/postgresql/manilla.pgpass", &passwords),
        ("/usr/lib/postgresql/15/bin", &programs),
        // Three servers with one port cannot share a folder of sockets.
        ("directories: /var/run/postgresql", "directories: ''"),
        ("/etc/postgresql/tls", &tls),
    ];
    settings(repo, PATRONI_EXAMPLE, &places)
}

fn within(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

/// Starts a program as the user that PostgreSQL runs as, which root must not be.
fn spawn(program: &Run, folder: &Path, log: &str) -> Result<Child> {
    let log = File::options()
        .create(true)
        .append(true)
        .open(folder.join(log))?;
    let mut command = program.child(folder);
    SystemUser::of_servers().run(&mut command);
    command
        // Clients of PostgreSQL look for certificates in the home of the user who starts them.
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .with_context(|| format!("`{program}` could not be started"))
}

/// The processes that a process has started.
fn children(process: &str) -> Result<Vec<String>> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let folder = entry?.path();
        // It may have ended since.
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        // The name in parentheses may have spaces; then the state and the parent follow.
        let parent = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.split(' ').nth(1));
        if parent == Some(process)
            && let Some(name) = folder.file_name()
        {
            children.push(name.to_string_lossy().into_owned());
        }
    }
    ensure!(!children.is_empty(), "PostgreSQL has no processes");
    Ok(children)
}
