//! `GET /account/balance`. It must show what is held apart from what can be spent.

use crate::attributes::Attributes;
use crate::reader::{Handling, Reader};
use crate::tree::Object;
use crate::violations::Violations;
use domain::ledger::Wallet;

/// The request has no attributes; under strict handling each one sent is refused.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<(), Violations> {
    Reader::new(attributes, handling).finish(|| Ok(()))
}

/// The balance: what can be spent, and what is set aside for payments without a final outcome.
pub fn view(wallet: &Wallet) -> Object {
    Object::new()
        .with("accBalance", wallet.available)
        .with("accHeld", wallet.held)
        .with("accCurrency", wallet.available.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use domain::money::Currency;
    use testkit::builders::{account_id, naira};

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
        insta::assert_snapshot!(pretty(&view(&wallet).into()), @r#"
        {
          accBalance: "998,030.00"
          accHeld: "970.00"
          accCurrency: "NGN"
        }
        "#);
    }
}
