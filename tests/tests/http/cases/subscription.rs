//! Cases of subscriptions.

use super::shared::{self, ViolationCase, ask, params, second, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::in_a_month;

const CREATE: Route = Route(Verb::Post, "/billing/subscription");
const LIST: Route = Route(Verb::Get, "/billing/subscription");
const RUNS: Route = Route(Verb::Get, "/billing/subscription/runs");
const CHANGES: [Route; 3] = [
    Route(Verb::Post, "/billing/subscription/pause"),
    Route(Verb::Post, "/billing/subscription/resume"),
    Route(Verb::Post, "/billing/subscription/cancel"),
];

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));

const MONTHLY: [(&str, &str); 9] = [
    ("mrcReference", "\"bad\""),
    ("subService", "\"airtime\""),
    ("countryCode", "566"),
    ("number", "\"2348031234567\""),
    ("amount", "\"100.00\""),
    ("billing", "\"prepaid\""),
    ("subInterval", "\"month\""),
    ("subStart", "\"2020-01-01T00:00:00Z\""),
    ("subOnFailure", "\"retry\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [creating(), listing(), runs(), changing(), bad_values()];
    all.into_iter().flatten().collect()
}

fn shown(reference: &str, status: &str, next: &str) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"subIdentifier\":<int>,\"subService\":\"airtime\",\
         \"subOrder\":\"<text>\",\"subStatus\":\"{status}\",\"subInterval\":\"month\",\
         \"subStart\":\"<datetime>\",\"subCount\":null,\"subOnFailure\":\"retry\",\
         \"subNext\":{next},\"subLast\":null,\"subRuns\":0,\"subCreated\":\"<datetime>\",\
         \"version\":<int>"
    )
}

fn active(reference: &str) -> String {
    shown(reference, "Active", "\"<datetime>\"")
}

fn made(fields: &str) -> Expect {
    let envelope = "\"code\":201,\"status\":\"success\",\"message\":\"<text>\"";
    Expect::Answer(201, format!("{{{envelope},{fields}}}"))
}

fn creating() -> Vec<Case> {
    let start = format!("\"{}\"", in_a_month());
    let body = |reference: &str| {
        let reference = format!("\"{reference}\"");
        let changes = [("mrcReference", reference.as_str()), ("subStart", &start)];
        Body(object(&MONTHLY, &changes))
    };
    let case =
        |rule: &str, reference: &str, expect| Case::new(CREATE, rule, body(reference), expect);
    vec![
        case("it needs credentials", "none", Expect::Credentials),
        case("every field, in order", "good-1", made(&active("good-1"))),
        case("another one", "good-2", made(&active("good-2"))),
        case("the same again", "good-2", success(&active("good-2"))),
    ]
}

fn listing() -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(LIST, rule, query, expect);
    let page = second("subscriptions", &active("good-2"), (2, 2));
    vec![
        ask("it needs credentials", "", Expect::Credentials),
        ask("a part of them", "offset=1&length=1", success(&page)),
        ask(
            "one of them",
            "mrcReference=good-1",
            success(&active("good-1")),
        ),
        ask(
            "no part",
            "offset=-1&length=101&sort=up&orderby=amount&subIdentifier=x",
            params(
                400,
                None,
                &["subIdentifier", "offset", "length", "orderby", "sort"],
            ),
        ),
        ask(
            "none of the account",
            "subIdentifier=7",
            params(404, None, &["subIdentifier"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            "x=1",
            params(400, None, &["x"]),
        )),
    ]
}

fn runs() -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(RUNS, rule, query, expect);
    let none = "\"subIdentifier\":<int>,\"runs\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":100,\"offset\":0,\"total\":0,\"found\":0}";
    vec![
        ask(
            "it needs credentials",
            "mrcReference=good-1",
            Expect::Credentials,
        ),
        ask("before the first run", "mrcReference=good-1", success(none)),
        ask("of none", "", params(405, None, &["subIdentifier"])),
        ask(
            "of another's",
            "mrcReference=none",
            params(404, None, &["subIdentifier"]),
        ),
    ]
}

fn changing() -> Vec<Case> {
    let of = |version: &str| {
        let named = [("mrcReference", "\"good-1\""), ("version", version)];
        Body(object(&named, &[]))
    };
    let outcomes = [
        ("1", shown("good-1", "Paused", "null")),
        ("2", active("good-1")),
        ("3", shown("good-1", "Cancelled", "null")),
    ];
    let cases = CHANGES
        .into_iter()
        .zip(outcomes)
        .flat_map(|(route, (version, fields))| {
            let wrong = [("subIdentifier", "\"x\""), ("version", "0")];
            let names = ["subIdentifier", "version"];
            [
                Case::new(
                    route,
                    "it needs credentials",
                    of(version),
                    Expect::Credentials,
                ),
                Case::new(
                    route,
                    "from the version that was seen",
                    of(version),
                    success(&fields),
                ),
                Case::new(
                    route,
                    "everything that is wrong is named at once",
                    Body(object(&wrong, &[])),
                    params(400, None, &names),
                ),
                Case::new(
                    route,
                    "none of the account",
                    Body(object(&[("subIdentifier", "7"), ("version", "1")], &[])),
                    params(404, None, &["subIdentifier"]),
                ),
            ]
        });
    cases.collect()
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((CREATE, &MONTHLY), rule, changes, expect)
}

fn bad_values() -> Vec<Case> {
    let of = |name: &'static str, values: &[&str]| {
        let case = |value: &&str| {
            let expect = params(400, None, &[name]);
            bad("a value that is none", &[(name, *value)], expect)
        };
        values.iter().map(case).collect::<Vec<_>>()
    };
    let rest = vec![
        bad(
            "a start that is over",
            &[],
            params(400, None, &["subStart"]),
        ),
        bad(
            "what is wrong with the order is named beside it",
            &[("amount", "\"-1\""), ("subInterval", "\"year\"")],
            params(400, AMOUNT, &["amount", "subInterval"]),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ];
    [
        of("subService", &["\"hlr\"", "\"wallet\"", "\"\"", "7"]),
        of("subInterval", &["\"year\"", "\"\"", "null"]),
        of("subStart", &["\"soon\"", "7", "null"]),
        of("subCount", &["0", "3661", "\"x\""]),
        of("subOnFailure", &["\"hope\"", "\"\"", "null"]),
        of("qteIdentifier", &["\"qte_x\""]),
        rest,
    ]
    .concat()
}
