//! What the merchant asked to pay to an account. The account is frozen as its bank named it; it
//! must never be looked up again afterwards.

use super::{AccountNumber, BankAccount, BankIdentifier, Narration, Salary};
use crate::family::{AbsenceEnds, FamilyOrder};
use crate::money::Money;
use crate::order::Service;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::time::Timestamp;

/// A payout as asked for (interface §4.7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payout {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The bank that keeps the account.
    pub bank: BankIdentifier,
    /// The account to credit.
    pub number: AccountNumber,
    /// What to credit it with.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
    /// What it is made of, where it is a salary.
    pub salary: Option<Box<Salary>>,
}

/// A payout with the account as its bank named it before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutOrder {
    /// The account to credit.
    pub account: BankAccount,
    /// Legal name of its bank.
    pub bank_fullname: String,
    /// What to credit it with.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
    /// What it is made of, where it is a salary.
    pub salary: Option<Box<Salary>>,
}

impl FamilyOrder for PayoutOrder {
    const ABSENCE: AbsenceEnds = AbsenceEnds::Search;

    /// The number of the account and its owner.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Bank
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!(
            "Payout {} {}",
            self.bank_fullname,
            self.account.number.masked()
        )
    }

    fn digits(&self) -> &str {
        self.account.number.digits()
    }

    fn biller(&self) -> Option<&str> {
        Some(self.account.bank.as_str())
    }

    /// A salary is not sent before its pay day.
    fn send_from(&self) -> Option<Timestamp> {
        self.salary.as_ref().map(|salary| salary.pay_date)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Bank)
    }
}
