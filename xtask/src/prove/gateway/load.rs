//! A steady load on one instance, every answer of which is recorded, a receiver of its events, and
//! the reports of what was sent. A payment must be sent once, whatever is answered.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::shop::Shop;
use crate::repo::Repo;

const STEADY: &str = "xtask/src/prove/gateway/steady.py";
const RECEIVER: &str = "xtask/src/prove/gateway/receiver.py";
const REPORTS: &str = "xtask/src/prove/gateway/reports.py";

/// An answer to a payment; times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::prove) struct RecordedAnswer {
    pub(in crate::prove) sent: u64,
    pub(in crate::prove) answered: u64,
    pub(in crate::prove) status: u16,
}

impl RecordedAnswer {
    pub(in crate::prove) const fn is_acknowledged(self) -> bool {
        matches!(self.status, 200 | 202)
    }
}

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub(in crate::prove) struct LoadPlan<'a> {
    /// How references begin.
    pub(in crate::prove) prefix: &'a str,
    /// How many payments a second.
    pub(in crate::prove) per_second: u64,
    /// The products that are bought in turn, separated by commas.
    pub(in crate::prove) families: &'a str,
    /// How many reports, balances and lists a second.
    pub(in crate::prove) reads: u64,
}

impl<'a> LoadPlan<'a> {
    /// Airtime, so often a second.
    pub(in crate::prove) const fn airtime(prefix: &'a str, per_second: u64) -> Self {
        Self {
            prefix,
            per_second,
            families: "airtime",
            reads: 0,
        }
    }
}

/// Merchants who buy until this value ends.
#[derive(Debug)]
pub(in crate::prove) struct SteadyLoad {
    child: Child,
    /// The load ends with it.
    input: Option<ChildStdin>,
    pub(in crate::prove) record: PathBuf,
}

impl SteadyLoad {
    /// Buys of an instance.
    pub(in crate::prove) fn start(
        repo: &Repo,
        (shop, listen): (&Shop, &str),
        plan: LoadPlan<'_>,
    ) -> Result<Self> {
        let record = shop.folder().join(format!("{}.record", plan.prefix));
        File::create(&record)?;
        let mut child = python(repo, STEADY, (shop, listen))?
            .args([plan.prefix, &plan.per_second.to_string()])
            .arg(&record)
            .args([plan.families, &plan.reads.to_string()])
            .stdin(Stdio::piped())
            .spawn()
            .context("python3 is needed")?;
        let mut input = child.stdin.take().context("the load has no input")?;
        writeln!(input, "{}\n{}", shop.credentials(), shop.sender)?;
        Ok(Self {
            child,
            input: Some(input),
            record,
        })
    }

    /// How long the record is.
    pub(in crate::prove) fn position(&self) -> Result<u64> {
        Ok(fs::metadata(&self.record)?.len())
    }

    /// The answers that were recorded after a position.
    pub(in crate::prove) fn answers(&self, position: u64) -> Result<Vec<RecordedAnswer>> {
        recorded(&self.record, position)
    }

    /// Ends it once every request is answered.
    pub(in crate::prove) fn end(mut self) -> Result<PathBuf> {
        drop(self.input.take());
        ensure!(self.child.wait()?.success(), "the load failed");
        Ok(self.record.clone())
    }
}

impl Drop for SteadyLoad {
    fn drop(&mut self) {
        // It has ended already, or the proof has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answers of a record after a position.
pub(in crate::prove) fn recorded(record: &Path, position: u64) -> Result<Vec<RecordedAnswer>> {
    let mut file = File::open(record)?;
    file.seek(SeekFrom::Start(position))?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    // The last line may be half written.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let answers = whole.lines().map(serde_json::from_str);
    Ok(answers.collect::<Result<_, _>>()?)
}

/// Receives what is delivered to an endpoint of the account, until this value ends.
#[derive(Debug)]
pub(in crate::prove) struct EventReceiver {
    child: Child,
    /// It ends with it.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What it received.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::prove) struct ReceivedEvents {
    pub(in crate::prove) deliveries: u64,
    /// How many are different ones.
    pub(in crate::prove) events: u64,
}

impl EventReceiver {
    /// Makes the endpoint at an instance, which must allow it to be on this machine.
    pub(in crate::prove) fn start(repo: &Repo, (shop, listen): (&Shop, &str)) -> Result<Self> {
        let mut child = python(repo, RECEIVER, (shop, listen))?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("python3 is needed")?;
        let mut input = child.stdin.take().context("the receiver has no input")?;
        writeln!(input, "{}", shop.credentials())?;
        let output = child.stdout.take().context("the receiver has no output")?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        output.read_line(&mut line)?;
        ensure!(line.trim() == "ready", "the receiver is not ready");
        Ok(Self {
            child,
            input: Some(input),
            output,
        })
    }

    pub(in crate::prove) fn end(mut self) -> Result<ReceivedEvents> {
        drop(self.input.take());
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        ensure!(self.child.wait()?.success(), "the receiver failed");
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for EventReceiver {
    fn drop(&mut self) {
        // It has ended already, or the proof has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What reports say of payments that were recorded.
#[derive(Debug, Deserialize)]
pub(in crate::prove) struct PaymentReports {
    pub(in crate::prove) counts: BTreeMap<String, u64>,
    /// How many were acknowledged and are not there, or are another transaction.
    pub(in crate::prove) lost: u64,
    pub(in crate::prove) shown: Vec<String>,
}

impl PaymentReports {
    /// Asks an instance for the report of each payment that was sent since a moment.
    pub(in crate::prove) fn ask(
        repo: &Repo,
        (shop, listen): (&Shop, &str),
        (since, records): (u64, &[&Path]),
    ) -> Result<Self> {
        let mut child = python(repo, REPORTS, (shop, listen))?
            .arg(since.to_string())
            .args(records)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("python3 is needed")?;
        let mut input = child.stdin.take().context("the reports have no input")?;
        writeln!(input, "{}", shop.credentials())?;
        drop(input);
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "the reports cannot be had");
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    pub(in crate::prove) fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or_default()
    }
}

fn python(repo: &Repo, script: &str, (shop, listen): (&Shop, &str)) -> Result<Command> {
    let (address, port) = listen.rsplit_once(':').context("no port to ask")?;
    let mut python = Command::new("python3");
    // -B: what is compiled is not left among the sources.
    python
        .arg("-B")
        .arg(repo.root().join(script))
        .args([address, port])
        .arg(shop.data().join("ca.pem"));
    Ok(python)
}
