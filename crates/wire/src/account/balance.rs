//! `GET /account/balance`. It must show held money apart from what can be spent.

use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::ledger::Wallet;
use domain::money::{Currency, Money};

/// The request has no attributes; under strict handling each one sent is refused.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<(), Violations> {
    FieldReader::new(attributes, handling).finish(|| Ok(()))
}

/// The balance: what can be spent, and what is held for payments without a final outcome, in the
/// account's currency and in message credits.
pub fn view(wallets: &[Wallet], currency: Currency) -> Object {
    let of = |currency| {
        let found = wallets
            .iter()
            .find(|wallet| wallet.available.currency() == currency);
        let none = Money::zero(currency);
        found.map_or((none, none), |wallet| (wallet.available, wallet.held))
    };
    let (balance, credits) = (of(currency), of(Currency::Crd));
    Object::new()
        .with("accBalance", balance.0)
        .with("accHeld", balance.1)
        .with("accCurrency", currency.code())
        .with("crdBalance", credits.0)
        .with("crdHeld", credits.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use testkit::builders::{account_id, credits, naira};

    #[test]
    fn the_balance_takes_no_attributes() {
        assert!(parse(&query("a=b"), Handling::Lenient).is_ok());
        assert!(parse(&query(""), Handling::Strict).is_ok());
        let refused = parse(&query("a=b"), Handling::Strict);
        let expected = "400 -\na: is not an attribute of this request; leave it out";
        assert_eq!(faults(refused), expected);
    }

    #[test]
    fn what_is_held_is_shown_apart() {
        let wallet = Wallet {
            available: naira("998,030.00"),
            held: naira("970.00"),
            ..Wallet::new(account_id("shop"), Currency::Ngn)
        };
        let credits = Wallet {
            available: credits("12.00"),
            held: credits("1.00"),
            ..Wallet::new(account_id("shop"), Currency::Crd)
        };
        let shown = view(&[wallet, credits], Currency::Ngn);
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          accBalance: "998,030.00"
          accHeld: "970.00"
          accCurrency: "NGN"
          crdBalance: "12.00"
          crdHeld: "1.00"
        }
        "#);
    }

    #[test]
    fn a_wallet_that_does_not_exist_is_empty() {
        insta::assert_snapshot!(pretty(&view(&[], Currency::Ngn).into()), @r#"
        {
          accBalance: "0.00"
          accHeld: "0.00"
          accCurrency: "NGN"
          crdBalance: "0.00"
          crdHeld: "0.00"
        }
        "#);
    }
}
