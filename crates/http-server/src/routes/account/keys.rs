//! `POST /account/keys` and `POST /account/keys/revoke`. They must show a secret once and no other
//! time, and keys of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::access::AccessKeyCreated;
use http::StatusCode;
use wire::account::keys;

pub(super) async fn create(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let wanted = keys::parse(&call.attributes, call.handling, &zone)?;
    let created = gateway.create_access_key(&call.merchant, wanted, call.retry_key());
    let created = created
        .await
        .map_err(|refused| HttpReply::key_refused(refused, &zone))?;
    let (reply, id) = match created {
        AccessKeyCreated::Now {
            key,
            secret,
            signing_secret,
        } => {
            let signing = signing_secret.map(|it| it.shown());
            let fields = keys::created(&key, (&secret, signing.as_deref()), &zone);
            let message = "The key; its secret is shown this once.";
            let reply = HttpReply::success(StatusCode::CREATED, message, fields);
            (reply, key.id)
        }
        AccessKeyCreated::Before(key) => {
            let fields = keys::view(&key, &zone);
            let message = "The key of the first request, which was answered its secret.";
            let reply = HttpReply::success(StatusCode::OK, message, fields);
            (reply.replayed(), key.id)
        }
    };
    Ok(reply.located(&keys::path(id)))
}

pub(super) async fn revoke(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let id = keys::parse_revocation(&call.attributes, call.handling)?;
    let revoked = gateway.revoke_access_key(&call.merchant, id).await;
    let (at, mark) = revoked.map_err(|refused| HttpReply::key_refused(refused, &zone))?;
    let fields = keys::revoked((id, at), &zone);
    let reply = HttpReply::success(StatusCode::OK, "The key is revoked.", fields);
    Ok(reply.marked(mark))
}

#[cfg(test)]
mod tests;
