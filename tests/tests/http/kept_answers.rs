//! Answers that a client may keep: each has a tag, and is asked for again by it. Nothing of an
//! account's own may be among them.

use reqwest::Method;
use reqwest::header::{ACCEPT, IF_NONE_MATCH};
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, send};
use tests::process::GatewayProcess;

/// What may be kept, and for how long.
const KEPT: [(&str, &str); 5] = [
    (
        "/tools/number?countryCode=566&number=2348031234567",
        "private, max-age=3600",
    ),
    ("/tools/timezones", "private, max-age=3600"),
    ("/tools/currencies", "private, max-age=3600"),
    ("/tools/sandbox", "private, max-age=3600"),
    ("/tools/countries", "private, no-cache"),
];

#[tokio::test]
async fn an_answer_that_is_kept_is_sent_again_only_where_it_differs() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Kept", "10.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for (path, control) in KEPT {
        let first = merchant.get(path).await.with_status(200);
        assert_eq!(first.header("cache-control"), Some(control), "{path}");
        let tag = first.header("etag").expect("a tag").to_owned();
        let asked = |tag: &str, format: &'static str| {
            let request = merchant.request(Method::GET, path);
            let request = request.header(IF_NONE_MATCH, tag);
            send(request.header(ACCEPT, format))
        };
        for same in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
            let unchanged = asked(&same, "application/json").await.with_status(304);
            assert_eq!(unchanged.body, "", "{path} {same}");
            assert_eq!(unchanged.header("etag"), Some(&*tag), "{path}");
            assert_eq!(unchanged.header("content-type"), None, "{path}");
        }
        let other = asked("\"other\"", "application/json")
            .await
            .with_status(200);
        assert_eq!(other.body, first.body, "{path}");
        // In another form it is another answer.
        let in_xml = asked(&tag, "application/xml").await.with_status(200);
        assert_ne!(in_xml.header("etag"), Some(&*tag), "{path}");
        let vary = in_xml.header("vary").unwrap_or_default();
        assert!(vary.contains("Accept"), "{path}: {vary}");
    }
}

#[tokio::test]
async fn what_is_of_an_account_alone_is_not_kept_whatever_tag_is_named() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Kept", "10.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for path in ["/account/balance", "/account/statement", "/security/freeze"] {
        let request = merchant
            .request(Method::GET, path)
            .header(IF_NONE_MATCH, "*");
        let answer = send(request).await.with_status(200);
        assert_eq!(answer.header("etag"), None, "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
}
