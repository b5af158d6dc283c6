//! Bills of every category. Nothing here may name a category, or know which provider delivers it.

mod pay;
mod plans;
mod providers;
mod validation;

use super::table::{self, RouteKind, RouteRow};
use domain::bill::BillCategory;
use domain::order::Service;

/// The operations of every category.
pub(super) fn rows() -> Vec<RouteRow> {
    BillCategory::all().flat_map(of).collect()
}

fn of(category: BillCategory) -> Vec<RouteRow> {
    let paths = category.definition().paths;
    let mut rows = vec![
        RouteKind::Read.at(paths.providers, move || {
            table::getting(move |gateway, call| async move {
                providers::handle(&gateway, &call, category)
            })
        }),
        RouteKind::Lookup.at(paths.validation, move || {
            table::getting(move |gateway, call| validation::handle(gateway, call, category))
        }),
        RouteKind::List.at(paths.payment, move || {
            table::listing(Service::Bill(category))
        }),
        RouteKind::Money.at(paths.payment, move || {
            table::posting(move |gateway, call| pay::handle(gateway, call, category))
        }),
        RouteKind::Read.at(paths.transaction, move || {
            table::reporting(Service::Bill(category))
        }),
    ];
    if category.has_plans() {
        rows.push(RouteKind::Read.at(paths.plans, move || {
            table::getting(
                move |gateway, call| async move { plans::handle(&gateway, &call, category) },
            )
        }));
    }
    rows
}
