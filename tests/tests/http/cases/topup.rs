//! Cases of top-ups.

use super::shared::{self, ViolationCase, ask, bad_reports, params, second, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const ANNOUNCE: Route = Route(Verb::Post, "/account/topup");
const LIST: Route = Route(Verb::Get, "/account/topup");
const REPORT: Route = Route(Verb::Get, "/account/topup/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const CHANNEL: Option<ViolationCase> = Some((812, "Payment Channel"));

const TOP_UP: [(&str, &str); 3] = [
    ("mrcReference", "\"bad\""),
    ("amount", "\"50,000.00\""),
    ("txnChannel", "\"transfer\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [announcing(), listing(), reports(), bad_values(), bad_rest()];
    all.into_iter().flatten().collect()
}

/// A top-up that is open.
fn open(reference: &str, channel: &str, [bank, number, name]: [&str; 3]) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Pending\",\
         \"txnDate\":\"<datetime>\",\"amount\":\"50,000.00\",\"price\":\"50,000.00\",\
         \"currency\":\"NGN\",\"txnChannel\":\"{channel}\",\"topExpires\":\"<datetime>\",\
         \"topCredited\":null,\"topConfirmed\":null,\"bankFullname\":{bank},\
         \"accountNumber\":{number},\"accountName\":{name},\"txnNarration\":\"<text>\""
    )
}

fn by_transfer(reference: &str) -> String {
    let account = ["\"Test Bank\"", "\"0123456789\"", "\"Manilla Tests\""];
    open(reference, "transfer", account)
}

fn manual(reference: &str) -> String {
    open(reference, "manual", ["null"; 3])
}

fn accepted(fields: &str) -> Expect {
    let envelope = "\"code\":202,\"status\":\"success\",\"message\":\"<text>\"";
    Expect::Answer(202, format!("{{{envelope},{fields}}}"))
}

fn announcing() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&TOP_UP, changes));
    vec![
        Case::new(
            ANNOUNCE,
            "it needs credentials",
            body(&[]),
            Expect::Credentials,
        ),
        Case::new(
            ANNOUNCE,
            "every field, in order",
            body(&[("mrcReference", "\"good-transfer\"")]),
            accepted(&by_transfer("good-transfer")),
        ),
        Case::new(
            ANNOUNCE,
            "as agreed, with the currency named",
            body(&[
                ("mrcReference", "\"good-manual\""),
                ("amount", "50000"),
                ("txnChannel", "\"Manual\""),
                ("currency", "\"NGN\""),
            ]),
            accepted(&manual("good-manual")),
        ),
    ]
}

fn listing() -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(LIST, rule, query, expect);
    let page = second("topups", &manual("good-manual"), (2, 2));
    vec![
        ask("it needs credentials", "", Expect::Credentials),
        ask("a part of them", "offset=1&length=1", success(&page)),
        ask(
            "no part",
            "offset=-1&length=101&sort=up&orderby=amount",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            "x=1",
            params(400, None, &["x"]),
        )),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-transfer");
    let query = "mrcReference=good-transfer";
    let expect = success(&by_transfer("good-transfer"));
    cases.push(ask(REPORT, "the fields of the top-up", query, expect));
    cases
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((ANNOUNCE, &TOP_UP), rule, changes, expect)
}

fn bad_values() -> Vec<Case> {
    let of = |name: &'static str, values: &[&str], about| {
        let case = |value: &&str| {
            let expect = params(400, about, &[name]);
            bad("a value that is none", &[(name, *value)], expect)
        };
        values.iter().map(case).collect::<Vec<_>>()
    };
    [
        of("mrcReference", &["\"a b\"", "\"\"", "null"], None),
        of(
            "amount",
            &["\"-1\"", "0", "\"1.001\"", "null", "\"99.99\"", "100000001"],
            AMOUNT,
        ),
        of(
            "txnChannel",
            &["\"card\"", "\"CARD\"", "\"cash\"", "\"\"", "7", "null"],
            CHANNEL,
        ),
        of("currency", &["\"CRD\"", "\"USD\"", "\"\"", "7"], None),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    vec![
        bad(
            "everything that is missing is named at once",
            &[("mrcReference", ""), ("amount", ""), ("txnChannel", "")],
            params(400, AMOUNT, &["mrcReference", "amount", "txnChannel"]),
        ),
        bad(
            "everything that is wrong is named at once",
            &[
                ("mrcReference", "\"a b\""),
                ("amount", "1"),
                ("txnChannel", "\"card\""),
                ("currency", "\"CRD\""),
            ],
            params(
                400,
                AMOUNT,
                &["mrcReference", "amount", "txnChannel", "currency"],
            ),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}
