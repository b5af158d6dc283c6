//! Cases of services and their free times.

use super::shared::{self, ViolationCase, ask, created, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::bookings::BOOKABLE;

const SERVICE: Route = Route(Verb::Post, "/booking/service");
const SERVICES: Route = Route(Verb::Get, "/booking/service");
const CHANGE: Route = Route(Verb::Post, "/booking/service/change");
const SLOTS: Route = Route(Verb::Get, "/booking/slots");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));

const TERMS: [(&str, &str); 16] = [
    ("bkgName", "\"Haircut\""),
    ("bkgLocation", "\"12 Broad Street\""),
    ("bkgTimezone", "\"Africa/Lagos\""),
    ("bkgHours", "[\"Mon 09:00-17:00\"]"),
    ("bkgClosed", "\"25-12-2029\""),
    ("bkgMinutes", "30"),
    ("bkgStep", "15"),
    ("bkgBuffer", "10"),
    ("bkgNotice", "60"),
    ("bkgTeam", "[\"Ada\",\"Bola\"]"),
    ("bkgCapacity", "1"),
    ("bkgHorizon", "90"),
    ("amount", "\"5,000.00\""),
    ("currency", "\"NGN\""),
    ("bkgHold", "15"),
    ("redirectUrl", "\"https://shop.example/done\""),
];

/// Every attribute of a service that is required.
const NEEDED: [&str; 5] = [
    "bkgName",
    "bkgTimezone",
    "bkgHours",
    "bkgMinutes",
    "currency",
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [services(), bad_services(), listing_services(), slots()];
    all.into_iter().flatten().collect()
}

fn service(reference: &str, version: u32) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"bkgService\":<int>,\"bkgName\":\"Haircut\",\
         \"bkgLocation\":\"12 Broad Street\",\"bkgTimezone\":\"Africa/Lagos\",\
         \"bkgHours\":[\"Mon 09:00-17:00\"],\"bkgClosed\":[\"25-12-2029\"],\"bkgMinutes\":30,\
         \"bkgStep\":15,\"bkgBuffer\":10,\"bkgNotice\":60,\"bkgTeam\":[\"Ada\",\"Bola\"],\
         \"bkgCapacity\":1,\"bkgHorizon\":90,\"price\":\"5,000.00\",\"currency\":\"NGN\",\
         \"bkgHold\":15,\"redirectUrl\":\"https://shop.example/done\",\"bkgOffered\":true,\
         \"txnDate\":\"<datetime>\",\"version\":{version}"
    )
}

fn services() -> Vec<Case> {
    let make = |rule: &str, reference: &str, expect| {
        let reference = format!("\"{reference}\"");
        let body = Body(object(&TERMS, &[("mrcReference", &reference)]));
        Case::new(SERVICE, rule, body, expect)
    };
    let change = |rule: &str, number: &str, version: &str, expect| {
        let of = [("bkgService", number), ("version", version)];
        Case::new(CHANGE, rule, Body(object(&TERMS, &of)), expect)
    };
    vec![
        make("it needs credentials", "none", Expect::Credentials),
        make(
            "every field, in order",
            "good-service",
            created(&service("good-service", 1)),
        ),
        change("it needs credentials", BOOKABLE, "1", Expect::Credentials),
        change(
            "from the version that was seen",
            BOOKABLE,
            "1",
            success(&service("<text>", 2)),
        ),
        change(
            "from another version",
            BOOKABLE,
            "2",
            params(409, None, &["version"]),
        ),
        change(
            "no service of the account",
            "1",
            "1",
            params(404, None, &["bkgService"]),
        ),
        Case::new(
            CHANGE,
            "what is missing is named at once",
            Body("{}".to_owned()),
            params(
                400,
                None,
                &[&["bkgService", "version"], &NEEDED[..]].concat(),
            ),
        ),
    ]
}

