//! Cases of the tools, and of purchases that name a quote of fees.

use super::shared::{ask, params, success};
use crate::case::Input::{Body, Query};
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const FEES: Route = Route(Verb::Get, "/tools/fees");
const PAY: Route = Route(Verb::Post, "/payment/airtime");
const SEGMENTS: Route = Route(Verb::Get, "/tools/segments");
const NUMBER: Route = Route(Verb::Get, "/tools/number");
const SIGNATURE: Route = Route(Verb::Post, "/tools/signature");
const SANDBOX: Route = Route(Verb::Get, "/tools/sandbox");
const SIMULATE: Route = Route(Verb::Post, "/tools/simulate");
const COUNTRIES: Route = Route(Verb::Get, "/tools/countries");
const CURRENCIES: Route = Route(Verb::Get, "/tools/currencies");
const TIME_ZONES: Route = Route(Verb::Get, "/tools/timezones");

const AMOUNT: Option<(u16, &str)> = Some((814, "Amount"));
const PROVIDER: Option<(u16, &str)> = Some((820, "Service Provider"));

/// A delivery of 2026-11-21, signed with another secret.
const DELIVERY: [(&str, &str); 5] = [
    (
        "whkSecret",
        "\"whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\"",
    ),
    ("webhook-id", "\"evt_1_2\""),
    ("webhook-timestamp", "\"1795255200\""),
    ("webhook-signature", "\"v1,abc\""),
    ("whkBody", "\"{}\""),
];

const SIMULATED: [(&str, &str); 2] = [("mrcReference", "\"bad\""), ("outcome", "\"declined\"")];

const ORDER: [(&str, &str); 5] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"2348031234567\""),
    ("amount", "\"1,000.00\""),
    ("billing", "\"prepaid\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let checks = [segments(), number(), signature()].concat();
    let rest = [sandbox(), simulate(), lists()].concat();
    [prices(), refusals(), purchases(), checks, rest].concat()
}

fn shown(service: &str, parts: [&str; 6], rule: &str) -> Expect {
    let [amount, commission, charges, vat, duty, price] = parts;
    success(&format!(
        "\"service\":\"{service}\",\"amount\":\"{amount}\",\"commission\":\"{commission}\",\
         \"charges\":\"{charges}\",\"vat\":\"{vat}\",\"duty\":\"{duty}\",\"price\":\"{price}\",\
         \"currency\":\"NGN\",\"rule\":\"{rule}\",\"qteIdentifier\":\"<text>\",\
         \"qteExpires\":\"<datetime>\""
    ))
}

fn prices() -> Vec<Case> {
    let airtime = "service=airtime&countryCode=566&provider=MTN&amount=1000";
    vec![
        Case::new(
            FEES,
            "it needs credentials",
            Query(airtime.to_owned()),
            Expect::Credentials,
        ),
        ask(
            FEES,
            "airtime costs less than its value",
            airtime,
            shown(
                "airtime",
                ["1,000.00", "30.00", "0.00", "0.00", "0.00", "970.00"],
                "catalogue:airtime.mtn",
            ),
        ),
        ask(
            FEES,
            "a payout costs its charge, the tax on it and the levy",
            "service=bank&amount=20,000.00",
            shown(
                "bank",
                ["20,000.00", "0.00", "25.00", "1.88", "50.00", "20,076.88"],
                "payout-charges:2026-01-01",
            ),
        ),
    ]
}

fn refusals() -> Vec<Case> {
    let bad = |rule: &str, query: &str, expect| ask(FEES, rule, query, expect);
    vec![
        bad(
            "everything that is missing is named at once",
            "service=electricity",
            params(405, PROVIDER, &["provider", "billing", "amount"]),
        ),
        bad("no service", "", params(405, None, &["service"])),
        bad(
            "a service without a quote of fees",
            "service=wallet",
            params(400, None, &["service"]),
        ),
        bad(
            "an unknown company",
            "service=electricity&provider=999&billing=prepaid&amount=5000",
            params(404, PROVIDER, &["provider"]),
        ),
        bad(
            "no amount",
            "service=bank&amount=0",
            params(400, AMOUNT, &["amount"]),
        ),
    ]
}

