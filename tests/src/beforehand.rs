//! Requests that are made while another is built, because it needs what they answer.

use crate::answer::HttpAnswer;
use crate::merchant::{TestMerchant, try_send};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use std::time::Duration;
use tokio::runtime::{Handle, RuntimeFlavor};

/// A server whose database fails answers 503 for a while.
const TRIES: usize = 20;
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// The answer to a request; `None` where the server does not answer. Requests are built outside of
/// any runtime, so it is made on a thread of its own.
pub(crate) fn post(merchant: &TestMerchant, path: &str, body: &Value) -> Option<HttpAnswer> {
    let asked = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(served(merchant, path, body))
    };
    apart(|| std::thread::scope(|scope| scope.spawn(asked).join().expect("an answer or none")))
}

/// Asks again while the answer is 503: each that is asked for may be made more than once.
async fn served(merchant: &TestMerchant, path: &str, body: &Value) -> Option<HttpAnswer> {
    let merchant = merchant.afresh();
    let mut last = None;
    for _ in 0..TRIES {
        let asked = merchant
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        let answer = try_send(asked).await.ok()?;
        if answer.status != 503 {
            return Some(answer);
        }
        last = Some(answer);
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
    last
}

/// Waits without keeping the other tasks of the test from running, where there are any.
fn apart<T>(wait: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    match flavor {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(wait),
        Ok(_) | Err(_) => wait(),
    }
}
