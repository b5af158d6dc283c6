//! Cases of appointments.

use super::shared::{ViolationCase, ask, created, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::bookings::{APPOINTMENT, BOOKABLE, half_hour};

const BOOK: Route = Route(Verb::Post, "/booking/appointment");
const REPORT: Route = Route(Verb::Get, "/booking/appointment");
const LIST: Route = Route(Verb::Get, "/booking/appointments");
const CALENDAR: Route = Route(Verb::Get, "/booking/calendar");
const MOVE: Route = Route(Verb::Post, "/booking/reschedule");

const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));

pub(crate) fn cases() -> Vec<Case> {
    let all = [booking(), reports(), listing(), steps()];
    all.into_iter().flatten().collect()
}

/// An appointment that is booked with one of the team for nothing.
fn appointment(reference: &str, (status, reason, version): (&str, &str, u32)) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"bkgIdentifier\":<int>,\"bkgService\":<int>,\
         \"bkgStatus\":\"{status}\",\"bkgStart\":\"<datetime>\",\"bkgEnd\":\"<datetime>\",\
         \"bkgStaff\":\"<text>\",\"bkgTimezone\":null,\"customerName\":\"Ngozi Eze\",\
         \"customerPhone\":\"2348031234567\",\"customerEmail\":null,\"bkgNote\":null,\
         \"bkgReason\":{reason},\"price\":\"0.00\",\"currency\":\"NGN\",\"bkgPaid\":\"0.00\",\
         \"bkgHeldUntil\":null,\"chkUrl\":null,\"txnDate\":\"<datetime>\",\"version\":{version}"
    )
}

