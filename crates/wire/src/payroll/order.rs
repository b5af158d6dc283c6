//! `POST /transfer/payroll`. It must refuse a salary whose parts do not come to what is paid.

use super::KINDS;
use crate::attribute;
use crate::attributes::Attributes;
use crate::bulk::{ON_FAILURE, named_apart};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bank::{
    AccountNumber, BankIdentifier, DEDUCTIONS_MAX, Deduction, Narration, PayDay, PayPeriod, Payout,
    Payroll, Salary, StaffIdentifier,
};
use domain::batch::OnFailure;
use domain::money::{Currency, Money};
use domain::reference::MerchantReference;

/// One salary as it is asked for; the pay day and the month are those of the batch.
struct Asked {
    reference: MerchantReference,
    staff: StaffIdentifier,
    bank: BankIdentifier,
    number: AccountNumber,
    gross: Money,
    deductions: Vec<Deduction>,
    net: Money,
}

/// Reads a request for salaries; their amounts are in the currency of the account, the pay day is a
/// day in its time zone.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    (currency, zone): (Currency, &Zone),
) -> Result<Payroll, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let period = reader.required(&attribute::PAY_PERIOD, PayPeriod::parse);
    let pay_day = reader.required(&attribute::PAY_DATE, |text| zone.day(text));
    let on_failure = reader.choice(&attribute::ON_FAILURE, &ON_FAILURE);
    let asked = reader.objects(&attribute::ITEMS, |item| read(item, handling, currency));
    let asked = asked.and_then(|asked| {
        let batch = reference.as_ref().ok();
        let references = asked.iter().map(|salary| &salary.reference);
        named_apart(&mut reader, batch, references)?;
        Ok(asked)
    });
    reader.finish(|| {
        let (period, pay_day) = (period?, pay_day?);
        let salaries = asked?.into_iter();
        let salaries = salaries.map(|asked| payout(asked, period, pay_day));
        Ok(Payroll {
            reference: reference?,
            on_failure: on_failure?.unwrap_or(OnFailure::Continue),
            pay_day,
            salaries: salaries.collect(),
        })
    })
}

fn read(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<Asked, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let staff = reader.required(&attribute::STAFF, StaffIdentifier::parse);
    let bank = reader.bank();
    let number = reader.bank_account();
    let gross = reader.amount_of(&attribute::PAY_GROSS, currency);
    let deductions = reader.optional_objects(&attribute::DEDUCTIONS, DEDUCTIONS_MAX, |part| {
        deduction(part, handling, currency)
    });
    let net = reader.amount_of(&attribute::PAY_NET, currency);
    reader.try_finish(|reader| {
        let asked = Asked {
            reference: reference?,
            staff: staff?,
            bank: bank?,
            number: number?,
            gross: gross?,
            deductions: deductions?,
            net: net?,
        };
        agrees(reader, &asked)?;
        Ok(asked)
    })
}

fn deduction(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<Deduction, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let kind = reader.word(&attribute::DEDUCTION_TYPE, &KINDS);
    let amount = reader.amount_of(&attribute::DEDUCTION_AMOUNT, currency);
    reader.finish(|| {
        Ok(Deduction {
            kind: kind?,
            amount: amount?,
        })
    })
}

/// What is paid is the gross pay less the deductions.
fn agrees(reader: &mut FieldReader<'_>, asked: &Asked) -> Result<(), InvalidField> {
    let message = match Salary::net_of(asked.gross, &asked.deductions) {
        Some(left) if left == asked.net => return Ok(()),
        Some(left) => format!("must be {left}, the gross pay less the deductions"),
        None => "must be above zero: the deductions are the gross pay or more".to_owned(),
    };
    Err(reader.fault(&attribute::PAY_NET, &message))
}

