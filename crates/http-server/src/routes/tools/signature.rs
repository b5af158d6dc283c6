//! `POST /tools/signature`. What it is sent must not be logged: it has a secret.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::tools::signature;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let delivery = signature::parse(&call.attributes, call.handling)?;
    let fields = signature::view(&delivery, gateway.now());
    Ok(HttpReply::success(
        StatusCode::OK,
        "The signature was examined.",
        fields,
    ))
}
