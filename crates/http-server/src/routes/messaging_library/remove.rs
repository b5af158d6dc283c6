//! `POST /messaging/template/delete` and `POST /messaging/flow/delete`. What was made of an item
//! must stay as it is.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use domain::messaging_library::LibraryKind;
use http::StatusCode;
use wire::messaging_library::{parse_removal, removed};

pub(in crate::routes) async fn template(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    remove(
        &gateway,
        &call,
        (LibraryKind::Template, "The template is gone."),
    )
    .await
}

pub(in crate::routes) async fn flow(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    remove(&gateway, &call, (LibraryKind::Flow, "The flow is gone.")).await
}

async fn remove(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    (kind, message): (LibraryKind, &'static str),
) -> Result<HttpReply, HttpReply> {
    let id = parse_removal(kind, &call.attributes, call.handling)?;
    gateway.remove_kept(&call.merchant, (kind, id)).await?;
    Ok(HttpReply::success(
        StatusCode::OK,
        message,
        removed(kind, id),
    ))
}
