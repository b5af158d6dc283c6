//! Cases of the five mobile money operations.

use super::shared::{self, ViolationCase, ask, bad_reports, params, second, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const PROVIDERS: Route = Route(Verb::Get, "/transfer/mobilemoney/providers");
const ENQUIRY: Route = Route(Verb::Get, "/transfer/mobilemoney/enquiry");
const PAY: Route = Route(Verb::Post, "/transfer/mobilemoney");
const REPORT: Route = Route(Verb::Get, "/transfer/mobilemoney/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PROVIDER: ViolationCase = (820, "Service Provider");
const OPERATOR: Option<ViolationCase> = Some(PROVIDER);
const PHONE: ViolationCase = (822, "Phone Number");

const ORDER: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("identifier", "901"),
    ("number", "\"2348031236789\""),
    ("txnAmount", "\"20,000.00\""),
    ("txnNarration", "\"Prize of May\""),
];

const HOLDER: &str = "MOHAMMED IFEOMA AMINA";

const CLOSED_HOLDER: &str = "BELLO DANJUMA IFEOMA";

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        providers(),
        enquiries(),
        paying(),
        reports(),
        bad_values(),
        bad_rest(),
    ];
    all.into_iter().flatten().collect()
}

fn providers() -> Vec<Case> {
    let ask = |rule, query, expect| ask(PROVIDERS, rule, query, expect);
    let smartcash = "\"identifier\":\"902\",\"brandname\":\"SmartCash PSB\",\
        \"company\":\"SmartCash Payment Service Bank Limited\",\"currency\":\"NGN\",\
        \"minimum\":\"50.00\",\"maximum\":\"300,000.00\"";
    vec![
        ask(
            "it needs credentials",
            "countryCode=566",
            Expect::Credentials,
        ),
        ask(
            "a part of the list, every field in order",
            "countryCode=566&length=1&offset=1",
            success(&second("providers", smartcash, (5, 5))),
        ),
        ask(
            "filters are missing",
            "",
            params(405, COUNTRY, &["countryCode"]),
        ),
        ask(
            "nothing is sold there",
            "countryCode=288",
            params(400, COUNTRY, &["countryCode"]),
        ),
        ask(
            "a part that is none",
            "countryCode=566&length=0&offset=-1&orderby=company&sort=up",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            "countryCode=566&x=1",
            params(400, None, &["x"]),
        )),
    ]
}

fn enquiries() -> Vec<Case> {
    let found = format!(
        "\"identifier\":\"901\",\"brandname\":\"MoMo PSB\",\"number\":\"2348031236789\",\
         \"accountName\":\"{HOLDER}\",\"accountStatus\":\"available\""
    );
    let closed = found
        .replace(HOLDER, CLOSED_HOLDER)
        .replace("2348031236789", "2348031230024")
        .replace("\"available\"", "\"unavailable\"");
    let asked = |number: &str| format!("identifier=901&number={number}");
    let ask = |rule, query: &str, expect| ask(ENQUIRY, rule, query, expect);
    let number = |status| params(status, Some(PHONE), &["number"]);
    vec![
        ask(
            "it needs credentials",
            &asked("2348031236789"),
            Expect::Credentials,
        ),
        ask(
            "every field, in order",
            &asked("%2B2348031236789"),
            success(&found),
        ),
        ask(
            "a wallet that takes no money",
            &asked("2348031230024"),
            success(&closed),
        ),
        ask("a number that is none", &asked("0803"), number(400)),
        ask(
            "a number without a wallet",
            &asked("2348031230014"),
            number(404),
        ),
        ask(
            "an operator that cannot be reached",
            &asked("2348031230012"),
            Expect::System(503, PHONE),
        ),
        ask(
            "an operator that is not there",
            "identifier=999&number=2348031236789",
            params(404, OPERATOR, &["identifier"]),
        ),
        ask(
            "filters are missing",
            "",
            params(405, OPERATOR, &["identifier", "number"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            "identifier=901&number=2348031236789&x=1",
            params(400, None, &["x"]),
        )),
    ]
}

/// What a transfer is answered, and its report.
fn answer(reference: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"identifier\":\"901\",\
         \"brandname\":\"MoMo PSB\",\"number\":\"2348031236789\",\
         \"accountName\":\"{HOLDER}\",\"txnAmount\":\"20,000.00\",\
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
            body(&[("mrcReference", "\"good-wallet\"")]),
            answer("good-wallet"),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-wallet");
    let query = "mrcReference=good-wallet";
    let expect = answer("good-wallet");
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
        "\"1e5\"",
        "\"20000.001\"",
        "null",
        "{}",
        "\"49.99\"",
        "\"300,000.01\"",
    ];
    let numbers = ["\"0803\"", "\"2348031236789x\"", "\"\"", "null", "[]"];
    let operators = ["\"MTN\"", "\"\"", "-1", "9.01", "null", "\"1234567890\""];
    let narrations = [
        "\"\"",
        "\"two\\nlines\"",
        "7",
        "null",
        "\"\\u202Ereversed\"",
    ];
    [
        of("txnAmount", &amounts, AMOUNT, 400),
        of("number", &numbers, Some(PHONE), 400),
        of("identifier", &operators, OPERATOR, 400),
        of("countryCode", &["\"NG\"", "null", "288"], COUNTRY, 400),
        of("txnNarration", &narrations, None, 400),
        of("identifier", &["999"], OPERATOR, 404),
        of("number", &["\"2348031230014\""], Some(PHONE), 404),
        of("number", &["\"2348031230024\""], Some(PHONE), 404),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    let all = [
        "mrcReference",
        "countryCode",
        "identifier",
        "number",
        "txnAmount",
        "txnNarration",
    ];
    vec![
        bad(
            "an operator that cannot be paid now",
            &[("identifier", "906")],
            Expect::System(503, PROVIDER),
        ),
        bad(
            "an operator that cannot be reached",
            &[("number", "\"2348031230012\"")],
            Expect::System(503, PHONE),
        ),
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, COUNTRY, &all),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("amount", "\"5\"")],
            params(400, None, &["amount"]),
        )),
    ]
}
