//! Invoices read back. A row must pass every rule that a fresh one passes.

use super::RecordError;
use super::scalar::{valid, word};
use crate::PART;
use domain::account::{AccountId, EmailAddress};
use domain::bank::GroupLabel;
use domain::collection::{PaymentReference, SaleItem};
use domain::invoice::{
    Invoice, InvoiceLine, InvoiceNumber, InvoiceStage, InvoiceState, InvoiceTotals, OpenedInvoice,
};
use domain::money::{Currency, Money};
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::invoices::InvoiceOpening;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// An invoice as stored, with the number its payer names and what was paid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InvoiceRow {
    /// Whose it is.
    pub account: String,
    /// The gateway's number of it.
    pub id: i64,
    /// The merchant's reference.
    pub reference: String,
    /// Who is to pay.
    pub customer: String,
    /// The customer's address.
    pub email: Option<String>,
    /// The customer's telephone.
    pub phone: Option<String>,
    /// The lines, as a list in JSON.
    pub items: String,
    /// What they come to with tax, in minor units.
    pub total: i64,
    /// The tax, in minor units.
    pub vat: i64,
    /// The code of the currency.
    pub currency: String,
    /// Until when it is to be paid, in milliseconds.
    pub due_at: i64,
    /// The word of how far it has come.
    pub stage: String,
    /// Its number among the opened invoices of the account.
    pub serial: Option<i64>,
    /// When it was opened, in milliseconds.
    pub opened_at: Option<i64>,
    /// Its version.
    pub version: i64,
    /// When it was created, in milliseconds.
    pub created_at: i64,
    /// The number that its payer names, which its collection has.
    pub payable: Option<String>,
    /// What was paid, in minor units.
    pub paid: i64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineRecord {
    name: String,
    quantity: u32,
    /// What one costs before tax, in minor units.
    amount: i64,
    /// The percentage of tax, as a decimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vat: Option<String>,
}

/// What an invoice is opened with: the number after the last one of its account, and no earlier
/// moment than that one has, whichever clock says so. The last one is a number and a moment in
/// milliseconds.
///
/// # Errors
/// When the account has no further number.
pub fn opened_after(
    last: Option<(i64, i64)>,
    opening: InvoiceOpening,
) -> Result<OpenedInvoice, PortError> {
    let before = last.map(|(_, at)| Timestamp::from_millis(at));
    let last = last.map(|(serial, _)| InvoiceNumber::try_new(serial));
    let number = last.transpose().and_then(InvoiceNumber::after);
    let number = number.map_err(|error| {
        let what = "an account has no further number for an invoice";
        PortError::caused(PART, what, error)
    })?;
    Ok(OpenedInvoice {
        number,
        payable: opening.payable,
        at: before.map_or(opening.at, |before| opening.at.max(before)),
    })
}

impl InvoiceRow {
    /// The row of an invoice, without payments.
    pub fn of(invoice: &Invoice) -> Self {
        let opened = invoice.stage.opened();
        Self {
            account: invoice.account.as_str().to_owned(),
            id: i64::try_from(invoice.number.get()).unwrap_or(i64::MAX),
            reference: invoice.reference.as_str().to_owned(),
            customer: invoice.customer.as_str().to_owned(),
            email: invoice.email.as_ref().map(|it| it.as_str().to_owned()),
            phone: invoice.phone.as_ref().map(|it| it.digits().to_owned()),
            items: written(&invoice.lines),
            total: invoice.totals.total.minor(),
            vat: invoice.totals.vat.minor(),
            currency: invoice.totals.total.currency().code().to_owned(),
            due_at: invoice.due_at.as_millis(),
            stage: invoice.stage.code().to_owned(),
            serial: opened.map(|it| i64::from(it.number.get())),
            opened_at: opened.map(|it| it.at.as_millis()),
            version: i64::from(invoice.version),
            created_at: invoice.created_at.as_millis(),
            payable: opened.map(|it| it.payable.as_str().to_owned()),
            paid: 0,
        }
    }

