//! `GET /messaging/template` and `GET /messaging/flow`. It must show what an item holds only where
//! that one item is asked for.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use domain::messaging_library::LibraryKind;
use http::StatusCode;
use wire::messaging_library::list::{self, LibraryPart};
use wire::messaging_library::view;

pub(in crate::routes) async fn templates(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let words = ("The template.", "The templates.");
    items(&gateway, &call, (LibraryKind::Template, words)).await
}

pub(in crate::routes) async fn flows(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let words = ("The flow.", "The flows.");
    items(&gateway, &call, (LibraryKind::Flow, words)).await
}

async fn items(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    (kind, (one, many)): (LibraryKind, (&'static str, &'static str)),
) -> Result<HttpReply, HttpReply> {
    let query = list::parse(kind, &call.attributes, call.handling)?;
    let zone = call.zone();
    if let Some(only) = query.only {
        let found = gateway.kept_item(&call.merchant, (kind, only)).await?;
        return Ok(HttpReply::success(StatusCode::OK, one, view(&found, &zone)));
    }
    let paging = query.paging;
    let wanted = collection::page_of(&paging);
    let page = gateway.kept_items(&call.merchant, kind, wanted).await?;
    let part = LibraryPart {
        kind,
        items: &page.items,
        total: page.total,
    };
    let fields = list::view(part, &paging, &zone);
    let reply = HttpReply::success(StatusCode::OK, many, fields);
    let links = list::link_header(part, &paging);
    Ok(collection::part(reply, page.total, &links))
}
