//! Cases of limits and approvals.

use super::shared::{ask, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::WAITING;

const LIMITS: Route = Route(Verb::Get, "/account/limits");
const SET: Route = Route(Verb::Post, "/account/limits");
const APPROVALS: Route = Route(Verb::Get, "/account/approvals");
const DECIDE: Route = Route(Verb::Post, "/account/approvals");

const AMOUNT: (u16, &str) = (814, "Amount");

/// The limit that the cases set.
const LIMIT: &str = "\"lmtService\":\"hlr\",\"version\":1,\"lmtPerTransaction\":\"5,000,000.00\",\
                     \"lmtPerDay\":null,\"lmtApprovalAbove\":\"4,000,000.00\",\"currency\":\"NGN\",\
                     \"lmtMadeBy\":\"<text>\",\"lmtSet\":\"<datetime>\"";

pub(crate) fn cases() -> Vec<Case> {
    let all = [setting(), listing(), waiting(), deciding()];
    all.into_iter().flatten().collect()
}

/// A limit that none of the other cases comes near, of a service that has no other.
fn setting() -> Vec<Case> {
    let good = [
        ("lmtService", "\"hlr\""),
        ("lmtPerTransaction", "\"5,000,000.00\""),
        ("lmtApprovalAbove", "4000000"),
    ];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(SET, rule, Body(object(&good, changes)), expect)
    };
    let wrong = [
        ("lmtService", "\"taxi\""),
        ("lmtPerTransaction", "0"),
        ("lmtPerDay", "\"much\""),
        ("lmtApprovalAbove", "-1"),
        ("version", "\"x\""),
    ];
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case("a limit, every field in order", &[], success(LIMIT)),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, Some(AMOUNT), &wrong.map(|(name, _)| name)),
        ),
        case(
            "the bound of a day is of every service",
            &[("lmtPerDay", "9000000")],
            params(400, Some(AMOUNT), &["lmtPerDay"]),
        ),
        case(
            "a version there is not",
            &[("version", "7")],
            params(409, None, &["version"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn listing() -> Vec<Case> {
    let listed = format!("\"limits\":[{{{LIMIT}}}],\"lmtSpent\":\"<amount>\",\"currency\":\"NGN\"");
    vec![
        ask(LIMITS, "it needs credentials", "", Expect::Credentials),
        ask(
            LIMITS,
            "the limits, and what was spent",
            "",
            success(&listed),
        ),
        strictly(ask(
            LIMITS,
            "strict: it takes nothing",
            "x=1",
            params(400, None, &["x"]),
        )),
    ]
}

fn waiting() -> Vec<Case> {
    let page = "\"approvals\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":9000,\"total\":<int>,\"found\":<int>}";
    vec![
        ask(APPROVALS, "it needs credentials", "", Expect::Credentials),
        ask(
            APPROVALS,
            "a part of what waits",
            "length=1&offset=9000&sort=desc&orderby=txnDate",
            success(page),
        ),
        ask(
            APPROVALS,
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=price&sort=up",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
    ]
}

fn deciding() -> Vec<Case> {
    let case = |rule: &str, (reference, word): (&str, &str), expect| {
        let body = object(&[("mrcReference", reference), ("decision", word)], &[]);
        Case::new(DECIDE, rule, Body(body), expect)
    };
    let waits = format!("\"{WAITING}\"");
    let decided = "\"mrcReference\":\"<text>\",\"aprDecision\":\"Approved\",\"aprCount\":1";
    vec![
        case(
            "it needs credentials",
            ("\"bad\"", "\"approve\""),
            Expect::Credentials,
        ),
        case(
            "a payment is approved",
            (&waits, "\"approve\""),
            success(decided),
        ),
        case(
            "no such payment",
            ("\"bad\"", "\"approve\""),
            params(404, None, &["mrcReference"]),
        ),
        case(
            "everything that is wrong is named at once",
            ("\"a b\"", "\"maybe\""),
            params(400, None, &["mrcReference", "decision"]),
        ),
    ]
}
