//! Cases of templates of messages and of flows of calls.

use super::shared::{self, ask, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::{FLOW_NUMBER, TEMPLATE};

const TEMPLATES: Route = Route(Verb::Get, "/messaging/template");
const MAKE_TEMPLATE: Route = Route(Verb::Post, "/messaging/template");
const DELETE_TEMPLATE: Route = Route(Verb::Post, "/messaging/template/delete");
const FLOWS: Route = Route(Verb::Get, "/messaging/flow");
const MAKE_FLOW: Route = Route(Verb::Post, "/messaging/flow");
const DELETE_FLOW: Route = Route(Verb::Post, "/messaging/flow/delete");

const NEW_TEMPLATE: [(&str, &str); 2] = [
    ("tplName", "\"Hours\""),
    ("content", "\"Dear {first}, we open at 9.\""),
];

const ASK: &str = "{\"stpName\":\"ask\",\"type\":\"speech\",\"content\":\"Press 1.\",\
    \"choices\":[{\"digit\":\"1\",\"stpNext\":\"bye\"}],\"stpNext\":\"ask\"}";
const BYE: &str = "{\"stpName\":\"bye\",\"type\":\"audio\",\
    \"audioUrl\":\"https://shop.example/calls/bye.mp3\"}";

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        making_templates(),
        making_flows(),
        bad_flows(),
        listing(),
        deleting(),
    ];
    all.into_iter().flatten().collect()
}

fn flow(steps: &[&str]) -> String {
    let steps = format!("[{}]", steps.join(","));
    object(&[("flwName", "\"Hours\""), ("steps", &steps)], &[])
}

fn created(fields: &str) -> Expect {
    Expect::Answer(
        201,
        format!("{{\"code\":201,\"status\":\"success\",\"message\":\"<text>\",{fields}}}"),
    )
}

fn making_templates() -> Vec<Case> {
    let case =
        |rule: &str, body: String, expect| Case::new(MAKE_TEMPLATE, rule, Body(body), expect);
    let long = format!("\"{}\"", "a".repeat(4_001));
    let line = format!("\"{}\"", "a".repeat(101));
    let bad = shared::bad_values(
        (MAKE_TEMPLATE, &NEW_TEMPLATE),
        &[
            ("tplName", None, 400, &["\"\"", "\" \"", "5", "null", &line]),
            (
                "content",
                None,
                400,
                &[
                    "\"\"",
                    "\"{\"",
                    "\"{1}\"",
                    "\"a}\"",
                    "\"\\u202eabc\"",
                    "5",
                    &long,
                ],
            ),
        ],
    );
    let made = vec![
        case(
            "it needs credentials",
            object(&NEW_TEMPLATE, &[]),
            Expect::Credentials,
        ),
        case(
            "a template, every field in order",
            object(&NEW_TEMPLATE, &[]),
            created(
                "\"tplIdentifier\":<int>,\"tplName\":\"Hours\",\"tplCreated\":\"<datetime>\",\
                 \"content\":\"Dear {first}, we open at 9.\",\"tplFields\":[\"first\"]",
            ),
        ),
        case(
            "everything that is missing is named at once",
            "{}".to_owned(),
            params(400, None, &["tplName", "content"]),
        ),
        strictly(case(
            "under strict handling every unknown attribute is named",
            object(&NEW_TEMPLATE, &[("message", "\"x\"")]),
            params(400, None, &["message"]),
        )),
    ];
    made.into_iter().chain(bad).collect()
}

fn making_flows() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(MAKE_FLOW, rule, Body(body), expect);
    let step = "\"stpName\":\"ask\",\"type\":\"speech\",\"content\":\"Press 1.\",\
        \"audioUrl\":null,\"choices\":[{\"digit\":\"1\",\"stpNext\":\"bye\"}],\
        \"stpNext\":\"ask\"";
    let bye = "\"stpName\":\"bye\",\"type\":\"audio\",\"content\":null,\
        \"audioUrl\":\"https://shop.example/calls/bye.mp3\",\"choices\":[],\"stpNext\":null";
    let shown = |voice: &str, language: &str| {
        created(&format!(
            "\"flwIdentifier\":<int>,\"flwName\":\"Hours\",\"flwCreated\":\"<datetime>\",\
             \"voice\":\"{voice}\",\"language\":\"{language}\",\"steps\":[{{{step}}},{{{bye}}}]"
        ))
    };
    let spoken = "{\"voice\":\"MALE\",\"language\":\"yo-NG\",";
    vec![
        case(
            "it needs credentials",
            flow(&[ASK, BYE]),
            Expect::Credentials,
        ),
        case(
            "a flow, every field in order",
            flow(&[ASK, BYE]),
            shown("female", "en"),
        ),
        case(
            "who speaks, and in which language",
            flow(&[ASK, BYE]).replacen('{', spoken, 1),
            shown("male", "yo-NG"),
        ),
        case(
            "everything that is missing is named at once",
            "{}".to_owned(),
            params(400, None, &["flwName", "steps"]),
        ),
        case("no steps", flow(&[]), params(400, None, &["steps"])),
        case(
            "more than forty steps",
            flow(&vec![BYE; 41]),
            params(400, None, &["steps"]),
        ),
        strictly(case(
            "under strict handling every unknown attribute is named",
            flow(&[ASK, &BYE.replacen('{', "{\"wait\":1,", 1)]),
            params(400, None, &["steps.1.wait"]),
        )),
    ]
}

