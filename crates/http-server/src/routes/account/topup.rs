//! `/account/topup` and what is below it. They must leave it to the ledger whether money arrived,
//! and show top-ups of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use domain::transaction::Status;
use http::StatusCode;
use wire::account::topups::{self, TopUpContext, TopUpsPart, view_one};
use wire::transaction::parse_reference;
use wire::zone::Zone;

pub(super) async fn announce(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = topups::parse(&call.attributes, call.handling)?;
    let announced = gateway.announce_top_up(&call.merchant, wanted, call.retry_key());
    let announced = announced.await?;
    let (state, zone) = (announced.state, call.zone());
    let context = context(&gateway, &zone);
    let status = state.status(context.now);
    // It is announced, and nothing has moved.
    let code = match status {
        Status::Pending => StatusCode::ACCEPTED,
        Status::Successful | Status::Failed | Status::Reversed => StatusCode::OK,
    };
    let fields = view_one(&state, context);
    let reply = HttpReply::success(code, topups::outcome(status), fields);
    let reply = reply.located(&topups::path(&state.top_up.reference));
    Ok(reply.marked(announced.replay))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = topups::parse_list(&call.attributes, call.handling)?;
    let wanted = collection::page_of(&paging);
    let found = gateway.top_ups(&call.merchant, wanted).await?;
    let part = TopUpsPart {
        top_ups: &found.top_ups,
        total: found.total,
    };
    let zone = call.zone();
    let fields = topups::view(part, &paging, context(&gateway, &zone));
    let reply = HttpReply::success(StatusCode::OK, "The top-ups.", fields);
    let links = topups::link_header(part, &paging);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = parse_reference(&call.attributes, call.handling)?;
    let state = gateway.top_up(&call.merchant, &reference).await?;
    let zone = call.zone();
    let context = context(&gateway, &zone);
    let message = topups::outcome(state.status(context.now));
    let fields = view_one(&state, context);
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}

fn context<'a>(gateway: &'a Gateway, zone: &'a Zone) -> TopUpContext<'a> {
    TopUpContext {
        receiving: gateway.receiving_account(),
        now: gateway.now(),
        zone,
    }
}

#[cfg(test)]
mod tests;
