//! Cases of the account's profile, keys, balance, transactions and statement.

use crate::case::Input::Query;
use crate::case::{Case, Expect, Route};
use http_server::Verb;
use reqwest::header::HeaderName;

const PROFILE: Route = Route(Verb::Get, "/account/profile");
const PERMISSIONS: Route = Route(Verb::Get, "/account/permissions");
const BALANCE: Route = Route(Verb::Get, "/account/balance");
const TRANSACTIONS: Route = Route(Verb::Get, "/account/transactions/{category}");
const STATEMENT: Route = Route(Verb::Get, "/account/statement");

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = profiles();
    cases.extend(permissions());
    cases.extend(balances());
    cases.extend(transactions());
    cases.extend(statements());
    cases
}

fn profiles() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(PROFILE, rule, Query(text.to_owned()), expect);
    let body = "{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
                \"accIdentity\":\"<text>\",\"accName\":\"<text>\",\"accEmail\":null,\
                \"accPhone\":null,\"countryCode\":\"566\",\"accCurrency\":\"NGN\",\
                \"accTimezone\":\"Africa/Lagos\",\"accStatus\":\"Active\",\
                \"accEnvironment\":\"test\",\"accCreated\":\"<datetime>\"}";
    let answer = || Expect::Answer(200, body.to_owned());
    vec![
        case("it needs credentials", "", Expect::Credentials),
        case("who the account is", "", answer()),
        case("unknown attributes are ignored", "accIdentity=x", answer()),
        case("half an escape", "x=%zz", Expect::Request(400)),
        case(
            "under strict handling every attribute is unknown",
            "accIdentity=1&x",
            Expect::Params(400, None, vec!["accIdentity", "x"]),
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]
}

fn permissions() -> Vec<Case> {
    let case = |rule: &str, text: &str, expect| {
        Case::new(PERMISSIONS, rule, Query(text.to_owned()), expect)
    };
    let page = |length: u32| {
        let body = format!(
            "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
             \"permissions\":[{{\"keyIdentifier\":\"<text>\",\"keyName\":null,\
             \"keyPrefix\":\"<text>\",\
             \"keyScopes\":[\"read\",\"lookup\",\"pay\",\"manage\",\"admin\"],\
             \"keyAllowlist\":[\"0.0.0.0/0\",\"::/0\"],\"keyExpires\":null,\"keySigned\":false,\
             \"usrIdentifier\":null,\"keyMadeBy\":null,\"keyCreated\":\"<datetime>\"}}],\
             \"metadata\":{{\"total\":1}},\
             \"query\":{{\"length\":{length},\"offset\":0,\"total\":1,\"found\":1}}}}"
        );
        Expect::Answer(200, body)
    };
    let params = |status, names: &[&'static str]| Expect::Params(status, None, names.to_vec());
    let unknown = "keyIdentifier=0000000000000000";
    vec![
        case("it needs credentials", "", Expect::Credentials),
        case("the key of the account", "", page(100)),
        case(
            "a part of the list",
            "length=1&sort=desc&orderby=keyCreated",
            page(1),
        ),
        case(
            "no key of the account",
            unknown,
            params(404, &["keyIdentifier"]),
        ),
        case(
            "everything that is wrong is named at once",
            "keyIdentifier=1&offset=-1&length=0&orderby=keyPrefix&sort=up",
            params(
                400,
                &["keyIdentifier", "offset", "length", "orderby", "sort"],
            ),
        ),
        case("under strict handling", "x=1", params(400, &["x"]))
            .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]
}

fn balances() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(BALANCE, rule, Query(text.to_owned()), expect);
    let naira = "{\"accCurrency\":\"NGN\",\"accBalance\":\"<amount>\",\
                 \"accHeld\":\"<amount>\",\"accLedger\":\"<amount>\",\"accLowBalance\":null}";
    let credits = "{\"accCurrency\":\"CRD\",\"accBalance\":\"<amount>\",\"accHeld\":\"0.00\",\
                   \"accLedger\":\"<amount>\",\"accLowBalance\":null}";
    let with = |balances: &str| {
        let body = format!(
            "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
             \"accBalance\":\"<amount>\",\"accHeld\":\"<amount>\",\"accCurrency\":\"NGN\",\
             \"crdBalance\":\"<amount>\",\"crdHeld\":\"0.00\",\"balances\":[{balances}]}}"
        );
        Expect::Answer(200, body)
    };
    let answer = || with(&format!("{naira},{credits}"));
    vec![
        case("one wallet", "accCurrency=CRD", with(credits)),
        case("another wallet", "accCurrency=ngn", with(naira)),
        case(
            "a currency without a wallet",
            "accCurrency=USD",
            Expect::Params(400, None, vec!["accCurrency"]),
        ),
        case("it needs credentials", "", Expect::Credentials),
        case("what can be spent and what is held", "", answer()),
        case("unknown attributes are ignored", "balance=1&x", answer()),
        case("half an escape", "x=%zz", Expect::Request(400)),
        case(
            "under strict handling every attribute is unknown",
            "y=1&x",
            Expect::Params(400, None, vec!["y", "x"]),
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]
}

fn transactions() -> Vec<Case> {
    let case = |rule: &str, text: &str, expect| {
        Case::new(TRANSACTIONS, rule, Query(text.to_owned()), expect).at_word("airtime")
    };
    let page = |rows: &str, (total, found): (u32, &str)| {
        let body = format!(
            "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
             \"transactions\":[{rows}],\"metadata\":{{\"total\":{total}}},\
             \"query\":{{\"length\":<int>,\"offset\":0,\"total\":<int>,\"found\":{found}}}}}"
        );
        Expect::Answer(200, body)
    };
    let row = "{\"mrcReference\":\"good-airtime\",\"txnReference\":<int>,\
               \"txnStatus\":\"Successful\",\"txnType\":\"airtime\",\"txnDate\":\"<datetime>\",\
               \"gtwStatus\":\"Delivered\",\"number\":\"2348031230000\",\
               \"amount\":\"1,000.00\",\"price\":\"970.00\",\"currency\":\"NGN\"}";
    let first = "length=1&number=%2B2348031230000&txnStatus=successful";
    let params = |names: &[&'static str]| Expect::Params(400, None, names.to_vec());
    let unknown = || Expect::Params(404, None, vec!["category"]);
    vec![
        case("it needs credentials", "", Expect::Credentials),
        case("a purchase", first, page(row, (1, "<int>"))),
        case("among all products", first, page(row, (1, "<int>"))).at_word("all"),
        case("nothing then", "to=01-01-2020", page("", (0, "0"))),
        case("nothing for it", "number=0000", page("", (0, "0"))),
        case("nothing of it", "number=2348031230000", page("", (0, "0"))).at_word("gas"),
        case("no such category", "", unknown()).at_word("payout"),
        case("a category is a word", "", unknown()).at_word("%20"),
        case(
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=price&sort=up&txnStatus=open&from=x&to=2026-11-21\
             &number=12a",
            Expect::Params(
                400,
                None,
                vec![
                    "offset",
                    "length",
                    "orderby",
                    "sort",
                    "txnStatus",
                    "from",
                    "to",
                    "number",
                ],
            ),
        ),
        case(
            "a period ends after it begins",
            "from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z",
            params(&["to"]),
        ),
        case(
            "under strict handling",
            "category=sms",
            params(&["category"]),
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
