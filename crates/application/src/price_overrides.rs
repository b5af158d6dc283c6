//! What single accounts have agreed apart from the catalogue. A price override must never change a
//! price that was quoted before it.

use crate::gateway::Gateway;
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

impl Gateway {
    /// The terms of a product for an account, and the name of the rule: a published catalogue goes
    /// before the configuration. The rule holds the number of the published version, so it is
    /// frozen with every quote.
    pub(crate) fn terms(
        &self,
        account: &AccountId,
        product: String,
        base: Terms,
    ) -> (Terms, String) {
        let catalogue = self.catalogue();
        let version = catalogue.version();
        let base = match catalogue.published_terms(&product) {
            None => base,
            Some(changed) => Terms {
                commission: changed.commission.unwrap_or(base.commission),
                discount: changed.discount.unwrap_or(base.discount),
                fee: same_currency(changed.fee, base.fee),
            },
        };
        if let Some(own) = catalogue.published_override(account, &product) {
            let terms = Terms {
                commission: own.commission,
                fee: same_currency(own.fee, base.fee),
                ..base
            };
            return (terms, format!("price_override@{version}:{product}"));
        }
        let (terms, rule) = self.parts().price_overrides.terms(account, product, base);
        match rule.split_once(':') {
            Some((kind, product)) if version > 0 => (terms, format!("{kind}@{version}:{product}")),
            Some(_) | None => (terms, rule),
        }
    }
}

/// A fee that was set for the currency of the product; messages are sold in two.
fn same_currency(set: Option<Money>, base: Money) -> Money {
    set.filter(|fee| fee.currency() == base.currency())
        .unwrap_or(base)
}

/// The number of the catalogue that a rule was made by; 0 where it was the one in the program.
pub fn catalogue_of_rule(rule: &str) -> u32 {
    let kind = rule.split_once(':').map(|(kind, _)| kind);
    let number = kind.and_then(|kind| kind.split_once('@'));
    number.map_or(0, |(_, number)| number.parse().unwrap_or(0))
}

/// The product that a rule prices.
pub(crate) fn product_of_rule(rule: &str) -> &str {
    rule.split_once(':').map_or(rule, |(_, product)| product)
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
    fn a_rule_names_its_product_and_the_catalogue_it_was_made_by() {
        for (rule, number, product) in [
            ("catalogue:airtime.mtn", 0, "airtime.mtn"),
            ("catalogue@12:airtime.mtn", 12, "airtime.mtn"),
            ("price_override@3:sms.566", 3, "sms.566"),
            ("nip-2026", 0, "nip-2026"),
        ] {
            assert_eq!(catalogue_of_rule(rule), number, "{rule}");
            assert_eq!(product_of_rule(rule), product, "{rule}");
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
