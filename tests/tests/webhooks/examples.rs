//! The receivers of the documentation, run as they are, and `manilla webhook listen`: each takes
//! what the program delivers, and goes on where it was killed.

use crate::receiver::WebhookReceiver;
use crate::shop::{ShopEndpoint, WebhookShop};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver as Lines};
use std::time::Duration;
use tests::{patience, program};

/// A receiver as a process of its own; it ends with this value.
struct Running {
    child: Child,
    lines: Lines<String>,
}

impl Running {
    fn start(mut command: Command, secret: &str) -> Self {
        let mut child = command
            .env("WEBHOOK_SECRET", secret)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{error}: {command:?}"));
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        let running = Self { child, lines };
        running.until("ready");
        running
    }

    /// Waits for a line that has a text in it.
    fn until(&self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(20));
            let line = line.unwrap_or_else(|error| panic!("no line with {text}: {error}"));
            if line.contains(text) {
                return line;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder of the documentation.
fn documented(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/examples/webhooks")
        .join(file)
}

/// Where the libraries of the standard are installed.
fn libraries() -> PathBuf {
    let suite = std::env::current_exe().unwrap();
    let target = suite.ancestors().nth(3).unwrap();
    let libraries = target.join("receivers");
    assert!(
        libraries.join("javascript/installed").is_file(),
        "{} is not there; `cargo xtask test` installs it",
        libraries.display()
    );
    libraries
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn python(port: u16) -> Command {
    let mut command = Command::new(libraries().join("python/bin/python"));
    command.arg(documented("receiver.py")).arg(port.to_string());
    command
}

fn javascript(port: u16) -> Command {
    // Node looks for libraries beside the file.
    let home = libraries().join("javascript");
    let file = home.join(format!("receiver-{port}.mjs"));
    std::fs::copy(documented("receiver.mjs"), &file).unwrap();
    let mut command = Command::new("node");
    command.arg(file).arg(port.to_string());
    command
}

fn rust(port: u16) -> Command {
    let profile = program::path();
    let mut command = Command::new(profile.with_file_name("examples").join("receiver"));
    command.arg(port.to_string());
    command
}

fn listen(port: u16) -> Command {
    program::command(&["webhook", "listen", "--at", &format!("127.0.0.1:{port}")])
}

async fn endpoint(shop: &WebhookShop, port: u16) -> ShopEndpoint {
    let url = format!("http://127.0.0.1:{port}/");
    shop.endpoint(&json!({ "whkUrl": url })).await
}

async fn takes_what_is_delivered(receiver: fn(u16) -> Command) {
    let (shop, port) = (WebhookShop::open(), free_port());
    let endpoint = endpoint(&shop, port).await;
    let running = Running::start(receiver(port), &endpoint.secret);
    shop.buy("later-1", "0002").await;
    running.until("transaction.successful");
    // It is accepted, not only shown.
    let what = "both are delivered";
    patience::eventually(what, Duration::from_secs(10), async || {
        let shown = shop.deliveries("").await;
        let all = shown["deliveries"].as_array().unwrap().clone();
        let done = all
            .iter()
            .filter(|it| it["dlvStatus"] == "Delivered")
            .count();
        (done == 2).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_in_python_takes_what_is_delivered() {
    takes_what_is_delivered(python).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_in_javascript_takes_what_is_delivered() {
    takes_what_is_delivered(javascript).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_in_rust_takes_what_is_delivered() {
    takes_what_is_delivered(rust).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_of_the_command_line_takes_what_is_delivered() {
    takes_what_is_delivered(listen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_was_killed_receives_what_it_missed() {
    let (shop, port) = (WebhookShop::open(), free_port());
    let (other, endpoint) = (WebhookReceiver::start().await, endpoint(&shop, port).await);
    shop.tells(&other).await;
    let running = Running::start(listen(port), &endpoint.secret);
    shop.buy("before", "4567").await;
    running.until("before");
    drop(running);
    shop.buy("missed", "4567").await;
    // The living one receives events as before.
    other.reported("transaction.successful", "missed").await;
    let running = Running::start(listen(port), &endpoint.secret);
    running.until("missed");
}

#[test]
fn the_heart_of_the_example_stands_in_the_documentation() {
    let guide = documented("../../WEBHOOKS.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let example = std::fs::read_to_string(documented("receiver.py")).unwrap();
    for line in [
        r#"webhook = Webhook(os.environ["WEBHOOK_SECRET"])"#,
        "webhook.verify(body, ",
    ] {
        assert!(guide.contains(line) && example.contains(line), "{line}");
    }
}
