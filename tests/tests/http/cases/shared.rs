//! What the cases of several families have in common. It must not know any operation: routes and
//! good orders are arguments.

use crate::case::Input::{Body, Query};
use crate::case::{BAD, Case, Expect, Route, object};
use reqwest::header::HeaderName;

/// The service code of an error and its subject.
pub(super) type ViolationCase = (u16, &'static str);

/// A request with a query.
pub(super) fn ask(route: Route, rule: &str, query: &str, expect: Expect) -> Case {
    Case::new(route, rule, Query(query.to_owned()), expect)
}

/// The good order of a route, made bad by what is changed.
pub(super) fn bad(
    (route, order): (Route, &[(&str, &str)]),
    rule: &str,
    changes: &[(&str, &str)],
    expect: Expect,
) -> Case {
    let shown = changes
        .iter()
        .map(|(name, value)| format!("{name} = {value:.40}"));
    let shown: Vec<_> = shown.collect();
    let rule = format!("{rule}: {}", shown.join(", "));
    Case::new(route, rule, Body(object(order, changes)), expect)
}

/// Bad values of an attribute, with the error that names it.
pub(super) type BadValues<'a> = (&'static str, Option<ViolationCase>, u16, &'a [&'a str]);

/// The good order of a route with each of the bad values.
pub(super) fn bad_values(
    (route, order): (Route, &[(&'static str, &str)]),
    values: &[BadValues<'_>],
) -> Vec<Case> {
    let case = |(name, about, status, value): (&'static str, Option<ViolationCase>, u16, &str)| {
        let rule = format!("a bad {name}: {value:.40}");
        let body = Body(object(order, &[(name, value)]));
        Case::new(route, rule, body, params(status, about, &[name]))
    };
    let each = values.iter().flat_map(|(name, about, status, bad)| {
        bad.iter().map(|value| (*name, *about, *status, *value))
    });
    each.map(case).collect()
}

/// An error that names these attributes.
pub(super) fn params(status: u16, about: Option<ViolationCase>, names: &[&'static str]) -> Expect {
    Expect::Params(status, about, names.to_vec())
}

/// What was made, with these fields.
pub(super) fn created(fields: &str) -> Expect {
    let envelope = "\"code\":201,\"status\":\"success\",\"message\":\"<text>\"";
    Expect::Answer(201, format!("{{{envelope},{fields}}}"))
}

/// A success with these fields after the envelope.
pub(super) fn success(fields: &str) -> Expect {
    let envelope = "\"code\":200,\"status\":\"success\",\"message\":\"<text>\"";
    Expect::Answer(200, format!("{{{envelope},{fields}}}"))
}

/// The second entry of a list, and how many there are and were found.
pub(super) fn second(plural: &str, entry: &str, (total, found): (usize, usize)) -> String {
    format!(
        "\"{plural}\":[{{{entry}}}],\"metadata\":{{\"total\":1}},\
         \"query\":{{\"length\":1,\"offset\":1,\"total\":{total},\"found\":{found}}}"
    )
}

/// The case under strict handling.
pub(super) fn strictly(case: Case) -> Case {
    case.with_header(HeaderName::from_static("prefer"), "handling=strict")
}

/// The bad requests of a report; `good` is the reference of a payment of its family.
pub(super) fn bad_reports(route: Route, good: &str) -> Vec<Case> {
    let named = |reference: &str| format!("mrcReference={reference}");
    let reference = |status| params(status, None, &["mrcReference"]);
    let ask = |rule: &str, query: &str, expect| ask(route, rule, query, expect);
    vec![
        ask("it needs credentials", &named(good), Expect::Credentials),
        ask("a filter is missing", "", reference(405)),
        ask("no reference", &named("a%20b"), reference(400)),
        ask("nothing there", &named(BAD), reference(404)),
        ask("another family's", &named("good-airtime"), reference(404)),
        strictly(ask(
            "strict: every unknown attribute is named",
            &format!("{}&x=1", named(good)),
            params(400, None, &["x"]),
        )),
    ]
}
