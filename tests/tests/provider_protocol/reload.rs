//! A server that takes up another configuration while merchants pay (SIGHUP). No payment may fail
//! or be doubled by it, and what cannot be used must change nothing.

use provider_sim::journal;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tests::fleet::{Fleet, THREE};
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::sandbox_process::{self, SandboxProcess};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const WITHIN: Duration = Duration::from_secs(20);

const RELOADED: &str = "reloaded the certificate";
const REFUSED: &str = "nothing was reloaded";

/// How many merchants' clients pay at a time.
const CLIENTS: usize = 6;

/// Two sandboxes beside the built-in one; airtime goes to the one that is named.
fn routed_to(name: &str) -> String {
    format!(
        "{QUICK}\n[provider.east]\nadapter = \"sandbox\"\n[provider.west]\n\
         adapter = \"sandbox\"\n[[route]]\nproduct = \"airtime\"\nprovider = \"{name}\"\n"
    )
}

fn write(folder: &GatewayFolder, settings: &str) {
    fs::write(folder.data().join("manilla.toml"), settings).unwrap();
}

/// Sends SIGHUP and waits until the log says what came of it once more.
async fn reload(server: &GatewayProcess, says: &str) {
    let count = || server.log().matches(says).count();
    let before = count();
    server.send("HUP");
    eventually(says, WITHIN, async || (count() > before).then_some(())).await;
}

async fn buy(merchant: &TestMerchant, reference: &str) -> String {
    let order = OrderFamily::Airtime.order(reference, "4567");
    let answer = merchant.post(AIRTIME, &order).await.with_status(200);
    answer.txn_status().clone()
}

/// The journal entries of an account at a sandbox of the server.
fn delivered(folder: &GatewayFolder, name: &str) -> usize {
    let path = folder.data().join(format!("{name}.journal"));
    journal::read(&path).unwrap().len()
}

/// Clients that pay for airtime without a pause, each at one of the servers.
struct PayingClients {
    stop: CancellationToken,
    paid: Arc<AtomicUsize>,
    clients: JoinSet<()>,
}

impl PayingClients {
    fn start(merchants: &[TestMerchant]) -> Self {
        let mut it = Self {
            stop: CancellationToken::new(),
            paid: Arc::default(),
            clients: JoinSet::new(),
        };
        for (client, merchant) in merchants.iter().cycle().take(CLIENTS).enumerate() {
            let (merchant, stop, paid) = (merchant.clone(), it.stop.clone(), it.paid.clone());
            it.clients.spawn(async move {
                let mut number = 0;
                while !stop.is_cancelled() {
                    let status = buy(&merchant, &format!("load-{client}-{number}")).await;
                    assert_eq!(status, "Successful");
                    paid.fetch_add(1, Ordering::Relaxed);
                    number += 1;
                }
            });
        }
        it
    }

    /// Waits until so many more were paid.
    async fn pay(&self, count: usize) {
        let before = self.paid.load(Ordering::Relaxed);
        let until = async || (self.paid.load(Ordering::Relaxed) >= before + count).then_some(());
        eventually("payments go on", WITHIN, until).await;
    }

    /// How many payments there were; none failed.
    async fn end(mut self) -> usize {
        self.stop.cancel();
        while let Some(client) = self.clients.join_next().await {
            client.unwrap();
        }
        self.paid.load(Ordering::Relaxed)
    }
}

