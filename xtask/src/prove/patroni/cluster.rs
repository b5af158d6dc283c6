//! Three members with one leader, and the haproxy that leads to it. It must only use what the
//! examples in `packaging/patroni` set up, and never repair anything itself.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use postgres_cluster::programs_folder;

use super::certificates;
use super::member::{ADDRESSES, PatroniMember};
use super::programs::ClusterPrograms;
use crate::packaging::{HAPROXY_ACCOUNT, substituted};
use crate::process::Run;
use crate::prove::gateway::shop::ShopDatabase;
use crate::prove::gateway::{free_port, pause};
use crate::repo::Repo;
use crate::stopwatch::{StepTimer, milliseconds};

const HAPROXY_EXAMPLE: &str = "packaging/patroni/haproxy.cfg";

/// The user, the password and the port of the examples.
const SUPERUSER: (&str, &str) = ("postgres", "PASSWORD_OF_SUPERUSER");
const PORT: &str = "5432";

/// How often members are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The longest until the cluster is whole: a copy of the data may have to be made.
const WHOLE_WITHIN: Duration = Duration::from_mins(3);

/// The longest until another leader takes writes.
const WRITABLE_WITHIN: Duration = Duration::from_mins(2);

/// How long until haproxy knows who is the leader: two checks a second apart.
const CHECKED_AFTER: Duration = Duration::from_secs(3);

/// What the owner makes first, and a table that shows whether a leader takes writes.
const ROLES: &str = "
    CREATE ROLE manilla_owner LOGIN PASSWORD 'PASSWORD_OF_OWNER';
    CREATE ROLE manilla_server LOGIN PASSWORD 'PASSWORD_OF_SERVER';
    CREATE ROLE manilla_operator LOGIN PASSWORD 'PASSWORD_OF_OPERATOR';
    CREATE TABLE failovers (number integer);";
const DATABASE: &str = "CREATE DATABASE manilla OWNER manilla_owner ENCODING 'UTF8'
    LOCALE 'C.UTF-8' TEMPLATE template0";
const WRITE: &str = "INSERT INTO failovers VALUES (1)";

#[derive(Debug)]
pub(super) struct PatroniCluster {
    pub(super) programs: ClusterPrograms,
    members: Vec<PatroniMember>,
    haproxy: Child,
    port: u16,
    authority: PathBuf,
}

/// When another leader was there, in milliseconds from the kill.
#[derive(Clone, Copy, Debug)]
pub(super) struct FailoverTimes {
    /// Its Patroni said that it was the primary.
    pub(super) promoted: u64,
    /// It had committed a write, which a standby had confirmed.
    pub(super) writable: u64,
}

impl PatroniCluster {
    pub(super) fn start(repo: &Repo, home: &Path) -> Result<Self> {
        let programs = ClusterPrograms::find(repo)?;
        let authority = certificates::make(home)?;
        let mut members = Vec::new();
        for number in 1..=3 {
            members.push(PatroniMember::start(repo, &programs, (home, number))?);
        }
        for member in &mut members {
            member.start_patroni(&programs)?;
        }
        let port = free_port("127.0.0.1")?;
        let haproxy = haproxy(repo, &programs, (home, port))?;
        let cluster = Self {
            programs,
            members,
            haproxy,
            port,
            authority,
        };
        cluster.await_whole()?;
        pause(CHECKED_AFTER);
        cluster.sql(certificates::NAME, ROLES)?;
        cluster.sql(certificates::NAME, DATABASE)?;
        Ok(cluster)
    }

    /// How an instance reaches the database: through haproxy, with a certificate that is verified.
    pub(super) fn database(&self) -> ShopDatabase {
        let (name, port) = (certificates::NAME, self.port);
        let authority = self.authority.display();
        let address = |role: &str| {
            let (role, password) = (role.to_lowercase(), role.to_uppercase());
            format!(
                "postgres://manilla_{role}:PASSWORD_OF_{password}@{name}:{port}/manilla\
                 ?sslmode=verify-full&sslrootcert={authority}"
            )
        };
        ShopDatabase {
            owner: address("owner"),
            operators: address("operator"),
            servers: address("server"),
            granted: Some(["manilla_server", "manilla_operator"]),
        }
    }

    /// Kills the leader, and gives back which member that was and when.
    pub(super) fn kill_leader(&mut self) -> Result<(usize, u64)> {
        let leader = self.members.iter().position(|it| it.rest().is_primary());
        let leader = leader.context("there is no leader to kill")?;
        self.member(leader)?.kill()?;
        Ok((leader, milliseconds()))
    }

