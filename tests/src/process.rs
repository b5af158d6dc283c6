//! The server as a process: started, stopped, killed and started again on the same data. It must
//! never outlive the suite that started it.

use crate::folder::GatewayFolder;
use crate::patience::{self, Deadline};
use std::fs::File;
use std::io::{BufRead, BufReader, PipeWriter};
use std::net::SocketAddr;
use std::os::unix::fs::FileExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest a start may take: an unoptimised build on a busy machine, with a certificate to make
/// and a store to recover.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// The longest a stop may take: the drain waits for the answer window.
const STOPPED_WITHIN: Duration = Duration::from_secs(40);

/// How the line begins that says where a server answers.
const READY: &str = "ready https://";

/// Any free port of this machine.
const ANY_PORT: &str = "127.0.0.1:0";

/// Limits out of the way: suites pay as fast as they can from one account, and go through every
/// operation with wrong keys. A suite about limits sets its own. And nothing is asked outside this
/// machine: suites need no network.
pub const UNHINDERED: [(&str, &str); 8] = [
    ("MANILLA_MONITORING_LISTEN", "off"),
    ("MANILLA_LOOKUP_DNS", "off"),
    ("MANILLA_LIMITS_PAYMENTS_PER_MINUTE", "60000000"),
    ("MANILLA_LIMITS_PAYMENTS_AT_ONCE", "60000000"),
    ("MANILLA_LIMITS_BULKS_PER_MINUTE", "60000000"),
    ("MANILLA_LIMITS_READS_PER_MINUTE", "60000000"),
    ("MANILLA_LIMITS_LOOKUPS_PER_MINUTE", "60000000"),
    ("MANILLA_LIMITS_FAILED_LOGINS_PER_MINUTE", "60000000"),
];

/// How a server is started.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The command: `serve`, or nothing for a newcomer's first start.
    pub command: &'static [&'static str],
    /// Where it listens; any free port by default.
    pub listen: Option<SocketAddr>,
    /// Further variables of its environment; they go over [`UNHINDERED`].
    pub environment: Vec<(&'static str, String)>,
    /// Where its log goes, if not into a file beside its folder.
    pub log: Option<Arc<PipeWriter>>,
    /// How many files the system lets it have open, if not as many as usual.
    pub open_files: Option<u32>,
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            command: &["serve"],
            listen: None,
            environment: Vec::new(),
            log: None,
            open_files: None,
        }
    }
}

/// A server that is ready.
#[derive(Debug)]
pub struct GatewayProcess {
    child: Child,
    address: SocketAddr,
    printed: Vec<String>,
    reader: Option<JoinHandle<()>>,
    lines: Receiver<String>,
    /// Held open: the folder may be gone before the server is.
    log: File,
}

impl GatewayProcess {
    /// Starts a server on a folder and waits until it is ready.
    #[must_use]
    pub fn start(folder: &GatewayFolder) -> Self {
        Self::launch(folder, &Launch::default())
    }

    /// Starts a server and waits until it is ready.
    #[must_use]
    pub fn launch(folder: &GatewayFolder, launch: &Launch) -> Self {
        let mut server = Self::begin(folder, launch);
        let ready = server.wait_until_ready();
        server.address =
            ready.unwrap_or_else(|| panic!("not ready; it printed {:#?}", server.printed));
        server
    }

    /// Starts a server on a folder that it may refuse to serve.
    #[must_use]
    pub fn start_unless_refused(folder: &GatewayFolder) -> Option<Self> {
        let mut server = Self::begin(folder, &Launch::default());
        server.address = server.wait_until_ready()?;
        Some(server)
    }

    fn begin(folder: &GatewayFolder, launch: &Launch) -> Self {
        let log = File::options()
            .create(true)
            .append(true)
            .read(true)
            .open(folder.beside("server.log"))
            .expect("the log can be written");
        let mut child = start(folder, launch, &log);
        let (lines, reader) = read_lines(child.stdout.take().expect("stdout is piped"));
        Self {
            child,
            address: SocketAddr::from(([0, 0, 0, 0], 0)),
            printed: Vec::new(),
            reader: Some(reader),
            lines,
            log,
        }
    }

    /// Starts a server and kills it after a while, ready or not. Says whether it was.
    pub async fn kill_while_starting(
        folder: &GatewayFolder,
        launch: &Launch,
        after: Duration,
    ) -> bool {
        let mut server = Self::begin(folder, launch);
        tokio::time::sleep(after).await;
        server.end();
        server.lines.try_iter().any(|line| line.starts_with(READY))
    }