    /// The invoice, and what was paid.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the invoice.
    pub fn restore(&self) -> Result<InvoiceState, PortError> {
        self.read().map_err(|error| {
            let what = format!("invoice {} of {} cannot be read", self.id, self.account);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<InvoiceState, RecordError> {
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let lines = read(&self.items)?;
        let totals = word(InvoiceTotals::of(&lines), "items")?;
        let stored = [self.total, self.vat].map(|minor| Money::from_minor(minor, currency));
        if stored != [totals.total, totals.vat] {
            return Err(RecordError::Value("total"));
        }
        if !(0..=Money::MAX_MINOR).contains(&self.paid) {
            return Err(RecordError::Value("paid"));
        }
        let number = u64::try_from(self.id).unwrap_or_default();
        let email = self.email.as_deref().map(EmailAddress::parse).transpose();
        let phone = self.phone.as_deref().map(PhoneNumber::parse).transpose();
        Ok(InvoiceState {
            invoice: Invoice {
                account: valid(AccountId::parse(&self.account), "account")?,
                number: valid(TransactionNumber::try_new(number), "number")?,
                reference: valid(MerchantReference::parse(&self.reference), "reference")?,
                customer: valid(GroupLabel::parse(&self.customer), "customer")?,
                email: valid(email, "email")?,
                phone: valid(phone, "phone")?,
                lines,
                totals,
                due_at: Timestamp::from_millis(self.due_at),
                stage: self.stage()?,
                version: valid(u32::try_from(self.version), "version")?,
                created_at: Timestamp::from_millis(self.created_at),
            },
            paid: Money::from_minor(self.paid, currency),
        })
    }

    fn stage(&self) -> Result<InvoiceStage, RecordError> {
        let opened = match (self.serial, &self.payable, self.opened_at) {
            (None, None, None) => None,
            (Some(serial), Some(payable), Some(at)) => Some(OpenedInvoice {
                number: valid(InvoiceNumber::try_new(serial), "serial")?,
                payable: valid(PaymentReference::parse(payable), "payable")?,
                at: Timestamp::from_millis(at),
            }),
            (None | Some(_), None | Some(_), None | Some(_)) => {
                return Err(RecordError::Value("serial"));
            }
        };
        match (self.stage.as_str(), opened) {
            ("draft", None) => Ok(InvoiceStage::Draft),
            ("open", Some(opened)) => Ok(InvoiceStage::Open(opened)),
            ("void", opened) => Ok(InvoiceStage::Void(opened)),
            (_, _) => Err(RecordError::Value("stage")),
        }
    }
}

/// The text of lines.
fn written(lines: &[InvoiceLine]) -> String {
    let records = lines.iter().map(|line| {
        let mut record = serde_json::json!({
            "name": line.item.name.as_str(),
            "quantity": line.item.quantity,
            "amount": line.item.amount.minor(),
        });
        if let (Some(rate), Some(record)) = (line.vat_rate, record.as_object_mut()) {
            let rate = rate.value().normalize().to_string();
            record.insert("vat".to_owned(), rate.into());
        }
        record
    });
    serde_json::Value::Array(records.collect()).to_string()
}

/// The lines of a text.
fn read(text: &str) -> Result<Vec<InvoiceLine>, RecordError> {
    let records: Vec<LineRecord> =
        serde_json::from_str(text).map_err(|_| RecordError::Value("items"))?;
    records.iter().map(line).collect()
}

fn line(record: &LineRecord) -> Result<InvoiceLine, RecordError> {
    let rate = record.vat.as_deref().map(Percent::parse).transpose();
    let line = InvoiceLine {
        item: SaleItem {
            name: valid(GroupLabel::parse(&record.name), "items")?,
            quantity: record.quantity,
            amount: Money::from_minor(record.amount, Currency::Ngn),
        },
        vat_rate: valid(rate, "items")?,
    };
    word(Some(line).filter(InvoiceLine::fits), "items")
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{invoice, opened_invoice};

    #[test]
    fn an_invoice_is_read_back_as_it_was_written() {
        let draft = invoice("shop", 7);
        let open = draft.opened(opened_invoice(1, 9));
        for made in [draft.clone(), draft.voided(), open.clone(), open.voided()] {
            let row = InvoiceRow {
                paid: 700,
                ..InvoiceRow::of(&made)
            };
            let state = row.restore().unwrap();
            assert_eq!((state.invoice, state.paid.minor()), (made, 700));
        }
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut InvoiceRow); 18] = [
            |row| row.account = "a b".into(),
            |row| row.id = 0,
            |row| row.reference = "a b".into(),
            |row| row.customer = String::new(),
            |row| row.email = Some("ada".into()),
            |row| row.phone = Some("x".into()),
            |row| row.items = "[]".into(),
            |row| row.items = "{}".into(),
            |row| row.items = r#"[{"name":"Yam","quantity":0,"amount":500000}]"#.into(),
            |row| row.total += 1,
            |row| row.vat += 1,
            |row| row.currency = "USD".into(),
            |row| row.stage = "draft".into(),
            |row| row.stage = "sent".into(),
            |row| row.serial = Some(0),
            |row| row.serial = None,
            |row| row.payable = Some("12".into()),
            |row| row.paid = -1,
        ];
        for break_it in broken {
            let open = invoice("shop", 7).opened(opened_invoice(1, 9));
            let mut row = InvoiceRow::of(&open);
            break_it(&mut row);
            let error = row.restore().unwrap_err();
            assert!(error.to_string().contains("invoice "), "{error}");
        }
    }
}
