//! Cases of the two airtime operations.

use crate::case::Input::{Body, Query};
use crate::case::{BAD, Case, Expect, Route, object};
use http_server::Verb;
use reqwest::header::HeaderName;

const TOP_UP: Route = Route(Verb::Post, "/payment/airtime");
const REPORT: Route = Route(Verb::Get, "/payment/airtime/transaction");

const AMOUNT: Option<(u16, &str)> = Some((814, "Amount"));
const PHONE: Option<(u16, &str)> = Some((822, "Phone Number"));
const COUNTRY: Option<(u16, &str)> = Some((851, "Country"));
const PROVIDER: Option<(u16, &str)> = Some((820, "Service Provider"));

const ORDER: [(&str, &str); 5] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"+2348031230000\""),
    ("amount", "\"1,000.00\""),
    ("billing", "\"prepaid\""),
];

const GOOD: &str = "{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
     \"mrcReference\":\"REFERENCE\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
     \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"number\":\"2348031230000\",\
     \"billing\":\"BILLING\",\"network\":\"MTN\",\"amount\":\"1,000.00\",\"price\":\"970.00\",\
     \"currency\":\"NGN\"}";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = good();
    cases.extend(bad_amounts());
    cases.extend(bad_numbers());
    cases.extend(bad_rest());
    cases.extend(reports());
    cases
}

fn good() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    let answer = |reference: &str, billing: &str| {
        let good = GOOD
            .replace("REFERENCE", reference)
            .replace("BILLING", billing);
        Expect::Answer(200, good)
    };
    let reference = |quoted| ("mrcReference", quoted);
    vec![
        Case::new(
            TOP_UP,
            "it needs credentials",
            body(&[]),
            Expect::Credentials,
        ),
        Case::new(
            TOP_UP,
            "every field, in order",
            body(&[reference("\"good-airtime\"")]),
            answer("good-airtime", "Prepaid"),
        ),
        Case::new(
            TOP_UP,
            "numbers may be JSON numbers, amounts without grouping, unknown attributes are ignored",
            body(&[
                reference("\"Good.air:time_2-\""),
                ("countryCode", "\"566\""),
                ("number", "2348031230000"),
                ("amount", "1000"),
                ("billing", "\"postpaid\""),
                ("comment", "{\"any\":[\"thing\"]}"),
            ]),
            answer("Good.air:time_2-", "Postpaid"),
        ),
    ]
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    let shown = changes
        .iter()
        .map(|(name, value)| format!("{name} = {value:.40}"));
    let shown: Vec<_> = shown.collect();
    let rule = format!("{rule}: {}", shown.join(", "));
    Case::new(TOP_UP, rule, Body(object(&ORDER, changes)), expect)
}

fn bad_amounts() -> Vec<Case> {
    let amounts = [
        "\"-1\"",
        "\"0\"",
        "\"0.00\"",
        "\"1e5\"",
        "\"1,23.00\"",
        "\"1.234\"",
        "\"１２３\"",
        "\"\"",
        "\"1000000000000000000\"",
        "\" 100\"",
        "\"100 \"",
        "\"+100\"",
        "\"100.\"",
        "\".50\"",
        "\"1,000,00\"",
        "\"NaN\"",
        "\"0x64\"",
        "\"100\\u0000\"",
        "-1",
        "0",
        "1e5",
        "1.234",
        "1000000000000000000",
        "true",
        "null",
        "[]",
        "{}",
        "\"49.99\"",
        "\"50,000.01\"",
    ];
    let case = |amount: &&str| {
        let expect = Expect::Params(400, AMOUNT, vec!["amount"]);
        bad(
            "an amount that is none, or not sold",
            &[("amount", *amount)],
            expect,
        )
    };
    amounts.iter().map(case).collect()
}

fn bad_numbers() -> Vec<Case> {
    let numbers = [
        "\"4915112345678\"",
        "\"+14155550100\"",
        "\"23480312\"",
        "\"2348031\"",
        "\"08031230000\"",
        "\"23480312O0000\"",
        "\"234 803 123 0000\"",
        "\"２３４８０３１２３００００\"",
        "\"\"",
        "\"++2348031230000\"",
        "\"2348031230000123456\"",
        "\"234803123000\"",
        "2.348e12",
        "true",
        "null",
    ];
    let case = |number: &&str| {
        let expect = Expect::Params(400, PHONE, vec!["number"]);
        bad(
            "a number that is not in the plan",
            &[("number", *number)],
            expect,
        )
    };
    let mut cases: Vec<_> = numbers.iter().map(case).collect();
    cases.push(bad(
        "a network that is not sold",
        &[("number", "\"2348191230000\"")],
        Expect::Params(400, PROVIDER, vec!["number"]),
    ));
    cases
}

fn bad_rest() -> Vec<Case> {
    let params = |service, names: &[&'static str]| Expect::Params(400, service, names.to_vec());
    let long = format!("\"{}\"", "r".repeat(65));
    let mut cases = Vec::new();
    for country in [
        "0", "840", "\"NG\"", "\"NGA\"", "1000", "-566", "566.5", "\"\"", "null",
    ] {
        let changes = [("countryCode", country)];
        cases.push(bad(
            "a country that is not served",
            &changes,
            params(COUNTRY, &["countryCode"]),
        ));
    }
    for billing in ["\"paid\"", "\"both\"", "\"\"", "1", "null"] {
        let changes = [("billing", billing)];
        cases.push(bad(
            "a word that is none of the two",
            &changes,
            params(None, &["billing"]),
        ));
    }
    for reference in [
        "\"\"", "\"a b\"", "\"a/b\"", "\"é\"", "\"a\\n\"", "7", "null", &long,
    ] {
        let changes = [("mrcReference", reference)];
        cases.push(bad(
            "a reference that is none",
            &changes,
            params(None, &["mrcReference"]),
        ));
    }
    let all = ["mrcReference", "countryCode", "number", "amount", "billing"];
    cases.extend([
        Case::new(
            TOP_UP,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(COUNTRY, &all),
        ),
        bad(
            "everything that is wrong is named at once",
            &[("number", "\"1\""), ("amount", "\"-1\""), ("billing", "")],
            params(PHONE, &["number", "amount", "billing"]),
        ),
        bad(
            "under strict handling every unknown attribute is named",
            &[("comment", "1"), ("amont", "\"5\"")],
            params(None, &["comment", "amont"]),
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]);
    cases
}

fn reports() -> Vec<Case> {
    let case =
        |rule: &str, query: &str, expect| Case::new(REPORT, rule, Query(query.to_owned()), expect);
    let params = |status| Expect::Params(status, None, vec!["mrcReference"]);
    let good = GOOD
        .replace("REFERENCE", "good-airtime")
        .replace("BILLING", "Prepaid");
    let named = "mrcReference=good-airtime";
    let with_more = format!("{named}&x=1");
    let strict = Expect::Params(400, None, vec!["x"]);
    vec![
        case("it needs credentials", named, Expect::Credentials),
        case("the fields of the top-up", named, Expect::Answer(200, good)),
        case("a filter is missing", "", params(405)),
        case("no reference", "mrcReference=", params(400)),
        case("no reference", "mrcReference=a%20b", params(400)),
        case("nothing there", &format!("mrcReference={BAD}"), params(404)),
        case(
            "a name twice",
            "mrcReference=a&mrcReference=a",
            Expect::Request(400),
        ),
        case("half an escape", "mrcReference=%2", Expect::Request(400)),
        case("no UTF-8", "mrcReference=%ff", Expect::Request(400)),
        case(
            "strict: every unknown attribute is named",
            &with_more,
            strict,
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]
}