fn bad_flows() -> Vec<Case> {
    let case = |rule: &str, steps: &[&str], names: &[&'static str]| {
        Case::new(MAKE_FLOW, rule, Body(flow(steps)), params(400, None, names))
    };
    let unread = "{\"stpName\":\"1\",\"type\":\"video\",\"stpNext\":\"a b\",\
        \"choices\":[{\"digit\":\"12\",\"stpNext\":\"\"}]}";
    let mixed = BYE.replacen('{', "{\"content\":\"Hi\",", 1);
    let ring = BYE.replacen('{', "{\"stpNext\":\"bye\",", 1);
    vec![
        case(
            "everything that is wrong in a step is named by its place",
            &[ASK, BYE, unread],
            &[
                "steps.2.stpName",
                "steps.2.type",
                "steps.2.choices.0.digit",
                "steps.2.choices.0.stpNext",
                "steps.2.stpNext",
            ],
        ),
        case("a step of two types", &[ASK, &mixed], &["steps.1.content"]),
        case("a key that leads nowhere", &[ASK], &["steps.0.choices"]),
        case("a name twice", &[BYE, BYE], &["steps.1.stpName"]),
        case(
            "a step to which no way leads",
            &[BYE, ASK],
            &["steps.1.stpName"],
        ),
        case(
            "a step that is repeated for ever",
            &[&ring],
            &["steps.0.stpNext"],
        ),
    ]
}

fn listing() -> Vec<Case> {
    let part = |list: &str, stem: &str| {
        success(&format!(
            "\"{list}\":[{{\"{stem}Identifier\":<int>,\"{stem}Name\":\"<text>\",\
             \"{stem}Created\":\"<datetime>\"}}],\"metadata\":{{\"total\":1}},\
             \"query\":{{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}}"
        ))
    };
    let mut cases = Vec::new();
    for (route, (list, id), stem) in [
        (TEMPLATES, ("templates", "tplIdentifier"), "tpl"),
        (FLOWS, ("flows", "flwIdentifier"), "flw"),
    ] {
        let wrong = format!("{id}=x&length=101&orderby={stem}Name");
        cases.extend([
            ask(route, "it needs credentials", "", Expect::Credentials),
            ask(route, "a part of the list", "length=1", part(list, stem)),
            ask(
                route,
                "nothing there",
                &format!("{id}=1"),
                params(404, None, &[id]),
            ),
            ask(
                route,
                "everything that is wrong is named at once",
                &wrong,
                params(400, None, &[id, "length", "orderby"]),
            ),
        ]);
    }
    cases
}

fn deleting() -> Vec<Case> {
    let mut cases = Vec::new();
    for (route, id, place, other) in [
        (DELETE_TEMPLATE, "tplIdentifier", TEMPLATE, FLOW_NUMBER),
        (DELETE_FLOW, "flwIdentifier", FLOW_NUMBER, TEMPLATE),
    ] {
        let case = |rule: &str, number: &str, expect| {
            Case::new(route, rule, Body(format!("{{\"{id}\":{number}}}")), expect)
        };
        cases.extend([
            case("it needs credentials", "1", Expect::Credentials),
            case("it is gone", place, success(&format!("\"{id}\":<int>"))),
            case("nothing there", "1", params(404, None, &[id])),
            case("one of the other kind", other, params(404, None, &[id])),
            Case::new(
                route,
                "everything that is missing is named",
                Body("{}".to_owned()),
                params(400, None, &[id]),
            ),
        ]);
    }
    cases
}
