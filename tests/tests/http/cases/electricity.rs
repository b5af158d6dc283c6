//! Cases of paying for a meter and of its report.

use crate::case::Input::{Body, Query};
use crate::case::{BAD, Case, Expect, Route, object};
use http_server::Verb;
use reqwest::header::HeaderName;

const PAY: Route = Route(Verb::Post, "/payment/electricity");
const REPORT: Route = Route(Verb::Get, "/payment/electricity/transaction");

const AMOUNT: Option<(u16, &str)> = Some((814, "Amount"));
const PROVIDER: (u16, &str) = (820, "Service Provider");
const METER: (u16, &str) = (823, "Meter Number");

const ORDER: [(&str, &str); 5] = [
    ("mrcReference", "\"bad\""),
    ("disco", "\"101\""),
    ("number", "\"04512340000\""),
    ("amount", "\"5,000.00\""),
    ("billing", "\"prepaid\""),
];

const TOKEN: &str = "{\"number\":\"<token>\",\"cost\":\"<amount>\",\"units\":\"<rate>\"}";

/// What a payment is answered; its report has two fields more.
fn answer(reference: &str, extra: &str, (billing, price, token): (&str, &str, &str)) -> Expect {
    let body = format!(
        "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
         \"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         {extra}\"disco\":\"101\",\"brandname\":\"Abuja Electric\",\"number\":\"04512340000\",\
         \"billing\":\"{billing}\",\"debt\":\"<amount>\",\"outstanding\":\"<amount>\",\
         \"receipt\":\"<digits>\",\"lastPurchase\":\"<date>\",\"lastPaid\":\"<amount>\",\
         \"amount\":\"5,000.00\",\"price\":\"{price}\",\"currency\":\"NGN\",\"token\":{token}}}"
    );
    Expect::Answer(200, body)
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = good();
    cases.extend(bad_meters());
    cases.extend(bad_rest());
    cases.extend(reports());
    cases
}

fn good() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    let reference = |quoted| ("mrcReference", quoted);
    vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "every field, with a token",
            body(&[reference("\"good-electricity\"")]),
            answer("good-electricity", "", ("Prepaid", "4,940.00", TOKEN)),
        ),
        Case::new(
            PAY,
            "with the telephone of the customer",
            body(&[
                reference("\"good-customer\""),
                ("customerNumber", "\"+2348031234567\""),
            ]),
            answer("good-customer", "", ("Prepaid", "4,940.00", TOKEN)),
        ),
        Case::new(
            PAY,
            "a bill is paid without a token, under its own commission",
            body(&[
                reference("\"good-bill\""),
                ("disco", "101"),
                ("amount", "5000.0"),
                ("billing", "\"postpaid\""),
            ]),
            answer("good-bill", "", ("Postpaid", "4,950.00", "null")),
        ),
    ]
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    let shown: Vec<_> = changes
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let rule = format!("{rule}: {}", shown.join(", "));
    Case::new(PAY, rule, Body(object(&ORDER, changes)), expect)
}

fn bad_meters() -> Vec<Case> {
    let params = |status, service, name| Expect::Params(status, Some(service), vec![name]);
    let mut cases = vec![
        bad(
            "a telephone that is none",
            &[("customerNumber", "\"0803\"")],
            params(400, (822, "Phone Number"), "customerNumber"),
        ),
        bad(
            "an unknown company",
            &[("disco", "\"999\"")],
            params(404, PROVIDER, "disco"),
        ),
        bad(
            "a company that cannot be paid now",
            &[("disco", "\"111\"")],
            Expect::System(503, PROVIDER),
        ),
        bad(
            "a meter its company does not know",
            &[("number", "\"04512340014\"")],
            params(404, METER, "number"),
        ),
        bad(
            "a company that cannot be reached",
            &[("number", "\"04512340012\"")],
            Expect::System(503, METER),
        ),
    ];
    for disco in [
        "\"abuja\"",
        "\"\"",
        "-101",
        "101.5",
        "1234567890",
        "null",
        "[101]",
    ] {
        let expect = params(400, PROVIDER, "disco");
        cases.push(bad("a company that is none", &[("disco", disco)], expect));
    }
    let meters = [
        "\"12345\"",
        "\"1234567890123456\"",
        "\"0451234000O\"",
        "\"+4512340000\"",
        "\"\"",
        "true",
        "4512340000.5",
        "\"٠٤٥١٢٣٤٠٠٠٠\"",
    ];
    for meter in meters {
        cases.push(bad(
            "a meter that is none",
            &[("number", meter)],
            params(400, METER, "number"),
        ));
    }
    cases
}

fn bad_rest() -> Vec<Case> {
    let params = |service, names: &[&'static str]| Expect::Params(400, service, names.to_vec());
    let mut cases = Vec::new();
    let amounts = [
        "\"-1\"",
        "\"0\"",
        "\"1e5\"",
        "\"1,23.00\"",
        "\"5000.001\"",
        "1000000000000000000",
        "\"５０００\"",
        "false",
        "\"499.99\"",
        "\"1,000,000.01\"",
    ];
    for amount in amounts {
        let expect = params(AMOUNT, &["amount"]);
        cases.push(bad(
            "an amount that is none, or not sold",
            &[("amount", amount)],
            expect,
        ));
    }
    let all = ["mrcReference", "disco", "number", "amount", "billing"];
    cases.extend([
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(Some(PROVIDER), &all),
        ),
        bad(
            "everything that is wrong is named at once",
            &[
                ("mrcReference", "\"\""),
                ("amount", "0"),
                ("billing", "\"none\""),
            ],
            params(AMOUNT, &["mrcReference", "amount", "billing"]),
        ),
        bad(
            "under strict handling attributes of another operation are unknown",
            &[("countryCode", "566")],
            params(None, &["countryCode"]),
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]);
    cases
}

fn reports() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(REPORT, rule, Query(text.to_owned()), expect);
    let params = |status| Expect::Params(status, None, vec!["mrcReference"]);
    let extra = "\"gtwStatus\":\"Delivered\",\"service\":\"Electricity\",";
    let named = "mrcReference=good-electricity";
    let figures = ("Prepaid", "4,940.00", TOKEN);
    vec![
        case("it needs credentials", named, Expect::Credentials),
        case(
            "two fields more",
            named,
            answer("good-electricity", extra, figures),
        ),
        case("a filter is missing", "", params(405)),
        case("no reference", "mrcReference=%00", params(400)),
        case("nothing there", &format!("mrcReference={BAD}"), params(404)),
        case("another family's", "mrcReference=good-airtime", params(404)),
    ]
}
