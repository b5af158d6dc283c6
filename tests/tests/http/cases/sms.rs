//! Cases of the two message operations, in both sets of names.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::{Body, Query};
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::orders::SENDER;

const SEND: Route = Route(Verb::Post, "/messaging/sms");
const REPORT: Route = Route(Verb::Get, "/messaging/sms/transaction");
const SENDERS: Route = Route(Verb::Get, "/messaging/senders");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));
const SENDER_ID: Option<ViolationCase> = Some((870, "Sender ID"));

const ORDER_A: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"+2348031230000\""),
    ("sender", SENDER),
    ("type", "\"text\""),
    ("message", "\"Your code is 4711.\""),
];

const ORDER_B: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "\"566\""),
    ("phnNumber", "2348031230000"),
    ("msgSender", "\"{sender}\""),
    ("msgType", "\"text\""),
    ("msgContent", "\"Your code is 4711.\""),
];

/// The names of set A, each with the one of set B that means the same.
const PAIRS: [(&str, &str); 4] = [
    ("number", "phnNumber"),
    ("sender", "msgSender"),
    ("type", "msgType"),
    ("message", "msgContent"),
];

const IDENTITY: &str = "\"mrcReference\":\"REFERENCE\",\"txnReference\":<int>,\
     \"txnStatus\":\"Successful\",\"txnDate\":\"<datetime>\"";

/// What follows `gtwStatus` in set A.
const BODY_A: &str = "\"number\":\"2348031230000\",\"network\":\"MTN\",\
     \"sender\":\"CornerShop\",\"type\":\"TYPE\",\"content\":\"CONTENT\",\"cost\":\"COST\",\
     \"currency\":\"NGN\"";

/// What follows `gtwStatus` in set B; how far the message is depends on when it is asked.
const BODY_B: &str = "\"dlvStatus\":\"<word>\",\"dlvDescription\":\"<text>\",\
     \"phnNumber\":\"2348031230000\",\"phnNetwork\":\"MTN\",\"msgSender\":\"CornerShop\",\
     \"msgType\":\"text\",\"msgContent\":\"Your code is 4711.\",\"txnCost\":\"4.00\",\
     \"txnCurrency\":\"NGN\"";

const CODE: &str = "Your code is 4711.";

pub(crate) fn cases() -> Vec<Case> {
    let sending = [good(), kinds(), lengths()];
    let refused = [bad_values(), bad_names(), mixed()];
    let rest = [reports(), senders()];
    let cases = sending.into_iter().chain(refused).chain(rest);
    cases.flatten().collect()
}

fn senders() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(SENDERS, rule, Query(text.to_owned()), expect);
    let body = "{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\"senders\":[\
                {\"sndIdentifier\":\"<digits>\",\"sndName\":\"CornerShop\",\
                \"sndStatus\":\"Approved\",\"sndDate\":\"<datetime>\",\
                \"sndDecided\":\"<datetime>\"}],\"metadata\":{\"total\":1},\
                \"query\":{\"length\":100,\"offset\":0,\"total\":1,\"found\":1}}";
    vec![
        case("it needs credentials", "", Expect::Credentials),
        case(
            "the senders of the account",
            "",
            Expect::Answer(200, body.to_owned()),
        ),
        case(
            "everything that is wrong is named at once",
            "length=0&orderby=sender",
            Expect::Params(400, None, vec!["length", "orderby"]),
        ),
    ]
}

/// The good order of each set of names, made bad or different by what is changed. A change is given
/// in the names of set A.
fn in_both<'a>(changes: &[(&'static str, &'a str)]) -> [(String, Vec<(&'static str, &'a str)>); 2] {
    let b = |name| {
        let same = PAIRS.iter().find(|(a, _)| *a == name);
        same.map_or(name, |(_, b)| *b)
    };
    let in_b: Vec<_> = changes
        .iter()
        .map(|(name, value)| (b(*name), *value))
        .collect();
    [
        (object(&ORDER_A, changes), changes.to_vec()),
        (object(&ORDER_B, &in_b), in_b),
    ]
}

