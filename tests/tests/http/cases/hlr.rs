//! Cases of the number lookup, which is its own report.

use super::shared::{ViolationCase, ask, params, strictly, success};
use crate::case::{BAD, Case, Expect, Route};
use http_server::Verb;

const LOOKUP: Route = Route(Verb::Get, "/vas/hlrlookup");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));

/// A field and its value as it is written.
type Field = (&'static str, &'static str);

const UNAVAILABLE: &str = "\"Unavailable\"";

/// What a register tells, as the fields of an answer in their order.
const REGISTER: [Field; 16] = [
    ("numberType", "\"mobile\""),
    ("isValid", "true"),
    ("isMobile", "true"),
    ("isLive", "true"),
    ("isPorted", "false"),
    ("isRoaming", "false"),
    ("hlrStatus", "\"ok\""),
    ("countryName", "\"Nigeria\""),
    ("countryCode", "\"566\""),
    ("networkCurrent", "\"MTN\""),
    ("networkOrigin", "\"MTN\""),
    ("networkPorted", "null"),
    ("networkMCC", "\"621\""),
    ("networkMNC", "\"30\""),
    ("roamingCountry", "null"),
    ("price", "\"5.00\""),
];

/// What is different where no register was asked.
const NOT_ASKED: [Field; 10] = [
    ("isMobile", "false"),
    ("isLive", "null"),
    ("isPorted", "null"),
    ("isRoaming", "null"),
    ("networkCurrent", UNAVAILABLE),
    ("networkOrigin", UNAVAILABLE),
    ("networkPorted", UNAVAILABLE),
    ("networkMCC", UNAVAILABLE),
    ("networkMNC", UNAVAILABLE),
    ("roamingCountry", UNAVAILABLE),
];

pub(crate) fn cases() -> Vec<Case> {
    let cases = [
        good(),
        registers(),
        free(),
        bad_values(),
        bad_filters(),
        references(),
    ];
    cases.into_iter().flatten().collect()
}

fn case(rule: &str, query: &str, expect: Expect) -> Case {
    ask(LOOKUP, rule, query, expect)
}

/// The fields from `numberType` on, where `changes` replace values.
fn register(changes: &[Field]) -> String {
    let written = REGISTER.map(|(name, value)| {
        let change = changes.iter().rev().find(|(changed, _)| *changed == name);
        let value = change.map_or(value, |(_, value)| value);
        format!("\"{name}\":{value}")
    });
    format!("{},\"currency\":\"NGN\"", written.join(","))
}

/// A lookup that was paid for.
fn paid(reference: &str, number: &str, changes: &[Field]) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"number\":\"{number}\",{}",
        register(changes)
    ))
}

fn good() -> Vec<Case> {
    let (number, asked) = ("2348031231000", "countryCode=566&number=2348031231000");
    let named = |reference: &str| format!("mrcReference={reference}&{asked}");
    vec![
        case("it needs credentials", asked, Expect::Credentials),
        case(
            "every field, in order",
            &named("good-hlr"),
            paid("good-hlr", number, &[]),
        ),
        case(
            "asked again under its reference it says the same",
            &named("good-hlr"),
            paid("good-hlr", number, &[]),
        ),
        case(
            "a plus and unknown attributes do not matter",
            "number=%2B2348031231000&countryCode=566&mrcReference=good-hlr&x=1",
            paid("good-hlr", number, &[]),
        ),
        case(
            "its reference alone is its report",
            "mrcReference=good-hlr",
            paid("good-hlr", number, &[]),
        ),
    ]
}

