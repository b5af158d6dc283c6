//! Endpoints for the tests of several operations. It must assert nothing but that they were
//! created.

use super::{RouteTestWorld, TestAnswer, post_of};

/// The address of the endpoints of tests.
pub(crate) const URL: &str = "https://shop.example/events";

impl RouteTestWorld {
    /// Creates an endpoint of `shop` that is subscribed to every event, and returns its number.
    pub(crate) async fn endpoint(&self) -> u64 {
        self.endpoint_of("shop").await
    }

    /// Creates an endpoint of an account, and returns its number.
    pub(crate) async fn endpoint_of(&self, account: &str) -> u64 {
        let body = format!(r#"{{"whkUrl":"{URL}"}}"#);
        let made = self.send(post_of(account, "/webhook/endpoint", body)).await;
        made.assert_success(201);
        made.json["whkIdentifier"].as_u64().unwrap()
    }

    /// Sends a command that takes only the number of `shop`'s endpoint.
    pub(crate) async fn ask_endpoint(&self, what: &str, endpoint: u64) -> TestAnswer {
        let body = format!(r#"{{"whkIdentifier":{endpoint}}}"#);
        self.send(post_of("shop", &format!("/webhook/{what}"), body))
            .await
    }

    /// Buys airtime for `shop`, which causes two events.
    pub(crate) async fn buy(&self, reference: &str) {
        let body = format!(
            r#"{{"mrcReference":"{reference}","countryCode":566,"number":"2348031234567",
                "amount":"100","billing":"prepaid"}}"#
        );
        let bought = self.send(post_of("shop", "/payment/airtime", body)).await;
        bought.assert_success(200);
    }
}
