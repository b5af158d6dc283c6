//! Plans at a merchant's price, whichever family sells them. It must not know what a plan holds.

use domain::money::Money;
use domain::pricing::{self, Terms};

/// A plan with what the merchant pays for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricedPlan<P> {
    /// The plan.
    pub plan: P,
    /// What one period of it costs the merchant.
    pub price: Money,
}

/// A plan under the merchant's terms; `None` where they leave no price: it is not for sale.
pub(crate) fn priced<P: Clone>(plan: &P, amount: Money, terms: &Terms) -> Option<PricedPlan<P>> {
    let quote = pricing::quote(amount, terms, String::new()).ok()?;
    Some(PricedPlan {
        plan: plan.clone(),
        price: quote.price,
    })
}
