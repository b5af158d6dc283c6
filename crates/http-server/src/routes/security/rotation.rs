//! `POST /security/rotate`. It must show a secret once and no other time.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::request_signing::SigningSecret;
use http::StatusCode;
use wire::security::rotation;

pub(super) async fn rotate(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let wanted = rotation::parse(&call.attributes, call.handling)?;
    let rotated = gateway.rotate_access_key(&call.merchant, wanted, call.retry_key());
    let rotated = rotated
        .await
        .map_err(|refused| HttpReply::key_refused(refused, &zone))?;
    let old = (rotated.replaced, rotated.ends_at);
    let signing = rotated.signing_secret.as_ref();
    let signing = signing.map(SigningSecret::shown);
    let secrets = rotated.secret.as_deref();
    let secrets = secrets.map(|secret| (secret, signing.as_deref()));
    let fields = rotation::view(&rotated.key, old, secrets, &zone);
    let (status, message) = match rotated.secret {
        Some(_) => (
            StatusCode::CREATED,
            "The new key; its secret is shown this once.",
        ),
        None => (
            StatusCode::OK,
            "The new key of the first request, which was answered its secret.",
        ),
    };
    let reply = HttpReply::success(status, message, fields).marked(rotated.mark());
    Ok(reply.located(&wire::account::keys::path(rotated.key.id)))
}

#[cfg(test)]
mod tests;
