//! `GET /reporting/float/{category}`: the wallets of the account from day to day. It must add
//! nothing up itself.

use super::{category, grouped};
use crate::authenticated_request::AuthenticatedRequest;
use crate::error_response::unknown;
use crate::reply::HttpReply;
use application::Gateway;
use wire::attribute::CATEGORY;
use wire::reporting::GroupedQuery;
use wire::reporting::float::{self, WalletPart};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let category = category(&call)?;
    if !float::is_of_wallets(category) {
        return Err(unknown(&CATEGORY, float::not_of_wallets()));
    }
    let zone = call.zone();
    let asked = (&call.attributes, call.handling);
    let query = GroupedQuery::parse_of_wallets(category, asked, &zone)?;
    let grouping = query.grouping.unwrap_or(float::GROUPING);
    let wallets = gateway.report_float(&call.merchant, &query.days, grouping);
    let wallets = wallets.await?;
    let parts = wallets.iter().map(|it| WalletPart {
        days: &it.days,
        total: &it.total,
    });
    let parts: Vec<_> = parts.collect();
    Ok(grouped(float::report(&parts, grouping, &zone), &query))
}
