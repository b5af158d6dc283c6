//! Bills of every category. Nothing here may name a category, or know which provider delivers it.

mod pay;
mod plans;
mod providers;
mod validation;

use super::row::{RouteKind, RouteRow, operation};
use super::{report, transactions};
use domain::bill::BillCategory;
use domain::order::Service;

/// The operations of every category.
pub(super) fn rows() -> Vec<RouteRow> {
    BillCategory::all().flat_map(of).collect()
}

fn of(category: BillCategory) -> Vec<RouteRow> {
    let paths = category.definition().paths;
    let service = Service::Bill(category);
    let mut rows = vec![
        RouteKind::Read.at(
            paths.providers,
            operation(
                move |gateway, call| async move { providers::handle(&gateway, &call, category) },
            ),
        ),
        RouteKind::Lookup.at(
            paths.validation,
            operation(move |gateway, call| validation::handle(gateway, call, category)),
        ),
        RouteKind::List.at(paths.payment, transactions::listing(service)),
        RouteKind::Money.at(
            paths.payment,
            operation(move |gateway, call| pay::handle(gateway, call, category)),
        ),
        RouteKind::Read.at(paths.transaction, report::reporting(service)),
    ];
    if category.has_plans() {
        rows.push(RouteKind::Read.at(
            paths.plans,
            operation(move |gateway, call| async move { plans::handle(&gateway, &call, category) }),
        ));
    }
    rows
}
