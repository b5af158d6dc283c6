//! The record of a payout. It must hold the name of the account as its bank gave it before the
//! money was held.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, StoredTimestamp, Text, valid, word};
use domain::bank::{
    AccountKind, AccountNumber, BankAccount, BankIdentifier, Deduction, DeductionKind, Narration,
    PayPeriod, PayoutOrder, Salary, StaffIdentifier,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct PayoutRecord<'a> {
    #[serde(borrow)]
    bank: Text<'a>,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    bank_fullname: Text<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    narration: Text<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    salary: Option<SalaryRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SalaryRecord<'a> {
    #[serde(borrow)]
    staff: Text<'a>,
    period: String,
    pay_date: StoredTimestamp,
    #[serde(borrow)]
    gross: MoneyRecord<'a>,
    #[serde(borrow)]
    deductions: Vec<(Text<'a>, MoneyRecord<'a>)>,
}

impl<'a> From<&'a PayoutOrder> for PayoutRecord<'a> {
    fn from(order: &'a PayoutOrder) -> Self {
        let account = &order.account;
        Self {
            bank: account.bank.as_str().into(),
            number: account.number.digits().into(),
            name: (&account.name).into(),
            kind: account.kind.code().into(),
            bank_fullname: (&order.bank_fullname).into(),
            amount: order.amount.into(),
            narration: order.narration.as_str().into(),
            salary: order.salary.as_deref().map(SalaryRecord::from),
        }
    }
}

impl<'a> From<&'a Salary> for SalaryRecord<'a> {
    fn from(salary: &'a Salary) -> Self {
        let deductions = salary.deductions.iter();
        Self {
            staff: salary.staff.as_str().into(),
            period: salary.period.to_string(),
            pay_date: salary.pay_date.into(),
            gross: salary.gross.into(),
            deductions: deductions
                .map(|it| (it.kind.code().into(), it.amount.into()))
                .collect(),
        }
    }
}

impl SalaryRecord<'_> {
    fn restore(self) -> Result<Salary, RecordError> {
        let deduction = |(kind, amount): &(Text<'_>, MoneyRecord<'_>)| {
            Ok(Deduction {
                kind: word(DeductionKind::from_code(kind), "deductions")?,
                amount: amount.restore("deductions")?,
            })
        };
        Ok(Salary {
            staff: valid(StaffIdentifier::parse(&self.staff), "staff")?,
            period: valid(PayPeriod::parse(&self.period), "period")?,
            pay_date: self.pay_date.into(),
            gross: self.gross.restore("gross")?,
            deductions: self
                .deductions
                .iter()
                .map(deduction)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl PayoutRecord<'_> {
    pub(super) fn restore(self) -> Result<PayoutOrder, RecordError> {
        let account = BankAccount {
            bank: valid(BankIdentifier::parse(&self.bank), "bank")?,
            number: valid(AccountNumber::parse(&self.number), "number")?,
            name: self.name.into_owned(),
            kind: word(AccountKind::from_code(&self.kind), "kind")?,
        };
        Ok(PayoutOrder {
            account,
            bank_fullname: self.bank_fullname.into_owned(),
            amount: self.amount.restore("amount")?,
            narration: valid(Narration::parse(&self.narration), "narration")?,
            salary: self
                .salary
                .map(|salary| salary.restore().map(Box::new))
                .transpose()?,
        })
    }
}
