//! Cases of how the gateway is doing.

use super::shared::{ask, params, strictly, success};
use crate::case::{Case, Expect, Route};
use http_server::Verb;

const STATUS: Route = Route(Verb::Get, "/operations/status");

const OF_OPERATORS: [&str; 4] = [
    "/operations/providers",
    "/operations/routes",
    "/operations/float",
    "/operations/cases",
];

pub(crate) fn cases() -> Vec<Case> {
    let card = "\"service\":\"card\",\"biller\":null,\"prvStatus\":\"Up\",\"prvSuccessRate\":null,\
                \"prvLatency\":null,\"prvPending\":0,\"until\":null";
    let part = "\"metadata\":{\"total\":1},\
                \"query\":{\"length\":100,\"offset\":0,\"total\":1,\"found\":1}";
    let status = vec![
        ask(STATUS, "it needs credentials", "", Expect::Credentials),
        ask(
            STATUS,
            "a product of which little was bought is up and shows no figures",
            "service=Card",
            success(&format!("\"services\":[{{{card}}}],{part}")),
        ),
        ask(
            STATUS,
            "a product that no route delivers",
            "service=wallet",
            params(400, None, &["service"]),
        ),
        strictly(ask(
            STATUS,
            "strict: every violation is named at once",
            "service=x&length=0&orderby=biller&sort=up&x=1",
            params(400, None, &["service", "length", "orderby", "sort", "x"]),
        )),
    ];
    [status, of_operators()].concat()
}

/// What is asked with a key of an operator.
fn of_operators() -> Vec<Case> {
    let [providers, routes, float, cases] = OF_OPERATORS.map(|path| Route(Verb::Get, path));
    let mut all = vec![
        ask(
            providers,
            "the providers, and that none is paused",
            "length=1",
            listed(
                "providers",
                "{\"prvIdentifier\":\"sandbox\",\"prvEnvironment\":\"test\",\"prvRoutes\":<int>,\
                 \"prvEnabled\":true,\"prvPausedBy\":null,\"prvPausedSince\":null,\
                 \"prvReason\":null,\"until\":null}",
            ),
        ),
        ask(
            routes,
            "the routes, in the order of the configuration",
            "length=1",
            listed(
                "routes",
                "{\"rteIdentifier\":1,\"rteService\":\"airtime\",\"prvIdentifier\":\"sandbox\",\
                 \"prvEnvironment\":\"test\",\"biller\":null,\"billing\":null,\
                 \"countryCode\":null,\"rteMinimum\":null,\"rteMaximum\":null,\
                 \"prvPriority\":0,\"prvWeight\":1,\"prvCost\":null}",
            ),
        ),
        ask(
            float,
            "what must be left at the providers",
            "length=1",
            listed(
                "floats",
                "{\"prvIdentifier\":\"sandbox\",\"fltCurrency\":\"<text>\",\
                 \"fltLedger\":\"<text>\",\"fltProvider\":null,\"fltDifference\":null,\
                 \"fltLow\":null,\"fltForecast\":null,\"fltDate\":null}",
            ),
        ),
        ask(
            cases,
            "no difference to a settlement file waits for a person",
            "caseKind=Settlement&length=1",
            success(
                "\"cases\":[],\"metadata\":{\"total\":0},\
                 \"query\":{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":0}",
            ),
        ),
        ask(
            cases,
            "a kind of cases that there is not",
            "caseKind=refund",
            params(400, None, &["caseKind"]),
        ),
    ];
    for route in [providers, routes, float, cases] {
        all.push(ask(route, "it needs credentials", "", Expect::Credentials));
        all.push(strictly(ask(
            route,
            "strict: every violation is named at once",
            "length=0&orderby=x&x=1",
            params(400, None, &["length", "orderby", "x"]),
        )));
    }
    all
}

/// The first entry of a list.
fn listed(plural: &str, entry: &str) -> Expect {
    success(&format!(
        "\"{plural}\":[{entry}],\"metadata\":{{\"total\":1}},\
         \"query\":{{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}}"
    ))
}
