//! Cases of the fees of products, and of purchases that name a quote of them.

use super::shared::{ask, params, success};
use crate::case::Input::{Body, Query};
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const FEES: Route = Route(Verb::Get, "/tools/fees");
const PAY: Route = Route(Verb::Post, "/payment/airtime");

const AMOUNT: Option<(u16, &str)> = Some((814, "Amount"));
const PROVIDER: Option<(u16, &str)> = Some((820, "Service Provider"));

const ORDER: [(&str, &str); 5] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"2348031234567\""),
    ("amount", "\"1,000.00\""),
    ("billing", "\"prepaid\""),
];

pub(crate) fn cases() -> Vec<Case> {
    [prices(), refusals(), purchases()].concat()
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
