//! Where the program delivers to by default.

use crate::shop::WebhookShop;
use serde_json::json;
use tokio::net::TcpListener;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_beside_the_gateway_can_be_called_through_it() {
    let shop = WebhookShop::with("");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    for url in [
        format!("https://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}/"),
        format!("https://localhost:{port}/"),
        format!("https://2130706433:{port}/"),
        format!("https://0x7f.1:{port}/"),
        format!("https://[::1]:{port}/"),
        format!("https://[::ffff:127.0.0.1]:{port}/"),
        "https://169.254.169.254/latest/meta-data/".to_owned(),
        "https://10.0.0.1/".to_owned(),
        format!("https://{}/", shop.server.address()),
        "https://shop.internal/".to_owned(),
        "https://user:password@shop.example/".to_owned(),
        "ftp://shop.example/".to_owned(),
        "shop.example".to_owned(),
        String::new(),
    ] {
        let answer = shop
            .merchant
            .post("/webhook/endpoint", &json!({"whkUrl": url}))
            .await;
        assert_eq!(answer.status, 400, "{url}: {answer:?}");
        assert_eq!(answer.faulty(), ["whkUrl"], "{url}");
    }
    let called = tokio::time::timeout(std::time::Duration::ZERO, listener.accept()).await;
    assert!(called.is_err(), "an endpoint was called: {called:?}");
}