/// What registers tell beside a number in use at home, by numbers whose answers the sandbox draws.
fn registers() -> Vec<Case> {
    let absent = [
        ("isRoaming", "null"),
        ("hlrStatus", "\"absent\""),
        ("roamingCountry", UNAVAILABLE),
    ];
    let unknown = [
        ("isLive", "false"),
        ("isPorted", "null"),
        ("isRoaming", "null"),
        ("hlrStatus", "\"unknown\""),
        ("networkCurrent", UNAVAILABLE),
        ("networkPorted", UNAVAILABLE),
        ("networkMCC", UNAVAILABLE),
        ("networkMNC", UNAVAILABLE),
        ("roamingCountry", UNAVAILABLE),
    ];
    let ported = [
        ("isPorted", "true"),
        ("networkCurrent", "\"Airtel\""),
        ("networkPorted", "\"Airtel\""),
        ("networkMNC", "\"20\""),
    ];
    let roaming = [
        ("isRoaming", "true"),
        ("roamingCountry", "\"United Arab Emirates\""),
    ];
    let reported: [(&str, &str, &[Field]); 4] = [
        ("a handset that is switched off", "2348031231103", &absent),
        ("a number that does not exist", "2348031231204", &unknown),
        ("a number that was ported", "2348031231108", &ported),
        ("a handset abroad", "2348031231107", &roaming),
    ];
    let case = |(rule, number, changes): (&str, &str, &[Field])| {
        let reference = format!("hlr-{number}");
        let query = format!("mrcReference={reference}&countryCode=566&number={number}");
        case(rule, &query, paid(&reference, number, changes))
    };
    reported.map(case).into()
}

/// A number that is not mobile: no network is queried, nothing is charged, no reference is used.
fn free() -> Vec<Case> {
    let lines = [
        ("2342011234567", "\"fixed-line\"", "true", "\"fixed-line\""),
        ("2348001234567", "\"other\"", "true", "null"),
        ("23480312345", "\"invalid\"", "false", "\"invalid\""),
        // A number of another country is none of this one.
        ("233241234567", "\"invalid\"", "false", "\"invalid\""),
    ];
    let mut cases = Vec::new();
    for (number, kind, valid, status) in lines {
        let mut changes = NOT_ASKED.to_vec();
        changes.extend([
            ("numberType", kind),
            ("isValid", valid),
            ("hlrStatus", status),
            ("price", "\"0.00\""),
        ]);
        let asked = format!("countryCode=566&number={number}");
        for (query, shown) in [
            (asked.clone(), "null"),
            (format!("{asked}&mrcReference={BAD}"), "\"bad\""),
        ] {
            let fields = format!(
                "\"mrcReference\":{shown},\"txnReference\":null,\"txnStatus\":null,\
                 \"txnDate\":null,\"gtwStatus\":null,\"number\":\"{number}\",{}",
                register(&changes)
            );
            cases.push(case("no mobile number is free", &query, success(&fields)));
        }
    }
    cases
}

fn bad_values() -> Vec<Case> {
    let mut cases = Vec::new();
    for number in ["0803123", "x", "", "234803123100012345678", "%D9%A8034"] {
        let query = format!("mrcReference={BAD}&countryCode=566&number={number}");
        let expect = params(400, PHONE, &["number"]);
        cases.push(case("no telephone number", &query, expect));
    }
    for (country, number) in [
        ("288", "233241234567"),
        ("999", "2348031231000"),
        ("NG", "2348031231000"),
        ("0", "2348031231000"),
        ("", "2348031231000"),
    ] {
        let query = format!("mrcReference={BAD}&countryCode={country}&number={number}");
        let expect = params(400, COUNTRY, &["countryCode"]);
        cases.push(case("a country without a register", &query, expect));
    }
    cases
}

fn bad_filters() -> Vec<Case> {
    let all = ["countryCode", "number"];
    let with_more = "countryCode=566&number=2348031231000&mrcReference=bad&x=1";
    vec![
        case("filters are missing", "", params(405, COUNTRY, &all)),
        case(
            "one is missing",
            "countryCode=566",
            params(405, PHONE, &["number"]),
        ),
        case(
            "one is missing beside a reference",
            "mrcReference=bad&number=2348031231000",
            params(405, COUNTRY, &["countryCode"]),
        ),
        case(
            "everything that is wrong is named at once",
            "mrcReference=a%20b&countryCode=1000&number=0803",
            params(400, COUNTRY, &["countryCode", "number", "mrcReference"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            with_more,
            params(400, None, &["x"]),
        )),
        case("a name twice", "number=1&number=1", Expect::Request(400)),
    ]
}

fn references() -> Vec<Case> {
    let reference = |status| params(status, None, &["mrcReference"]);
    let other = "mrcReference=good-airtime&countryCode=566&number=2348031231000";
    vec![
        case("nothing there", "mrcReference=bad", reference(404)),
        case("no reference", "mrcReference=a%20b", reference(400)),
        case(
            "another family's",
            "mrcReference=good-airtime",
            reference(404),
        ),
        case("used for something else", other, reference(422)),
    ]
}