    /// Waits for another leader than a member that was killed at a moment.
    pub(super) fn await_failover(&self, (killed, at): (usize, u64)) -> Result<FailoverTimes> {
        let waited = StepTimer::start();
        let mut promoted = None;
        while waited.elapsed() < WRITABLE_WITHIN {
            let members = self.members.iter().enumerate();
            let mut others = members.filter(|(place, _)| *place != killed);
            if let Some((_, leader)) = others.find(|(_, it)| it.rest().is_primary()) {
                let since = milliseconds().saturating_sub(at);
                let promoted = *promoted.get_or_insert(since);
                if self.sql(&leader.address, WRITE).is_ok() {
                    let writable = milliseconds().saturating_sub(at);
                    return Ok(FailoverTimes { promoted, writable });
                }
            }
            pause(LOOK_EVERY);
        }
        bail!("no other leader took writes; the logs:\n{}", self.logs());
    }

    /// Starts what was killed, and waits until it is a standby.
    pub(super) fn rejoin(&mut self, member: usize) -> Result<()> {
        let Self {
            programs, members, ..
        } = self;
        let member = members.get_mut(member).context("no such member")?;
        member.start_patroni(programs)?;
        self.await_whole()
    }

    pub(super) fn name(&self, member: usize) -> &str {
        self.members.get(member).map_or("", |it| &it.name)
    }

    fn member(&mut self, place: usize) -> Result<&mut PatroniMember> {
        self.members.get_mut(place).context("no such member")
    }

    /// Waits until a leader has two standbys.
    fn await_whole(&self) -> Result<()> {
        let waited = StepTimer::start();
        while waited.elapsed() < WHOLE_WITHIN {
            let mut rests = self.members.iter().map(PatroniMember::rest);
            if rests.any(|it| it.is_primary() && it.is_primary_of_two()) {
                return Ok(());
            }
            pause(LOOK_EVERY);
        }
        bail!("the cluster is not whole; the logs:\n{}", self.logs());
    }

    fn logs(&self) -> String {
        let logs = self.members.iter();
        let logs = logs.map(|member| format!("{}:\n{}\n", member.name, member.log()));
        logs.collect()
    }

    /// Runs SQL as the superuser: through haproxy, or at one member by its address.
    fn sql(&self, host: &str, sql: &str) -> Result<()> {
        let (user, password) = SUPERUSER;
        let is_haproxy = host == certificates::NAME;
        let haproxy = self.port.to_string();
        let (port, mode) = if is_haproxy {
            (haproxy.as_str(), "verify-full")
        } else {
            (PORT, "verify-ca")
        };
        let options = ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"];
        let connection = format!(
            "host={host} port={port} user={user} dbname=postgres connect_timeout=2 sslmode={mode} \
             sslrootcert={}",
            self.authority.display()
        );
        let target = ["--dbname", &connection, "--command", sql];
        let psql = programs_folder().join("psql");
        let psql = Run::new(&psql.to_string_lossy(), [&options[..], &target].concat());
        let (works, printed) = psql
            .variable("PGPASSWORD", password)
            .quiet(Path::new("."))?;
        ensure!(works, "{sql}: {printed}");
        Ok(())
    }
}

impl Drop for PatroniCluster {
    fn drop(&mut self) {
        // It may have ended already; the proof is over in any case.
        let _ = self.haproxy.kill();
        let _ = self.haproxy.wait();
    }
}

/// Starts haproxy on a port of this machine.
fn haproxy(repo: &Repo, programs: &ClusterPrograms, (home, port): (&Path, u16)) -> Result<Child> {
    let text = fs::read_to_string(repo.root().join(HAPROXY_EXAMPLE));
    let text = text.with_context(|| format!("{HAPROXY_EXAMPLE} cannot be read"))?;
    let bind = format!("bind 127.0.0.1:{port}\n");
    let places = [
        ("bind 127.0.0.1:5000\n", bind.as_str()),
        ("log /dev/log local0", "log stdout format raw local0"),
        (HAPROXY_ACCOUNT, ""),
        ADDRESSES,
    ];
    let settings = home.join("haproxy.cfg");
    fs::write(&settings, substituted(text, HAPROXY_EXAMPLE, &places)?)?;
    let log = File::create(home.join("haproxy.log"))?;
    let run = programs.haproxy.run(["-f", &settings.to_string_lossy()]);
    let mut command = run.child(home);
    let haproxy = command.stdout(log.try_clone()?).stderr(log).spawn()?;
    Ok(haproxy)
}
