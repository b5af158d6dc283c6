//! An instance that is stopped by a signal and started again. It must end with 0 each time.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::free_port;
use super::shop::Shop;
use crate::process::Run;

/// What one account may do here that is limited elsewhere, and how fast the sandbox answers.
const SETTINGS: [&str; 8] = [
    "server.tls_names=manilla.internal,pay.example.com",
    "server.trusted_proxies=127.0.0.0/8",
    "limits.payments_per_minute=1000000",
    "limits.payments_at_once=1000000",
    "limits.reads_per_minute=1000000",
    "limits.lookups_per_minute=1000000",
    "sandbox.latency_min_ms=5",
    "sandbox.latency_max_ms=20",
];

/// The port of metrics and readiness, on either address. haproxy has one for both instances.
pub(in crate::prove) const MONITORING: u16 = 18_444;

/// What an instance is started from.
#[derive(Clone, Copy, Debug)]
pub(in crate::prove) struct InstanceProgram<'a> {
    pub(in crate::prove) path: &'a Path,
    /// Settings besides those of every instance.
    pub(in crate::prove) settings: &'a [&'a str],
    /// Whether it knows the setting of where metrics and readiness are.
    pub(in crate::prove) is_monitored: bool,
}

impl<'a> InstanceProgram<'a> {
    /// The program of the shop.
    pub(in crate::prove) fn of(shop: &'a Shop) -> Self {
        Self {
            path: &shop.program,
            settings: &[],
            is_monitored: true,
        }
    }
}

#[derive(Debug)]
pub(in crate::prove) struct RestartedInstance {
    name: &'static str,
    pub(in crate::prove) listen: String,
    address: &'static str,
    child: Child,
    output: BufReader<ChildStdout>,
}

impl RestartedInstance {
    pub(in crate::prove) fn start(
        shop: &Shop,
        name: &'static str,
        address: &'static str,
    ) -> Result<Self> {
        Self::start_as(shop, InstanceProgram::of(shop), (name, address))
    }

    pub(in crate::prove) fn start_as(
        shop: &Shop,
        program: InstanceProgram<'_>,
        (name, address): (&'static str, &'static str),
    ) -> Result<Self> {
        let listen = format!("{address}:{}", free_port(address)?);
        let (child, output) = launch(shop, program, (name, address, &listen))?;
        Ok(Self {
            name,
            listen,
            address,
            child,
            output,
        })
    }

    pub(in crate::prove) fn restart(&mut self, shop: &Shop) -> Result<()> {
        self.terminate()?;
        self.launch_as(shop, InstanceProgram::of(shop))
    }

    /// Starts a program in place of one that was terminated.
    pub(in crate::prove) fn launch_as(
        &mut self,
        shop: &Shop,
        program: InstanceProgram<'_>,
    ) -> Result<()> {
        let place = (self.name, self.address, self.listen.as_str());
        (self.child, self.output) = launch(shop, program, place)?;
        Ok(())
    }

    pub(in crate::prove) fn stop(mut self) -> Result<()> {
        self.terminate()
    }

    pub(in crate::prove) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Where metrics and readiness are.
    pub(in crate::prove) const fn monitoring(&self) -> (&'static str, u16) {
        (self.address, MONITORING)
    }

    /// Asks it to end, and waits until it has.
    pub(in crate::prove) fn terminate(&mut self) -> Result<()> {
        let process = self.child.id().to_string();
        Run::new("kill", ["-TERM", &process]).capture(Path::new("."))?;
        // It says `stopped` before it ends.
        let mut said = String::new();
        self.output.read_to_string(&mut said)?;
        let status = self.child.wait()?;
        ensure!(
            said.contains("stopped"),
            "the {} instance said {said:?}",
            self.name
        );
        ensure!(
            status.success(),
            "the {} instance ended with {status}",
            self.name
        );
        Ok(())
    }
}

impl Drop for RestartedInstance {
    fn drop(&mut self) {
        // It has ended already, or the proof has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the process and waits until it answers.
fn launch(
    shop: &Shop,
    program: InstanceProgram<'_>,
    (name, address, listen): (&str, &str, &str),
) -> Result<(Child, BufReader<ChildStdout>)> {
    let path = shop.folder().join(format!("{name}.log"));
    let log = File::create(&path)?;
    let monitoring = format!("monitoring.listen={address}:{MONITORING}");
    let monitoring = program.is_monitored.then_some(&*monitoring);
    let settings = SETTINGS.iter().chain(program.settings).copied();
    let mut child = Command::new(program.path)
        .args(["serve", "--log-level", "warn", "--listen", listen])
        .args(["--database", &shop.database.servers, "--data"])
        .arg(shop.data())
        .args(
            settings
                .chain(monitoring)
                .flat_map(|setting| ["--set", setting]),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .context("the program could not be started")?;
    let output = child.stdout.take().context("the program has no output")?;
    let mut output = BufReader::new(output);
    let mut line = String::new();
    while output.read_line(&mut line)? > 0 {
        if line.starts_with("ready ") {
            return Ok((child, output));
        }
        line.clear();
    }
    let status = child.wait()?;
    let log = std::fs::read_to_string(path)?;
    bail!(
        "the {name} instance ended with {status} before it was ready: {}",
        log.trim_end()
    )
}
