//! Salaries.

use super::{PurchaseBuilder, START, bank_account, naira};
use domain::bank::charges::Charges;
use domain::bank::{
    Deduction, DeductionKind, Narration, PayPeriod, PayoutOrder, Salary, StaffIdentifier,
};
use domain::order::Order;

/// The salary of a month, 20,000.00 after deductions, charged as a payout without the levy and
/// ordered like [`airtime`](super::airtime).
pub fn salary() -> PurchaseBuilder {
    let deduction = |kind, amount| Deduction {
        kind,
        amount: naira(amount),
    };
    let period = PayPeriod::parse("2026-11").expect("a month");
    let order = PayoutOrder {
        account: bank_account("00000000058", "0123456789"),
        bank_fullname: "Guaranty Trust Bank".into(),
        amount: naira("20,000.00"),
        narration: Narration::of_salary(period),
        salary: Some(Box::new(Salary {
            staff: StaffIdentifier::parse("E-17").expect("a staff identifier"),
            period,
            pay_date: START,
            gross: naira("25,000.00"),
            deductions: vec![
                deduction(DeductionKind::Paye, "3,000.00"),
                deduction(DeductionKind::Pension, "2,000.00"),
            ],
        })),
    };
    PurchaseBuilder::of_product(Order::Bank(order)).charged(Charges {
        charge: naira("25.00"),
        vat: naira("1.88"),
        levy: naira("0.00"),
    })
}
