//! The SMSC as a process. It must not be reached from another machine.

use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tests::patience;

/// How long what must happen is waited for.
const WITHIN: Duration = Duration::from_secs(30);

/// The SMSC; it ends with this value.
pub(crate) struct NodeSmsc {
    child: Child,
    input: Mutex<ChildStdin>,
    said: Arc<Mutex<Vec<Value>>>,
    pub(crate) port: u64,
}

/// Where the package is installed.
fn package() -> PathBuf {
    let suite = std::env::current_exe().unwrap();
    let target = suite.ancestors().nth(3).unwrap();
    let package = target.join("receivers/smpp");
    assert!(
        package.join("installed").is_file(),
        "{} is not there; `cargo xtask test` installs it",
        package.display()
    );
    package
}

impl NodeSmsc {
    pub(crate) async fn start() -> Self {
        // Node looks for packages beside the file.
        let home = package();
        let script = home.join(format!("smsc-{}.mjs", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/providers/smsc.mjs");
        std::fs::copy(source, &script).unwrap();
        let mut child = Command::new("node")
            .arg(&script)
            .arg("0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node is needed, such as Debian's package nodejs");
        let said = Arc::new(Mutex::new(Vec::new()));
        let output = BufReader::new(child.stdout.take().unwrap());
        let saying = Arc::clone(&said);
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let document = serde_json::from_str(&line).unwrap();
                saying.lock().unwrap().push(document);
            }
        });
        let input = Mutex::new(child.stdin.take().unwrap());
        let mut smsc = Self {
            child,
            input,
            said,
            port: 0,
        };
        let ready = smsc.eventually("the SMSC", |said| named(said, "ready"));
        smsc.port = ready.await["ready"].as_u64().unwrap();
        let _ = std::fs::remove_file(script);
        smsc
    }

    /// Waits for what it says.
    pub(crate) async fn eventually<T>(
        &self,
        what: &str,
        found: impl Fn(&[Value]) -> Option<T>,
    ) -> T {
        patience::eventually(what, WITHIN, async || found(&self.said())).await
    }

    pub(crate) fn said(&self) -> Vec<Value> {
        self.said.lock().unwrap().clone()
    }

    /// The parts it was sent for a number, in the order they came.
    pub(crate) fn parts(&self, number: &str) -> Vec<Value> {
        let said = self.said().into_iter();
        said.filter(|it| it["submitted"] == number).collect()
    }

    /// The same, once there are so many.
    pub(crate) async fn sent(&self, number: &str, parts: usize) -> Vec<Value> {
        self.eventually("the parts of a message", |_| {
            let sent = self.parts(number);
            (sent.len() >= parts).then_some(sent)
        })
        .await
    }

    /// Has it hand over a receipt until that is acknowledged.
    pub(crate) fn report(&self, id: &str, stat: &str) {
        let mut input = self.input.lock().unwrap();
        writeln!(input, "receipt {id} {stat}").unwrap();
    }

    /// Has it hand over a message of a person until that is acknowledged.
    pub(crate) fn message(&self, message: &Value) {
        let mut input = self.input.lock().unwrap();
        writeln!(input, "message {message}").unwrap();
    }

    /// Waits until the receipt of an identity, or a message of a key, is acknowledged.
    pub(crate) async fn acknowledged(&self, id: &str) {
        self.eventually("an acknowledgement", |said| {
            said.iter().find(|it| it["acknowledged"] == id).map(drop)
        })
        .await;
    }
}

/// The first document with a field.
pub(crate) fn named(said: &[Value], field: &str) -> Option<Value> {
    said.iter().find(|it| !it[field].is_null()).cloned()
}

impl Drop for NodeSmsc {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
