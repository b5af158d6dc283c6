//! `POST /webhook/rotate`. It must show the new secret and no other.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::webhook::rotate;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let endpoint = rotate::parse(&call.attributes, call.handling)?;
    let keyed = gateway.rotate_secret(&call.merchant, endpoint).await?;
    let fields = rotate::view(&keyed.endpoint, &keyed.secret, &call.zone());
    let message = "The endpoint; its new secret is shown this once.";
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::webhooks::URL;
    use crate::testing::{RouteTestWorld, post};

    #[tokio::test]
    async fn a_rotation_gives_another_secret_and_says_how_long_the_old_one_counts() {
        let world = RouteTestWorld::new().await;
        let body = format!(r#"{{"whkUrl":"{URL}"}}"#);
        let made = world.send(post("/webhook/endpoint", body)).await;
        let endpoint = made.json["whkIdentifier"].as_u64().unwrap();
        let rotated = world.ask_endpoint("rotate", endpoint).await;
        rotated.assert_success(200);
        assert_ne!(rotated.json["whkSecret"], made.json["whkSecret"]);
        assert_eq!(rotated.json["whkDate"], "15-01-2026 10:00:00");
        assert_eq!(rotated.json["whkOverlap"], "16-01-2026 10:00:00");
        let again = world.ask_endpoint("rotate", endpoint).await;
        assert_ne!(again.json["whkSecret"], rotated.json["whkSecret"]);
        let third = world.ask_endpoint("rotate", endpoint).await;
        assert_eq!(third.status, 409, "the first secret would sign no longer");
    }
}
