//! Where the gateway spends its time, as `perf` sees it: folded stacks for other tools, and a flame
//! graph of them. It must not run while figures are taken: looking costs time.

mod flame;

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Samples per second and processor: not in step with anything that happens a hundred times.
const SAMPLES: &str = "197";

/// A program without frame pointers is unwound from a copy of its stack.
const STACKS: &str = "dwarf,16384";

/// A recording under way.
#[derive(Debug)]
pub(crate) struct CpuProfile {
    perf: Child,
    samples: PathBuf,
    folder: PathBuf,
    name: String,
}

impl CpuProfile {
    /// Starts to record a process, for files of a name in a folder.
    pub(crate) fn start(folder: &Path, name: &str, process: u32) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let samples = folder.join(format!("{name}.perf"));
        let perf = Command::new("perf")
            .args([
                "record",
                "--quiet",
                "--event",
                "cpu-clock",
                "--freq",
                SAMPLES,
            ])
            .args(["--call-graph", STACKS, "--pid", &process.to_string()])
            .arg("--output")
            .arg(&samples)
            .stdin(Stdio::null())
            .spawn()
            .context("no `perf`; install it (Debian: `apt-get install linux-perf`)")?;
        Ok(Self {
            perf,
            samples,
            folder: folder.to_owned(),
            name: name.to_owned(),
        })
    }

    /// Ends the recording and writes what was seen.
    pub(crate) fn finish(mut self) -> Result<()> {
        let id = self.perf.id().to_string();
        Command::new("kill").args(["-INT", &id]).status()?;
        self.perf.wait()?;
        let script = Command::new("perf")
            .args([
                "script",
                "--no-inline",
                "--fields",
                "comm,ip,sym",
                "--input",
            ])
            .arg(&self.samples)
            .stderr(Stdio::null())
            .output()?;
        let stacks = fold(&String::from_utf8_lossy(&script.stdout));
        if stacks.is_empty() {
            bail!("perf has seen nothing; may it look? (kernel.perf_event_paranoid)");
        }
        let file = |kind: &str| self.folder.join(format!("{}.{kind}", self.name));
        let lines = stacks
            .iter()
            .map(|(stack, count)| format!("{stack} {count}\n"));
        std::fs::write(file("folded"), lines.collect::<String>())?;
        std::fs::write(file("svg"), flame::draw(&stacks))?;
        std::fs::remove_file(&self.samples)?;
        Ok(())
    }
}

/// Samples by stack, the outermost function first: what flame graph tools read.
type Stacks = BTreeMap<String, u64>;

/// Counts the stacks `perf script` prints: the name of a thread, one function a line with the
/// innermost first, an empty line.
fn fold(script: &str) -> Stacks {
    let mut stacks = Stacks::new();
    for sample in script.split("\n\n") {
        let mut lines = sample.lines().filter(|line| !line.trim().is_empty());
        let Some(thread) = lines.next() else { continue };
        let mut frames: Vec<_> = lines.map(function).collect();
        frames.push(thread.trim().replace(';', ":"));
        frames.reverse();
        *stacks.entry(frames.join(";")).or_default() += 1;
    }
    stacks
}

/// The function of a line, `address name`, without what makes its name unique.
fn function(line: &str) -> String {
    let name = line
        .trim()
        .split_once(' ')
        .map_or("?", |(_, name)| name.trim());
    let name = name.split("::h").next().unwrap_or(name);
    name.replace(';', ":")
}
