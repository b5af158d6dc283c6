//! `POST /operations/resolve`: asking that a case be decided. It must decide none, nor look for it:
//! the whole ledger is read for that, which the command that grants it does.

use super::approvals;
use crate::operator_request::OperatorRequest;
use crate::reply::HttpReply;
use application::Gateway;
use wire::operations::change;

pub(in crate::routes) async fn handle(
    _: Gateway,
    call: OperatorRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = change::parse_case(&call.attributes, call.handling)?;
    approvals::ask(&call, wanted).await
}
