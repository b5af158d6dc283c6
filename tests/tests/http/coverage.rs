//! No operation without its cases. It must go by the route table of the edge itself, so that a new
//! operation fails here before anyone remembers that it needs tests.

use crate::case::{Route, Shows};
use crate::cases;
use http_server::{RouteKind, endpoints};
use std::collections::HashSet;

#[test]
fn every_route_has_an_authentication_an_error_and_a_contract_case() {
    let cases = cases::all();
    let shown: HashSet<_> = cases
        .iter()
        .map(|case| (case.route, case.shows()))
        .collect();
    let mut missing = Vec::new();
    let operations = endpoints().iter();
    // The documentation answers with files, which a suite of its own looks at.
    for endpoint in operations.filter(|endpoint| endpoint.kind != RouteKind::Documentation) {
        let route = Route(endpoint.verb, endpoint.path);
        for shows in [Shows::Authentication, Shows::Error, Shows::Contract] {
            if !shown.contains(&(route, shows)) {
                missing.push(format!("{endpoint:?} has no case of kind {shows:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_case_is_about_a_route_there_is() {
    for case in cases::all() {
        let Route(verb, path) = case.route;
        let known = endpoints().iter().any(|e| (e.verb, e.path) == (verb, path));
        assert!(
            known,
            "there is no {verb:?} {path}, but a case: {}",
            case.rule
        );
    }
}

#[test]
fn only_the_health_of_the_process_is_public() {
    for endpoint in endpoints()
        .iter()
        .filter(|endpoint| endpoint.kind == RouteKind::Health)
    {
        assert_eq!(endpoint.path, "/healthz");
    }
}
