//! One payment shown from the command line: what the provider said, in its own words, and what the
//! money did. Nothing that is a secret may be shown.

use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::process::GatewayProcess;

const SHOW: [&str; 2] = ["transaction", "show"];

#[tokio::test]
async fn a_payment_is_shown_with_the_words_of_the_provider_and_its_transfers() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Shown", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let show = |reference: &str, flags: &[&str]| {
        let id = account.identity.as_str();
        let of = ["--identity", id, "--reference", reference];
        folder.run(&[&SHOW[..], &of, flags].concat())
    };
    for (reference, ending, kind, code, unavailable) in [
        ("refused-1", "0001", "order", "51", false),
        ("refused-2", "0018", "account", "61", true),
        ("refused-3", "0019", "moment", "91", true),
        ("refused-4", "0020", "lookalike", "94", false),
    ] {
        let order = OrderFamily::Airtime.order(reference, ending);
        let answer = merchant.post(AIRTIME, &order).await.with_status(200);
        assert_eq!(answer.txn_status(), "Failed");
        let message = answer.json()["message"].to_string();
        assert_eq!(message.contains("not available"), unavailable, "{message}");
        let shown = show(reference, &["--json"]).well().json();
        let attempts = shown["attempts"].as_array().unwrap();
        assert_eq!(attempts.len(), 1, "{shown}");
        assert_eq!(attempts[0]["refusal"]["kind"], kind);
        assert_eq!(attempts[0]["refusal"]["code"], code);
        let route = &attempts[0]["route"];
        assert_eq!(route["number"], 1, "{shown}");
        assert_eq!(route["reason"], "priority", "{shown}");
        let kinds = |list: &str, field: &str| -> Vec<String> {
            let rows = shown[list].as_array().unwrap();
            rows.iter().map(|row| row[field].to_string()).collect()
        };
        assert_eq!(kinds("events", "event"), ["\"opened\"", "\"failed\""]);
        assert_eq!(kinds("transfers", "kind"), ["\"hold\"", "\"release\""]);
    }
    let text = show("refused-3", &[]).well();
    let text = text.stdout;
    let words = "the provider refused it: 91 too many requests (moment)";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("release"), "{text}");
}

#[tokio::test]
async fn a_token_is_not_shown() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Token", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let family = OrderFamily::Electricity;
    let order = family.order("token-1", "4567");
    let path = tests::orders::ELECTRICITY;
    let answer = merchant.post(path, &order).await.with_status(200);
    let token = answer.json()["token"]["number"].clone();
    let token = token.as_str().map(str::to_owned);
    let token = token.expect("a token was vended").replace('-', "");
    let id = account.identity.as_str();
    let of = ["--identity", id, "--reference", "token-1", "--json"];
    let shown = folder.run(&[&SHOW[..], &of].concat()).well();
    let shown = shown.stdout.replace('-', "");
    assert!(shown.contains("successful"), "{shown}");
    assert!(!shown.contains(&token), "{shown}");
}

#[tokio::test]
async fn an_unknown_payment_and_an_unknown_account_are_named() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Nothing", "1.00");
    for (identity, reference, said) in [
        (account.identity.as_str(), "none", "has no payment under"),
        ("stranger", "none", "there is no account stranger"),
        ("shop", "a b", "--reference must be 1 to 64 characters"),
    ] {
        let of = ["--identity", identity, "--reference", reference];
        let refused = folder.run(&[&SHOW[..], &of].concat()).refused();
        let error = refused.stderr;
        assert!(error.contains(said), "{error}");
    }
}
