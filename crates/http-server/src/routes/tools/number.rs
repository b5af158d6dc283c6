//! `GET /tools/number`. No provider must be asked: it is free of charge.

use crate::authenticated_request::AuthenticatedRequest;
use crate::layers::entity_tag;
use crate::reply::HttpReply;
use crate::routes::hlr::lookup::phone_line;
use application::Gateway;
use http::StatusCode;
use wire::hlr::lookup::PhoneLine;
use wire::tools::number::{self, NumberInPlan};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let asked = number::parse(&call.attributes, call.handling)?;
    let facts = gateway.number_in_plan(&asked.number, asked.country);
    let found = NumberInPlan {
        line: phone_line(facts.as_ref().map(|facts| facts.kind)),
        block_holder: facts.and_then(|facts| facts.block_holder),
    };
    let message = match found.line {
        PhoneLine::Invalid => "The numbering plan of the country has no such number.",
        PhoneLine::Mobile | PhoneLine::FixedLine | PhoneLine::Other => {
            "The number is in the numbering plan of the country."
        }
    };
    let fields = number::view(&asked, &found);
    let reply = HttpReply::success(StatusCode::OK, message, fields);
    Ok(entity_tag::kept(reply))
}
