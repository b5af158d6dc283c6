//! `GET /transfer/payroll/payslip`. It must show the account as its bank named it, its number
//! masked, and never say that something was paid that was not.

use super::{item, salary};
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::account::AccountName;
use domain::bank::DeductionKind;
use domain::order::Order;
use domain::reference::MerchantReference;
use domain::transaction::{Status, Transaction};
use pdf::PdfDocument;

pub(crate) const PATH: &str = "/transfer/payroll/payslip";

/// The form of a pay slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlipForm {
    /// The fields, in the format that is negotiated.
    Fields,
    /// A document of pages.
    Pdf,
}

const FORMS: [(&str, SlipForm); 2] = [("json", SlipForm::Fields), ("pdf", SlipForm::Pdf)];

/// Reads whose pay slip is requested, and in which form.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(MerchantReference, SlipForm), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let form = reader.choice(&attribute::FORMAT, &FORMS);
    reader.finish(|| Ok((reference?, form?.unwrap_or(SlipForm::Fields))))
}

/// The fields of the pay slip of a salary; `None` of a transaction that is none.
pub fn view(transaction: &Transaction, zone: &Zone) -> Option<Object> {
    salary(transaction).map(|_| item(transaction, zone))
}

/// The address of the pay slip of a salary.
pub(crate) fn path(reference: &MerchantReference) -> String {
    let (name, form) = (attribute::REFERENCE.name, attribute::FORMAT.name);
    format!("{PATH}?{name}={reference}&{form}=pdf")
}

/// The pay slip of a salary as a PDF file; `None` of a transaction that is none.
pub fn file(employer: &AccountName, transaction: &Transaction, zone: &Zone) -> Option<Vec<u8>> {
    let salary = salary(transaction)?;
    let Order::Bank(order) = &transaction.order else {
        return None;
    };
    let currency = salary.gross.currency().code();
    let account = &order.account;
    let head = PdfDocument::new("Pay slip")
        .line("Employer", employer.as_str())
        .line("Staff", salary.staff.as_str())
        .line("Pay period", &salary.period.to_string())
        .line("Pay date", &zone.date(salary.pay_date))
        .heading("Pay")
        .amount(
            &format!("Gross pay ({currency})"),
            &salary.gross.to_string(),
        );
    let parts = salary.deductions.iter();
    let parts = parts.fold(head, |slip, part| {
        slip.amount(name(part.kind), &format!("-{}", part.amount))
    });
    let slip = parts
        .total(&format!("Net pay ({currency})"), &order.amount.to_string())
        .heading("Payment")
        .line("Bank", &order.bank_fullname)
        .line("Account", &account.number.masked())
        .line("Account name", &account.name)
        .line("Reference", transaction.reference.as_str())
        .line("Transaction", &transaction.number.to_string())
        .line("Status", status(transaction.status()));
    Some(slip.to_bytes())
}

const fn name(kind: DeductionKind) -> &'static str {
    match kind {
        DeductionKind::Paye => "Income tax (PAYE)",
        DeductionKind::Pension => "Pension",
        DeductionKind::Nhf => "National Housing Fund",
        DeductionKind::Other => "Other deduction",
    }
}

const fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "Not paid yet",
        Status::Successful => "Paid",
        Status::Failed => "Not paid",
        Status::Reversed => "Paid and returned by the bank",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, query};
    use testkit::builders::{START, advance, at, delivered, payout, salary};

    #[test]
    fn a_slip_shows_what_the_salary_is_made_of_and_whether_it_was_paid() {
        let employer = AccountName::parse("Adé & Sons").unwrap();
        let waiting = salary().transaction();
        let paid = advance(&waiting, &delivered(&waiting), START).transaction;
        for (transaction, said) in [(&waiting, "(Not paid yet)"), (&paid, "(Paid)")] {
            let slip = file(&employer, transaction, &lagos()).unwrap();
            let text = String::from_utf8_lossy(&slip);
            for shown in [
                "(E-17)",
                "(2026-11)",
                "(25,000.00)",
                "(Pension)",
                "(-2,000.00)",
                "(20,000.00)",
                "(Guaranty Trust Bank)",
                "(******6789)",
                said,
            ] {
                assert!(text.contains(shown), "{shown}: {text}");
            }
            assert!(!text.contains("0123456789"), "{text}");
        }
        let other = payout().queued(at(0), at(60)).transaction();
        assert_eq!(file(&employer, &other, &lagos()), None);
    }

    #[test]
    fn a_slip_is_asked_for_by_the_reference_of_the_salary_in_one_of_two_forms() {
        let read = |text| parse(&query(text), Handling::Strict);
        let (named, form) = read("mrcReference=a&format=pdf").unwrap();
        assert_eq!((named.as_str(), form), ("a", SlipForm::Pdf));
        assert_eq!(read("mrcReference=a").unwrap().1, SlipForm::Fields);
        insta::assert_snapshot!(faults(read("format=csv")), @r"
        405 -
        mrcReference: is required; add it to the query of the address
        format: must be json or pdf
        ");
    }
}
