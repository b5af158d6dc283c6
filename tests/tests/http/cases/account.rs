//! Cases of the account's balance and statement.

use crate::case::Input::Query;
use crate::case::{Case, Expect, Route};
use http_server::Verb;
use reqwest::header::HeaderName;

const BALANCE: Route = Route(Verb::Get, "/account/balance");
const STATEMENT: Route = Route(Verb::Get, "/account/statement");

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = balances();
    cases.extend(statements());
    cases
}

fn balances() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(BALANCE, rule, Query(text.to_owned()), expect);
    let body = "{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
                \"accBalance\":\"<amount>\",\"accHeld\":\"<amount>\",\"accCurrency\":\"NGN\",\
                \"crdBalance\":\"<amount>\",\"crdHeld\":\"0.00\"}";
    let answer = || Expect::Answer(200, body.to_owned());
    vec![
        case("it needs credentials", "", Expect::Credentials),
        case("what can be spent and what is held", "", answer()),
        case("unknown attributes are ignored", "accBalance=1&x", answer()),
        case("half an escape", "x=%zz", Expect::Request(400)),
        case(
            "under strict handling every attribute is unknown",
            "y=1&x",
            Expect::Params(400, None, vec!["y", "x"]),
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]
}

fn statements() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(STATEMENT, rule, Query(text.to_owned()), expect);
    let params = |names: &[&'static str]| Expect::Params(400, None, names.to_vec());
    let line = "{\"stmReference\":\"<digits>\",\"txnReference\":<int>,\
                \"mrcReference\":\"good-airtime\",\"stmType\":\"Debit\",\
                \"stmNarration\":\"Airtime MTN 2348031230000\",\"stmAmount\":\"970.00\",\
                \"stmCurrency\":\"NGN\",\"balBefore\":\"<amount>\",\
                \"balAfter\":\"<amount>\",\"stmDate\":\"<datetime>\"}";
    let funding = "{\"stmReference\":\"<digits>\",\"txnReference\":null,\"mrcReference\":null,\
                   \"stmType\":\"Credit\",\"stmNarration\":\"<text>\",\
                   \"stmAmount\":\"1,000,000.00\",\"stmCurrency\":\"NGN\",\"balBefore\":\"0.00\",\
                   \"balAfter\":\"1,000,000.00\",\"stmDate\":\"<datetime>\"}";
    let page = |lines: &str, (total, length, found): (u32, u32, &str)| {
        let body = format!(
            "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
             \"statements\":[{lines}],\"metadata\":{{\"total\":{total}}},\
             \"query\":{{\"length\":{length},\"offset\":0,\"total\":<int>,\"found\":{found}}}}}"
        );
        Expect::Answer(200, body)
    };
    let mut cases = vec![
        case("it needs credentials", "", Expect::Credentials),
        case(
            "a purchase",
            "mrcReference=good-airtime",
            page(line, (1, 100, "1")),
        ),
        case("the first line", "length=1", page(funding, (1, 1, "<int>"))),
        case(
            "message credits are a wallet of their own",
            "stmCurrency=CRD&mrcReference=bad",
            page("", (0, 100, "0")),
        ),
        case("nothing found", "mrcReference=bad", page("", (0, 100, "0"))),
        case(
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=x&sort=up&mrcReference=%20&stmType=debt\
             &stmCurrency=USD",
            params(&[
                "offset",
                "length",
                "orderby",
                "sort",
                "mrcReference",
                "stmType",
                "stmCurrency",
            ]),
        ),
    ];
    for length in ["0", "101", "-1", "1.5", "all", "", "99999999999999999999"] {
        cases.push(case(
            "a length from 1 to 100",
            &format!("length={length}"),
            params(&["length"]),
        ));
    }
    for offset in ["-1", "1e3", "x", "9007199254740992", "+1"] {
        cases.push(case(
            "an offset from 0",
            &format!("offset={offset}"),
            params(&["offset"]),
        ));
    }
    cases
}
