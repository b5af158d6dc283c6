//! `GET /account/balance`. It must show held money apart from what can be spent.

use super::CURRENCIES;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::ledger::Wallet;
use domain::money::{Currency, Money};

/// Reads which wallet is requested; all of them where none is named.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Option<Currency>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let only = reader.choice(&attribute::ACCOUNT_CURRENCY, &CURRENCIES);
    reader.finish(|| only)
}

/// The balance: what can be spent, and what is held for payments without a final outcome, in the
/// account's currency and in message credits; then each wallet that is requested, with the sum of
/// both.
pub fn view(wallets: &[Wallet], currency: Currency, only: Option<Currency>) -> Object {
    let (balance, credits) = (of(wallets, currency), of(wallets, Currency::Crd));
    let shown = Currency::ALL
        .into_iter()
        .filter(|currency| only.is_none_or(|only| only == *currency));
    let rows = shown.map(|currency| row(&of(wallets, currency), currency));
    Object::new()
        .with("accBalance", balance.available)
        .with("accHeld", balance.held)
        .with("accCurrency", currency.code())
        .with("crdBalance", credits.available)
        .with("crdHeld", credits.held)
        .with("balances", Node::objects("balance", rows))
}

/// What is shown of one wallet.
struct ShownBalance {
    available: Money,
    held: Money,
    low_balance: Option<Money>,
}

fn of(wallets: &[Wallet], currency: Currency) -> ShownBalance {
    let found = wallets.iter().find(|wallet| wallet.currency() == currency);
    ShownBalance {
        available: found.map_or(Money::zero(currency), |wallet| wallet.available),
        held: found.map_or(Money::zero(currency), |wallet| wallet.held),
        low_balance: found.and_then(|wallet| wallet.low_balance_threshold),
    }
}

fn row(balance: &ShownBalance, currency: Currency) -> Object {
    // Both come from one wallet, and no wallet holds more than there is money: the sum exists.
    let ledger = balance.available.checked_add(balance.held);
    Object::new()
        .with("accCurrency", currency.code())
        .with("accBalance", balance.available)
        .with("accHeld", balance.held)
        .with("accLedger", ledger)
        .with("accLowBalance", balance.low_balance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use testkit::builders::{account_id, credits, naira};

    #[test]
    fn one_wallet_or_all_of_them_are_asked_for() {
        let read = |text| parse(&query(text), Handling::Strict);
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("accCurrency=CRD"), Ok(Some(Currency::Crd)));
        assert_eq!(read("accCurrency=ngn"), Ok(Some(Currency::Ngn)));
        assert!(parse(&query("a=b"), Handling::Lenient).is_ok());
        let expected = "400 -\naccCurrency: must be NGN or CRD\n\
                        a: is not an attribute of this request; leave it out";
        assert_eq!(faults(read("a=b&accCurrency=USD")), expected);
    }

    fn wallets() -> [Wallet; 2] {
        let wallet = Wallet {
            available: naira("998,030.00"),
            held: naira("970.00"),
            low_balance_threshold: Some(naira("5,000.00")),
            ..Wallet::new(account_id("shop"), Currency::Ngn)
        };
        let credits = Wallet {
            available: credits("12.00"),
            held: credits("1.00"),
            ..Wallet::new(account_id("shop"), Currency::Crd)
        };
        [wallet, credits]
    }

    #[test]
    fn what_is_held_is_shown_apart_and_counts_in_the_ledger_balance() {
        let shown = view(&wallets(), Currency::Ngn, None);
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          accBalance: "998,030.00"
          accHeld: "970.00"
          accCurrency: "NGN"
          crdBalance: "12.00"
          crdHeld: "1.00"
          balances: [
            balance {
              accCurrency: "NGN"
              accBalance: "998,030.00"
              accHeld: "970.00"
              accLedger: "999,000.00"
              accLowBalance: "5,000.00"
            }
            balance {
              accCurrency: "CRD"
              accBalance: "12.00"
              accHeld: "1.00"
              accLedger: "13.00"
              accLowBalance: null
            }
          ]
        }
        "#);
    }

    #[test]
    fn one_wallet_is_shown_where_one_is_asked_for() {
        let shown = view(&wallets(), Currency::Ngn, Some(Currency::Crd));
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          accBalance: "998,030.00"
          accHeld: "970.00"
          accCurrency: "NGN"
          crdBalance: "12.00"
          crdHeld: "1.00"
          balances: [
            balance {
              accCurrency: "CRD"
              accBalance: "12.00"
              accHeld: "1.00"
              accLedger: "13.00"
              accLowBalance: null
            }
          ]
        }
        "#);
    }

    #[test]
    fn a_wallet_that_does_not_exist_is_empty() {
        let shown = view(&[], Currency::Ngn, None);
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          accBalance: "0.00"
          accHeld: "0.00"
          accCurrency: "NGN"
          crdBalance: "0.00"
          crdHeld: "0.00"
          balances: [
            balance {
              accCurrency: "NGN"
              accBalance: "0.00"
              accHeld: "0.00"
              accLedger: "0.00"
              accLowBalance: null
            }
            balance {
              accCurrency: "CRD"
              accBalance: "0.00"
              accHeld: "0.00"
              accLedger: "0.00"
              accLowBalance: null
            }
          ]
        }
        "#);
    }
}
