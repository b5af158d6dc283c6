//! Cases of the two lookups of electricity: companies and meters.

use crate::case::Input::Query;
use crate::case::{Case, Expect, Route};
use http_server::Verb;
use reqwest::header::HeaderName;

const DISCOS: Route = Route(Verb::Get, "/payment/electricity/discos");
const METER: Route = Route(Verb::Get, "/payment/electricity/meter");

const COUNTRY: Option<(u16, &str)> = Some((851, "Country"));
const PROVIDER: Option<(u16, &str)> = Some((820, "Service Provider"));
const METER_NUMBER: (u16, &str) = (823, "Meter Number");

/// The companies in the order they are listed; the one that cannot be paid now stands apart.
const COMPANIES: [(&str, &str); 12] = [
    ("101", "Abuja Electric"),
    ("102", "Benin Electric"),
    ("103", "Eko Electric"),
    ("104", "Enugu Electric"),
    ("105", "Ibadan Electric"),
    ("106", "Ikeja Electric"),
    ("107", "Jos Electric"),
    ("108", "Kaduna Electric"),
    ("109", "Kano Electric"),
    ("110", "Port Harcourt Electric"),
    ("111", "Yola Electric"),
    ("112", "Aba Power"),
];
const NOT_NOW: &str = "111";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = discos();
    cases.extend(good_meters());
    cases.extend(bad_meters());
    cases
}

fn discos() -> Vec<Case> {
    let query = |query: &str| Query(query.to_owned());
    let params = |status, service, name| Expect::Params(status, service, vec![name]);
    let case = |rule: &str, text: &str, expect| Case::new(DISCOS, rule, query(text), expect);
    vec![
        case(
            "it needs credentials",
            "countryCode=566",
            Expect::Credentials,
        ),
        case(
            "what can be paid now",
            "countryCode=566",
            listed(&|code| code != NOT_NOW),
        ),
        case(
            "every company",
            "countryCode=566&retrieve=all",
            listed(&|_| true),
        ),
        case(
            "a filter is missing",
            "",
            params(405, COUNTRY, "countryCode"),
        ),
        case(
            "a filter is missing",
            "retrieve=all",
            params(405, COUNTRY, "countryCode"),
        ),
        case(
            "no country",
            "countryCode=NG",
            params(400, COUNTRY, "countryCode"),
        ),
        case(
            "no country",
            "countryCode=",
            params(400, COUNTRY, "countryCode"),
        ),
        case(
            "not served",
            "countryCode=840",
            params(400, COUNTRY, "countryCode"),
        ),
        case(
            "no such word",
            "countryCode=566&retrieve=some",
            params(400, None, "retrieve"),
        ),
        case(
            "no such part",
            "countryCode=566&length=101",
            params(400, None, "length"),
        ),
    ]
}

fn listed(shown: &dyn Fn(&str) -> bool) -> Expect {
    let entry = |(code, brandname): &(&str, &str)| {
        format!(
            "{{\"identifier\":\"{code}\",\"brandname\":\"{brandname}\",\"company\":\"<text>\",\
             \"logo\":\"<text>\",\"address\":\"<text>\",\"comPrepaid\":\"<rate>\",\
             \"comPostpaid\":\"<rate>\",\"comCurrency\":\"NGN\"}}"
        )
    };
    let entries = COMPANIES.iter().filter(|(code, _)| shown(code)).map(entry);
    let entries: Vec<_> = entries.collect();
    let (found, entries) = (entries.len(), entries.join(","));
    let total = COMPANIES.len();
    let body = format!(
        "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\"discos\":[{entries}],\
         \"metadata\":{{\"total\":{found}}},\"query\":{{\"length\":100,\"offset\":0,\
         \"total\":{total},\"found\":{found}}}}}"
    );
    Expect::Answer(200, body)
}

fn good_meters() -> Vec<Case> {
    let answer = |number: &str, billing: &str| {
        let body = format!(
            "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\"disco\":\"101\",\
             \"brandname\":\"Abuja Electric\",\"number\":\"{number}\",\"owner\":\"<text>\",\
             \"address\":\"<text>\",\"billing\":\"{billing}\",\"debt\":\"<amount>\",\
             \"purMinimum\":\"<amount>\",\"purMaximum\":\"<amount>\",\"purLast\":\"<date>\",\
             \"tffBand\":\"<text>\",\"tffRate\":\"<rate>\",\"currency\":\"NGN\"}}"
        );
        Expect::Answer(200, body)
    };
    let query =
        |number: &str, billing: &str| Query(format!("disco=101&number={number}&billing={billing}"));
    let meter = "04512340000";
    vec![
        Case::new(
            METER,
            "it needs credentials",
            query(meter, "prepaid"),
            Expect::Credentials,
        ),
        Case::new(
            METER,
            "every field",
            query(meter, "prepaid"),
            answer(meter, "Prepaid"),
        ),
        Case::new(
            METER,
            "leading zeros are kept",
            query("00000512340000", "postpaid"),
            answer("00000512340000", "Postpaid"),
        ),
    ]
}

fn bad_meters() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(METER, rule, Query(text.to_owned()), expect);
    let params =
        |status, service, names: &[&'static str]| Expect::Params(status, service, names.to_vec());
    let number = |number: &str| format!("disco=101&number={number}&billing=prepaid");
    let mut cases = vec![
        case(
            "filters are missing",
            "",
            params(405, PROVIDER, &["disco", "number", "billing"]),
        ),
        case(
            "one filter is missing and another wrong",
            "disco=101&billing=x",
            params(405, Some(METER_NUMBER), &["number", "billing"]),
        ),
        case(
            "an unknown company",
            "disco=999&number=04512340000&billing=prepaid",
            params(404, PROVIDER, &["disco"]),
        ),
        case(
            "a company that is none",
            "disco=abuja&number=04512340000&billing=prepaid",
            params(400, PROVIDER, &["disco"]),
        ),
        case(
            "a word that is none of the two",
            "disco=101&number=04512340000&billing=paid",
            params(400, None, &["billing"]),
        ),
        case(
            "a meter its company does not know",
            &number("04512340014"),
            params(404, Some(METER_NUMBER), &["number"]),
        ),
        case(
            "a company that cannot be reached",
            &number("04512340012"),
            Expect::System(503, METER_NUMBER),
        ),
        case(
            "under strict handling every unknown attribute is named",
            &format!("{}&x=1", number("04512340000")),
            params(400, None, &["x"]),
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ];
    let none = [
        "12345",
        "1234567890123456",
        "0451234000O",
        "%2B4512340000",
        "",
        "%D9%A1234567",
    ];
    cases.extend(none.map(|meter| {
        let expect = params(400, Some(METER_NUMBER), &["number"]);
        case("a meter that is none", &number(meter), expect)
    }));
    cases
}
