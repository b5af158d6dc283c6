//! An instance that is stopped by a signal and started again. It must end with 0 each time.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::free_port;
use super::shop::Shop;
use crate::process::Run;

/// What one account may do here that is limited elsewhere, and how fast the sandbox answers.
const SETTINGS: [&str; 7] = [
    "server.tls_names=manilla.internal,pay.example.com",
    "server.trusted_proxies=127.0.0.0/8",
    "limits.payments_per_minute=1000000",
    "limits.payments_at_once=1000000",
    "limits.reads_per_minute=1000000",
    "sandbox.latency_min_ms=5",
    "sandbox.latency_max_ms=20",
];

/// The port of metrics and readiness, on either address. haproxy has one for both instances.
pub(in crate::prove) const MONITORING: u16 = 18_444;

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
        let listen = format!("{address}:{}", free_port(address)?);
        let (child, output) = launch(shop, name, (address, &listen))?;
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
        (self.child, self.output) = launch(shop, self.name, (self.address, &self.listen))?;
        Ok(())
    }

    pub(in crate::prove) fn stop(mut self) -> Result<()> {
        self.terminate()
    }

    fn terminate(&mut self) -> Result<()> {
        let process = self.child.id().to_string();
        Run::new("kill", ["-TERM", &process]).capture(std::path::Path::new("."))?;
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
    name: &str,
    (address, listen): (&str, &str),
) -> Result<(Child, BufReader<ChildStdout>)> {
    let log = File::create(shop.folder().join(format!("{name}.log")))?;
    let monitoring = format!("monitoring.listen={address}:{MONITORING}");
    let settings = SETTINGS.into_iter().chain([&*monitoring]);
    let mut child = Command::new(&shop.program)
        .args(["serve", "--log-level", "warn", "--listen", listen])
        .args(["--database", &shop.database.servers, "--data"])
        .arg(shop.data())
        .args(settings.flat_map(|setting| ["--set", setting]))
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
    bail!("the {name} instance ended before it was ready")
}
