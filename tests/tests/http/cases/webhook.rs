//! Cases of webhooks: what merchants ask of their endpoints. What arrives at one is shown by a
//! suite of its own.

use super::shared::{ask, bad, params, strictly};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::ENDPOINT;

const CREATE: Route = Route(Verb::Post, "/webhook/endpoint");
const LIST: Route = Route(Verb::Get, "/webhook/endpoint");
const EVENTS: Route = Route(Verb::Get, "/webhook/events");
const DELIVERIES: Route = Route(Verb::Get, "/webhook/deliveries");
const REPLAY: Route = Route(Verb::Post, "/webhook/replay");

/// The attributes of a good request.
type Order<'a> = &'a [(&'a str, &'a str)];

/// What takes an endpoint and nothing else.
const NAMED: [Route; 5] = [
    Route(Verb::Post, "/webhook/test"),
    Route(Verb::Post, "/webhook/rotate"),
    Route(Verb::Post, "/webhook/disable"),
    Route(Verb::Post, "/webhook/enable"),
    Route(Verb::Post, "/webhook/delete"),
];

/// A number that no endpoint has: numbers are given out by time.
const NOBODYS: &str = "1";

const ALL_EVENTS: &str = "\"transaction.pending\",\"transaction.successful\",\
                          \"transaction.failed\",\"transaction.reversed\",\"transaction.review\",\
                          \"message.status\",\"transaction.refunded\",\"message.received\",\
                          \"account.credited\",\"account.low_balance\",\"report.ready\",\
                          \"webhook.disabled\",\"ping\"";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = creating();
    cases.extend(listing());
    cases.extend(events());
    cases.extend(deliveries());
    cases.extend(named());
    cases.extend(replaying());
    cases
}

/// An endpoint at the address every endpoint of these suites has, enabled by default.
fn endpoint((status, reason): (&str, &str)) -> String {
    format!(
        "\"whkIdentifier\":<int>,\"whkUrl\":\"<text>\",\"whkEvents\":[{ALL_EVENTS}],\
         \"whkDescription\":null,\"whkTokens\":false,\"whkStatus\":\"{status}\",\
         \"whkReason\":{reason},\"whkDate\":\"<datetime>\",\"whkFailing\":null"
    )
}

fn success(status: u16, fields: &str) -> Expect {
    let envelope = format!("\"code\":{status},\"status\":\"success\",\"message\":\"<text>\"");
    Expect::Answer(status, format!("{{{envelope},{fields}}}"))
}

fn part(fields: &str, (total, length, offset, found): (u32, u32, u32, &str)) -> Expect {
    let query = format!(
        "\"query\":{{\"length\":{length},\"offset\":{offset},\"total\":<int>,\"found\":{found}}}"
    );
    let fields = format!("{fields},\"metadata\":{{\"total\":{total}}},{query}");
    success(200, &fields)
}

fn creating() -> Vec<Case> {
    let good = [("whkUrl", "\"http://127.0.0.1:9/events\"")];
    let case = |rule: &str, body: String, expect| Case::new(CREATE, rule, Body(body), expect);
    let fields = endpoint(("Enabled", "null"));
    let made = format!("{fields},\"whkSecret\":\"<text>\"");
    let described = made
        .replace(ALL_EVENTS, "\"transaction.failed\",\"ping\"")
        .replace("\"whkDescription\":null", "\"whkDescription\":\"Till 1\"")
        .replace("\"whkTokens\":false", "\"whkTokens\":true");
    let asked = [
        ("whkEvents", "[\"ping\",\"transaction.failed\"]"),
        ("whkDescription", "\"Till 1\""),
        ("whkTokens", "\"true\""),
    ];
    let mut cases = vec![
        case(
            "it needs credentials",
            object(&good, &[]),
            Expect::Credentials,
        ),
        case("an endpoint", object(&good, &[]), success(201, &made)),
        case(
            "an endpoint of some events",
            object(&good, &asked),
            success(201, &described),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            object(&good, &[("whkSecret", "\"x\"")]),
            params(400, None, &["whkSecret"]),
        )),
        case(
            "everything that is wrong is named at once",
            object(
                &[("whkEvents", "\"x\""), ("whkDescription", "\"\\n\"")],
                &[("whkTokens", "1")],
            ),
            params(
                400,
                None,
                &["whkUrl", "whkEvents", "whkDescription", "whkTokens"],
            ),
        ),
    ];
    cases.extend(addresses_and_events(&good));
    cases
}

