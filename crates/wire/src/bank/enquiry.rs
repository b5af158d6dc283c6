//! `GET /transfer/bank/enquiry`. It must show the holder of the account as the bank names it, and
//! nothing else about it.

use crate::attributes::Attributes;
use crate::format::available;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::bank::{AccountNumber, Bank, BankAccount, BankIdentifier};

/// The account that is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountQuery {
    pub bank: BankIdentifier,
    pub number: AccountNumber,
}

/// Reads which account is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<AccountQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let bank = reader.bank();
    let number = reader.bank_account();
    reader.finish(|| {
        Ok(AccountQuery {
            bank: bank?,
            number: number?,
        })
    })
}

/// An account (interface §2.9).
pub fn view(bank: &Bank, account: &BankAccount) -> Object {
    Object::new()
        .with("bankFullname", bank.fullname.as_str())
        .with("accountName", available(&account.name))
        .with("accountNumber", account.number.digits())
        .with("accountType", account.kind.code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use domain::bank::AccountKind;
    use testkit::builders::{bank, bank_account};

    fn lenient(text: &str) -> Result<AccountQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    #[test]
    fn an_account_is_asked_for_with_its_leading_zeros() {
        let asked = lenient("bankIdentifier=00000000058&accountNumber=0123456789").unwrap();
        assert_eq!(asked.bank.as_str(), "00000000058");
        assert_eq!(asked.number.digits(), "0123456789");
    }

    #[test]
    fn a_missing_filter_is_distinguished_from_a_bad_one() {
        insta::assert_snapshot!(faults(lenient("accountNumber=x")), @r"
        405 840
        bankIdentifier: is required; add it to the query of the address
        accountNumber: must be an account number of 10 digits, with the zeros it begins with
        ");
        for text in ["", "012345678", "01234567890", "0123456a89", "%2B123456789"] {
            let read = lenient(&format!("bankIdentifier=00000000058&accountNumber={text}"));
            let expected = "400 842\naccountNumber: must be an account number of 10 digits, with \
                            the zeros it begins with";
            assert_eq!(faults(read), expected, "{text:?}");
        }
        let text = "bankIdentifier=058&accountNumber=0123456789&x=1";
        insta::assert_snapshot!(faults(parse(&query(text), Handling::Strict)), @r"
        400 840
        bankIdentifier: must be the identifier of a bank, 11 capital letters and digits
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn an_account_shows_whose_it_is_and_of_which_type() {
        let bank = bank("00000000058", "GTBank");
        let account = bank_account("00000000058", "0123456789");
        insta::assert_snapshot!(pretty(&view(&bank, &account).into()), @r#"
        {
          bankFullname: "GTBank Plc"
          accountName: "FUNMILAYO ADEYEMI"
          accountNumber: "0123456789"
          accountType: "savings"
        }
        "#);
        for kind in AccountKind::ALL {
            let account = BankAccount {
                name: String::new(),
                kind,
                ..account.clone()
            };
            let shown = pretty(&view(&bank, &account).into());
            assert!(shown.contains("accountName: \"Unavailable\""), "{shown}");
            let said = format!("accountType: \"{}\"", kind.code());
            assert!(shown.contains(&said), "{shown}");
        }
    }
}