fn bad_services() -> Vec<Case> {
    let good: Vec<_> = [("mrcReference", "\"bad\"")]
        .into_iter()
        .chain(TERMS)
        .collect();
    let bad = |rule: &str, changes: &[(&str, &str)], expect| {
        shared::bad((SERVICE, &good), rule, changes, expect)
    };
    let values = [
        ("bkgName", "\"\"", None),
        ("bkgTimezone", "\"Nowhere\"", None),
        ("bkgHours", "\"Mon 9-17\"", None),
        ("bkgHours", "[]", None),
        ("bkgClosed", "\"31-02-2029\"", None),
        ("bkgMinutes", "4", None),
        ("bkgStep", "1441", None),
        ("bkgBuffer", "-1", None),
        ("bkgNotice", "x", None),
        ("bkgTeam", "\"Ada,Ada\"", None),
        ("bkgCapacity", "0", None),
        ("bkgHorizon", "732", None),
        ("amount", "\"0.99\"", AMOUNT),
        ("currency", "\"USD\"", None),
        ("bkgHold", "4", None),
        ("redirectUrl", "\"ftp://shop.example\"", None),
    ];
    let values = values.map(|(name, value, about)| {
        let value = if value == "x" { "\"x\"" } else { value };
        bad(
            "a value that is none",
            &[(name, value)],
            params(400, about, &[name]),
        )
    });
    let nothing: Vec<_> = good.iter().map(|(name, _)| (*name, "")).collect();
    let mut all = values.to_vec();
    all.push(bad(
        "everything that is missing is named at once",
        &nothing,
        params(400, None, &[&["mrcReference"], &NEEDED[..]].concat()),
    ));
    all.push(bad(
        "a hold without where its customer goes",
        &[("redirectUrl", "")],
        params(400, None, &["redirectUrl"]),
    ));
    all.push(strictly(bad(
        "strict: every unknown attribute is named",
        &[("x", "1")],
        params(400, None, &["x"]),
    )));
    all
}

fn listing_services() -> Vec<Case> {
    let page = "\"services\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":900,\"total\":<int>,\"found\":<int>}";
    vec![
        ask(SERVICES, "it needs credentials", "", Expect::Credentials),
        ask(
            SERVICES,
            "a part of them",
            "length=1&offset=900",
            success(page),
        ),
        ask(
            SERVICES,
            "no part",
            "offset=-1&length=101&sort=up&orderby=amount",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
        strictly(ask(
            SERVICES,
            "strict: every unknown attribute is named",
            "x=1",
            params(400, None, &["x"]),
        )),
    ]
}

fn slots() -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(SLOTS, rule, query, expect);
    let day = "from=01-01-2020&to=02-01-2020";
    let of = |number: &str| format!("bkgService={number}&{day}");
    let none = "\"bkgService\":<int>,\"bkgName\":\"Haircut\",\"bkgTimezone\":\"UTC\",\"slots\":[]";
    vec![
        ask("it needs credentials", &of(BOOKABLE), Expect::Credentials),
        ask("none of days that are over", &of(BOOKABLE), success(none)),
        ask(
            "no service of the account",
            &of("1"),
            params(404, None, &["bkgService"]),
        ),
        ask(
            "more than a week",
            "bkgService=1&from=01-01-2020&to=09-01-2020",
            params(400, None, &["to"]),
        ),
        ask(
            "everything that is wrong is named at once",
            "bkgService=x&from=x&to=x&bkgStaff=a%2Cb",
            params(400, None, &["bkgService", "from", "to", "bkgStaff"]),
        ),
        ask(
            "a person who does not serve it",
            &format!("{}&bkgStaff=Chi", of(BOOKABLE)),
            params(400, None, &["bkgStaff"]),
        ),
        ask(
            "without a filter it requires",
            "",
            params(405, None, &["bkgService", "from", "to"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            &format!("{}&x=1", of("1")),
            params(400, None, &["x"]),
        )),
    ]
}
