//! `GET /transfer/group`. It must show members only of the one group that is asked for.

use super::shown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::group::list::{self, GroupsPart};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = list::parse(&call.attributes, call.handling)?;
    let zone = call.zone();
    if let Some(only) = query.only {
        let found = gateway.group(&call.merchant, only).await?;
        return Ok(shown(StatusCode::OK, "The group.", (&found, &zone)));
    }
    let paging = query.paging;
    let wanted = collection::page_of(&paging);
    let page = gateway.groups(&call.merchant, wanted).await?;
    let part = GroupsPart {
        groups: &page.groups,
        total: page.total,
    };
    let fields = list::view(part, &paging, &zone);
    let reply = HttpReply::success(StatusCode::OK, "The groups.", fields);
    let links = list::link_header(part, &paging);
    Ok(collection::part(reply, page.total, &links))
}
