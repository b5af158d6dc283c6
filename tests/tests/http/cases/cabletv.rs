//! Cases of the five cable TV operations.

use super::shared::{self, ViolationCase, ask, bad_reports, params, second, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const PROVIDERS: Route = Route(Verb::Get, "/payment/cabletv/providers");
const SMARTCARD: Route = Route(Verb::Get, "/payment/cabletv/smartcard");
const PLANS: Route = Route(Verb::Get, "/payment/cabletv/plans");
const PAY: Route = Route(Verb::Post, "/payment/cabletv");
const REPORT: Route = Route(Verb::Get, "/payment/cabletv/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PROVIDER: ViolationCase = (820, "Service Provider");
const SOLD_BY: Option<ViolationCase> = Some(PROVIDER);
const CARD: ViolationCase = (824, "Smartcard Number");
const PLAN: Option<ViolationCase> = Some((830, "Subscription Plan"));

const ORDER: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("provider", "202"),
    ("number", "\"7021230000\""),
    ("subscribe", "\"instant\""),
    ("identifier", "20205"),
    ("duration", "2"),
];

const GOTV: &str = "\"identifier\":\"202\",\"brandname\":\"GOtv\",\
     \"company\":\"Details Nigeria Limited\",\
     \"logo\":\"<text>\",\
     \"address\":\"Plot 1381, Tiamiyu Savage Street, Victoria Island, Lagos\",\
     \"commission\":\"1.50\",\"currency\":\"NGN\"";

const BRAND: &str = "\"brandname\":\"GOtv\",\"company\":\"Details Nigeria Limited\"";

const JOLLI: &str = "\"identifier\":\"20205\",\"name\":\"GOtv Jolli\",\"validity\":30,\
     \"amount\":\"5,800.00\",\"price\":\"5,713.00\",\"currency\":\"NGN\"";

pub(crate) fn cases() -> Vec<Case> {
    let lists = [providers(), plans(), smartcards()];
    let payments = [good(), bad_values(), bad_ways(), bad_rest(), reports()];
    lists.into_iter().chain(payments).flatten().collect()
}

fn providers() -> Vec<Case> {
    let ask = |rule, query, expect| ask(PROVIDERS, rule, query, expect);
    let one = "countryCode=566&identifier=202";
    vec![
        ask(
            "it needs credentials",
            "countryCode=566",
            Expect::Credentials,
        ),
        ask(
            "a part of the list, every field in order",
            "countryCode=566&length=1&offset=1",
            success(&second("providers", GOTV, (3, 3))),
        ),
        ask("one provider is the whole answer", one, success(GOTV)),
        ask(
            "a provider that is not there",
            "countryCode=566&identifier=999",
            params(404, SOLD_BY, &["identifier"]),
        ),
        ask(
            "a provider of another country",
            "countryCode=288&identifier=202",
            params(404, SOLD_BY, &["identifier"]),
        ),
        ask(
            "a filter is missing",
            "",
            params(405, COUNTRY, &["countryCode"]),
        ),
        ask(
            "a country that is not served",
            "countryCode=288",
            params(400, COUNTRY, &["countryCode"]),
        ),
        ask(
            "everything that is wrong is named at once",
            "countryCode=NG&identifier=GOtv&length=101&offset=-1&orderby=password&sort=up",
            params(
                400,
                COUNTRY,
                &[
                    "countryCode",
                    "identifier",
                    "offset",
                    "length",
                    "orderby",
                    "sort",
                ],
            ),
        ),
        strictly(ask(
            "strict: the list takes no retrieve",
            "countryCode=566&retrieve=all",
            params(400, None, &["retrieve"]),
        )),
    ]
}

fn plans() -> Vec<Case> {
    let ask = |rule, query, expect| ask(PLANS, rule, query, expect);
    vec![
        ask("it needs credentials", "provider=202", Expect::Credentials),
        ask(
            "a part of the list, every field in order",
            "provider=202&orderby=name&length=1&offset=1",
            success(&format!("{BRAND},{}", second("plans", JOLLI, (8, 8)))),
        ),
        ask(
            "one plan is the whole answer",
            "provider=202&identifier=20205",
            success(&format!("{BRAND},{JOLLI}")),
        ),
        ask(
            "a plan of another provider",
            "provider=202&identifier=20101",
            params(404, PLAN, &["identifier"]),
        ),
        ask(
            "a provider that is not there",
            "provider=999",
            params(404, SOLD_BY, &["provider"]),
        ),
        ask(
            "a filter is missing",
            "",
            params(405, SOLD_BY, &["provider"]),
        ),
        ask(
            "everything that is wrong is named at once",
            "provider=GOtv&identifier=-1&length=0&orderby=price",
            params(
                400,
                SOLD_BY,
                &["provider", "identifier", "length", "orderby"],
            ),
        ),
    ]
}

fn smartcards() -> Vec<Case> {
    let ask = |rule, query, expect| ask(SMARTCARD, rule, query, expect);
    // When its plan ends depends on the day.
    let card = "\"provider\":\"202\",\"brandname\":\"GOtv\",\"number\":\"7021230000\",\
                \"customerType\":\"GOtv\",\"customerName\":\"IKENNA NNAMDI\",\
                \"customerAddress\":\"80 Independence Avenue, Bodija, Ibadan, Oyo\",\
                \"customerNumber\":\"2348030008254\",\"productIdentifier\":\"20204\",\
                \"productName\":\"GOtv Jinja\",\"productCost\":\"3,900.00\",\
                \"productPrice\":\"3,900.00\",\"dueDate\":\"<isodate>\",\
                \"accountStatus\":\"Open\",\"accountBalance\":\"2,671.59\",\
                \"accountCurrency\":\"NGN\"";
    vec![
        ask(
            "it needs credentials",
            "provider=202&number=7021230000",
            Expect::Credentials,
        ),
        ask(
            "every field, in order",
            "provider=202&number=7021230000",
            success(card),
        ),
        ask(
            "a card its provider does not know",
            "provider=202&number=7021230014",
            params(404, Some(CARD), &["number"]),
        ),
        ask(
            "a provider that cannot be reached",
            "provider=202&number=7021230012",
            Expect::System(503, CARD),
        ),
        ask(
            "a provider that is not there",
            "provider=999&number=7021230000",
            params(404, SOLD_BY, &["provider"]),
        ),
        ask(
            "filters are missing",
            "",
            params(405, SOLD_BY, &["provider", "number"]),
        ),
        ask(
            "a card that is none",
            "provider=202&number=1234567",
            params(400, Some(CARD), &["number"]),
        ),
    ]
}

/// What a subscription is answered: `gateway` and `plan` hold what only some answers have.
fn answer(reference: &str, (gateway, plan): (&str, &str), (amount, price): (&str, &str)) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         {gateway}\"number\":\"7021230000\",\"brandname\":\"GOtv\",{plan}\
         \"amount\":\"{amount}\",\"price\":\"{price}\",\"currency\":\"NGN\""
    ))
}

