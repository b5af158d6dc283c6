//! Cases of the five data operations.

use super::shared::{self, ViolationCase, ask, bad_reports, params, second, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const NUMBER: Route = Route(Verb::Get, "/payment/internet/number");
const PROVIDERS: Route = Route(Verb::Get, "/payment/internet/providers");
const PLANS: Route = Route(Verb::Get, "/payment/internet/plans");
const PAY: Route = Route(Verb::Post, "/payment/internet");
const REPORT: Route = Route(Verb::Get, "/payment/internet/transaction");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));
const PROVIDER: ViolationCase = (820, "Service Provider");
const SOLD_BY: Option<ViolationCase> = Some(PROVIDER);
const PLAN: Option<ViolationCase> = Some((830, "Subscription Plan"));

const ORDER: [(&str, &str); 3] = [
    ("mrcReference", "\"bad\""),
    ("identifier", "30109"),
    ("number", "\"+2348031230000\""),
];

const AIRTEL: &str = "\"identifier\":\"302\",\"brandname\":\"Airtel\",\
     \"company\":\"Airtel Networks Limited\",\
     \"logo\":\"<text>\",\
     \"address\":\"Plot L2, 401 Close, Banana Island, Ikoyi, Lagos\",\"commission\":\"3.00\"";

const BRAND: &str = "\"brandname\":\"MTN\",\"company\":\"MTN Nigeria Communications Plc\"";

const TWELVE_GIGABYTES: &str = "\"identifier\":\"30111\",\"name\":\"12.5GB Monthly\",\
     \"validity\":\"30\",\"amount\":\"5,500.00\",\"price\":\"5,335.00\",\"currency\":\"NGN\"";

const A_QUARTER: &str = "\"identifier\":\"30114\",\"name\":\"480GB 3-Month\",\
     \"validity\":\"90\",\"amount\":\"120,000.00\",\"price\":\"116,400.00\",\"currency\":\"NGN\"";

const TWO_GIGABYTES: &str = "\"identifier\":\"30109\",\"name\":\"2GB Monthly\",\"validity\":\"30\"";

const COST: &str = "\"amount\":\"1,500.00\",\"price\":\"1,455.00\",\"currency\":\"NGN\"";

pub(crate) fn cases() -> Vec<Case> {
    let lists = [numbers(), providers(), plans()];
    let payments = [good(), bad_values(), bad_rest(), reports()];
    lists.into_iter().chain(payments).flatten().collect()
}

fn numbers() -> Vec<Case> {
    let ask = |rule, query, expect| ask(NUMBER, rule, query, expect);
    let found = "\"identifier\":\"301\",\"number\":\"2348031230000\",\"brandname\":\"MTN\"";
    vec![
        ask(
            "it needs credentials",
            "countryCode=566&number=2348031230000",
            Expect::Credentials,
        ),
        ask(
            "every field, in order",
            "countryCode=566&number=%2B2348031230000",
            success(found),
        ),
        ask(
            "a number that is not in the plan",
            "countryCode=566&number=4915112345678",
            params(400, PHONE, &["number"]),
        ),
        ask(
            "a number without a data provider",
            "countryCode=566&number=2348191230000",
            params(400, SOLD_BY, &["number"]),
        ),
        ask(
            "a country that is not served",
            "countryCode=288&number=2348031230000",
            params(400, COUNTRY, &["countryCode"]),
        ),
        ask(
            "filters are missing",
            "",
            params(405, COUNTRY, &["countryCode", "number"]),
        ),
        ask(
            "everything that is wrong is named at once",
            "countryCode=NG&number=0803",
            params(400, COUNTRY, &["countryCode", "number"]),
        ),
    ]
}

fn providers() -> Vec<Case> {
    let ask = |rule, query, expect| ask(PROVIDERS, rule, query, expect);
    vec![
        ask(
            "it needs credentials",
            "countryCode=566",
            Expect::Credentials,
        ),
        ask(
            "a part of what can be bought now, every field in order",
            "countryCode=566&length=1&offset=1",
            success(&second("providers", AIRTEL, (5, 4))),
        ),
        ask(
            "a part of everything",
            "countryCode=566&retrieve=all&length=1&offset=1",
            success(&second("providers", AIRTEL, (5, 5))),
        ),
        ask(
            "a filter is missing",
            "",
            params(405, COUNTRY, &["countryCode"]),
        ),
        ask(
            "a country that is not served",
            "countryCode=840",
            params(400, COUNTRY, &["countryCode"]),
        ),
        ask(
            "everything that is wrong is named at once",
            "countryCode=0&retrieve=some&length=101&offset=-1&orderby=password&sort=up",
            params(
                400,
                COUNTRY,
                &[
                    "countryCode",
                    "retrieve",
                    "offset",
                    "length",
                    "orderby",
                    "sort",
                ],
            ),
        ),
    ]
}

