//! A secret of a provider that is sealed for the configuration: it is sent as it is, and opens at
//! no other gateway. The configuration may then be read by every user.

use crate::number_lookup::through_reloadly;
use crate::reloadly_server::{CLIENT, FakeReloadly};
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, airtime};
use tests::process::GatewayProcess;
use tests::program::{self, ProgramOutput};

/// Seals what is on standard input.
fn seal(folder: &GatewayFolder, [name, setting]: [&str; 2], secret: &str) -> ProgramOutput {
    let path = folder.beside("secret.txt");
    tests::secret::write(&path, secret);
    let input = File::open(path).expect("the file that was written");
    let mut command = folder.command(&["provider", "seal", name, setting]);
    command.stdin(Stdio::from(input));
    program::run(command)
}

/// Settings of an account with both of its secrets sealed.
fn sealed_for(folder: &GatewayFolder, name: &str, settings: &str) -> String {
    let secrets = [("client_id", CLIENT.0), ("client_secret", CLIENT.1)];
    secrets
        .into_iter()
        .fold(settings.to_owned(), |settings, (setting, secret)| {
            let sealed = seal(folder, [name, setting], secret).well();
            settings.replace(secret, sealed.stdout.trim())
        })
}

#[tokio::test]
async fn a_sealed_secret_is_used_where_it_was_sealed_and_opens_nowhere_else() {
    let fake = FakeReloadly::start().await;
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Sealed", "10000.00");
    let settings = sealed_for(&folder, "far", &through_reloadly(fake.port));
    let sealed = settings
        .split('"')
        .find(|it| it.starts_with("sealed.v1.1."));
    let sealed = sealed.expect("a sealed secret");
    for secret in [CLIENT.0, CLIENT.1] {
        assert!(!settings.contains(secret), "{settings}");
    }
    let write = |folder: &GatewayFolder, settings: &str| {
        let path = folder.data().join("manilla.toml");
        std::fs::write(&path, format!("{QUICK}{settings}")).expect("a configuration");
        let everyone = Permissions::from_mode(0o644);
        std::fs::set_permissions(path, everyone).expect("rights");
    };
    write(&folder, &settings);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = airtime("sealed-1", "2348021234567", "1,000.00");
    let bought = merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(bought.txn_status(), "Successful");
    let shown = folder.run(&["config"]).well().stdout;
    assert!(
        !shown.contains(sealed) && !shown.contains(CLIENT.1),
        "{shown}"
    );

    assert!(server.terminate().await.success());

    // A second account of the same secrets cannot be said to be live.
    let live = through_reloadly(fake.port).replace("[provider.far]", "[provider.live]");
    let live = sealed_for(&folder, "live", &live);
    let live = live.replace("environment = \"test\"", "environment = \"live\"");
    let live = live.replace("number_lookup = \"on\"\n", "");
    let live = live.split("[[route]]").next().unwrap_or_default();
    let test = settings.replace("number_lookup = \"on\"\n", "");
    write(&folder, &format!("{live}{test}"));
    let both = folder.command(&["serve", "--listen", "127.0.0.1:0"]);
    let both = program::run(both).refused().stderr;
    assert!(both.contains("delivered for real money"), "{both}");

    // In the place of another setting, changed, and at another gateway.
    let elsewhere = settings.replace("[provider.far]", "[provider.near]");
    write(&folder, &elsewhere.replace("\"far\"", "\"near\""));
    let other = folder.run(&["provider", "test", "near"]).refused().stderr;
    assert!(other.contains("provider.near.client_"), "{other}");
    assert!(other.contains("sealed for another setting"), "{other}");
    write(
        &folder,
        &settings.replace(sealed, sealed.get(..30).unwrap_or_default()),
    );
    let cut = folder.run(&["provider", "test", "far"]).refused().stderr;
    assert!(
        cut.contains("not a whole sealed secret") || cut.contains("changed"),
        "{cut}"
    );
    let stranger = GatewayFolder::with(QUICK);
    let _account = stranger.account("Stranger", "1.00");
    write(&stranger, &settings);
    let refused = stranger.run(&["doctor"]).refused();
    assert!(
        refused.stdout.contains("by another key ring"),
        "{refused:?}"
    );
}

#[test]
fn what_cannot_be_sealed_is_named() {
    let folder = GatewayFolder::with(QUICK);
    let _account = folder.account("Sealed", "1.00");
    let no_secret = seal(&folder, ["far", "url"], "https://a").refused().stderr;
    assert!(
        no_secret.contains("is no secret of an adapter"),
        "{no_secret}"
    );
    let empty = seal(&folder, ["far", "client_secret"], "").refused().stderr;
    assert!(empty.contains("standard input"), "{empty}");
    let again = seal(&folder, ["far", "client_secret"], "sealed.v1.1.AAAA");
    assert!(again.refused().stderr.contains("is sealed already"));
}