/// Endpoints at addresses, or of events, that cannot be.
fn addresses_and_events(good: Order<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    for url in [
        "\"\"",
        "\"shop.example\"",
        "\"ftp://127.0.0.1/\"",
        "\"http://10.0.0.1/\"",
        "\"https://10.0.0.1/\"",
        "\"https://[::ffff:169.254.169.254]/\"",
        "\"https://a:b@127.0.0.1/\"",
        "\"https://127.0.0.1/#a\"",
        "1",
        "null",
    ] {
        let fault = params(400, None, &["whkUrl"]);
        cases.push(bad(
            (CREATE, good),
            "an address that is delivered to",
            &[("whkUrl", url)],
            fault,
        ));
    }
    for events in [
        "[]",
        "\"\"",
        "\"PINGS\"",
        "[\"ping\",1]",
        "{}",
        "\"transaction.opened\"",
    ] {
        let fault = params(400, None, &["whkEvents"]);
        cases.push(bad(
            (CREATE, good),
            "events there are",
            &[("whkEvents", events)],
            fault,
        ));
    }
    cases
}

fn listing() -> Vec<Case> {
    let one = endpoint(("Enabled", "null"));
    let identifier = |number: &str| format!("whkIdentifier={number}");
    let entry = format!("\"endpoints\":[{{{one}}}]");
    vec![
        ask(LIST, "it needs credentials", "", Expect::Credentials),
        ask(
            LIST,
            "one endpoint",
            &identifier(ENDPOINT),
            success(200, &one),
        ),
        ask(
            LIST,
            "the newest endpoint of all",
            &format!("length=1&sort=desc&orderby=whkDate&none={ENDPOINT}"),
            part(&entry, (1, 1, 0, "<int>")),
        ),
        ask(
            LIST,
            "of no account",
            &identifier(NOBODYS),
            params(404, None, &["whkIdentifier"]),
        ),
        ask(
            LIST,
            "everything that is wrong is named at once",
            "whkIdentifier=0&offset=-1&length=0&orderby=whkUrl&sort=up",
            params(
                400,
                None,
                &["whkIdentifier", "offset", "length", "orderby", "sort"],
            ),
        ),
    ]
}

fn events() -> Vec<Case> {
    let entry = "\"events\":[{\"evtType\":\"account.low_balance\",\"evtDescription\":\"<text>\"}]";
    vec![
        ask(EVENTS, "it needs credentials", "", Expect::Credentials),
        ask(
            EVENTS,
            "the second of the events there are",
            "offset=1&length=1&orderby=evtType",
            part(entry, (1, 1, 1, "13")),
        ),
        ask(
            EVENTS,
            "an order there is",
            "orderby=evtDate",
            params(400, None, &["orderby"]),
        ),
    ]
}

fn deliveries() -> Vec<Case> {
    let to = |number: &str| format!("whkIdentifier={number}&dlvStatus=Parked");
    vec![
        ask(DELIVERIES, "it needs credentials", "", Expect::Credentials),
        ask(
            DELIVERIES,
            "nothing is parked",
            &to(ENDPOINT),
            part("\"deliveries\":[]", (0, 100, 0, "0")),
        ),
        ask(
            DELIVERIES,
            "of no account",
            &to(NOBODYS),
            params(404, None, &["whkIdentifier"]),
        ),
        ask(
            DELIVERIES,
            "everything that is wrong is named at once",
            "offset=-1&length=101&orderby=dlvDate&sort=up&whkIdentifier=x&dlvStatus=Delivered",
            params(
                400,
                None,
                &[
                    "offset",
                    "length",
                    "orderby",
                    "sort",
                    "whkIdentifier",
                    "dlvStatus",
                ],
            ),
        ),
    ]
}

fn named() -> Vec<Case> {
    NAMED.into_iter().flat_map(of_one).collect()
}

