//! What single accounts have agreed apart from the catalogue. A price override must never change a
//! price that was quoted before it.

use domain::account::AccountId;
use domain::money::Money;
use domain::percent::Percent;
use domain::pricing::Terms;
use std::collections::HashMap;

/// An account's own terms for a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceOverride {
    /// Whose.
    pub account: AccountId,
    /// The product, such as `airtime.mtn` or `electricity.101.prepaid`.
    pub product: String,
    /// The commission instead of the catalogue's.
    pub commission: Percent,
    /// The flat fee instead of the catalogue's.
    pub fee: Option<Money>,
}

/// Every price override, by account and product.
#[derive(Debug, Clone, Default)]
pub struct PriceOverrides(HashMap<(AccountId, String), PriceOverride>);

impl PriceOverrides {
    /// Deals from configuration; a later one for the same account and product replaces an earlier.
    pub fn new(overrides: Vec<PriceOverride>) -> Self {
        let keyed = |price: PriceOverride| ((price.account.clone(), price.product.clone()), price);
        Self(overrides.into_iter().map(keyed).collect())
    }

    /// The terms that apply to an account, and the name of the rule.
    pub(crate) fn terms(
        &self,
        account: &AccountId,
        product: String,
        catalogue: Terms,
    ) -> (Terms, String) {
        if self.0.is_empty() {
            return (catalogue, format!("catalogue:{product}"));
        }
        let key = (account.clone(), product);
        match self.0.get(&key) {
            None => (catalogue, format!("catalogue:{}", key.1)),
            Some(price) => {
                let fee = price.fee.unwrap_or(catalogue.fee);
                let terms = Terms {
                    commission: price.commission,
                    fee,
                    ..catalogue
                };
                (terms, format!("price_override:{}", key.1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::money::Currency;

    fn terms(commission: &str) -> Terms {
        Terms {
            commission: Percent::parse(commission).unwrap(),
            discount: Percent::parse("4").unwrap(),
            fee: Money::zero(Currency::Ngn),
        }
    }

    #[test]
    fn a_deal_applies_to_its_account_and_product_only() {
        let account = AccountId::parse("shop").unwrap();
        let price = PriceOverride {
            account: account.clone(),
            product: "airtime.mtn".into(),
            commission: Percent::parse("3.75").unwrap(),
            fee: None,
        };
        let overrides = PriceOverrides::new(vec![price]);
        let other = AccountId::parse("other").unwrap();

        let of = |account, product: &str| overrides.terms(account, product.into(), terms("3"));

        assert_eq!(
            of(&account, "airtime.mtn"),
            (terms("3.75"), "price_override:airtime.mtn".into())
        );
        assert_eq!(
            of(&account, "airtime.glo"),
            (terms("3"), "catalogue:airtime.glo".into())
        );
        assert_eq!(
            of(&other, "airtime.mtn"),
            (terms("3"), "catalogue:airtime.mtn".into())
        );
    }
}
