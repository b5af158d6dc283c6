//! The sandbox as a provider in a process of its own, which speaks the provider protocol. It keeps
//! its journal in a folder of its own, and must not know the gateway's.

use crate::program;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What gateway and provider sign with.
pub const KEYS: &str = "key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// What the account of the provider is called.
pub const ACCOUNT: &str = "far";

/// A sandbox that is served by a process of its own.
#[derive(Debug)]
pub struct SandboxProcess {
    child: Child,
    /// Where it answers.
    pub url: String,
}

impl SandboxProcess {
    /// A process over the files of a folder, on a free port. The folder holds `keys`, and may hold
    /// `sandbox.toml` with the settings of the sandbox.
    #[must_use]
    pub fn start(folder: &Path) -> Self {
        Self::at(folder, "127.0.0.1:0")
    }

    /// The same at an address.
    #[must_use]
    pub fn at(folder: &Path, address: &str) -> Self {
        Self::with(folder, address, &[])
    }

    /// The same with further arguments.
    #[must_use]
    pub fn with(folder: &Path, address: &str, further: &[&str]) -> Self {
        let arguments = ["provider", "serve-sandbox", "--listen", address];
        let mut command = program::command(&arguments);
        command.arg("--data").arg(data(folder));
        command.arg("--secret-file").arg(keys(folder));
        command.args(further);
        let settings = folder.join("sandbox.toml");
        if settings.exists() {
            command.arg("--config").arg(settings);
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("ready ");
        let url = url.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, url }
    }

    /// The address, to start another one there.
    #[must_use]
    pub fn address(&self) -> String {
        self.url.trim_start_matches("http://").to_owned()
    }

    /// Has it read its keys again (SIGHUP).
    pub fn reload(&self) {
        let signal = format!("kill -HUP {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &signal]).status().unwrap();
        assert!(sent.success(), "{signal}");
    }

    /// Ends it with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for SandboxProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the sandbox of a folder keeps its journal.
#[must_use]
pub fn data(folder: &Path) -> PathBuf {
    folder.join("sandbox")
}

/// Where the keys of a folder are.
#[must_use]
pub fn keys(folder: &Path) -> PathBuf {
    folder.join("keys")
}

/// The settings of a gateway of which such a process delivers these products.
#[must_use]
pub fn account(url: &str, keys: &Path, products: &[&str]) -> String {
    let keys = keys.display();
    let account = format!(
        "[provider.{ACCOUNT}]\nadapter = \"http\"\nenvironment = \"test\"\n\
         url = \"{url}\"\nkeys_file = \"{keys}\"\n\
         breaker_failures = 0\n"
    );
    let routes = products
        .iter()
        .map(|product| format!("\n[[route]]\nproduct = \"{product}\"\nprovider = \"{ACCOUNT}\"\n"));
    account + &routes.collect::<String>()
}
