//! Cases of the operation that tells whether the process answers.

use crate::case::Input::Query;
use crate::case::{Case, Expect, Route};
use http_server::Verb;
use reqwest::header::ACCEPT;

const HEALTH: Route = Route(Verb::Get, "/healthz");

pub(crate) fn cases() -> Vec<Case> {
    let case = |rule: &str, expect| Case::new(HEALTH, rule, Query(String::new()), expect);
    let body = "{\"code\":200,\"status\":\"success\",\"message\":\"<text>\"}";
    vec![
        case("no credentials are asked for", Expect::Anyone),
        case("the process answers", Expect::Answer(200, body.to_owned())),
        case("a format there is not", Expect::Request(406)).with_header(ACCEPT, "image/png"),
    ]
}
