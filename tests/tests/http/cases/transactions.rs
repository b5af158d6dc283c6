//! Cases of the lists of transactions, the same for every product.

use crate::case::Input::Query;
use crate::case::{Case, Expect, Route};
use http_server::{RouteKind, Verb, endpoints};
use reqwest::header::HeaderName;
use tests::bulk::BULK;

/// Lists of batches, which are no transactions, and one of transactions in another shape.
const OTHERS: [&str; 4] = [
    BULK,
    "/messaging/bulk",
    "/transfer/payroll",
    "/account/transactions/{category}",
];

/// Reports, which are lists in shapes of their own.
const REPORTS: &str = "/reporting/";

pub(crate) fn cases() -> Vec<Case> {
    let listed = endpoints()
        .iter()
        .filter(|it| it.kind == RouteKind::List && !OTHERS.contains(&it.path))
        .filter(|it| !it.path.starts_with(REPORTS));
    let mut cases: Vec<_> = listed.flat_map(|it| of(it.path)).collect();
    cases.push(Case::new(
        Route(Verb::Get, "/payment/airtime"),
        "a purchase, as its report shows it",
        Query("mrcReference=good-airtime".to_owned()),
        page(
            "{\"mrcReference\":\"good-airtime\",\"txnReference\":<int>,\
             \"txnStatus\":\"Successful\",\"txnDate\":\"<datetime>\",\
             \"gtwStatus\":\"Delivered\",\"number\":\"2348031230000\",\
             \"billing\":\"Prepaid\",\"network\":\"MTN\",\"amount\":\"1,000.00\",\
             \"price\":\"970.00\",\"currency\":\"NGN\"}",
            1,
        ),
    ));
    cases
}

fn page(transactions: &str, found: u32) -> Expect {
    let body = format!(
        "{{\"code\":200,\"status\":\"success\",\"message\":\"<text>\",\
         \"transactions\":[{transactions}],\"metadata\":{{\"total\":{found}}},\
         \"query\":{{\"length\":100,\"offset\":0,\"total\":<int>,\"found\":{found}}}}}"
    );
    Expect::Answer(200, body)
}

fn of(path: &'static str) -> [Case; 4] {
    let case = |rule: &str, text: &str, expect| {
        Case::new(Route(Verb::Get, path), rule, Query(text.to_owned()), expect)
    };
    let params = |names: &[&'static str]| Expect::Params(400, None, names.to_vec());
    [
        case("it needs credentials", "", Expect::Credentials),
        case("nothing found", "mrcReference=bad", page("", 0)),
        case(
            "everything that is wrong is named at once",
            "offset=-1&length=0&orderby=price&sort=up&mrcReference=%20&txnStatus=open",
            params(&[
                "offset",
                "length",
                "orderby",
                "sort",
                "mrcReference",
                "txnStatus",
            ]),
        ),
        case("under strict handling", "x=1", params(&["x"]))
            .with_header(HeaderName::from_static("prefer"), "handling=strict"),
    ]
}
