//! Cases of the three operations of transfers between wallets.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const PAY: Route = Route(Verb::Post, "/transfer/wallet");
const REPORT: Route = Route(Verb::Get, "/transfer/wallet/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));

const ORDER: [(&str, &str); 5] = [
    ("mrcReference", "\"bad\""),
    ("walFrom", "\"NGN\""),
    ("walTo", "\"CRD\""),
    ("txnAmount", "\"1,000.01\""),
    ("txnNarration", "\"Messages of June\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [paying(), reports(), bad_values(), bad_rest()];
    all.into_iter().flatten().collect()
}

/// What a transfer is answered, and its report.
fn answer(reference: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"walFrom\":\"NGN\",\
         \"walTo\":\"CRD\",\"txnAmount\":\"1,000.01\",\"txnNarration\":\"Messages of June\",\
         \"crdPrice\":\"4.00\",\"crdAmount\":\"250.00\",\"price\":\"1,000.01\",\
         \"currency\":\"NGN\""
    ))
}

fn paying() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "every field, in order",
            body(&[("mrcReference", "\"good-credits\"")]),
            answer("good-credits"),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-credits");
    let query = "mrcReference=good-credits";
    let expect = answer("good-credits");
    cases.push(ask(REPORT, "the fields of the transfer", query, expect));
    cases
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((PAY, &ORDER), rule, changes, expect)
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
        of(
            "txnAmount",
            &["\"-1\"", "0", "\"1.001\"", "null", "\"0.03\""],
            AMOUNT,
        ),
        of(
            "walFrom",
            &["\"CRD\"", "\"USD\"", "\"\"", "7", "null"],
            None,
        ),
        of("walTo", &["\"NGN\"", "\"USD\"", "\"\"", "[]", "null"], None),
        of("txnNarration", &["\"\"", "7", "null"], None),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    let all = [
        "mrcReference",
        "walFrom",
        "walTo",
        "txnAmount",
        "txnNarration",
    ];
    vec![
        bad(
            "from credits to money",
            &[("walFrom", "\"CRD\""), ("walTo", "\"NGN\"")],
            params(400, None, &["walFrom", "walTo"]),
        ),
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, AMOUNT, &all),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("amount", "\"5\"")],
            params(400, None, &["amount"]),
        )),
    ]
}