fn purchases() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    let bad = |rule: &str, quote: &str, expect| {
        Case::new(PAY, rule, body(&[("qteIdentifier", quote)]), expect)
    };
    vec![
        bad(
            "a quote that is none",
            "\"abc\"",
            params(400, None, &["qteIdentifier"]),
        ),
        bad(
            "a quote that was not signed here",
            "\"qte_AAAA\"",
            params(400, None, &["qteIdentifier"]),
        ),
        bad(
            "a quote of a transfer abroad",
            "\"{quote}\"",
            params(400, None, &["qteIdentifier"]),
        ),
    ]
}

fn segments() -> Vec<Case> {
    let asks = |rule: &str, query: &str, expect| ask(SEGMENTS, rule, query, expect);
    let shown = |alphabet: &str, units: u8, in_part: u8| {
        success(&format!(
            "\"type\":\"text\",\"alphabet\":\"{alphabet}\",\"characters\":3,\"units\":{units},\
             \"parts\":1,\"perPart\":{in_part},\"countryCode\":\"566\",\"cost\":\"4.00\",\
             \"currency\":\"NGN\""
        ))
    };
    vec![
        asks(
            "it needs credentials",
            "type=text&message=Hi",
            Expect::Credentials,
        ),
        asks(
            "some characters take two units",
            "type=text&message=5%E2%82%AC!&countryCode=566",
            shown("gsm7", 4, 160),
        ),
        asks(
            "one character makes all of it unicode",
            "type=text&message=%E1%BA%B9ku",
            shown("ucs2", 3, 70),
        ),
        asks(
            "everything that is wrong is named at once",
            "type=fax&message=Hi&countryCode=NG",
            params(400, Some((851, "Country")), &["type", "countryCode"]),
        ),
        asks(
            "a country without messages",
            "type=text&message=Hi&countryCode=840",
            params(400, Some((851, "Country")), &["countryCode"]),
        ),
        asks("nothing", "", params(405, None, &["type", "message"])),
    ]
}

fn number() -> Vec<Case> {
    let asks = |rule: &str, query: &str, expect| ask(NUMBER, rule, query, expect);
    vec![
        asks(
            "it needs credentials",
            "countryCode=566&number=2348031234567",
            Expect::Credentials,
        ),
        asks(
            "a number of the plan",
            "countryCode=566&number=%2B2348031234567",
            success(
                "\"number\":\"2348031234567\",\"isValid\":true,\"numberType\":\"mobile\",\
                 \"network\":\"MTN\",\"networkSource\":\"plan\",\"countryCode\":\"566\",\
                 \"countryName\":\"Nigeria\"",
            ),
        ),
        asks(
            "a number that the plan has not",
            "countryCode=288&number=2348031234567",
            success(
                "\"number\":\"2348031234567\",\"isValid\":false,\"numberType\":\"invalid\",\
                 \"network\":null,\"networkSource\":null,\"countryCode\":\"288\",\
                 \"countryName\":\"Ghana\"",
            ),
        ),
        asks(
            "no country, and no number",
            "countryCode=999&number=1",
            params(400, Some((851, "Country")), &["countryCode", "number"]),
        ),
    ]
}

fn signature() -> Vec<Case> {
    let sends = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(SIGNATURE, rule, Body(object(&DELIVERY, changes)), expect)
    };
    vec![
        sends("it needs credentials", &[], Expect::Credentials),
        sends(
            "what is wrong is the answer",
            &[],
            success(
                "\"isValid\":false,\"reason\":\"Different\",\"remedy\":\"<text>\",\
                 \"expected\":\"<text>\"",
            ),
        ),
        sends(
            "a secret that is none",
            &[("whkSecret", "\"abc\"")],
            success(
                "\"isValid\":false,\"reason\":\"SecretUnreadable\",\"remedy\":\"<text>\",\
                 \"expected\":null",
            ),
        ),
        sends(
            "the body of a delivery is a text",
            &[("whkBody", "{}"), ("webhook-id", "1")],
            params(400, None, &["webhook-id", "whkBody"]),
        ),
    ]
}

