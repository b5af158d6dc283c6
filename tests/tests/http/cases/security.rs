//! Cases of freezes. None freezes the account or a service, which the other cases buy of.

use super::shared::{ask, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::{ALLOWED, KEY};

const FREEZE: Route = Route(Verb::Post, "/security/freeze");
const UNFREEZE: Route = Route(Verb::Post, "/security/unfreeze");
const FREEZES: Route = Route(Verb::Get, "/security/freeze");

const ALLOW: Route = Route(Verb::Post, "/security/allowlist");
const REMOVE: Route = Route(Verb::Post, "/security/allowlist/remove");
const NETWORKS: Route = Route(Verb::Get, "/security/allowlist");

const CHANGES: Route = Route(Verb::Get, "/security/audit");

const LOGS: Route = Route(Verb::Get, "/security/logs");

const ROTATE: Route = Route(Verb::Post, "/security/rotate");

const NO_KEY: &str = "\"0000000000000000\"";

pub(crate) fn cases() -> Vec<Case> {
    let mut all = setting(FREEZE, "Frozen", "\"<text>\"", "\"<datetime>\"");
    // The key of the case was never frozen.
    all.extend(setting(UNFREEZE, "Active", "null", "null"));
    all.extend(listing());
    all.extend(rotating());
    all.extend(allowing());
    all.extend(removing());
    all.extend(listing_networks());
    all.extend(listing_changes());
    all.extend(listing_requests());
    all
}

/// A freeze of a key as shown.
fn shown(status: &str, text: &str, date: &str) -> String {
    let by = if text == "null" {
        "null"
    } else {
        "\"Merchant\""
    };
    format!(
        "\"frzStatus\":\"{status}\",\"scope\":\"key\",\"keyIdentifier\":\"<text>\",\
         \"service\":null,\"reason\":{text},\"frzSetBy\":{by},\"frzMadeBy\":{text},\
         \"frzSince\":{date}"
    )
}

fn setting(route: Route, status: &str, text: &str, date: &str) -> Vec<Case> {
    let key = format!("\"{KEY}\"");
    let good = [
        ("scope", "\"key\""),
        ("keyIdentifier", &*key),
        ("reason", "\"The laptop was stolen.\""),
    ];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(route, rule, Body(object(&good, changes)), expect)
    };
    let wrong = [
        ("scope", "\"user\""),
        ("keyIdentifier", "7"),
        ("service", "\"taxi\""),
        ("reason", "\" \""),
    ];
    let of_account = [("scope", "\"account\""), ("service", "\"bank\"")];
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "a key, every field in order",
            &[],
            success(&shown(status, text, date)),
        ),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, None, &wrong.map(|(name, _)| name)),
        ),
        case(
            "no such key",
            &[("keyIdentifier", NO_KEY)],
            params(404, None, &["keyIdentifier"]),
        ),
        case(
            "a key that is not named",
            &[("keyIdentifier", "")],
            params(400, None, &["keyIdentifier"]),
        ),
        case(
            "what says nothing of the scope",
            &of_account,
            params(400, None, &["keyIdentifier", "service"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn listing() -> Vec<Case> {
    let page = "\"freezes\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":9000,\"total\":<int>,\"found\":<int>}";
    vec![
        ask(FREEZES, "it needs credentials", "", Expect::Credentials),
        ask(
            FREEZES,
            "a part of what is frozen",
            "length=1&offset=9000&sort=desc&orderby=frzSince",
            success(page),
        ),
        ask(
            FREEZES,
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=reason&sort=up",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
    ]
}

fn rotating() -> Vec<Case> {
    let key = format!("\"{KEY}\"");
    let good = [("keyIdentifier", &*key), ("overlapHours", "1")];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(ROTATE, rule, Body(object(&good, changes)), expect)
    };
    let rotated = "{\"code\":201,\"status\":\"success\",\"message\":\"<text>\",\
                   \"keyIdentifier\":\"<text>\",\"keyName\":\"<text>\",\
                   \"keyPrefix\":\"<text>\",\"keyReplaced\":\"<text>\",\
                   \"keyExpires\":\"<datetime>\",\"keySecret\":\"<text>\",\
                   \"keySigningSecret\":null}";
    let wrong = [("keyIdentifier", "7"), ("overlapHours", "169")];
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "a key, every field in order",
            &[],
            Expect::Answer(201, rotated.to_owned()),
        ),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, None, &wrong.map(|(name, _)| name)),
        ),
        case(
            "no such key",
            &[("keyIdentifier", NO_KEY)],
            params(404, None, &["keyIdentifier"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

/// A network of a key as shown.
fn network(note: &str) -> String {
    format!(
        "\"alwIdentifier\":\"<text>\",\"keyIdentifier\":\"<text>\",\
         \"alwNetwork\":\"198.51.100.0/24\",\"alwNote\":{note},\"alwMadeBy\":\"<text>\",\
         \"alwCreated\":\"<datetime>\""
    )
}

fn allowing() -> Vec<Case> {
    let key = format!("\"{KEY}\"");
    let good = [
        ("keyIdentifier", &*key),
        ("alwNetwork", "\"198.51.100.0/24\""),
        ("alwNote", "\"Office in Lagos\""),
    ];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(ALLOW, rule, Body(object(&good, changes)), expect)
    };
    let wrong = [
        ("alwNetwork", "\"198.51.100.7/24\""),
        ("keyIdentifier", "7"),
        ("alwNote", "\" \""),
    ];
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "a network of a key, every field in order",
            &[],
            success(&network("\"Office in Lagos\"")),
        ),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, None, &wrong.map(|(name, _)| name)),
        ),
        case(
            "no such key",
            &[("keyIdentifier", NO_KEY)],
            params(404, None, &["keyIdentifier"]),
        ),
        case(
            "a network that would lock out the key of the request",
            &[("keyIdentifier", "")],
            params(400, None, &["alwNetwork"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn removing() -> Vec<Case> {
    let allowed = format!("\"{ALLOWED}\"");
    let good = [("alwIdentifier", &*allowed)];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(REMOVE, rule, Body(object(&good, changes)), expect)
    };
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "a network, every field in order",
            &[],
            success(&network("null")),
        ),
        case(
            "everything that is wrong is named at once",
            &[("alwIdentifier", "7")],
            params(400, None, &["alwIdentifier"]),
        ),
        case(
            "no such network",
            &[("alwIdentifier", NO_KEY)],
            params(404, None, &["alwIdentifier"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn listing_networks() -> Vec<Case> {
    let page = "\"networks\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":9000,\"total\":<int>,\"found\":<int>}";
    vec![
        ask(NETWORKS, "it needs credentials", "", Expect::Credentials),
        ask(
            NETWORKS,
            "a part of the networks",
            "length=1&offset=9000&sort=desc&orderby=alwCreated",
            success(page),
        ),
        ask(
            NETWORKS,
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=alwNote&sort=up",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
    ]
}

fn listing_changes() -> Vec<Case> {
    let page = "\"changes\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":9000,\"total\":<int>,\"found\":<int>}";
    vec![
        ask(CHANGES, "it needs credentials", "", Expect::Credentials),
        ask(
            CHANGES,
            "a part of the changes of a kind and a period",
            "length=1&offset=9000&sort=desc&orderby=audDate&from=01-01-2026&to=01-01-2030\
             &audAction=Key.Made",
            success(page),
        ),
        ask(
            CHANGES,
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=audHash&sort=up&from=x&to=y&audAction=key.read",
            params(
                400,
                None,
                &[
                    "offset",
                    "length",
                    "orderby",
                    "sort",
                    "audAction",
                    "from",
                    "to",
                ],
            ),
        ),
    ]
}

fn listing_requests() -> Vec<Case> {
    let page = "\"logs\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":900000,\"total\":<int>,\"found\":0}";
    vec![
        ask(LOGS, "it needs credentials", "", Expect::Credentials),
        ask(
            LOGS,
            "a part of the requests of an id, a class and a period",
            "length=1&offset=900000&sort=asc&orderby=logDate&from=01-01-2026&to=01-01-2030\
             &logStatus=4XX&requestId=0123456789abcdef01234567",
            success(page),
        ),
        ask(
            LOGS,
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=logPath&sort=up&from=x&to=y&logStatus=4x&requestId=x",
            params(
                400,
                None,
                &[
                    "offset",
                    "length",
                    "orderby",
                    "sort",
                    "logStatus",
                    "requestId",
                    "from",
                    "to",
                ],
            ),
        ),
    ]
}
