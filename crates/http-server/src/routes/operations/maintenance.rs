//! `/operations/maintenance`: what is announced to be away, and asking for it.

use super::approvals;
use crate::operator_request::OperatorRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::operations::maintenance::{self, ShownMaintenance};

pub(in crate::routes) async fn list(
    gateway: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let page = maintenance::parse_list(&call.attributes, call.handling)?;
    let announced = gateway.announced_maintenance().into_iter();
    let shown = announced.map(|it| ShownMaintenance {
        time: it.time,
        by: it.by.to_string(),
        reason: it.reason,
    });
    let rows = maintenance::listing(shown.collect(), &OperatorRequest::zone());
    let links = maintenance::link_header(&rows, &page);
    let fields = maintenance::view(&rows, &page);
    let message = "What is announced to be away.";
    let reply = HttpReply::success(StatusCode::OK, message, fields);
    Ok(collection::part(reply, rows.found.len(), &links))
}

pub(in crate::routes) async fn ask(
    gateway: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let at = (&OperatorRequest::zone(), gateway.now());
    // What is announced can be ended though it is sold no more.
    let announced = gateway.announced_maintenance();
    let is_announced = |service, name: &str| {
        let mut scopes = announced.iter().map(|it| it.time.scope());
        scopes.any(|it| it.service() == Some(service) && it.biller_code() == Some(name))
    };
    let code = |service, name: &str| {
        let sold = gateway.biller_code(service, name);
        sold.or_else(|| is_announced(service, name).then(|| name.to_owned()))
    };
    let wanted = maintenance::parse(&call.attributes, call.handling, at, code)?;
    if let Some(provider) = wanted.0.provider() {
        super::is_known(&gateway, provider)?;
    }
    approvals::ask(&call, wanted).await
}
