//! Cases of the location of IP addresses, answered by the tables within the program alone, and of
//! devices, answered by the test network.

use super::shared::{ask, params, success};
use crate::case::Input::Query;
use crate::case::{BAD, Case, Expect, Route};
use http_server::Verb;
use reqwest::header::HeaderName;

const ROUTE: Route = Route(Verb::Get, "/geolocation/ipaddress");

const DEVICE: Route = Route(Verb::Get, "/geolocation/device");

const IP_ADDRESS: Option<(u16, &str)> = Some((859, "IP Address"));

/// The fields of interface §2.10 in their order, each with the placeholder of an unknown value.
const FIELDS: [(&str, &str); 27] = [
    ("ipAddress", ""),
    ("registryName", "\"\""),
    ("registryCode", "\"\""),
    ("ispName", UNAVAILABLE),
    ("ispCompany", UNAVAILABLE),
    ("continentName", UNAVAILABLE),
    ("continentCode", UNAVAILABLE),
    ("countryName", UNAVAILABLE),
    ("countryCode", UNAVAILABLE),
    ("countryCurrency", UNAVAILABLE),
    ("countryTimezone", UNAVAILABLE),
    ("utcOffset", "null"),
    ("regionName", UNAVAILABLE),
    ("regionCode", UNAVAILABLE),
    ("cityName", UNAVAILABLE),
    ("cityZipcode", UNAVAILABLE),
    ("districtName", UNAVAILABLE),
    ("locationLatitude", "null"),
    ("locationLongitude", "null"),
    ("dnsReserve", UNAVAILABLE),
    ("dnsIPaddress", UNAVAILABLE),
    ("dnsProvider", UNAVAILABLE),
    ("ednsIPaddress", UNAVAILABLE),
    ("ednsProvider", UNAVAILABLE),
    ("isMobile", "null"),
    ("isProxy", "null"),
    ("isHosting", "null"),
];

const UNAVAILABLE: &str = "\"Unavailable\"";

const MTN: [(&str, &str); 9] = [
    (
        "registryName",
        "\"AS29465 MTN NIGERIA Communication limited\"",
    ),
    ("registryCode", UNAVAILABLE),
    ("continentName", "\"Africa\""),
    ("continentCode", "\"AF\""),
    ("countryName", "\"Nigeria\""),
    ("countryCode", "\"NG\""),
    ("countryCurrency", "\"NGN\""),
    ("countryTimezone", "\"Africa/Lagos\""),
    ("utcOffset", "3600"),
];

const GOOGLE: [(&str, &str); 7] = [
    ("registryName", "\"AS15169 Google LLC\""),
    ("registryCode", UNAVAILABLE),
    ("continentName", "\"North America\""),
    ("continentCode", "\"NA\""),
    ("countryName", "\"United States\""),
    ("countryCode", "\"US\""),
    ("countryCurrency", "\"USD\""),
];

/// An answer for an address, with what is known of it.
pub(crate) fn answer(address: &str, known: &[(&str, &str)]) -> String {
    let field = |(name, unknown): &(&str, &str)| {
        let found = known.iter().find(|(known, _)| known == name);
        let value = found.map_or(*unknown, |(_, value)| value);
        if *name == "ipAddress" {
            format!("\"{name}\":\"{address}\"")
        } else {
            format!("\"{name}\":{value}")
        }
    };
    let fields: Vec<_> = FIELDS.iter().map(field).collect();
    let fields = fields.join(",");
    format!("{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",{fields}}}")
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = located();
    cases.extend(nowhere());
    cases.extend(refused());
    cases.extend(device());
    cases.extend(by_number());
    cases.extend(bad_numbers());
    cases
}

fn case(rule: &str, query: &str, expect: Expect) -> Case {
    Case::new(ROUTE, rule, Query(query.to_owned()), expect)
}

fn about(rule: &str, asked: &str, address: &str, known: &[(&str, &str)]) -> Case {
    let expect = Expect::Answer(200, answer(address, known));
    case(rule, &format!("ipAddress={asked}"), expect)
}

