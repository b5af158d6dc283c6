//! A gateway with an account, as a first start makes them.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderName, HeaderValue};
use outbound_http::{
    OutboundClient, OutboundRequest, OutboundSettings, OutboundTarget, PlainHttp, tls,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use testkit::clock::ManualClock;

/// The number that payments are for.
pub(crate) const PHONE: &str = "2348031234567";

/// The longest an answer may take.
const WITHIN: Duration = Duration::from_secs(30);

/// A gateway that serves.
#[derive(Debug)]
pub(crate) struct TracedGateway {
    folder: TempDir,
    child: Child,
    lines: BufReader<ChildStdout>,
    client: OutboundClient,
    runtime: tokio::runtime::Runtime,
    identity: String,
    key: String,
}

/// How a gateway ended.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) status: ExitStatus,
    pub(crate) log: String,
    /// From its last line to its end.
    pub(crate) after_drain: Duration,
}

impl TracedGateway {
    /// Starts one that exports so many traces of a thousand.
    pub(crate) fn start(collector: &str, per_mille: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_manilla"))
            .args(["--listen", "127.0.0.1:0", "--data"])
            .arg(folder.path())
            .env("MANILLA_TELEMETRY_TRACES", collector)
            .env("MANILLA_TELEMETRY_TRACES_PER_MILLE", per_mille)
            // Traces do not depend on the level of the log.
            .env("MANILLA_LOG_LEVEL", "warn")
            .env("MANILLA_TRUSTED_PROXIES", "127.0.0.1")
            .env("MANILLA_MONITORING_LISTEN", "off")
            .env("MANILLA_LOOKUP_DNS", "off")
            .env("MANILLA_WEBHOOK_ALLOW_LOOPBACK", "true")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let (mut identity, mut key) = (String::new(), String::new());
        let address = loop {
            let mut line = String::new();
            assert_ne!(lines.read_line(&mut line).unwrap(), 0, "it ended");
            let words: Vec<_> = line.split_whitespace().collect();
            match words.as_slice() {
                ["mrcIdentity", text] => identity = (*text).to_owned(),
                ["mrcAPIKey", text] => key = (*text).to_owned(),
                ["ready", url] => break (*url).to_owned(),
                _ => {}
            }
        };
        let authority = std::fs::read(folder.path().join("ca.pem")).unwrap();
        let settings = OutboundSettings {
            authorities: tls::authorities(&authority).unwrap(),
            ..OutboundSettings::default()
        };
        let target = OutboundTarget::parse(&address, PlainHttp::Refused).unwrap();
        let clock = Arc::new(ManualClock::default());
        let client = OutboundClient::new(target, settings, clock).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread();
        Self {
            client,
            runtime: { runtime }.enable_all().build().unwrap(),
            folder,
            child,
            lines,
            identity,
            key,
        }
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Buys airtime, with further headers.
    pub(crate) fn pay(&self, reference: &str, headers: &[(&'static str, String)]) -> (u16, Value) {
        let body = format!(
            "{{\"mrcReference\":\"{reference}\",\"countryCode\":566,\"number\":\"{PHONE}\",\
             \"amount\":\"100.00\",\"billing\":\"prepaid\"}}"
        );
        self.post("/payment/airtime", (body, headers))
    }

    pub(crate) fn post(
        &self,
        path: &str,
        (body, headers): (String, &[(&'static str, String)]),
    ) -> (u16, Value) {
        let login = STANDARD.encode(format!("{}:{}", self.identity, self.key));
        let mut request = OutboundRequest::post_json(path, body);
        let login = [("authorization", format!("Basic {login}"))];
        for (name, value) in login.iter().chain(headers) {
            let value = HeaderValue::try_from(value).unwrap();
            request = request.with(HeaderName::from_static(name), value);
        }
        let answer = self.runtime.block_on(self.client.ask(request, WITHIN));
        let answer = answer.unwrap();
        (answer.status, serde_json::from_slice(&answer.body).unwrap())
    }

    pub(crate) fn wait(&self, pause: Duration) {
        self.runtime
            .block_on(async { tokio::time::sleep(pause).await });
    }

    /// Asks it to stop, and waits for its end.
    pub(crate) fn stop(mut self) -> Stopped {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).unwrap();
        let mut line = String::new();
        while line.trim() != "stopped" {
            line.clear();
            assert_ne!(self.lines.read_line(&mut line).unwrap(), 0, "no last line");
        }
        let drained = now();
        let status = self.child.wait().unwrap();
        Stopped {
            status,
            log: std::fs::read_to_string(self.folder.path().join("log")).unwrap(),
            after_drain: drained.elapsed(),
        }
    }
}

impl Drop for TracedGateway {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long the end takes is what is tested"
)]
fn now() -> Instant {
    Instant::now()
}