fn answer_a(reference: &str, (kind, content, cost): (&str, &str, &str)) -> Expect {
    let body = BODY_A
        .replace("TYPE", kind)
        .replace("CONTENT", content)
        .replace("COST", cost);
    let identity = IDENTITY.replace("REFERENCE", reference);
    success(&format!("{identity},\"gtwStatus\":\"Submitted\",{body}"))
}

/// A message of set A, and what it costs.
fn sent(rule: &str, reference: &str, reported: (&str, &str, &str)) -> Case {
    let (kind, content, _) = reported;
    let quoted = [reference, kind, content].map(|text| format!("\"{text}\""));
    let changes = [
        ("mrcReference", &*quoted[0]),
        ("type", &quoted[1]),
        ("message", &quoted[2]),
    ];
    let body = Body(object(&ORDER_A, &changes));
    Case::new(SEND, rule, body, answer_a(reference, reported))
}

fn good() -> Vec<Case> {
    let in_b = [
        ("mrcReference", "\"good-sms-b\""),
        ("comment", "{\"a\":[]}"),
    ];
    let identity = IDENTITY.replace("REFERENCE", "good-sms-b");
    let answer_b = success(&format!("{identity},\"gtwStatus\":\"<word>\",{BODY_B}"));
    vec![
        Case::new(
            SEND,
            "it needs credentials, whatever names are used",
            Body(object(&ORDER_A, &[])),
            Expect::Credentials,
        ),
        Case::new(
            SEND,
            "it needs credentials, whatever names are used",
            Body(object(&ORDER_B, &[])),
            Expect::Credentials,
        ),
        sent(
            "set A is answered in set A",
            "good-sms",
            ("text", CODE, "4.00"),
        ),
        Case::new(
            SEND,
            "set B is answered in set B; numbers may be numbers or text, more is ignored",
            Body(object(&ORDER_B, &in_b)),
            answer_b,
        ),
    ]
}

fn kinds() -> Vec<Case> {
    let kinds = ["text", "flash", "unicode", "arabic", "wap"];
    let case = |kind: &str| {
        let reference = format!("good-sms-{kind}");
        sent("every type there is", &reference, (kind, "Hello", "4.00"))
    };
    kinds.map(case).into()
}

/// Parts are counted as interface §8 says, and each is billed.
fn lengths() -> Vec<Case> {
    let texts = [
        ("160", "text", "a".repeat(160), "4.00"),
        ("161", "text", "a".repeat(161), "8.00"),
        ("307", "text", "a".repeat(307), "12.00"),
        ("euro", "text", "€".repeat(81), "8.00"),
        ("70", "text", "ж".repeat(70), "4.00"),
        ("71", "text", "ж".repeat(71), "8.00"),
        ("127", "text", "ж".repeat(127), "12.00"),
        ("pairs", "text", "👍".repeat(36), "8.00"),
        ("arabic", "arabic", "a".repeat(71), "8.00"),
        ("most", "text", "a".repeat(1_530), "40.00"),
    ];
    let case = |(name, kind, text, cost): (&str, &str, String, &str)| {
        let reference = format!("long-sms-{name}");
        sent("every part is billed", &reference, (kind, &text, cost))
    };
    texts.map(case).into()
}

/// A bad value of one attribute is reported under the names of the request.
fn bad_values() -> Vec<Case> {
    let long = [("a", 1_531), ("ж", 631)].map(|(c, n)| format!("\"{}\"", c.repeat(n)));
    let values: [(&str, Option<ViolationCase>, u16, &[&str]); 8] = [
        (
            "number",
            PHONE,
            400,
            &[
                "\"4915112345678\"",
                "\"08031230000\"",
                "\"\"",
                "true",
                "null",
            ],
        ),
        (
            "sender",
            SENDER_ID,
            400,
            &[
                "\"CornerShop\"",
                "12345",
                "1234567890123",
                "\"\"",
                "null",
                "-1",
            ],
        ),
        (
            "sender",
            SENDER_ID,
            404,
            &["100000000000", "\"000000000000\""],
        ),
        (
            "type",
            None,
            400,
            &["\"message\"", "\"sms\"", "\"\"", "1", "null"],
        ),
        (
            "message",
            None,
            400,
            &[
                "\"\"",
                "\"\\u0000\"",
                "\"\\u0007\"",
                "\"\\u202eabc\"",
                "5",
                "null",
            ],
        ),
        ("message", None, 400, &[&long[0], &long[1]]),
        ("countryCode", COUNTRY, 400, &["840", "\"NG\"", "0", "null"]),
        ("mrcReference", None, 400, &["\"\"", "\"a b\"", "7"]),
    ];
    let mut cases = Vec::new();
    for (name, about, status, values) in values {
        for value in values {
            for (body, changes) in in_both(&[(name, value)]) {
                let rule = format!("a bad {}: {value:.40}", changes[0].0);
                let expect = params(status, about, &[changes[0].0]);
                cases.push(Case::new(SEND, rule, Body(body), expect));
            }
        }
    }
    cases
}