fn located() -> Vec<Case> {
    let (mtn, google) = ("197.210.64.1", "2001:4860:4860::8888");
    let long = "2001:4860:4860:0:0:0:0:8888";
    vec![
        case(
            "it needs credentials",
            "ipAddress=8.8.8.8",
            Expect::Credentials,
        ),
        about("an address in Nigeria", mtn, mtn, &MTN),
        about(
            "a country of many time zones",
            "8.8.8.8",
            "8.8.8.8",
            &GOOGLE,
        ),
        about("mapped into IPv6", "::ffff:8.8.8.8", "8.8.8.8", &GOOGLE),
        about("IPv6", google, google, &GOOGLE),
        about("IPv6 written long", long, google, &GOOGLE),
    ]
}

fn nowhere() -> Vec<Case> {
    let nowhere = [
        "10.0.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "192.0.2.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "2001:db8::1",
    ];
    let case = |address| about("no one's in particular", address, address, &[]);
    nowhere.map(case).into()
}

fn refused() -> Vec<Case> {
    let refused = |status| Expect::Params(status, IP_ADDRESS, vec!["ipAddress"]);
    let strict = Expect::Params(400, None, vec!["x"]);
    let strict = case(
        "an unknown attribute, strictly",
        "ipAddress=8.8.8.8&x=1",
        strict,
    );
    let mut cases = vec![
        case("the filter is missing", "", refused(405)),
        case("the filter is misspelt", "ipaddress=8.8.8.8", refused(405)),
        strict.with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ];
    let malformed = [
        "",
        "8.8.8",
        "8.8.8.08",
        "256.8.8.8",
        "8.8.8.8:53",
        "8.8.8.0/24",
        "%208.8.8.8",
        "134744072",
        "0x08080808",
        "fe80::1%25eth0",
        "[::1]",
        "1::2::3",
        "%D9%A8.8.8.8",
        "dns.google",
    ];
    let malformed = malformed.map(|address| format!("ipAddress={address}"));
    cases.extend(malformed.map(|query| case("no address", &query, refused(400))));
    cases
}

fn device() -> Vec<Case> {
    let none = "\"mrcReference\":null,\"txnReference\":null,\"txnStatus\":null,\
        \"txnDate\":null,\"gtwStatus\":null,\"number\":null,\"countryName\":null,\
        \"countryCode\":null,\"cnsReference\":null,\"lkpStatus\":null";
    let found = |accuracy: u16, (latitude, longitude): (&str, &str), source: &str, inside: &str| {
        success(&format!(
            "{none},\"locationLatitude\":{latitude},\"locationLongitude\":{longitude},\
             \"locationAccuracy\":{accuracy},\"locationDate\":\"<datetime>\",\
             \"locationSource\":\"{source}\",\"isInside\":{inside},\"price\":\"0.00\",\
             \"currency\":\"NGN\""
        ))
    };
    let asks = |rule: &str, query: &str, expect| ask(DEVICE, rule, query, expect);
    vec![
        asks("it needs credentials", "cells=1,1,1,1", Expect::Credentials),
        asks(
            "one cell is as accurate as it is wide",
            "cells=1,1,1,1&locationLatitude=6.45&locationLongitude=3.38&radius=5000",
            found(1_500, ("6.455027", "3.384082"), "cell", "\"true\""),
        ),
        asks(
            "no circle is asked about",
            "cells=1,1,1,2",
            found(2_000, ("6.44812", "3.40177"), "cell", "null"),
        ),
        asks(
            "one access point is none",
            "wifi=00:00:5e:00:53:01,-40",
            Expect::Request(404),
        ),
        asks(
            "everything that is wrong is named at once",
            "wifi=00:00,1&cells=1&locationLatitude=91&locationLongitude=x&radius=0",
            params(
                400,
                None,
                &[
                    "wifi",
                    "cells",
                    "locationLatitude",
                    "locationLongitude",
                    "radius",
                ],
            ),
        ),
        asks("nothing", "", params(405, None, &["cells"])),
    ]
}

