//! `POST /tools/simulate`. It must be answered as `POST /payment/airtime` is.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use application::developer_tools::{SimulatedPurchase, SimulationRefusal};
use http::StatusCode;
use wire::tools::simulate;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let asked = simulate::parse(&call.attributes, call.handling, currency)?;
    let purchase = call.purchase(SimulatedPurchase {
        reference: asked.reference,
        outcome: asked.outcome,
        amount: asked.amount,
    });
    let paid = gateway.simulate(&call.merchant, purchase).await;
    Ok(payment::paid(&paid.map_err(refused)?, &call.zone()))
}

fn refused(refusal: SimulationRefusal) -> HttpReply {
    match refusal {
        SimulationRefusal::LiveAccount => HttpReply::request(
            StatusCode::FORBIDDEN,
            "Outcomes are simulated for test accounts alone.",
            "nothing was bought: send the request with a key of a test account",
        ),
        SimulationRefusal::Payment(refused) => refused.into(),
    }
}
