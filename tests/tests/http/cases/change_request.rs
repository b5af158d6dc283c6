//! Cases of what operators ask for over HTTP. None is granted, so nothing changes.

use super::shared::{ask, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const PROVIDERS: Route = Route(Verb::Post, "/operations/providers");
const MAINTENANCE: Route = Route(Verb::Post, "/operations/maintenance");
const RESOLVE: Route = Route(Verb::Post, "/operations/resolve");
const APPROVALS: Route = Route(Verb::Get, "/operations/approvals");
const ANNOUNCED: Route = Route(Verb::Get, "/operations/maintenance");

pub(crate) fn cases() -> Vec<Case> {
    let mut all = pausing();
    all.extend(announcing());
    all.extend(deciding());
    all.extend(listing());
    all
}

/// A request with what it is about.
fn asked(action: &str, about: &str) -> Expect {
    Expect::Answer(
        202,
        format!(
            "{{\"code\":202,\"status\":\"success\",\"message\":\"<text>\",\"aprIdentifier\":<int>,\
             \"aprStatus\":\"Required\",\"aprAction\":\"{action}\",\"aprAskedBy\":\"<text>\",\
             \"aprDecidedBy\":null,\"aprDate\":\"<datetime>\",\"aprExpires\":\"<datetime>\",\
             \"reason\":\"new switch\",{about}}}"
        ),
    )
}

fn bodies(route: Route, good: &[(&str, &str)], expect: Expect) -> Vec<Case> {
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(route, rule, Body(object(good, changes)), expect)
    };
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case("it is asked for, every field in order", &[], expect),
        case(
            "no reason",
            &[("reason", "\" \"")],
            params(400, None, &["reason"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn pausing() -> Vec<Case> {
    let good = [
        ("prvIdentifier", "\"sandbox\""),
        ("prvEnabled", "false"),
        ("reason", "\"new switch\""),
    ];
    let about = "\"scope\":null,\"prvIdentifier\":\"sandbox\",\"service\":null,\"biller\":null,\
                 \"from\":null,\"until\":null,\"caseIdentifier\":null,\"decision\":null";
    let mut all = bodies(PROVIDERS, &good, asked("provider-pause", about));
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(PROVIDERS, rule, Body(object(&good, changes)), expect)
    };
    all.push(case(
        "no such provider",
        &[("prvIdentifier", "\"nothing\"")],
        params(404, None, &["prvIdentifier"]),
    ));
    all.push(case(
        "neither paused nor resumed",
        &[("prvEnabled", "\"perhaps\"")],
        params(400, None, &["prvEnabled"]),
    ));
    all
}

fn announcing() -> Vec<Case> {
    let good = [
        ("scope", "\"biller\""),
        ("service", "\"electricity\""),
        ("biller", "\"101\""),
        ("from", "\"2099-01-15T01:00:00+01:00\""),
        ("until", "\"15-01-2099 03:00:00\""),
        ("reason", "\"new switch\""),
    ];
    let about = "\"scope\":\"biller\",\"prvIdentifier\":null,\"service\":\"electricity\",\
                 \"biller\":\"101\",\"from\":\"<datetime>\",\"until\":\"<datetime>\",\
                 \"caseIdentifier\":null,\"decision\":null";
    let mut all = bodies(MAINTENANCE, &good, asked("maintenance", about));
    let case = |rule: &str, changes: &[(&str, &str)], names: &[&'static str]| {
        let expect = params(400, None, names);
        Case::new(MAINTENANCE, rule, Body(object(&good, changes)), expect)
    };
    all.extend([
        case(
            "it ends before it begins",
            &[("until", "\"15-01-2099 00:30:00\"")],
            &["until"],
        ),
        case(
            "it lasts too long",
            &[("until", "\"16-02-2099 00:30:00\"")],
            &["until"],
        ),
        case("no such biller", &[("biller", "\"999\"")], &["biller"]),
        case(
            "what says nothing of the scope",
            &[("scope", "\"provider\"")],
            &["service", "biller"],
        ),
    ]);
    all
}

fn deciding() -> Vec<Case> {
    let good = [
        ("caseIdentifier", "\"review:shop:order-7\""),
        ("decision", "\"declined\""),
        ("reason", "\"new switch\""),
    ];
    let about = "\"scope\":null,\"prvIdentifier\":null,\"service\":null,\"biller\":null,\
                 \"from\":null,\"until\":null,\"caseIdentifier\":\"review:shop:order-7\",\
                 \"decision\":\"declined\"";
    let mut all = bodies(RESOLVE, &good, asked("case-resolve", about));
    let case = |rule: &str, changes: &[(&str, &str)], names: &[&'static str]| {
        let expect = params(400, None, names);
        Case::new(RESOLVE, rule, Body(object(&good, changes)), expect)
    };
    all.extend([
        case(
            "what is the name of no case",
            &[("caseIdentifier", "\"order-7\"")],
            &["caseIdentifier"],
        ),
        case(
            "a decision that the kind of case does not take",
            &[("decision", "\"reversed\"")],
            &["decision"],
        ),
    ]);
    all
}

fn listing() -> Vec<Case> {
    let page = |plural: &str| {
        success(&format!(
            "\"{plural}\":[],\"metadata\":{{\"total\":0}},\
             \"query\":{{\"length\":1,\"offset\":9000,\"total\":<int>,\"found\":<int>}}"
        ))
    };
    let mut all = vec![
        ask(
            APPROVALS,
            "a part of what was asked for",
            "aprStatus=Required&length=1&offset=9000&orderby=aprDate",
            page("changeRequests"),
        ),
        ask(
            ANNOUNCED,
            "a part of what is announced",
            "length=1&offset=9000&orderby=from",
            page("maintenances"),
        ),
        ask(
            APPROVALS,
            "a state that there is not",
            "aprStatus=Open",
            params(400, None, &["aprStatus"]),
        ),
    ];
    for route in [APPROVALS, ANNOUNCED] {
        all.push(ask(route, "it needs credentials", "", Expect::Credentials));
        all.push(strictly(ask(
            route,
            "strict: every violation is named at once",
            "length=0&orderby=x&x=1",
            params(400, None, &["length", "orderby", "x"]),
        )));
    }
    all
}
