//! Cases of the lookups that are sold by name, each of which is its own report.

use super::shared::{ViolationCase, ask, params, strictly, success};
use crate::case::{BAD, Case, Expect, Route};
use http_server::Verb;

const LIST: Route = Route(Verb::Get, "/vas/lookups");
const LOOKUP: Route = Route(Verb::Get, "/vas/lookup");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const CODE: Option<ViolationCase> = Some((820, "Service Provider"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));

pub(crate) fn cases() -> Vec<Case> {
    let cases = [listed(), good(), missed(), bad(), consent(), references()];
    cases.into_iter().flatten().collect()
}

fn case(rule: &str, query: &str, expect: Expect) -> Case {
    ask(LOOKUP, rule, query, expect)
}

/// The identity record of the list.
const IDENTITY: &str = "{\"lkpCode\":\"identity-record\",\"lkpName\":\"Identity record\",\
    \"description\":\"Whether an identity number belongs to a person of a name and a day of \
    birth.\",\"countryCode\":\"566\",\"numberLabel\":\"National identity number\",\
    \"numberPattern\":\"[0-9]{11}\",\"parameters\":[{\"name\":\"surname\",\
    \"label\":\"Surname\",\"pattern\":\"[^;]{1,60}\",\"required\":true},\
    {\"name\":\"birthDate\",\"label\":\"Day of birth\",\
    \"pattern\":\"[0-9]{2}-[0-9]{2}-[0-9]{4}\",\"required\":false}],\"needsConsent\":true,\
    \"price\":\"75.00\",\"currency\":\"NGN\",\"isAvailable\":true}";

fn listed() -> Vec<Case> {
    let asks = |rule: &str, query: &str, expect| ask(LIST, rule, query, expect);
    let page = |lookups: &str, returned: u8, query: &str, total: u8| {
        success(&format!(
            "\"lookups\":[{lookups}],\"metadata\":{{\"total\":{returned}}},\
             \"query\":{{{query},\"total\":{total},\"found\":{total}}}"
        ))
    };
    vec![
        asks("it needs credentials", "", Expect::Credentials),
        asks(
            "a page of it, every field in order",
            "countryCode=566&orderby=lkpCode&offset=1&length=1",
            page(IDENTITY, 1, "\"length\":1,\"offset\":1", 4),
        ),
        asks(
            "none of another country",
            "countryCode=288",
            page("", 0, "\"length\":100,\"offset\":0", 0),
        ),
        asks(
            "no country",
            "countryCode=x",
            params(400, COUNTRY, &["countryCode"]),
        ),
        strictly(asks("strictly", "x=1", params(400, None, &["x"]))),
    ]
}

/// What is shown before the parameters.
fn asked(reference: &str, status: &str, [code, name, number]: [&str; 3]) -> String {
    let gateway = if status == "Failed" {
        "Rejected"
    } else {
        "Delivered"
    };
    format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"{status}\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"{gateway}\",\"lkpCode\":\"{code}\",\
         \"lkpName\":\"{name}\",\"countryCode\":\"566\",\"number\":\"{number}\""
    )
}

/// The operators that a number was with.
fn ported() -> Expect {
    success(&format!(
        "{},\"parameters\":[],\"cnsReference\":\"consent-3\",\"lkpStatus\":\"found\",\
         \"results\":[{{\"name\":\"operator\",\"label\":\"Operator\",\
         \"value\":\"Airtel\"}},{{\"name\":\"operatorSince\",\
         \"label\":\"With this operator since\",\"value\":\"02-09-2023\"}},\
         {{\"name\":\"operatorBefore\",\"label\":\"Operator before\",\
         \"value\":\"MTN\"}}],\"price\":\"10.00\",\"currency\":\"NGN\"",
        asked(
            "good-ported",
            "Successful",
            ["porting-history", "Porting history", "2348031231000"]
        )
    ))
}

