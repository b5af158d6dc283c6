//! `GET /collection/transaction` and `POST /collection/simulate`. A simulated payment must be taken
//! in as a bank's is.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::collections::{CollectedPayments, SimulatedPayment};
use domain::time::Timestamp;
use http::StatusCode;
use wire::collection::payment::{self, PaymentsPart};

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let query = payment::parse_list(&call.attributes, call.handling, &zone)?;
    let wanted = CollectedPayments {
        collection: query.collection,
        from: query.from.unwrap_or(Timestamp::from_millis(0)),
        to: query.to.unwrap_or(Timestamp::from_millis(i64::MAX)),
    };
    let page = collection::page_of(&query.paging);
    let found = gateway.collected_payments(&call.merchant, wanted, page);
    let found = found.await?;
    let part = PaymentsPart {
        payments: &found.payments,
        total: found.total,
    };
    let fields = payment::view(part, &query, &zone);
    let reply = HttpReply::success(StatusCode::OK, "The payments to your collections.", fields);
    let links = payment::link_header(part, &query);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn simulate(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = payment::parse_simulation(&call.attributes, call.handling)?;
    let wanted = SimulatedPayment {
        reference: wanted.reference,
        collection: wanted.collection,
        amount: wanted.amount,
        payer: wanted.payer,
    };
    let paid = gateway.simulate_payment(&call.merchant, wanted).await?;
    let zone = call.zone();
    let shown = (gateway.now(), &zone);
    let fields = payment::view_simulated(&paid.payment, &paid.state, shown);
    let reply = HttpReply::success(StatusCode::OK, "The payment is credited.", fields);
    Ok(reply.marked(paid.replay))
}
