//! Cases of reports over a period.

use crate::case::Input::Query;
use crate::case::{Case, Expect, Input, Route};
use http_server::Verb;
use reqwest::header::HeaderName;
use std::slice::from_ref;
use tests::merchant::{REPORT_RUN, today};

const TRANSACTIONS: Route = Route(Verb::Get, "/reporting/transactions/{category}");
const COMMISSION: Route = Route(Verb::Get, "/reporting/commission/{category}");
const SETTLEMENT: Route = Route(Verb::Get, "/reporting/settlement/{category}");
const FLOAT: Route = Route(Verb::Get, "/reporting/float/{category}");
const RECONCILIATION: Route = Route(Verb::Get, "/reporting/reconciliation/{category}");
const RUN: Route = Route(Verb::Get, "/reporting/run");

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = transactions();
    for route in [COMMISSION, SETTLEMENT, RECONCILIATION] {
        cases.extend(of_sums(route));
    }
    cases.extend(commission());
    cases.extend(settlement());
    cases.extend(reconciliation());
    cases.extend(floats());
    cases.extend(files());
    cases.extend(runs());
    cases
}

/// The query for what happened today.
fn of_today(more: &str) -> Input {
    let today = today();
    Query(format!("from={today}&to={today}&{more}"))
}

fn params(status: u16, names: &[&'static str]) -> Expect {
    Expect::Params(status, None, names.to_vec())
}

/// The answer with these rows, each of which there is once, and as many totals.
fn report(name: &str, rows: &[String], totals: &[String]) -> Expect {
    let found = rows.len();
    let (rows, totals) = (rows.join(","), totals.join(","));
    let body = format!(
        "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\"{name}\":[{rows}],\
         \"totals\":[{totals}],\"metadata\":{{\"total\":{found}}},\
         \"query\":{{\"length\":<int>,\"offset\":0,\"total\":<int>,\"found\":<int>}}}}"
    );
    Expect::Answer(200, body)
}

/// What every report refuses.
fn refused(route: Route, word: &'static str) -> Vec<Case> {
    let case = |rule: &str, input, expect| Case::new(route, rule, input, expect).at_word(word);
    let query = |text: &str| Query(text.to_owned());
    let ends = |names: &[&'static str]| Expect::Params(405, None, names.to_vec());
    vec![
        case("it needs credentials", of_today(""), Expect::Credentials),
        case("a period has two ends", query(""), ends(&["from", "to"])),
        case("it has an end", query("from=21-11-2026"), ends(&["to"])),
        case(
            "a period ends after it begins",
            query("from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z"),
            params(400, &["to"]),
        ),
        case(
            "a period has 366 days at most",
            query("from=01-01-2025&to=02-01-2026"),
            params(400, &["to"]),
        ),
        case(
            "everything that is wrong is named at once",
            query("offset=-1&length=101&orderby=price&sort=up&from=x&to=2026-11-21"),
            params(400, &["offset", "length", "orderby", "sort", "from", "to"]),
        ),
        case("half an escape", query("x=%zz"), Expect::Request(400)),
        case(
            "under strict handling",
            of_today("category=sms"),
            params(400, &["category"]),
        )
        .with_header(HeaderName::from_static("prefer"), "handling=strict"),
        case("no such category", of_today(""), params(404, &["category"])).at_word("payout"),
    ]
}

/// What reports of sums have in common.
fn of_sums(route: Route) -> Vec<Case> {
    let mut cases = refused(route, "airtime");
    let grouped = of_today("groupby=hour");
    let case = Case::new(
        route,
        "no such grouping",
        grouped,
        params(400, &["groupby"]),
    );
    cases.push(case.at_word("airtime"));
    cases
}

const PRICES: &str = "\"face\":\"<amount>\",\"commission\":\"<amount>\",\
    \"charges\":\"<amount>\",\"vat\":\"<amount>\",\"duty\":\"<amount>\",\"net\":\"<amount>\"";

const NAIRA: &str = "\"currency\":\"NGN\"";

fn group(day: &str, service: &str, provider: &str) -> String {
    format!("\"day\":{day},\"service\":{service},\"provider\":{provider}")
}

fn transactions() -> Vec<Case> {
    let case = |rule: &str, more: &str, expect| {
        Case::new(TRANSACTIONS, rule, of_today(more), expect).at_word("airtime")
    };
    let row = format!(
        "{{\"mrcReference\":\"good-airtime\",\"txnReference\":<int>,\
         \"txnStatus\":\"Successful\",\"txnType\":\"airtime\",\"txnDate\":\"<datetime>\",\
         \"provider\":\"mtn\",\"number\":\"2348031230000\",\"face\":\"1,000.00\",\
         \"commission\":\"30.00\",\"charges\":\"0.00\",\"vat\":\"0.00\",\"duty\":\"0.00\",\
         \"net\":\"970.00\",{NAIRA}}}"
    );
    let total = format!("{{\"count\":<int>,{PRICES},{NAIRA}}}");
    let first = "length=1&number=%2B2348031230000&txnStatus=successful";
    let found = || report("transactions", from_ref(&row), from_ref(&total));
    let none = || report("transactions", &[], &[]);
    let mut cases = refused(TRANSACTIONS, "airtime");
    cases.extend([
        case("a purchase", first, found()),
        case("among all products", first, found()).at_word("all"),
        case("nothing for it", "number=0000", none()),
        case("nothing of it", "number=2348031230000", none()).at_word("gas"),
        case(
            "its own filters",
            "txnStatus=open&number=12a",
            params(400, &["txnStatus", "number"]),
        ),
    ]);
    cases
}

fn commission() -> Vec<Case> {
    let case = |rule: &str, more: &str, expect| {
        Case::new(COMMISSION, rule, of_today(more), expect).at_word("airtime")
    };
    let sums = format!("\"count\":<int>,{PRICES},{NAIRA}");
    let total = [format!("{{{sums}}}")];
    let of = |group: &str| report("commissions", &[format!("{{{group},{sums}}}")], &total);
    let airtime = "\"airtime\"";
    let never = Query("from=01-01-2020&to=01-01-2020".into());
    vec![
        case("by product", "", of(&group("null", airtime, "null"))),
        case(
            "by day",
            "groupby=day",
            of(&group("\"<text>\"", "null", "null")),
        ),
        case(
            "in one",
            "groupby=account&sort=desc&orderby=groupby",
            of(&group("null", "null", "null")),
        ),
        Case::new(
            COMMISSION,
            "nothing then",
            never,
            report("commissions", &[], &[]),
        )
        .at_word("all"),
    ]
}

fn settlement() -> Vec<Case> {
    let case = |rule: &str, more: &str, expect| {
        Case::new(SETTLEMENT, rule, of_today(more), expect).at_word("airtime")
    };
    let sums = format!(
        "\"count\":<int>,\"captured\":\"<amount>\",\"refunded\":\"<amount>\",\
         \"credited\":\"0.00\",\"net\":\"<text>\",{NAIRA}"
    );
    let total = [format!("{{{sums}}}")];
    let of = |group: &str| report("settlements", &[format!("{{{group},{sums}}}")], &total);
    vec![
        case(
            "by day and product",
            "",
            of(&group("\"<text>\"", "\"airtime\"", "null")),
        ),
        case(
            "in one",
            "groupby=account",
            of(&group("null", "null", "null")),
        ),
    ]
}

fn reconciliation() -> Vec<Case> {
    let case = |rule: &str, more: &str, expect| {
        Case::new(RECONCILIATION, rule, of_today(more), expect).at_word("airtime")
    };
    let sums = format!(
        "\"count\":<int>,\"held\":\"<amount>\",\"captured\":\"<amount>\",\
         \"released\":\"<amount>\",\"open\":\"<amount>\",\"difference\":\"0.00\",{NAIRA}"
    );
    let total = [format!("{{{sums}}}")];
    let of = |group: &str| report("reconciliations", &[format!("{{{group},{sums}}}")], &total);
    vec![
        case("by day", "", of(&group("\"<text>\"", "null", "null"))),
        case(
            "by product",
            "groupby=service",
            of(&group("null", "\"airtime\"", "null")),
        ),
    ]
}

fn floats() -> Vec<Case> {
    let case = |rule: &str, more: &str, expect| {
        Case::new(FLOAT, rule, of_today(more), expect).at_word("all")
    };
    let wallet = |currency: &str| {
        format!(
            "\"count\":<int>,\"balOpening\":\"0.00\",\"balIn\":\"<amount>\",\
             \"balOut\":\"<amount>\",\"balClosing\":\"<amount>\",\"currency\":\"{currency}\""
        )
    };
    let of = |day: &str| {
        let row = |currency| format!("{{\"day\":{day},{}}}", wallet(currency));
        let total = |currency| format!("{{{}}}", wallet(currency));
        let rows = [row("NGN"), row("CRD")];
        report("floats", &rows, &[total("NGN"), total("CRD")])
    };
    let mut cases = refused(FLOAT, "all");
    cases.extend([
        case("by day", "", of("\"<text>\"")),
        case("in one", "groupby=account", of("null")),
        case("of no product", "", params(404, &["category"])).at_word("airtime"),
        case(
            "wallets are of no product",
            "groupby=service",
            params(400, &["groupby"]),
        ),
    ]);
    cases
}

/// A file that is there, of a report of a time before there was anything.
fn ready(kind: &str, category: &str) -> Expect {
    let body = format!(
        "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
         \"repIdentifier\":\"<digits>\",\"repType\":\"{kind}\",\
         \"repCategory\":\"{category}\",\"repStatus\":\"Ready\",\"repAsOf\":\"<text>\",\
         \"repRows\":<int>,\"repBytes\":<int>,\"repName\":\"<text>\",\"repUrl\":\"<text>\",\
         \"repSha256\":\"<text>\",\"repExpires\":\"<datetime>\"}}"
    );
    Expect::Answer(200, body)
}

fn files() -> Vec<Case> {
    let query = "from=01-01-2020&to=01-01-2020&format=csv";
    let of = [
        (TRANSACTIONS, "transactions", "airtime"),
        (COMMISSION, "commission", "airtime"),
        (SETTLEMENT, "settlement", "airtime"),
        (FLOAT, "float", "all"),
        (RECONCILIATION, "reconciliation", "airtime"),
    ];
    let cases = of.into_iter().flat_map(|(route, kind, word)| {
        let case = |rule: &str, text: &str, expect| {
            Case::new(route, rule, Query(text.to_owned()), expect).at_word(word)
        };
        let other = query.replace("csv", "pdf");
        [
            case("a file", query, ready(kind, word)),
            case("no such format", &other, params(400, &["format"])),
        ]
    });
    cases.collect()
}

fn runs() -> Vec<Case> {
    let case =
        |rule: &str, text: &str, expect| Case::new(RUN, rule, Query(text.to_owned()), expect);
    let own = format!("repIdentifier={REPORT_RUN}");
    let bad = "repIdentifier=x&format=pdf";
    vec![
        case(
            "it needs credentials",
            "repIdentifier=1",
            Expect::Credentials,
        ),
        case("a file that is there", &own, ready("commission", "all")),
        case(
            "no file of the account",
            "repIdentifier=1",
            params(404, &["repIdentifier"]),
        ),
        case(
            "it is asked for by its number",
            "",
            params(405, &["repIdentifier"]),
        ),
        case(
            "everything that is wrong is named at once",
            bad,
            params(400, &["repIdentifier", "format"]),
        ),
    ]
}