const TWO_MONTHS: &str = "\"identifier\":\"20205\",\"name\":\"GOtv Jolli\",\"duration\":\"2\",";
const TWO_MONTHS_COST: (&str, &str) = ("11,600.00", "11,426.00");
const NO_PLAN: &str = "\"identifier\":null,\"name\":null,\"duration\":null,";
const CREDITED: (&str, &str) = ("2,500.00", "2,462.50");

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((PAY, &ORDER), rule, changes, expect)
}

fn good() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "a plan: every field, in order",
            body(&[("mrcReference", "\"good-cabletv\"")]),
            answer("good-cabletv", ("", TWO_MONTHS), TWO_MONTHS_COST),
        ),
        Case::new(
            PAY,
            "an amount is credited without a plan; identities may be strings",
            body(&[
                ("mrcReference", "\"good-topup\""),
                ("provider", "\"202\""),
                ("number", "7021230000"),
                ("subscribe", "\"topup\""),
                ("identifier", ""),
                ("duration", ""),
                ("amount", "2500"),
            ]),
            answer("good-topup", ("", ""), CREDITED),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let gateway = "\"gtwStatus\":\"Delivered\",";
    let report = |rule, reference: &str, plan, cost| {
        let expect = answer(reference, (gateway, plan), cost);
        ask(REPORT, rule, &format!("mrcReference={reference}"), expect)
    };
    let mut cases = bad_reports(REPORT, "good-cabletv");
    cases.extend([
        report(
            "one field more",
            "good-cabletv",
            TWO_MONTHS,
            TWO_MONTHS_COST,
        ),
        report("a plan that is null", "good-topup", NO_PLAN, CREDITED),
    ]);
    cases
}