fn sandbox() -> Vec<Case> {
    let asks = |rule: &str, query: &str, expect| ask(SANDBOX, rule, query, expect);
    vec![
        asks("it needs credentials", "", Expect::Credentials),
        asks(
            "the test numbers of a product",
            "service=mobilemoney&offset=16&length=1",
            success(
                "\"testNumbers\":[{\"outcome\":\"walletClosed\",\"digits\":\"0024\",\
                 \"services\":[\"mobilemoney\"],\"effect\":\"<text>\",\"answer\":\"<text>\",\
                 \"canSimulate\":false}],\"metadata\":{\"total\":1},\
                 \"query\":{\"length\":1,\"offset\":16,\"total\":32,\"found\":17}",
            ),
        ),
        asks(
            "a product that no provider delivers, and no order",
            "service=wallet&orderby=word",
            params(400, None, &["service", "orderby"]),
        ),
    ]
}

fn simulate() -> Vec<Case> {
    let sends = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(SIMULATE, rule, Body(object(&SIMULATED, changes)), expect)
    };
    vec![
        sends("it needs credentials", &[], Expect::Credentials),
        sends(
            "it is answered as the payment that it is",
            &[("mrcReference", "\"good-simulated\"")],
            success(
                "\"mrcReference\":\"good-simulated\",\"txnReference\":<int>,\
                 \"txnStatus\":\"Failed\",\"txnDate\":\"<datetime>\",\"gtwStatus\":\"<text>\",\
                 \"number\":\"<digits>\",\"billing\":\"Prepaid\",\"network\":\"MTN\",\
                 \"amount\":\"100.00\",\"price\":\"97.00\",\"currency\":\"NGN\"",
            ),
        ),
        sends(
            "an outcome that is none",
            &[("outcome", "\"ported\"")],
            params(400, None, &["outcome"]),
        ),
        sends(
            "an amount that no network sells",
            &[("amount", "\"1.00\"")],
            params(400, AMOUNT, &["amount"]),
        ),
    ]
}

fn lists() -> Vec<Case> {
    let pages = |total: u16, length: u8| {
        format!(
            "\"metadata\":{{\"total\":{length}}},\"query\":{{\"length\":{length},\"offset\":0,\
             \"total\":{total},\"found\":{total}}}"
        )
    };
    let country = format!(
        "\"countries\":[{{\"countryCode\":\"004\",\"countryAlpha2\":\"AF\",\
         \"countryName\":\"Afghanistan\",\"hasAirtime\":false,\"hasMessages\":false,\
         \"hasWhatsapp\":false,\"hasRcs\":false,\"hasVoice\":false,\"hasIvr\":false}}],{}",
        pages(249, 1)
    );
    let currency = format!(
        "\"currencies\":[{{\"currencyCode\":\"AED\",\
         \"currencyName\":\"United Arab Emirates dirham\",\"decimals\":2,\
         \"isBilled\":false,\"arrivesAbroad\":true}}],{}",
        pages(18, 1)
    );
    let zone = "\"timezones\":[{\"zoneName\":\"<text>\",\"utcOffset\":-43200,\
                \"isDaylight\":false}],\"metadata\":{\"total\":1},\
                \"query\":{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}";
    [
        (COUNTRIES, "length=1", country),
        (CURRENCIES, "length=1", currency),
        (TIME_ZONES, "length=1&orderby=utcOffset", zone.to_owned()),
    ]
    .into_iter()
    .flat_map(|(route, query, shown)| {
        [
            ask(route, "it needs credentials", "", Expect::Credentials),
            ask(route, "a part of the list", query, success(&shown)),
            ask(
                route,
                "no part of a list",
                "length=0&orderby=none",
                params(400, None, &["length", "orderby"]),
            ),
        ]
    })
    .collect()
}
