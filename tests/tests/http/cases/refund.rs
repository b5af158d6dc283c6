//! Cases of refunds. The payments they are of were made by the cases of their families.

use super::shared::{self, ViolationCase, ask, bad_reports, params, second, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const ASK: Route = Route(Verb::Post, "/billing/refund");
const LIST: Route = Route(Verb::Get, "/billing/refund");
const REPORT: Route = Route(Verb::Get, "/billing/refund/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));

const REFUND: [(&str, &str); 4] = [
    ("mrcReference", "\"bad\""),
    ("mrcOriginal", "\"good-airtime\""),
    ("txnAmount", "\"1.00\""),
    ("rfdReason", "\"never arrived\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [asking(), listing(), reports(), bad_values(), bad_rest()];
    all.into_iter().flatten().collect()
}

fn completed(reference: &str, original: &str) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"mrcOriginal\":\"{original}\",\"rfdIdentifier\":\"<text>\",\
         \"rfdStatus\":\"Completed\",\"txnAmount\":\"1.00\",\"currency\":\"NGN\",\
         \"rfdReason\":\"never arrived\",\"rfdChannel\":\"credit\",\"rfdCredited\":\"1.00\",\
         \"rfdCompleted\":\"<datetime>\""
    )
}

fn asking() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&REFUND, changes));
    let fields = completed("good-refund", "good-airtime");
    let waits = "\"mrcReference\":\"good-0002\",\"txnReference\":<int>,\"txnStatus\":\"Pending\",\
                 \"txnDate\":\"<datetime>\",\"mrcOriginal\":\"good-internet\",\
                 \"rfdIdentifier\":\"<text>\",\"rfdStatus\":\"Pending\",\"txnAmount\":\"1.00\",\
                 \"currency\":\"NGN\",\"rfdReason\":\"never arrived\",\"rfdChannel\":null,\
                 \"rfdCredited\":null,\"rfdCompleted\":null";
    let envelope = "\"code\":202,\"status\":\"success\",\"message\":\"<text>\"";
    vec![
        Case::new(ASK, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            ASK,
            "every field, in order",
            body(&[("mrcReference", "\"good-refund\"")]),
            success(&fields),
        ),
        Case::new(
            ASK,
            "it waits for an operator",
            body(&[
                ("mrcReference", "\"good-0002\""),
                ("mrcOriginal", "\"good-internet\""),
                ("currency", "\"NGN\""),
            ]),
            Expect::Answer(202, format!("{{{envelope},{waits}}}")),
        ),
    ]
}

fn listing() -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(LIST, rule, query, expect);
    let page = second("refunds", &completed("good-refund", "good-airtime"), (2, 2));
    vec![
        ask("it needs credentials", "", Expect::Credentials),
        ask(
            "a part of them",
            "offset=1&length=1&sort=desc",
            success(&page.replace("\"asc\"", "\"desc\"")),
        ),
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
    let mut cases = bad_reports(REPORT, "good-refund");
    let query = "mrcReference=good-refund";
    let expect = success(&completed("good-refund", "good-airtime"));
    cases.push(ask(REPORT, "the fields of the refund", query, expect));
    cases
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((ASK, &REFUND), rule, changes, expect)
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
        of("mrcOriginal", &["\"a b\"", "\"\"", "null"], None),
        of("txnAmount", &["\"-1\"", "0", "\"1.001\""], AMOUNT),
        of("rfdReason", &["\"\"", "\"  \"", "null"], None),
        of("currency", &["\"USD\"", "\"\"", "7"], None),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    let all = ["mrcReference", "mrcOriginal", "rfdReason"];
    vec![
        bad(
            "everything that is missing is named at once",
            &[("mrcReference", ""), ("mrcOriginal", ""), ("rfdReason", "")],
            params(400, None, &all),
        ),
        bad(
            "a payment there is none of",
            &[("mrcOriginal", "\"none\"")],
            params(404, None, &["mrcOriginal"]),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}
