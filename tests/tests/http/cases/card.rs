//! Cases of the three card transfer operations.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const PAY: Route = Route(Verb::Post, "/transfer/card");
const REPORT: Route = Route(Verb::Get, "/transfer/card/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const CARD: ViolationCase = (812, "Payment Channel");

/// A number that a scheme publishes for tests.
const NUMBER: &str = "\"4111111111111111\"";

const ORDER: [(&str, &str); 4] = [
    ("mrcReference", "\"bad\""),
    ("crdToken", "\"tok_visa_6789\""),
    ("txnAmount", "\"20,000.00\""),
    ("txnNarration", "\"Prize of May\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [paying(), reports(), bad_values(), numbers(), bad_rest()];
    all.into_iter().flatten().collect()
}

/// What a transfer is answered, and its report.
fn answer(reference: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"crdBrand\":\"Mastercard\",\
         \"crdLast\":\"6789\",\"txnAmount\":\"20,000.00\",\
         \"txnNarration\":\"Prize of May\",\"txnCharges\":\"26.88\",\"txnFees\":\"50.00\",\
         \"price\":\"20,076.88\",\"currency\":\"NGN\""
    ))
}

fn paying() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "every field, in order",
            body(&[("mrcReference", "\"good-card\"")]),
            answer("good-card"),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-card");
    let query = "mrcReference=good-card";
    let expect = answer("good-card");
    cases.push(ask(REPORT, "the fields of the transfer", query, expect));
    cases
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((PAY, &ORDER), rule, changes, expect)
}

fn bad_values() -> Vec<Case> {
    let of = |name: &'static str, values: &[&str], about, status| {
        let case = |value: &&str| {
            let expect = params(status, about, &[name]);
            bad("a value that is none", &[(name, *value)], expect)
        };
        values.iter().map(case).collect::<Vec<_>>()
    };
    let amounts = [
        "\"-1\"",
        "0",
        "\"20000.001\"",
        "null",
        "\"99.99\"",
        "\"1,000,000.01\"",
    ];
    let tokens = [
        "\"short\"",
        "\"with blank 1\"",
        "\"\"",
        "12345678",
        "null",
        "[]",
    ];
    [
        of("txnAmount", &amounts, AMOUNT, 400),
        of("crdToken", &tokens, Some(CARD), 400),
        of(
            "crdToken",
            &["\"tok_visa_0014\"", "\"tok_visa_x\""],
            Some(CARD),
            404,
        ),
        of("txnNarration", &["\"\"", "7", "null"], None, 400),
    ]
    .concat()
}

/// The number of a card is refused wherever it stands, also where an attribute is not known.
fn numbers() -> Vec<Case> {
    let rule = "the number of a card";
    let of = |name: &'static str, value: &str, about| {
        bad(rule, &[(name, value)], params(400, about, &[name]))
    };
    vec![
        of("crdToken", NUMBER, Some(CARD)),
        of("txnNarration", "\"card 4111-1111-1111-1111\"", None),
        of("crdNumber", NUMBER, None),
        of("pan", "4111111111111111", None),
        of("cards", &format!("[{NUMBER}]"), None),
    ]
}

fn bad_rest() -> Vec<Case> {
    let all = ["mrcReference", "crdToken", "txnAmount", "txnNarration"];
    vec![
        bad(
            "a provider that cannot be reached",
            &[("crdToken", "\"tok_visa_0012\"")],
            Expect::System(503, CARD),
        ),
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, Some(CARD), &all),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("amount", "\"5\"")],
            params(400, None, &["amount"]),
        )),
    ]
}
