//! `GET /reporting/float/{category}`: the wallets of the account from day to day. It must add
//! nothing up itself.

use super::{category, file, grouped};
use crate::authenticated_request::AuthenticatedRequest;
use crate::error_response::unknown;
use crate::reply::HttpReply;
use application::Gateway;
use application::reports::files::ReportKind;
use wire::attribute::CATEGORY;
use wire::reporting::float::{self, WalletPart};
use wire::reporting::run::of_sums;
use wire::reporting::{GroupedQuery, ReportFormat};

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
    if query.format == ReportFormat::Csv {
        let asked = (ReportKind::Float, &query);
        let request = of_sums(asked, grouping, &call.merchant.account.time_zone);
        return file::begin(&gateway, &call, request).await;
    }
    let wallets = gateway.report_float(&call.merchant, &query.days, grouping);
    let wallets = wallets.await?;
    let parts = wallets.iter().map(|it| WalletPart {
        days: &it.days,
        total: &it.total,
    });
    let parts: Vec<_> = parts.collect();
    Ok(grouped(float::report(&parts, grouping, &zone), &query))
}
