//! What only the embedded store is like: one file in the folder, and one server for it. Whatever
//! else is about that file must stand here: a run over another store leaves it out by name.

mod backup;

use serde_json::Value;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::process::GatewayProcess;
use tests::provider_journal;

#[tokio::test]
async fn a_second_server_on_the_same_folder_is_refused_and_the_first_goes_on() {
    let folder = GatewayFolder::embedded(QUICK);
    let account = folder.account("First", "100.00");
    let mut server = GatewayProcess::start(&folder);
    let second = folder.run(&["serve", "--listen", "127.0.0.1:0"]);
    let refused = second.refused();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("error:") && !refused.stdout.contains("ready"),
        "{refused:?}"
    );
    assert!(server.runs());
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    assert_eq!(merchant.balance().await.0, "100.00");
}

#[test]
fn an_audit_of_nothing_is_refused() {
    let folder = GatewayFolder::embedded_empty();
    let refused = provider_journal::audit(&folder).refused();
    let reported: Value = serde_json::from_str(&refused.stderr).expect("an error in JSON");
    let error = reported["error"].as_str().unwrap();
    assert!(error.contains("holds no books"), "{refused:?}");
    assert_eq!(reported["because"], Value::from(Vec::<Value>::new()));
}
