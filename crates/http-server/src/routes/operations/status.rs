//! `GET /operations/status`. It must show products of the environment of the account alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::operations::status;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let environment = call.merchant.account.environment;
    let sold = gateway.services_sold(environment);
    let query = status::parse(&call.attributes, call.handling, &sold)?;
    let asked = sold
        .into_iter()
        .filter(|it| query.service.is_none_or(|only| only == *it));
    let statuses = asked.flat_map(|it| gateway.service_statuses(environment, it));
    let rows = status::listing(statuses.collect(), &call.zone());
    let fields = status::view(&rows, &query);
    let links = status::link_header(&rows, &query);
    let reply = HttpReply::success(StatusCode::OK, "How the services are doing.", fields);
    Ok(collection::part(reply, rows.found.len(), &links))
}