/// A device that is located by its number, in the fields of every answer.
fn by_number() -> Vec<Case> {
    let identified = |reference: &str, status: &str, gateway: &str, number: &str, word: &str| {
        format!(
            "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\
             \"txnStatus\":\"{status}\",\"txnDate\":\"<datetime>\",\
             \"gtwStatus\":\"{gateway}\",\"number\":\"{number}\",\
             \"countryName\":\"Nigeria\",\"countryCode\":\"566\",\
             \"cnsReference\":\"consent-1\",\"lkpStatus\":\"{word}\""
        )
    };
    let found = |inside: &str| {
        success(&format!(
            "{},\"locationLatitude\":<degrees>,\"locationLongitude\":<degrees>,\
             \"locationAccuracy\":<int>,\"locationDate\":\"<datetime>\",\
             \"locationSource\":\"network\",\"isInside\":{inside},\"price\":\"20.00\",\
             \"currency\":\"NGN\"",
            identified(
                "good-device",
                "Successful",
                "Delivered",
                "2348031231000",
                "found"
            )
        ))
    };
    let unreachable = success(&format!(
        "{},\"locationLatitude\":null,\"locationLongitude\":null,\"locationAccuracy\":null,\
         \"locationDate\":null,\"locationSource\":null,\"isInside\":null,\
         \"price\":\"0.00\",\"currency\":\"NGN\"",
        identified(
            "missed-device",
            "Failed",
            "Rejected",
            "2348031230032",
            "unreachable"
        )
    ));
    let asks = |rule: &str, query: &str, expect| ask(DEVICE, rule, query, expect);
    let number = "countryCode=566&number=2348031231000";
    let good = format!("{number}&cnsReference=consent-1&mrcReference=good-device");
    let (lagos, abuja) = (
        "locationLatitude=6.5&locationLongitude=3.35&radius=100000",
        "locationLatitude=9.07&locationLongitude=7.4&radius=1000",
    );
    vec![
        asks("located by its number", &good, found("null")),
        asks(
            "asked again with a circle",
            &format!("{good}&{lagos}"),
            found("\"true\""),
        ),
        asks(
            "its reference is its report, with another circle",
            &format!("mrcReference=good-device&{abuja}"),
            found("\"false\""),
        ),
        asks(
            "out of reach",
            "countryCode=566&number=2348031230032&cnsReference=consent-1\
             &mrcReference=missed-device",
            unreachable,
        ),
    ]
}

/// What no device is located by.
fn bad_numbers() -> Vec<Case> {
    let asks = |rule: &str, query: &str, expect| ask(DEVICE, rule, query, expect);
    let number = "countryCode=566&number=2348031231000";
    let country = Some((851, "Country"));
    let phone = Some((822, "Phone Number"));
    vec![
        asks(
            "without the consent of the person",
            &format!("{number}&mrcReference={BAD}"),
            params(403, None, &["cnsReference"]),
        ),
        asks(
            "in a country that is not served",
            "countryCode=288&number=2348031231000&cnsReference=c",
            params(400, country, &["countryCode"]),
        ),
        asks(
            "one filter is missing",
            "countryCode=566&cnsReference=c",
            params(405, phone, &["number"]),
        ),
        asks(
            "by its number and by what it receives",
            &format!("{number}&cnsReference=c&wifi=00:00:5e:00:53:01,-40&cells=1,1,1,1"),
            params(400, None, &["wifi", "cells"]),
        ),
        asks(
            "everything about its number that is wrong",
            "countryCode=566&number=1&maxAge=86401&cnsReference=a%20b&mrcReference=&radius=1",
            params(
                400,
                phone,
                &[
                    "number",
                    "maxAge",
                    "cnsReference",
                    "mrcReference",
                    "locationLatitude",
                    "locationLongitude",
                ],
            ),
        ),
        asks(
            "the report of a payment of another family",
            "mrcReference=good-airtime",
            params(404, None, &["mrcReference"]),
        ),
    ]
}