fn bad_names() -> Vec<Case> {
    let faults = [("number", "1"), ("type", "\"x\""), ("message", "")];
    let begun = |name: &str, missing: &[&'static str]| {
        let body = Body(object(&[(name, "\"text\"")], &[]));
        let rule = "what is missing is asked for in the names that were used";
        Case::new(SEND, rule, body, params(400, COUNTRY, missing))
    };
    let shared = ["mrcReference", "countryCode"];
    let mut cases = vec![
        begun(
            "type",
            &[&shared[..], &["number", "sender", "message"]].concat(),
        ),
        begun(
            "msgType",
            &[&shared[..], &["phnNumber", "msgSender", "msgContent"]].concat(),
        ),
    ];
    for (body, changes) in in_both(&faults) {
        let names: Vec<_> = changes.iter().map(|(name, _)| *name).collect();
        cases.push(Case::new(
            SEND,
            "everything that is wrong is named at once",
            Body(body),
            params(400, PHONE, &names),
        ));
    }
    for order in [&ORDER_A, &ORDER_B] {
        cases.push(strictly(shared::bad(
            (SEND, order),
            "under strict handling every unknown attribute is named",
            &[("content", "\"x\""), ("comment", "1")],
            params(400, None, &["content", "comment"]),
        )));
    }
    cases
}

/// One name of the other set is one too many, whichever it is.
fn mixed() -> Vec<Case> {
    let added = |(_, other): &(&'static str, &'static str)| {
        let (_, value) = ORDER_B
            .iter()
            .find(|(name, _)| name == other)
            .expect("a name");
        let names: Vec<_> = PAIRS
            .iter()
            .flat_map(|(a, b)| if b == other { vec![*a, *b] } else { vec![*a] })
            .collect();
        shared::bad(
            (SEND, &ORDER_A),
            "both sets of names at once",
            &[(other, value)],
            params(400, None, &names),
        )
    };
    let mut cases: Vec<_> = PAIRS.iter().map(added).collect();
    cases.push(shared::bad(
        (SEND, &ORDER_A),
        "half of each set of names",
        &[
            ("sender", ""),
            ("message", ""),
            ("msgSender", SENDER),
            ("msgContent", "\"Hi\""),
            ("mrcReference", "\"a b\""),
        ],
        params(
            400,
            None,
            &["mrcReference", "number", "msgSender", "type", "msgContent"],
        ),
    ));
    cases
}

fn reports() -> Vec<Case> {
    let named = |reference: &str| format!("mrcReference={reference}");
    let body_a = BODY_A
        .replace("TYPE", "text")
        .replace("CONTENT", CODE)
        .replace("COST", "4.00");
    let reported = |reference: &str, rest: &str| {
        let identity = IDENTITY.replace("REFERENCE", reference);
        success(&format!("{identity},\"gtwStatus\":\"<word>\",{rest}"))
    };
    let in_a = reported("good-sms", &format!("\"dlvStatus\":\"<word>\",{body_a}"));
    let in_b = reported("good-sms-b", BODY_B);
    let mut cases = bad_reports(REPORT, "good-sms");
    cases.push(ask(
        REPORT,
        "in the names of set A, with the delivery",
        &named("good-sms"),
        in_a,
    ));
    cases.push(ask(
        REPORT,
        "in the names of set B",
        &named("good-sms-b"),
        in_b,
    ));
    cases
}
