//! Tools for developers, one per file.

mod countries;
mod currencies;
mod fees;
mod number;
mod sandbox;
mod segments;
mod signature;
mod simulate;
mod timezones;

use super::row::{RouteKind, RouteRow, operation};

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Read.at("/tools/fees", operation(fees::handle)),
        RouteKind::Read.at("/tools/segments", operation(segments::handle)),
        RouteKind::Read.at("/tools/number", operation(number::handle)),
        RouteKind::Read.at("/tools/sandbox", operation(sandbox::handle)),
        RouteKind::Read.at("/tools/countries", operation(countries::handle)),
        RouteKind::Read.at("/tools/currencies", operation(currencies::handle)),
        RouteKind::Read.at("/tools/timezones", operation(timezones::handle)),
        RouteKind::Quote.at("/tools/signature", operation(signature::handle)),
        RouteKind::Money.at("/tools/simulate", operation(simulate::handle)),
    ]
}
