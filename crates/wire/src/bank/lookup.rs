//! `GET /transfer/bank/lookup`. It must show what is on record, and a placeholder where nothing is.

use crate::attributes::Attributes;
use crate::format::available;
use crate::logo;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::bank::{Bank, BankCode, BankIdentifier, TransferCode};

/// Reads which bank is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<BankIdentifier, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let bank = reader.bank();
    reader.finish(|| bank)
}

/// A bank (interface §2.9): an entry of the list, or the whole answer.
pub fn view(bank: &Bank) -> Object {
    let code = bank.code.as_ref().map(BankCode::as_str);
    let transfer = bank.transfer_code.as_ref().map(TransferCode::as_str);
    let logo = logo::shown(&bank.shortname);
    Object::new()
        .with("bankIdentifier", bank.identifier.as_str())
        .with("bankType", bank.kind.label())
        .with("bankShortname", bank.shortname.as_str())
        .with("bankFullname", bank.fullname.as_str())
        .with("bankLogo", logo)
        .with("codeBank", or_unavailable(code))
        .with("codeTransfer", or_unavailable(transfer))
        .with("codeUSSD", or_unavailable(bank.ussd.as_deref()))
}

fn or_unavailable(text: Option<&str>) -> Node {
    available(text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use testkit::builders::bank;

    fn lenient(text: &str) -> Result<BankIdentifier, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    #[test]
    fn a_bank_is_asked_for_by_its_identifier_alone() {
        let asked = lenient("bankIdentifier=00000000058").unwrap();
        assert_eq!(asked.as_str(), "00000000058");
        let small = lenient("bankIdentifier=ngnip000013").unwrap();
        assert_eq!(small.as_str(), "NGNIP000013");
        insta::assert_snapshot!(faults(lenient("bankidentifier=00000000058")), @r"
        405 840
        bankIdentifier: is required; add it to the query of the address
        ");
        for text in [
            "",
            "058",
            "GTBank",
            "0000000005-",
            "000000000058",
            "00000+00058",
        ] {
            let read = lenient(&format!("bankIdentifier={text}"));
            let shape = "must be the identifier of a bank, 11 capital letters and digits";
            assert_eq!(
                faults(read),
                format!("400 840\nbankIdentifier: {shape}"),
                "{text:?}"
            );
        }
        let strict = parse(&query("bankIdentifier=00000000058&x=1"), Handling::Strict);
        let expected = "400 -\nx: is not an attribute of this request; leave it out";
        assert_eq!(faults(strict), expected);
    }

    #[test]
    fn a_bank_shows_a_placeholder_for_what_it_does_not_have() {
        let gtbank = bank("00000000058", "GTBank");
        insta::assert_snapshot!("bank", pretty(&view(&gtbank).into()));
        let bare = Bank {
            code: None,
            transfer_code: None,
            ussd: None,
            ..gtbank
        };
        insta::assert_snapshot!("bare_bank", pretty(&view(&bare).into()));
    }
}
