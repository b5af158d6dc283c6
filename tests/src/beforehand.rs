//! Requests that are made while another is built, because it needs what they answer.

use crate::answer::HttpAnswer;
use crate::merchant::{TestMerchant, try_send};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use tokio::runtime::{Handle, RuntimeFlavor};

/// The answer to a request; `None` where the server does not answer. Requests are built outside of
/// any runtime, so it is made on a thread of its own.
pub(crate) fn post(merchant: &TestMerchant, path: &str, body: &Value) -> Option<HttpAnswer> {
    let asked = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let asked = merchant
                .afresh()
                .request(Method::POST, path)
                .header(CONTENT_TYPE, "application/json")
                .body(body.to_string());
            try_send(asked).await.ok()
        })
    };
    apart(|| std::thread::scope(|scope| scope.spawn(asked).join().expect("an answer or none")))
}

/// Waits without keeping the other tasks of the test from running, where there are any.
fn apart<T>(wait: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    match flavor {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(wait),
        Ok(_) | Err(_) => wait(),
    }
}
