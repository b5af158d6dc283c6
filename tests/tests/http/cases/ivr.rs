//! Cases of the three operations of calls that run a flow.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::TEMPLATE;
use tests::orders::{FLOW, SENDER};

const CALL: Route = Route(Verb::Post, "/messaging/ivr");
const REPORT: Route = Route(Verb::Get, "/messaging/ivr/transaction");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));
const SENDER_ID: Option<ViolationCase> = Some((870, "Sender ID"));

const ORDER: [(&str, &str); 5] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"+2348031234567\""),
    ("sender", SENDER),
    ("flwIdentifier", FLOW),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [good(), bad_values(), bad_rest(), reports()];
    all.into_iter().flatten().collect()
}

/// A call of one minute, whose cost is known before it is made.
fn shown((reference, number): (&str, &str), way: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"dlvStatus\":\"Answered\",\
         \"dlvDescription\":\"The person answered the call.\",\"callAnswered\":\"<datetime>\",\
         \"callDuration\":<int>,\"flwIdentifier\":<int>,\"flwRun\":\"<text>\",{way},\
         \"number\":\"{number}\",\"network\":\"MTN\",\"sender\":\"CornerShop\",\
         \"callMinutes\":1,\"cost\":\"15.00\",\"currency\":\"NGN\""
    ))
}

const SILENT: &str = "\"flwPath\":[\"ask\",\"bye\"],\"digits\":[]";

fn good() -> Vec<Case> {
    let call = |rule, body, expect| Case::new(CALL, rule, Body(body), expect);
    let minute = ("callMinutes", "1");
    let pressed = "\"flwPath\":[\"ask\",\"thanks\",\"bye\"],\"digits\":[\"1\"]";
    vec![
        call(
            "it needs credentials",
            object(&ORDER, &[]),
            Expect::Credentials,
        ),
        call(
            "no key is pressed",
            object(&ORDER, &[("mrcReference", "\"good-ivr\""), minute]),
            shown(("good-ivr", "2348031234567"), SILENT),
        ),
        call(
            "a key is pressed",
            object(
                &ORDER,
                &[
                    ("mrcReference", "\"ivr-pressed\""),
                    ("number", "2348031230028"),
                    ("window", "\"240\""),
                    ("callMinutes", "\"1\""),
                ],
            ),
            shown(("ivr-pressed", "2348031230028"), pressed),
        ),
    ]
}

fn bad_values() -> Vec<Case> {
    let variable = |name: &str, value: &str| format!("[{{\"name\":{name},\"value\":{value}}}]");
    let unused = variable("\"first\"", "\"Ada\"");
    let twice = "[{\"name\":\"a\",\"value\":\"\"},{\"name\":\"a\",\"value\":\"\"}]";
    let mut cases = shared::bad_values(
        (CALL, &ORDER),
        &[
            ("number", PHONE, 400, &["\"4915112345678\"", "\"\"", "null"]),
            ("sender", SENDER_ID, 400, &["\"CornerShop\"", "null"]),
            ("sender", SENDER_ID, 404, &["100000000000"]),
            ("countryCode", COUNTRY, 400, &["840", "\"NG\"", "0", "null"]),
            ("mrcReference", None, 400, &["\"\"", "\"a b\"", "7"]),
            (
                "flwIdentifier",
                None,
                400,
                &["0", "\"\"", "1.5", "\"a\"", "null"],
            ),
            ("flwIdentifier", None, 404, &["1"]),
            ("callMinutes", None, 400, &["0", "11", "\"one\""]),
            ("window", None, 400, &["0", "241", "\"\""]),
            ("variables", None, 400, &["\"x\"", "{}", twice, &unused]),
        ],
    );
    cases.push(shared::bad(
        (CALL, &ORDER),
        "a template is no flow",
        &[("flwIdentifier", TEMPLATE)],
        params(404, None, &["flwIdentifier"]),
    ));
    cases.push(shared::bad(
        (CALL, &ORDER),
        "a variable that cannot be read is named by its place",
        &[("variables", &variable("\"1\"", "5"))],
        params(400, None, &["variables.0.name", "variables.0.value"]),
    ));
    cases
}

fn bad_rest() -> Vec<Case> {
    vec![
        Case::new(
            CALL,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(
                400,
                COUNTRY,
                &[
                    "mrcReference",
                    "countryCode",
                    "number",
                    "sender",
                    "flwIdentifier",
                ],
            ),
        ),
        strictly(shared::bad(
            (CALL, &ORDER),
            "under strict handling every unknown attribute is named",
            &[("content", "\"x\""), ("repeat", "1")],
            params(400, None, &["content", "repeat"]),
        )),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-ivr");
    cases.push(ask(
        REPORT,
        "as it was answered",
        "mrcReference=good-ivr",
        shown(("good-ivr", "2348031234567"), SILENT),
    ));
    cases
}