fn good() -> Vec<Case> {
    let sim = "lkpCode=sim-age&number=2348031231000&cnsReference=consent-1";
    let found = success(&format!(
        "{},\"parameters\":[],\"cnsReference\":\"consent-1\",\"lkpStatus\":\"found\",\
         \"results\":[{{\"name\":\"simActivated\",\"label\":\"SIM activated\",\
         \"value\":\"14-03-2021\"}},{{\"name\":\"simExchangedLately\",\
         \"label\":\"SIM exchanged in the last 30 days\",\"value\":\"no\"}}],\
         \"price\":\"15.00\",\"currency\":\"NGN\"",
        asked(
            "good-lookup",
            "Successful",
            ["sim-age", "Age of a SIM", "2348031231000"]
        )
    ));
    let identity = success(&format!(
        "{},\"parameters\":[{{\"name\":\"surname\",\"label\":\"Surname\",\
         \"value\":\"O'Neill: Jr., A.\"}},{{\"name\":\"birthDate\",\"label\":\"Day of birth\",\
         \"value\":\"29-02-1992\"}}],\"cnsReference\":\"consent-2\",\"lkpStatus\":\"found\",\
         \"results\":[{{\"name\":\"surnameMatches\",\"label\":\"Surname matches\",\
         \"value\":\"yes\"}},{{\"name\":\"birthDateMatches\",\
         \"label\":\"Day of birth matches\",\"value\":\"yes\"}}],\
         \"price\":\"75.00\",\"currency\":\"NGN\"",
        asked(
            "good-identity",
            "Successful",
            ["identity-record", "Identity record", "01234567890"]
        )
    ));
    let person = "birthDate:29-02-1992;surname:O%27Neill:%20Jr.,%20A.";
    vec![
        case("it needs credentials", sim, Expect::Credentials),
        case(
            "every field, in order",
            &format!("{sim}&mrcReference=good-lookup"),
            found.clone(),
        ),
        case(
            "the operators that a number was with",
            "lkpCode=porting-history&number=2348031231000&cnsReference=consent-3&\
             mrcReference=good-ported",
            ported(),
        ),
        case(
            "asked again under its reference it says the same",
            &format!("{sim}&mrcReference=good-lookup&x=1"),
            found.clone(),
        ),
        case(
            "its reference alone is its report",
            "mrcReference=good-lookup",
            found,
        ),
        case(
            "parameters are shown in the order of the list",
            &format!(
                "lkpCode=identity-record&number=01234567890&cnsReference=consent-2\
                 &mrcReference=good-identity&parameters={person}"
            ),
            identity,
        ),
    ]
}

/// Nothing is found, and nothing is charged.
fn missed() -> Vec<Case> {
    let none = success(&format!(
        "{},\"parameters\":[],\"cnsReference\":null,\"lkpStatus\":\"noRecord\",\
         \"results\":[],\"price\":\"0.00\",\"currency\":\"NGN\"",
        asked(
            "missed-lookup",
            "Failed",
            ["company-record", "Company record", "RC120031"]
        )
    ));
    let query = "lkpCode=company-record&number=RC120031&mrcReference=missed-lookup";
    vec![case("there is no record", query, none)]
}

fn bad() -> Vec<Case> {
    let under = |query: &str| format!("{query}&mrcReference={BAD}");
    let parameters = |rule, sent: &str| {
        let query =
            format!("lkpCode=identity-record&number=01234567890&cnsReference=c&parameters={sent}");
        case(rule, &under(&query), params(400, None, &["parameters"]))
    };
    vec![
        case(
            "filters are missing",
            "",
            params(405, CODE, &["lkpCode", "number"]),
        ),
        case(
            "a lookup that is not sold",
            &under("lkpCode=unknown&number=2348031231000"),
            params(400, CODE, &["lkpCode"]),
        ),
        case(
            "where a device is has a path of its own",
            &under("lkpCode=location&number=2348031231000&cnsReference=c"),
            params(400, CODE, &["lkpCode"]),
        ),
        case(
            "no telephone number",
            &under("lkpCode=sim-age&number=0803&cnsReference=c"),
            params(400, PHONE, &["number"]),
        ),
        case(
            "no number of the form of the lookup",
            &under("lkpCode=company-record&number=RC%201"),
            params(400, None, &["number"]),
        ),
        case(
            "parameters that must be there are missing",
            "lkpCode=identity-record&number=01234567890&cnsReference=c",
            params(405, None, &["parameters"]),
        ),
        parameters("no names", "Okafor"),
        parameters("a name without a value", "surname:"),
        parameters("a name twice", "surname:A;surname:B"),
        parameters("one that is not asked for", "surname:A;nickname:B"),
        parameters("one that must be there", "birthDate:29-02-1992"),
        parameters("no day of the calendar", "surname:A;birthDate:29-02-1991"),
        case(
            "everything that is wrong is named at once",
            "lkpCode=identity-record&number=1&parameters=surname:A;x:1&cnsReference=a%20b\
             &mrcReference=a%20b",
            params(
                400,
                None,
                &["number", "parameters", "cnsReference", "mrcReference"],
            ),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            "lkpCode=company-record&number=RC123456&mrcReference=bad&x=1",
            params(400, None, &["x"]),
        )),
        case("a name twice", "number=1&number=1", Expect::Request(400)),
    ]
}

fn consent() -> Vec<Case> {
    let query = format!("lkpCode=sim-age&number=2348031231000&mrcReference={BAD}");
    vec![case(
        "about a person without their consent",
        &query,
        params(403, None, &["cnsReference"]),
    )]
}

fn references() -> Vec<Case> {
    let reference = |status| params(status, None, &["mrcReference"]);
    let other = "lkpCode=company-record&number=RC123456&mrcReference=good-airtime";
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