    /// Where it listens; nothing where it ended instead.
    fn wait_until_ready(&mut self) -> Option<SocketAddr> {
        let deadline = Deadline::after(READY_WITHIN);
        while !deadline.is_over() {
            match self.lines.recv_timeout(Duration::from_millis(100)) {
                Ok(line) => {
                    let address = line.strip_prefix(READY).map(str::to_owned);
                    self.printed.push(line);
                    if let Some(address) = address {
                        let address = address.parse();
                        return Some(address.expect("the ready line ends in an address"));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        panic!(
            "the server is not ready within {READY_WITHIN:?}; it printed {:#?}",
            self.printed
        );
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of its process.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// What it has printed up to its ready line.
    #[must_use]
    pub fn printed(&self) -> &[String] {
        &self.printed
    }

    /// Kills it on the spot, as a power cut would (SIGKILL), and waits until it is gone.
    pub fn kill(mut self) {
        self.end();
    }

    /// Asks it to stop, as Ctrl-C does (SIGINT), and waits until it has.
    pub async fn interrupt(self) -> ExitStatus {
        self.ask_to_stop();
        self.stopped().await
    }

    /// Asks it to stop, as whatever manages services does (SIGTERM), and waits until it has.
    pub async fn terminate(self) -> ExitStatus {
        self.send("TERM");
        self.stopped().await
    }

    /// Asks it to stop, as Ctrl-C does (SIGINT).
    pub fn ask_to_stop(&self) {
        self.send("INT");
    }

    /// Stops the process where it is (SIGSTOP) until it is resumed.
    pub fn pause(&self) {
        self.send("STOP");
    }

    /// Lets a paused process go on (SIGCONT).
    pub fn resume(&self) {
        self.send("CONT");
    }

    /// Sends it a signal by its name, such as `HUP`.
    pub fn send(&self, signal: &str) {
        let signal = format!("kill -{signal} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &signal]).status();
        assert!(sent.expect("a shell").success(), "{signal}");
    }

    async fn stopped(mut self) -> ExitStatus {
        let what = "a server that was asked to stop does";
        let look = async || self.child.try_wait().expect("the server can be waited for");
        patience::eventually(what, STOPPED_WITHIN, look).await
    }

    /// Whether it still runs.
    #[must_use]
    pub fn runs(&mut self) -> bool {
        self.child
            .try_wait()
            .expect("the server can be waited for")
            .is_none()
    }

    /// What it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        let length = self.log.metadata().map_or(0, |metadata| metadata.len());
        let mut bytes = vec![0; usize::try_from(length).expect("a log that fits into memory")];
        self.log
            .read_exact_at(&mut bytes, 0)
            .expect("the log can be read");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn end(&mut self) {
        // Fails only when it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

impl Drop for GatewayProcess {
    #[expect(clippy::print_stderr, reason = "the log explains why a test failed")]
    fn drop(&mut self) {
        self.end();
        if std::thread::panicking() {
            let log = self.log();
            let lines: Vec<_> = log.lines().rev().take(60).collect();
            let lines: Vec<_> = lines.into_iter().rev().collect();
            eprintln!("the server's log ends with\n{}", lines.join("\n"));
        }
    }
}

fn start(folder: &GatewayFolder, launch: &Launch, log: &File) -> Child {
    let listen = launch
        .listen
        .map_or(ANY_PORT.to_owned(), |address| address.to_string());
    let log: Stdio = match &launch.log {
        Some(pipe) => pipe.try_clone().expect("another end of the pipe").into(),
        None => log.try_clone().expect("another handle of the log").into(),
    };
    let mut command = folder.command(launch.command);
    command
        .args(["--listen", &listen])
        .envs(UNHINDERED)
        .envs(launch.environment.iter().cloned());
    if let Some(limit) = launch.open_files {
        command = limited(&command, limit);
    }
    command.stdout(Stdio::piped()).stderr(log);
    command.spawn().expect("the server can be started")
}

/// The same command by a shell that first lowers the limit of open files.
fn limited(command: &Command, limit: u32) -> Command {
    let lowered = format!("ulimit -n {limit} && exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &lowered])
        .arg(command.get_program())
        .args(command.get_args())
        .stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

fn read_lines(stdout: ChildStdout) -> (Receiver<String>, JoinHandle<()>) {
    let (line, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for read in BufReader::new(stdout).lines() {
            // Reading goes on without a listener: a full pipe would stop the server.
            let Ok(read) = read else { break };
            let _ = line.send(read);
        }
    });
    (lines, reader)
}