fn booking() -> Vec<Case> {
    let start = format!("\"{}\"", half_hour());
    let good = [
        ("mrcReference", "\"bad\""),
        ("bkgService", BOOKABLE),
        ("bkgStart", &*start),
        ("customerName", "\"Ngozi Eze\""),
        ("customerPhone", "\"2348031234567\""),
    ];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(BOOK, rule, Body(object(&good, changes)), expect)
    };
    let bad = |name: &'static str, value: &str, about| {
        case(
            "a value that is none",
            &[(name, value)],
            params(400, about, &[name]),
        )
    };
    let booked = ("Booked", "null", 1);
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "every field, in order",
            &[("mrcReference", "\"good-appointment\"")],
            created(&appointment("good-appointment", booked)),
        ),
        case(
            "no service of the account",
            &[("bkgService", "1")],
            params(404, None, &["bkgService"]),
        ),
        bad("mrcReference", "\"a b\"", None),
        bad("bkgService", "0", None),
        bad("bkgStart", "\"soon\"", None),
        bad("bkgStart", "\"2020-01-01T00:00:00Z\"", None),
        bad("bkgStart", "\"2099-01-01T00:00:00Z\"", None),
        bad("customerName", "\"\"", None),
        bad("customerPhone", "\"12\"", PHONE),
        bad("customerEmail", "\"ngozi\"", None),
        bad("bkgNote", "\"\"", None),
        bad("bkgStaff", "\"Chi\"", None),
        bad("bkgTimezone", "\"Nowhere\"", None),
        Case::new(
            BOOK,
            "what is missing is named at once",
            Body("{}".to_owned()),
            params(400, PHONE, &good.map(|(name, _)| name)),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn reports() -> Vec<Case> {
    let shown = success(&appointment("good-appointment", ("Booked", "null", 1)));
    let by_reference = "mrcReference=good-appointment";
    let mut all = Vec::new();
    for (route, more) in [(REPORT, ""), (CALENDAR, "&format=json")] {
        let query = format!("{by_reference}{more}");
        let case = |rule: &str, query: &str, expect| ask(route, rule, query, expect);
        all.extend([
            case("it needs credentials", &query, Expect::Credentials),
            case("the fields of the appointment", &query, shown.clone()),
            case(
                "no appointment of the account",
                &format!("mrcReference=nothing{more}"),
                params(404, None, &["mrcReference"]),
            ),
            case("without its name", "", params(405, None, &["mrcReference"])),
            strictly(case(
                "strict: every unknown attribute is named",
                &format!("{query}&x=1"),
                params(400, None, &["x"]),
            )),
        ]);
    }
    all.push(ask(
        REPORT,
        "by its number",
        &format!("bkgIdentifier={APPOINTMENT}"),
        success(&appointment("<text>", ("Booked", "null", 1))),
    ));
    all.push(ask(
        REPORT,
        "no appointment of the account",
        "bkgIdentifier=1",
        params(404, None, &["bkgIdentifier"]),
    ));
    all.push(ask(
        REPORT,
        "by both of its names",
        "mrcReference=a&bkgIdentifier=1",
        params(400, None, &["bkgIdentifier"]),
    ));
    all.push(ask(
        CALENDAR,
        "a form that there is not",
        "mrcReference=good-appointment&format=csv",
        params(400, None, &["format"]),
    ));
    all
}

fn listing() -> Vec<Case> {
    let period = "from=01-01-2020&to=31-12-2020";
    let page = "\"appointments\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":0,\"total\":0,\"found\":0}";
    let case = |rule: &str, query: &str, expect| ask(LIST, rule, query, expect);
    vec![
        case("it needs credentials", period, Expect::Credentials),
        case(
            "a part of them",
            &format!("{period}&length=1"),
            success(page),
        ),
        case(
            "everything that is wrong is named at once",
            "from=x&to=x&offset=-1&length=101&sort=up&orderby=amount",
            params(
                400,
                None,
                &["from", "to", "offset", "length", "orderby", "sort"],
            ),
        ),
        case(
            "an end before the beginning",
            "from=02-01-2020&to=01-01-2020",
            params(400, None, &["to"]),
        ),
        case(
            "without a filter it requires",
            "",
            params(405, None, &["from", "to"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &format!("{period}&x=1"),
            params(400, None, &["x"]),
        )),
    ]
}

fn steps() -> Vec<Case> {
    let start = half_hour();
    let elsewhere = format!(",\"bkgStart\":\"{start}\",\"bkgStaff\":\"Bola\"");
    let because = ",\"bkgReason\":\"Rain\"";
    let moved = appointment("<text>", ("Booked", "null", 2));
    let ended = |status| appointment("<text>", (status, "\"Rain\"", 2));
    let each = [
        (MOVE, elsewhere.as_str(), moved),
        (
            Route(Verb::Post, "/booking/cancel"),
            because,
            ended("Cancelled"),
        ),
        (
            Route(Verb::Post, "/booking/complete"),
            because,
            ended("Completed"),
        ),
        (Route(Verb::Post, "/booking/miss"), because, ended("Missed")),
    ];
    let each = each.into_iter();
    each.flat_map(|(route, more, fields)| steps_at(route, (more, &fields)))
        .collect()
}

/// What is answered to a step at a path, with what it takes besides and the fields afterwards.
fn steps_at(route: Route, (more, fields): (&str, &str)) -> Vec<Case> {
    let body = |number: &str, version: u32, rest: &str| {
        Body(format!(
            "{{\"bkgIdentifier\":{number},\"version\":{version}{more}{rest}}}"
        ))
    };
    let case = |rule: &str, input, expect| Case::new(route, rule, input, expect);
    let is_move = route == MOVE;
    let needed: &[&str] = if is_move {
        &["bkgIdentifier", "version", "bkgStart"]
    } else {
        &["bkgIdentifier", "version"]
    };
    vec![
        case(
            "it needs credentials",
            body(APPOINTMENT, 1, ""),
            Expect::Credentials,
        ),
        case(
            "from the version that was seen",
            body(APPOINTMENT, 1, ""),
            success(fields),
        ),
        case(
            "from another version",
            body(APPOINTMENT, 2, ""),
            params(409, None, &["version"]),
        ),
        case(
            "no appointment of the account",
            body("1", 1, ""),
            params(404, None, &["bkgIdentifier"]),
        ),
        case(
            "what is missing is named at once",
            Body("{}".to_owned()),
            params(400, None, needed),
        ),
        case(
            "what is wrong is named at once",
            Body(format!("{{\"bkgIdentifier\":\"x\",\"version\":0{more}}}")),
            params(400, None, &["bkgIdentifier", "version"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            body(APPOINTMENT, 1, ",\"x\":1"),
            params(400, None, &["x"]),
        )),
    ]
}
