//! Mobile money: operators, the wallets they keep under telephone numbers, and transfers to them.
//! It must never decide whether a wallet exists: only its operator can.

use crate::bank::Narration;
use crate::country::CountryCode;
use crate::family::{AbsenceEnds, FamilyOrder};
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::subscription::BillerCode;

/// An operator as the catalogue sells transfers to its wallets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MobileMoneyOperator {
    /// The identity.
    pub code: BillerCode,
    /// Where its wallets are kept.
    pub country: CountryCode,
    /// Brand name, such as `MoMo PSB`.
    pub brandname: String,
    /// Legal name.
    pub company: String,
    /// The smallest transfer.
    pub minimum: Money,
    /// The largest transfer.
    pub maximum: Money,
    /// Whether its wallets can be paid at the moment.
    pub available: bool,
}

/// Whether a wallet takes money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MobileWalletStatus {
    /// It does.
    Available,
    /// Its operator keeps it closed: it is barred, or its owner was never identified.
    Unavailable,
}

impl MobileWalletStatus {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Available, Self::Unavailable];

    /// The word on the interface and in records, as the GSMA's Mobile Money API has it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Unavailable => "unavailable",
        }
    }

    /// The status of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }
}

/// A wallet as its operator knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MobileWallet {
    /// The operator that keeps it.
    pub operator: BillerCode,
    /// The telephone number it is kept under.
    pub number: PhoneNumber,
    /// Its owner.
    pub name: String,
    /// Whether it takes money.
    pub status: MobileWalletStatus,
}

/// A transfer as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MobileMoneyTransfer {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The country of the operator.
    pub country: CountryCode,
    /// The operator that keeps the wallet.
    pub operator: BillerCode,
    /// The number of the wallet.
    pub number: PhoneNumber,
    /// What to credit it with.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
}

/// A transfer with the owner of the wallet as its operator named them before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MobileMoneyOrder {
    /// The operator that keeps the wallet.
    pub operator: BillerCode,
    /// Its brand name.
    pub brandname: String,
    /// Its country.
    pub country: CountryCode,
    /// The number of the wallet.
    pub number: PhoneNumber,
    /// Its owner.
    pub account_name: String,
    /// What to credit it with.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
}

impl FamilyOrder for MobileMoneyOrder {
    /// As at banks: money that arrived in a wallet cannot be fetched back.
    const ABSENCE: AbsenceEnds = AbsenceEnds::Search;

    /// The number of the wallet and its owner.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::MobileMoney
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        let digits = self.number.digits();
        let last = digits.get(digits.len().saturating_sub(4)..);
        format!(
            "Mobile money {} ******{}",
            self.brandname,
            last.unwrap_or_default()
        )
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn biller(&self) -> Option<&str> {
        Some(self.operator.as_str())
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.country)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::MobileMoney)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    #[test]
    fn a_statement_shows_the_operator_and_the_end_of_the_number() {
        let order = MobileMoneyOrder {
            operator: BillerCode::parse("901").unwrap(),
            brandname: "MoMo PSB".to_owned(),
            country: CountryCode::NIGERIA,
            number: PhoneNumber::parse("2348031236789").unwrap(),
            account_name: "FUNMILAYO ADEYEMI".to_owned(),
            amount: Money::from_minor(100_000, Currency::Ngn),
            narration: Narration::parse("Rent").unwrap(),
        };
        assert_eq!(order.narration(), "Mobile money MoMo PSB ******6789");
    }

    #[test]
    fn a_status_is_read_back_from_its_word() {
        for status in MobileWalletStatus::ALL {
            assert_eq!(MobileWalletStatus::from_code(status.code()), Some(status));
        }
        assert_eq!(MobileWalletStatus::from_code("unregistered"), None);
    }
}
