//! Cases of the three operations of transfers to accounts.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const PAY: Route = Route(Verb::Post, "/transfer/user");
const REPORT: Route = Route(Verb::Get, "/transfer/user/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));

const ORDER: [(&str, &str); 4] = [
    ("mrcReference", "\"bad\""),
    ("usrIdentity", "\"Owner@Kiosk.example\""),
    ("txnAmount", "\"1,000.01\""),
    ("txnNarration", "\"Rent of June\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [paying(), reports(), bad_values(), bad_rest()];
    all.into_iter().flatten().collect()
}

/// What a transfer to an address that no account has is answered, and its report.
fn fields(reference: &str) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Pending\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Queued\",\
         \"usrIdentity\":\"owner@kiosk.example\",\"usrName\":null,\"clmStatus\":\"Unclaimed\",\
         \"clmExpires\":\"<datetime>\",\"txnAmount\":\"1,000.01\",\
         \"txnNarration\":\"Rent of June\",\"price\":\"1,000.01\",\"currency\":\"NGN\""
    )
}

fn accepted(fields: &str) -> Expect {
    let envelope = "\"code\":202,\"status\":\"success\",\"message\":\"<text>\"";
    Expect::Answer(202, format!("{{{envelope},{fields}}}"))
}

fn paying() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "an address that no account has: every field, in order",
            body(&[("mrcReference", "\"good-user\"")]),
            accepted(&fields("good-user")),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-user");
    let query = "mrcReference=good-user";
    let expect = success(&fields("good-user"));
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
            &[
                "\"-1\"",
                "0",
                "\"1.001\"",
                "null",
                "\"0.99\"",
                "\"10,000,000.01\"",
            ],
            AMOUNT,
        ),
        of(
            "usrIdentity",
            &[
                "\"\"",
                "\"owner@kiosk\"",
                "\"+23480\"",
                "\"a b\"",
                "7",
                "null",
            ],
            None,
        ),
        of("txnNarration", &["\"\"", "7", "null"], None),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    let all = ["mrcReference", "usrIdentity", "txnAmount", "txnNarration"];
    vec![
        bad(
            "an account that does not exist",
            &[("usrIdentity", "\"ghost\"")],
            params(404, None, &["usrIdentity"]),
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
