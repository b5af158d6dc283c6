//! Payroll: the salaries of one pay day, one file per operation. It must show each salary as what
//! it is made of, to the kobo.

pub mod order;
pub mod slip;

use crate::transaction;
use crate::tree::{Node, Object};
use crate::zone::Zone;
use domain::bank::{Deduction, DeductionKind, Salary};
use domain::order::Order;
use domain::transaction::Transaction;

const KINDS: [(&str, DeductionKind); 4] = [
    (DeductionKind::Paye.code(), DeductionKind::Paye),
    (DeductionKind::Pension.code(), DeductionKind::Pension),
    (DeductionKind::Nhf.code(), DeductionKind::Nhf),
    (DeductionKind::Other.code(), DeductionKind::Other),
];

/// The salary that a transaction pays; `None` of any other transaction.
pub fn salary(transaction: &Transaction) -> Option<&Salary> {
    match &transaction.order {
        Order::Bank(order) => order.salary.as_deref(),
        Order::Airtime(_)
        | Order::Internet(_)
        | Order::CableTv(_)
        | Order::Electricity(_)
        | Order::Sms(_)
        | Order::Whatsapp(_)
        | Order::Rcs(_)
        | Order::Voice(_)
        | Order::Ivr(_)
        | Order::Hlr(_)
        | Order::Lookup(_)
        | Order::MobileMoney(_)
        | Order::Card(_)
        | Order::International(_)
        | Order::Wallet(_)
        | Order::User(_)
        | Order::Bill(_) => None,
    }
}

/// A salary as the report of its batch shows it: its payout, what it is made of, and the address of
/// its pay slip.
pub(crate) fn item(transaction: &Transaction, zone: &Zone) -> Object {
    let payout = transaction::report(transaction, zone);
    let Some(salary) = salary(transaction) else {
        return payout;
    };
    payout
        .with("staffIdentifier", salary.staff.as_str())
        .with("payPeriod", salary.period.to_string())
        .with("payDate", zone.date(salary.pay_date))
        .with("payGross", salary.gross)
        .with("deductions", deductions(&salary.deductions))
        .with("payNet", transaction.order.amount())
        .with("paySlipUrl", slip::path(&transaction.reference))
}

fn deductions(deductions: &[Deduction]) -> Node {
    let each = deductions.iter().map(|deduction| {
        Object::new()
            .with("dedType", deduction.kind.code())
            .with("dedAmount", deduction.amount)
    });
    Node::objects("deduction", each)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{lagos, pretty};
    use testkit::builders::{at, payout, salary};

    #[test]
    fn a_salary_shows_its_payout_and_what_it_is_made_of() {
        let opened = salary().queued(at(0), at(60)).transaction();
        insta::assert_snapshot!("item", pretty(&item(&opened, &lagos()).into()));
    }

    #[test]
    fn a_payout_that_is_no_salary_is_shown_as_its_report() {
        let opened = payout().queued(at(0), at(60)).transaction();
        let report = transaction::report(&opened, &lagos());
        assert_eq!(
            pretty(&item(&opened, &lagos()).into()),
            pretty(&report.into())
        );
        assert_eq!(super::salary(&opened), None);
    }
}