fn plans() -> Vec<Case> {
    let ask = |rule, query, expect| ask(PLANS, rule, query, expect);
    vec![
        ask("it needs credentials", "provider=301", Expect::Credentials),
        ask(
            "a part of what can be bought now, every field in order",
            "provider=301&orderby=name&length=1&offset=1&sort=asc",
            success(&format!(
                "{BRAND},{}",
                second("plans", TWELVE_GIGABYTES, (15, 14))
            )),
        ),
        ask(
            "plans that cannot be bought now are plans too",
            "provider=301&retrieve=all&orderby=amount&length=1&offset=1&sort=desc",
            success(&format!("{BRAND},{}", second("plans", A_QUARTER, (15, 15)))),
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
            "provider=MTN&retrieve=every&length=0&orderby=price",
            params(400, SOLD_BY, &["provider", "retrieve", "length", "orderby"]),
        ),
        strictly(ask(
            "strict: the list has no single plan",
            "provider=301&identifier=30109",
            params(400, None, &["identifier"]),
        )),
    ]
}

/// What a bundle is answered; its report has one field more.
fn answer(reference: &str, gateway: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         {gateway}\"number\":\"2348031230000\",\"brandname\":\"MTN\",{TWO_GIGABYTES},{COST}"
    ))
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((PAY, &ORDER), rule, changes, expect)
}

fn good() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "every field, in order",
            body(&[("mrcReference", "\"good-internet\"")]),
            answer("good-internet", ""),
        ),
        Case::new(
            PAY,
            "numbers may be JSON numbers, identities strings",
            body(&[
                ("mrcReference", "\"good-bundle\""),
                ("identifier", "\"30109\""),
                ("number", "2348031230000"),
            ]),
            answer("good-bundle", ""),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let expect = answer("good-internet", "\"gtwStatus\":\"Delivered\",");
    let query = "mrcReference=good-internet";
    let mut cases = bad_reports(REPORT, "good-internet");
    cases.push(ask(REPORT, "one field more", query, expect));
    cases
}

fn bad_values() -> Vec<Case> {
    let mut cases = Vec::new();
    for number in [
        "\"4915112345678\"",
        "\"08031230000\"",
        "\"23480312O0000\"",
        "\"234 803 123 0000\"",
        "\"２３４８０３１２３００００\"",
        "\"\"",
        "2.348e12",
        "true",
        "null",
    ] {
        let expect = params(400, PHONE, &["number"]);
        cases.push(bad(
            "a number that is not in the plan",
            &[("number", number)],
            expect,
        ));
    }
    for plan in [
        "\"2GB\"",
        "\"\"",
        "-30109",
        "301.5",
        "1234567890",
        "null",
        "[30109]",
        "\"３０１０９\"",
    ] {
        let expect = params(400, PLAN, &["identifier"]);
        cases.push(bad("a plan that is none", &[("identifier", plan)], expect));
    }
    cases
}

fn bad_rest() -> Vec<Case> {
    vec![
        bad(
            "a plan that is not there",
            &[("identifier", "39999")],
            params(404, PLAN, &["identifier"]),
        ),
        bad(
            "a plan that cannot be bought now",
            &[("identifier", "30115")],
            Expect::System(503, PROVIDER),
        ),
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, PLAN, &["mrcReference", "identifier", "number"]),
        ),
        bad(
            "everything that is wrong is named at once",
            &[
                ("number", "\"1\""),
                ("identifier", "\"x\""),
                ("mrcReference", "7"),
            ],
            params(400, PLAN, &["mrcReference", "identifier", "number"]),
        ),
        strictly(bad(
            "under strict handling the amount of another operation is unknown",
            &[("amount", "\"1,500.00\"")],
            params(400, None, &["amount"]),
        )),
    ]
}
