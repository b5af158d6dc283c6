//! `GET /transfer/mobilemoney/enquiry`. It must show the owner of the wallet as the operator names
//! them, and nothing else about them.

use crate::attribute::PROVIDER_IDENTIFIER;
use crate::attributes::Attributes;
use crate::format::available;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::mobile_money::{MobileMoneyOperator, MobileWallet};
use domain::phone::PhoneNumber;
use domain::subscription::BillerCode;

/// The wallet that is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletQuery {
    pub operator: BillerCode,
    pub number: PhoneNumber,
}

/// Reads which wallet is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<WalletQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let operator = reader.required(&PROVIDER_IDENTIFIER, BillerCode::parse);
    let number = reader.phone();
    reader.finish(|| {
        Ok(WalletQuery {
            operator: operator?,
            number: number?,
        })
    })
}

/// A wallet.
pub fn view(operator: &MobileMoneyOperator, wallet: &MobileWallet) -> Object {
    Object::new()
        .with("identifier", operator.code.as_str())
        .with("brandname", operator.brandname.as_str())
        .with("number", wallet.number.digits())
        .with("accountName", available(&wallet.name))
        .with("accountStatus", wallet.status.code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use domain::mobile_money::MobileWalletStatus;
    use testkit::builders::{mobile_money_operator, mobile_wallet};

    fn lenient(text: &str) -> Result<WalletQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    #[test]
    fn a_wallet_is_asked_for_by_its_operator_and_number() {
        let asked = lenient("identifier=901&number=2348031234567").unwrap();
        assert_eq!(asked.operator.as_str(), "901");
        assert_eq!(asked.number.digits(), "2348031234567");
        insta::assert_snapshot!("missing", faults(lenient("number=x")));
        let strict = parse(&query("identifier=x&x=1"), Handling::Strict);
        insta::assert_snapshot!("wrong", faults(strict));
    }

    #[test]
    fn a_wallet_shows_whose_it_is_and_whether_it_takes_money() {
        let operator = mobile_money_operator("901", "MoMo PSB");
        let wallet = mobile_wallet("901", "2348031234567");
        insta::assert_snapshot!("wallet", pretty(&view(&operator, &wallet).into()));
        let closed = MobileWallet {
            name: String::new(),
            status: MobileWalletStatus::Unavailable,
            ..wallet
        };
        let shown = pretty(&view(&operator, &closed).into());
        assert!(shown.contains("accountName: \"Unavailable\""), "{shown}");
        assert!(shown.contains("accountStatus: \"unavailable\""), "{shown}");
    }
}