fn bad_values() -> Vec<Case> {
    let mut cases = Vec::new();
    for amount in [
        "\"-1\"",
        "\"0\"",
        "\"1e5\"",
        "\"1,23.00\"",
        "\"1.234\"",
        "\"２５００\"",
        "null",
        "[]",
        "1000000000000000000",
        "\"199.99\"",
        "\"500,000.01\"",
    ] {
        let way = [("subscribe", "\"topup\""), ("amount", amount)];
        let expect = params(400, AMOUNT, &["amount"]);
        cases.push(bad("an amount that is none, or not sold", &way, expect));
    }
    for card in [
        "\"1234567\"",
        "\"1234567890123456\"",
        "\"702123000O\"",
        "\"+7021230000\"",
        "\"\"",
        "true",
        "702123000.5",
        "\"٧٠٢١٢٣٠٠٠٠\"",
    ] {
        let expect = params(400, Some(CARD), &["number"]);
        cases.push(bad("a card that is none", &[("number", card)], expect));
    }
    for provider in [
        "\"GOtv\"",
        "\"\"",
        "-202",
        "202.5",
        "1234567890",
        "null",
        "[202]",
    ] {
        let expect = params(400, SOLD_BY, &["provider"]);
        cases.push(bad(
            "a provider that is none",
            &[("provider", provider)],
            expect,
        ));
    }
    for plan in ["\"Jolli\"", "\"\"", "-1", "1.5", "1234567890", "null"] {
        let expect = params(400, PLAN, &["identifier"]);
        cases.push(bad("a plan that is none", &[("identifier", plan)], expect));
    }
    for duration in ["0", "13", "-1", "1.5", "\"\"", "\"a month\"", "256", "null"] {
        let expect = params(400, None, &["duration"]);
        cases.push(bad(
            "a duration that is none",
            &[("duration", duration)],
            expect,
        ));
    }
    cases
}

fn bad_ways() -> Vec<Case> {
    let mut cases = vec![
        bad(
            "a plan needs its identity and a duration",
            &[("identifier", ""), ("duration", "")],
            params(400, PLAN, &["identifier", "duration"]),
        ),
        bad(
            "crediting needs an amount",
            &[("subscribe", "\"topup\"")],
            params(400, AMOUNT, &["amount"]),
        ),
        bad(
            "what is not needed must not be wrong",
            &[("amount", "\"0\"")],
            params(400, AMOUNT, &["amount"]),
        ),
    ];
    for way in ["\"at once\"", "\"both\"", "\"\"", "1", "null"] {
        let expect = params(400, None, &["subscribe"]);
        cases.push(bad("a way that is none", &[("subscribe", way)], expect));
    }
    cases
}

fn bad_rest() -> Vec<Case> {
    let all = ["mrcReference", "provider", "number", "subscribe"];
    vec![
        bad(
            "an unknown provider",
            &[("provider", "999")],
            params(404, SOLD_BY, &["provider"]),
        ),
        bad(
            "a provider that cannot be paid now",
            &[("provider", "204"), ("identifier", "20401")],
            Expect::System(503, PROVIDER),
        ),
        bad(
            "a plan of another provider",
            &[("identifier", "20101")],
            params(404, PLAN, &["identifier"]),
        ),
        bad(
            "a card its provider does not know",
            &[("number", "\"7021230014\"")],
            params(404, Some(CARD), &["number"]),
        ),
        bad(
            "a provider that cannot be reached",
            &[("number", "\"7021230012\"")],
            Expect::System(503, CARD),
        ),
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, SOLD_BY, &all),
        ),
        bad(
            "everything that is wrong is named at once",
            &[
                ("duration", "13"),
                ("number", "\"1\""),
                ("mrcReference", "\"\""),
            ],
            params(400, Some(CARD), &["mrcReference", "number", "duration"]),
        ),
        strictly(bad(
            "under strict handling attributes of another operation are unknown",
            &[("billing", "\"prepaid\"")],
            params(400, None, &["billing"]),
        )),
    ]
}
