//! Vouchers, gift cards, coupons and promo codes, one operation per file. It must not decide what a
//! code is worth.

mod create;
mod lookup;
mod redeem;
mod rollback;
mod void;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations. Ending a code gives its money back, so that it is for keys that may pay.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Money.at("/voucher/create", operation(create::handle)),
        RouteKind::Lookup.at("/voucher/lookup", operation(lookup::handle)),
        RouteKind::Money.at("/voucher/redeem", operation(redeem::handle)),
        RouteKind::Money.at("/voucher/rollback", operation(rollback::handle)),
        RouteKind::Change
            .at("/voucher/void", operation(void::handle))
            .needing(AccessScope::Pay),
    ]
}

#[cfg(test)]
mod tests;