#[tokio::test]
async fn routes_change_under_load_and_no_payment_fails_or_is_doubled() {
    let folder = GatewayFolder::with(&routed_to("east"));
    let account = folder.account("Loaded", "100000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let clients = PayingClients::start(&[merchant]);
    for name in ["west", "east", "west", "east", "west"] {
        clients.pay(15).await;
        write(&folder, &routed_to(name));
        reload(&server, RELOADED).await;
        // What began before may still go where it was going: one for each client.
        clients.pay(2 * CLIENTS).await;
        let other = if name == "west" { "east" } else { "west" };
        let before = delivered(&folder, other);
        clients.pay(15).await;
        let after = delivered(&folder, other);
        assert_eq!(after, before, "after the route to {name}");
    }
    let paid = clients.end().await;
    let [east, west] = ["east", "west"].map(|name| delivered(&folder, name));
    assert_eq!(east + west, paid, "{east} and {west}");
    assert!(east > 15 && west > 15);
    assert_eq!(delivered(&folder, "sandbox"), 0);
    assert!(server.log().contains("1 → 1"), "{}", server.log());
    server.kill();
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn three_instances_reload_one_after_the_other_while_all_of_them_are_paid_at() {
    let fleet = Fleet::start(&routed_to("east"));
    let folder = &fleet.account.folder;
    let clients = PayingClients::start(&fleet.merchants());
    clients.pay(15).await;
    write(folder, &routed_to("west"));
    for index in 0..THREE {
        reload(fleet.instance(index), RELOADED).await;
        // In between, instances route by different tables.
        clients.pay(15).await;
    }
    clients.pay(2 * CLIENTS).await;
    let before = delivered(folder, "east");
    clients.pay(15).await;
    assert_eq!(delivered(folder, "east"), before);
    let paid = clients.end().await;
    let [east, west] = ["east", "west"].map(|name| delivered(folder, name));
    assert_eq!(east + west, paid, "{east} and {west}");
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn a_wrong_configuration_and_one_that_needs_a_restart_change_nothing() {
    let folder = GatewayFolder::with(&routed_to("east"));
    let account = folder.account("Wrong", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let wrong = format!("{}weight = 0\n[sandbox]\n", routed_to("wst"));
    let emptied = QUICK.to_owned();
    let listening = format!(
        "{}[server]\nlisten = \"127.0.0.1:1\"\n[log]\nlevel = \"error\"\n",
        routed_to("west").replace("[provider.east]", "[provider.north]")
    );
    for (number, (settings, said)) in [
        (
            wrong.replace("[sandbox]\n", ""),
            vec!["`weight`", "\"wst\""],
        ),
        (
            listening,
            vec!["needs a restart", "[provider.east]: it is gone"],
        ),
        (emptied, vec!["none is left"]),
        (
            "no = toml =".to_owned(),
            vec!["the configuration cannot be used"],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        write(&folder, &settings);
        reload(&server, REFUSED).await;
        let log = server.log();
        for said in said {
            let escaped = said.replace('"', "\\\"");
            assert!(
                log.contains(said) || log.contains(&escaped),
                "{said}: {log}"
            );
        }
        let status = buy(&merchant, &format!("wrong-{number}")).await;
        assert_eq!(status, "Successful");
        assert_eq!(delivered(&folder, "east"), number + 1);
    }
    assert_eq!(delivered(&folder, "west"), 0);
    assert!(!server.log().contains(RELOADED));
    write(&folder, &routed_to("west"));
    reload(&server, RELOADED).await;
    assert_eq!(buy(&merchant, "right").await, "Successful");
    assert_eq!(delivered(&folder, "west"), 1);
}

/// Sends SIGHUP until something was reloaded. The provider has no line to wait for: until it has
/// read its keys, the gateway stays as it is.
async fn reload_once_ready(server: &GatewayProcess) {
    let ends = || [RELOADED, REFUSED].map(|end| server.log().matches(end).count());
    eventually("the provider takes the new key", WITHIN, async || {
        let before = ends();
        server.send("HUP");
        eventually("an end of the reload", WITHIN, async || {
            (ends() != before).then_some(())
        })
        .await;
        (ends()[0] > before[0]).then_some(())
    })
    .await;
}

/// What both sides sign with, at its three stages of a rotation.
const OLD: &str = "key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n";
const NEW: &str = "key-2 HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=\n";

#[tokio::test]
async fn a_secret_is_rotated_at_both_sides_without_a_restart() {
    let at = TempDir::new().unwrap();
    let (theirs, ours) = (at.path().join("keys"), at.path().join("ours"));
    let put = |path: &Path, keys: &[&str]| tests::secret::write(path, keys.concat());
    put(&theirs, &[OLD]);
    put(&ours, &[OLD]);
    let provider = SandboxProcess::start(at.path());
    let settings = sandbox_process::account(&provider.url, &ours, &["airtime"]);
    let folder = GatewayFolder::with(&format!("{QUICK}\n{settings}"));
    let account = folder.account("Rotated", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("first", "4567");
    eventually("capabilities", WITHIN, async || {
        (merchant.post(AIRTIME, &order).await.status == 200).then_some(())
    })
    .await;

    // A key that the provider does not know is not taken up.
    put(&ours, &[NEW]);
    reload(&server, REFUSED).await;
    let log = server.log();
    assert!(log.contains("[provider.far] cannot be used"), "{log}");
    assert_eq!(buy(&merchant, "still-old").await, "Successful");

    // The provider takes both and signs with the old one.
    put(&theirs, &[OLD, NEW]);
    provider.reload();
    put(&ours, &[NEW, OLD]);
    reload_once_ready(&server).await;
    assert_eq!(buy(&merchant, "with-both").await, "Successful");
    // The answer is lost, and a question with the new key finds what was delivered.
    let lost = OrderFamily::Airtime.order("lost", "0003");
    merchant.post(AIRTIME, &lost).await;

    put(&theirs, &[NEW]);
    provider.reload();
    put(&ours, &[NEW]);
    reload_once_ready(&server).await;
    assert_eq!(buy(&merchant, "with-the-new").await, "Successful");
    eventually("the end of the lost one", WITHIN, async || {
        let report = OrderFamily::Airtime.report("lost");
        let answer = merchant.get(&report).await.with_status(200);
        (answer.txn_status() == "Successful").then_some(())
    })
    .await;
    let log = server.log();
    assert!(
        log.contains("secrets=\"far\"") || log.contains("secrets=far"),
        "{log}"
    );
    for key in [OLD, NEW] {
        let secret = key.trim().split_once(' ').unwrap().1;
        assert!(!log.contains(secret), "a secret was logged");
    }
    let entries = journal::read(&at.path().join("sandbox/sandbox.journal")).unwrap();
    assert_eq!(entries.len(), 5);
    server.kill();
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}