/// The cases of an operation that takes an endpoint and nothing else.
fn of_one(route: Route) -> Vec<Case> {
    let enabled = endpoint(("Enabled", "null"));
    let expect = match route.1 {
        "/webhook/test" => success(202, "\"whkIdentifier\":<int>,\"evtIdentifier\":\"<text>\""),
        "/webhook/rotate" => success(
            200,
            &format!("{enabled},\"whkSecret\":\"<text>\",\"whkOverlap\":\"<datetime>\""),
        ),
        "/webhook/disable" => success(200, &endpoint(("Disabled", "\"merchant\""))),
        "/webhook/enable" => success(200, &enabled),
        _ => success(200, "\"whkIdentifier\":<int>"),
    };
    let good = [("whkIdentifier", ENDPOINT)];
    let case = |rule: &str, body: String, expect| Case::new(route, rule, Body(body), expect);
    let fault = |status| params(status, None, &["whkIdentifier"]);
    let mut cases = vec![
        case(
            "it needs credentials",
            object(&good, &[]),
            Expect::Credentials,
        ),
        case("of an endpoint of ours", object(&good, &[]), expect),
        case("no endpoint is named", "{}".to_owned(), fault(400)),
        bad(
            (route, &good),
            "of no account",
            &[("whkIdentifier", NOBODYS)],
            fault(404),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            object(&good, &[("x", "1")]),
            params(400, None, &["x"]),
        )),
    ];
    for number in [
        "0",
        "-1",
        "1.5",
        "\"\"",
        "\"x\"",
        "9007199254740992",
        "true",
        "null",
    ] {
        let changes = [("whkIdentifier", number)];
        cases.push(bad((route, &good), "a number", &changes, fault(400)));
    }
    cases
}

fn replaying() -> Vec<Case> {
    let time = [
        ("whkIdentifier", ENDPOINT),
        ("whkFrom", "\"2026-01-01T00:00:00Z\""),
        ("whkUntil", "\"02-01-2026 00:00:00\""),
    ];
    let event = [
        ("whkIdentifier", ENDPOINT),
        ("evtIdentifier", "\"evt_1_2\""),
    ];
    let case = |rule: &str, body: String, expect| Case::new(REPLAY, rule, Body(body), expect);
    let replayed = success(200, "\"whkIdentifier\":<int>,\"dlvCount\":0");
    let mut cases = vec![
        case(
            "it needs credentials",
            object(&time, &[]),
            Expect::Credentials,
        ),
        case(
            "a time in which nothing happened",
            object(&time, &[]),
            replayed,
        ),
        case(
            "an event there was not",
            object(&event, &[]),
            params(404, None, &["evtIdentifier"]),
        ),
        bad(
            (REPLAY, &time),
            "of no account",
            &[("whkIdentifier", NOBODYS)],
            params(404, None, &["whkIdentifier"]),
        ),
        case(
            "neither an event nor a time",
            "{}".to_owned(),
            params(400, None, &["whkIdentifier", "evtIdentifier"]),
        ),
        bad(
            (REPLAY, &time),
            "both an event and a time",
            &[("evtIdentifier", "\"evt_1\"")],
            params(400, None, &["evtIdentifier"]),
        ),
        bad(
            (REPLAY, &time),
            "half a time",
            &[("whkFrom", "")],
            params(400, None, &["whkFrom"]),
        ),
        bad(
            (REPLAY, &time),
            "a time that ends before it begins",
            &[("whkUntil", "\"2025-12-31T23:59:59Z\"")],
            params(400, None, &["whkUntil"]),
        ),
    ];
    cases.extend(moments_and_names(&time, &event));
    cases
}

/// Replays of a time, or of an event, that cannot be.
fn moments_and_names(time: Order<'_>, event: Order<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    for moment in [
        "\"\"",
        "\"now\"",
        "\"2026-01-01\"",
        "\"31-02-2026 00:00:00\"",
        "1",
        "null",
    ] {
        let fault = params(400, None, &["whkFrom"]);
        cases.push(bad(
            (REPLAY, time),
            "a moment",
            &[("whkFrom", moment)],
            fault,
        ));
    }
    for name in ["\"\"", "\"evt_\"", "\"evt_x\"", "\"1_2\"", "1"] {
        let fault = params(400, None, &["evtIdentifier"]);
        cases.push(bad(
            (REPLAY, event),
            "a name of an event",
            &[("evtIdentifier", name)],
            fault,
        ));
    }
    cases
}