fn payout(asked: Asked, period: PayPeriod, pay_day: PayDay) -> Payout {
    Payout {
        reference: asked.reference,
        bank: asked.bank,
        number: asked.number,
        amount: asked.net,
        narration: Narration::of_salary(period),
        salary: Some(Box::new(Salary {
            staff: asked.staff,
            period,
            pay_date: pay_day.from,
            gross: asked.gross,
            deductions: asked.deductions,
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos};
    use domain::bank::DeductionKind;

    fn item(reference: &str, pay: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","staffIdentifier":"E-17",
                "bankIdentifier":"00000000058","accountNumber":"0123456789",{pay}}}"#
        )
    }

    const PAY: &str = r#""payGross":"120,000.00","deductions":[
        {"dedType":"paye","dedAmount":"10,000.00"},
        {"dedType":"pension","dedAmount":"9,600.00"}],"payNet":"100,400.00""#;

    fn read(pairs: &[(&str, &str)], items: &str) -> Result<Payroll, Violations> {
        let items = format!("[{items}]");
        let all = [pairs, &[("mrcReference", "\"pay-11\""), ("items", &items)]].concat();
        parse(&body(&all), Handling::Strict, (Currency::Ngn, &lagos()))
    }

    const WHEN: [(&str, &str); 2] = [("payPeriod", "\"2026-11\""), ("payDate", "\"27-11-2026\"")];

    #[test]
    fn salaries_are_read_with_what_they_are_made_of() {
        let items = [
            item("a", PAY),
            item("b", "\"payGross\":\"5\",\"payNet\":\"5\""),
        ];
        let payroll = read(&WHEN, &items.join(",")).unwrap();
        assert_eq!(payroll.reference.as_str(), "pay-11");
        assert_eq!(payroll.on_failure, OnFailure::Continue);
        // Midnight in Lagos.
        assert_eq!(payroll.pay_day.from.as_millis(), 1_795_734_000_000);
        assert_eq!(payroll.pay_day.until.as_millis(), 1_795_820_400_000);
        let [first, second] = &payroll.salaries[..] else {
            panic!("{payroll:?}");
        };
        assert_eq!(first.amount.minor(), 10_040_000);
        assert_eq!(first.narration.as_str(), "Salary 2026-11");
        let salary = first.salary.as_deref().unwrap();
        assert_eq!(salary.net(), Some(first.amount));
        assert_eq!(salary.staff.as_str(), "E-17");
        assert_eq!(salary.pay_date, payroll.pay_day.from);
        let kinds: Vec<_> = salary.deductions.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [DeductionKind::Paye, DeductionKind::Pension]);
        assert_eq!(second.salary.as_deref().unwrap().deductions, []);
    }

    #[test]
    fn every_salary_that_does_not_add_up_is_named() {
        let items = [
            PAY.replace("100,400.00", "100,400.01"),
            PAY.replace("10,000.00", "200,000.00"),
            "\"payGross\":\"0\",\"payNet\":\"5\"".to_owned(),
            PAY.replace("paye", "tax").replace("9,600.00", "0"),
        ];
        let items = items.iter().zip(["a", "b", "c", "d"]);
        let items: Vec<_> = items.map(|(pay, name)| item(name, pay)).collect();
        insta::assert_snapshot!(faults(read(&WHEN, &items.join(","))), @r"
        400 814
        items.0.payNet: must be 100,400.00, the gross pay less the deductions
        items.1.payNet: must be above zero: the deductions are the gross pay or more
        items.2.payGross: must be an amount above zero, such as 1234.00
        items.3.deductions.0.dedType: must be paye or pension or nhf or other
        items.3.deductions.1.dedAmount: must be an amount above zero, such as 1234.00
        ");
    }

    #[test]
    fn a_pay_day_and_a_month_are_needed() {
        insta::assert_snapshot!(faults(read(&[], &item("a", PAY))), @r"
        400 -
        payPeriod: is required; add it to the body
        payDate: is required; add it to the body
        ");
        let wrong = [("payPeriod", "\"11-2026\""), ("payDate", "\"2026-11-27\"")];
        insta::assert_snapshot!(faults(read(&wrong, &item("pay-11", PAY))), @r"
        400 -
        payPeriod: must be a month such as 2026-11
        payDate: must be a day such as 27-11-2026
        items.0.mrcReference: is the reference of the batch; give each object one of its own
        ");
    }

    #[test]
    fn a_salary_has_twenty_deductions_at_most() {
        let part = "{\"dedType\":\"other\",\"dedAmount\":\"1\"}";
        let pay = |count: usize| {
            let parts = vec![part; count].join(",");
            let net = 100 - count;
            item(
                "a",
                &format!("\"payGross\":\"100\",\"deductions\":[{parts}],\"payNet\":\"{net}\""),
            )
        };
        assert!(read(&WHEN, &pay(DEDUCTIONS_MAX)).is_ok());
        insta::assert_snapshot!(faults(read(&WHEN, &pay(DEDUCTIONS_MAX + 1))), @r"
        400 -
        items.0.deductions: must hold 20 objects at most
        ");
    }
}
