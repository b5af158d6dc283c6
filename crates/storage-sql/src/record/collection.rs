//! Collections and their payments read back. A row must pass every rule that a fresh one passes.

use super::scalar::{valid, word};
use super::{RecordError, sale_items};
use crate::PART;
use domain::account::{AccountId, EmailAddress};
use domain::bank::{AccountNumber, GroupLabel};
use domain::collection::{
    BILL_ITEMS_MAX, BankSession, BillTerms, CheckoutTerms, CollectedPayment, Collection,
    CollectionAdmission, CollectionFee, CollectionKind, CollectionPaid, CollectionPayer,
    CollectionPurpose, CollectionSource, CollectionState, CustomerIdentity, IdentityRegister,
    NewCollection, PaymentReference, RedirectUrl, SALE_ITEMS_MAX, SaleItem, VirtualAccount,
};
use domain::money::{Currency, Money};
use domain::phone::PhoneNumber;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::collections::CollectionSort;
use ports::{PortError, PortErrorKind};

/// A collection as stored, with what was paid to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectionRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// The merchant's reference.
    pub reference: String,
    /// The word of its kind.
    pub kind: String,
    /// The number that payers type.
    pub payee: String,
    /// Who pays.
    pub payer: String,
    /// What is to be paid, in minor units.
    pub amount: Option<i64>,
    /// The code of its currency.
    pub currency: String,
    /// When it ends, in milliseconds.
    pub expires_at: Option<i64>,
    /// The word of what its merchant allows.
    pub admission: String,
    /// Its version.
    pub version: i64,
    /// When it was made, in milliseconds.
    pub created_at: i64,
    /// The bank of an account.
    pub bank: Option<String>,
    /// The customer's address.
    pub email: Option<String>,
    /// The customer's telephone.
    pub phone: Option<String>,
    /// The word of the register that the customer is in.
    pub register: Option<String>,
    /// The last four digits there.
    pub identity: Option<String>,
    /// Whether an account is for one payment.
    pub single: bool,
    /// The word of the purpose of an invoice.
    pub purpose: Option<String>,
    /// Whether an invoice may be paid in parts.
    pub in_parts: bool,
    /// Where the customer of a checkout session goes back to.
    pub redirect: Option<String>,
    /// What a checkout session sells, as a list in JSON.
    pub items: Option<String>,
    /// What was paid, in minor units.
    pub paid: i64,
    /// The largest payment, in minor units.
    pub largest: i64,
    /// What was charged for the payments, in minor units.
    pub fees: i64,
    /// How many payments.
    pub payments: i64,
}

/// A payment to a collection as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectedRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// The number of the collection.
    pub collection: i64,
    /// The merchant's reference of the collection.
    pub reference: String,
    /// The word of the source.
    pub source: String,
    /// The session.
    pub session: String,
    /// How much, in minor units.
    pub amount: i64,
    /// The code of its currency.
    pub currency: String,
    /// What was charged, in minor units.
    pub charge: i64,
    /// The tax on that, in minor units.
    pub vat: i64,
    /// Who paid.
    pub payer_name: Option<String>,
    /// From which bank.
    pub payer_bank: Option<String>,
    /// The last four digits of the account there.
    pub payer_account: Option<String>,
    /// When the bank took it, in milliseconds.
    pub paid_at: i64,
    /// When it was recorded, in milliseconds.
    pub at: i64,
}

impl CollectionRow {
    /// The row of a collection, without payments.
    pub fn of(collection: &Collection) -> Self {
        let mut row = Self {
            account: collection.account.as_str().to_owned(),
            number: key(collection.number),
            reference: collection.reference.as_str().to_owned(),
            kind: CollectionSort::of(&collection.kind).code().to_owned(),
            payee: collection.kind.payee().to_owned(),
            payer: collection.payer.as_str().to_owned(),
            amount: collection.amount.map(Money::minor),
            currency: Currency::Ngn.code().to_owned(),
            expires_at: collection.expires_at.map(Timestamp::as_millis),
            admission: collection.admission.code().to_owned(),
            version: i64::from(collection.version),
            created_at: collection.created_at.as_millis(),
            ..Self::default()
        };
        match &collection.kind {
            CollectionKind::Account(account) => {
                let identity = account.identity.as_ref();
                row.bank = Some(account.bank.as_str().to_owned());
                row.email = account.email.as_ref().map(|it| it.as_str().to_owned());
                row.phone = account.phone.as_ref().map(|it| it.digits().to_owned());
                row.register = identity.map(|it| it.register.code().to_owned());
                row.identity = identity.map(|it| it.last.clone());
                row.single = account.is_single;
            }
            CollectionKind::Invoice {
                purpose, in_parts, ..
            } => {
                row.purpose = Some(purpose.code().to_owned());
                row.in_parts = *in_parts;
            }
            CollectionKind::Checkout(terms) => {
                row.email = terms.email.as_ref().map(|it| it.as_str().to_owned());
                row.phone = terms.phone.as_ref().map(|it| it.digits().to_owned());
                row.redirect = Some(terms.redirect.as_str().to_owned());
                row.items = Some(sale_items::write(&terms.items));
            }
            CollectionKind::Bill(terms) => {
                row.email = terms.email.as_ref().map(|it| it.as_str().to_owned());
                row.phone = terms.phone.as_ref().map(|it| it.digits().to_owned());
                row.items = Some(sale_items::write(&terms.items));
            }
        }
        row
    }

    /// The collection, and what was paid to it.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the collection.
    pub fn restore(&self) -> Result<CollectionState, PortError> {
        self.read().map_err(|error| {
            let what = format!(
                "collection {} of {} cannot be read",
                self.number, self.account
            );
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<CollectionState, RecordError> {
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let amount = self.amount.map(|minor| {
            let amount = Money::from_minor(minor, currency);
            valid(NewCollection::check(amount), "amount").map(|()| amount)
        });
        let paid = |minor, field| counted(minor, currency, field);
        Ok(CollectionState {
            collection: Collection {
                account: valid(AccountId::parse(&self.account), "account")?,
                number: drawn(self.number, "number")?,
                reference: valid(MerchantReference::parse(&self.reference), "reference")?,
                payer: valid(GroupLabel::parse(&self.payer), "payer")?,
                kind: self.kind()?,
                amount: amount.transpose()?,
                expires_at: self.expires_at.map(Timestamp::from_millis),
                admission: word(CollectionAdmission::from_code(&self.admission), "admission")?,
                version: valid(u32::try_from(self.version), "version")?,
                created_at: Timestamp::from_millis(self.created_at),
            },
            paid: CollectionPaid {
                total: paid(self.paid, "paid")?,
                largest: paid(self.largest, "largest")?,
                fees: paid(self.fees, "fees")?,
                count: valid(u64::try_from(self.payments), "payments")?,
            },
        })
    }

    fn kind(&self) -> Result<CollectionKind, RecordError> {
        match self.kind.as_str() {
            "account" => self.virtual_account().map(CollectionKind::Account),
            "invoice" => {
                let purpose = self.purpose.as_deref();
                let purpose = purpose.and_then(CollectionPurpose::from_code);
                Ok(CollectionKind::Invoice {
                    reference: valid(PaymentReference::parse(&self.payee), "payee")?,
                    purpose: word(purpose, "purpose")?,
                    in_parts: self.in_parts,
                })
            }
            "checkout" => self.checkout().map(CollectionKind::Checkout),
            "bill" => self.bill().map(CollectionKind::Bill),
            _ => Err(RecordError::Value("kind")),
        }
    }

    fn checkout(&self) -> Result<CheckoutTerms, RecordError> {
        let (email, phone) = self.contact()?;
        Ok(CheckoutTerms {
            reference: valid(PaymentReference::parse(&self.payee), "payee")?,
            email,
            phone,
            redirect: valid(
                RedirectUrl::parse(self.redirect.as_deref().unwrap_or_default()),
                "redirect",
            )?,
            items: self.items(SALE_ITEMS_MAX)?,
        })
    }

    fn bill(&self) -> Result<BillTerms, RecordError> {
        let (email, phone) = self.contact()?;
        Ok(BillTerms {
            reference: valid(PaymentReference::parse(&self.payee), "payee")?,
            email,
            phone,
            items: self.items(BILL_ITEMS_MAX)?,
        })
    }

    fn items(&self, most: usize) -> Result<Vec<SaleItem>, RecordError> {
        let items = sale_items::read(self.items.as_deref().unwrap_or_default())?;
        word(Some(items).filter(|items| items.len() <= most), "items")
    }

    fn contact(&self) -> Result<(Option<EmailAddress>, Option<PhoneNumber>), RecordError> {
        let email = self.email.as_deref().map(EmailAddress::parse).transpose();
        let phone = self.phone.as_deref().map(PhoneNumber::parse).transpose();
        Ok((valid(email, "email")?, valid(phone, "phone")?))
    }

    fn virtual_account(&self) -> Result<VirtualAccount, RecordError> {
        let bank = word(self.bank.as_deref(), "bank")?;
        let (email, phone) = self.contact()?;
        let identity = match (&self.register, &self.identity) {
            (None, None) => None,
            (Some(register), Some(last)) => Some(CustomerIdentity {
                register: word(IdentityRegister::from_code(register), "register")?,
                last: last.clone(),
            }),
            (Some(_), None) | (None, Some(_)) => return Err(RecordError::Value("identity")),
        };
        Ok(VirtualAccount {
            bank: valid(GroupLabel::parse(bank), "bank")?,
            number: valid(AccountNumber::parse(&self.payee), "payee")?,
            email,
            phone,
            identity,
            is_single: self.single,
        })
    }
}

impl CollectedRow {
    /// The row of a payment.
    pub fn of(payment: &CollectedPayment) -> Self {
        Self {
            account: payment.account.as_str().to_owned(),
            number: key(payment.number),
            collection: key(payment.collection),
            reference: payment.reference.as_str().to_owned(),
            source: payment.source.code().to_owned(),
            session: payment.session.as_str().to_owned(),
            amount: payment.amount.minor(),
            currency: payment.amount.currency().code().to_owned(),
            charge: payment.fee.charge.minor(),
            vat: payment.fee.vat.minor(),
            payer_name: payment.payer.name.clone(),
            payer_bank: payment.payer.bank.clone(),
            payer_account: payment.payer.account_last.clone(),
            paid_at: payment.paid_at.as_millis(),
            at: payment.at.as_millis(),
        }
    }

    /// The payment.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the payment.
    pub fn restore(&self) -> Result<CollectedPayment, PortError> {
        self.read().map_err(|error| {
            let what = format!("payment {} to {} cannot be read", self.number, self.account);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<CollectedPayment, RecordError> {
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let amount = counted(self.amount, currency, "amount")?;
        let fee = CollectionFee {
            charge: counted(self.charge, currency, "charge")?,
            vat: counted(self.vat, currency, "vat")?,
        };
        let is_covered = fee.net(amount).is_some_and(|net| net.minor() >= 0);
        if !amount.is_positive() || !is_covered {
            return Err(RecordError::Value("amount"));
        }
        Ok(CollectedPayment {
            account: valid(AccountId::parse(&self.account), "account")?,
            number: drawn(self.number, "number")?,
            collection: drawn(self.collection, "collection")?,
            reference: valid(MerchantReference::parse(&self.reference), "reference")?,
            source: word(CollectionSource::from_code(&self.source), "source")?,
            session: valid(BankSession::parse(&self.session), "session")?,
            amount,
            fee,
            payer: CollectionPayer {
                name: self.payer_name.clone(),
                bank: self.payer_bank.clone(),
                account_last: self.payer_account.clone(),
            },
            paid_at: Timestamp::from_millis(self.paid_at),
            at: Timestamp::from_millis(self.at),
        })
    }
}

fn key(number: TransactionNumber) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

fn drawn(stored: i64, field: &'static str) -> Result<TransactionNumber, RecordError> {
    let number = u64::try_from(stored).unwrap_or_default();
    valid(TransactionNumber::try_new(number), field)
}

fn counted(minor: i64, currency: Currency, field: &'static str) -> Result<Money, RecordError> {
    let fits = (0..=Money::MAX_MINOR).contains(&minor);
    let amount = fits.then(|| Money::from_minor(minor, currency));
    amount.ok_or(RecordError::Value(field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{
        checkout, collected, invoice, opened_invoice, payment_reference, virtual_account,
    };

    #[test]
    fn a_collection_is_read_back_as_it_was_written() {
        let all = [
            virtual_account("shop", 7),
            payment_reference("shop", 8),
            checkout("shop", 9),
            invoice("shop", 10)
                .opened(opened_invoice(1, 10))
                .bill()
                .unwrap(),
        ];
        for made in all {
            let row = CollectionRow {
                paid: 700,
                largest: 400,
                fees: 30,
                payments: 2,
                ..CollectionRow::of(&made)
            };
            let state = row.restore().unwrap();
            assert_eq!(state.collection, made);
            assert_eq!(
                (state.paid.total.minor(), state.paid.fees.minor()),
                (700, 30)
            );
            assert_eq!((state.paid.largest.minor(), state.paid.count), (400, 2));
        }
        let paid = collected(&virtual_account("shop", 7), (9, "session-9"), "1,000.00");
        assert_eq!(CollectedRow::of(&paid).restore().unwrap(), paid);
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut CollectionRow); 12] = [
            |row| row.account = "a b".into(),
            |row| row.number = 0,
            |row| row.reference = "a b".into(),
            |row| row.kind = "loan".into(),
            |row| row.payee = "12".into(),
            |row| row.payer = String::new(),
            |row| row.amount = Some(0),
            |row| row.currency = "USD".into(),
            |row| row.admission = "open".into(),
            |row| row.bank = None,
            |row| row.identity = None,
            |row| row.paid = -1,
        ];
        for break_it in broken {
            let mut row = CollectionRow::of(&virtual_account("shop", 7));
            break_it(&mut row);
            let error = row.restore().unwrap_err();
            assert!(error.to_string().contains("collection"), "{error}");
        }
        let broken: [fn(&mut CollectionRow); 7] = [
            |row| row.payee = "1".into(),
            |row| row.redirect = None,
            |row| row.redirect = Some("http://shop.example".into()),
            |row| row.items = None,
            |row| row.items = Some("{}".into()),
            |row| row.items = Some(r#"[{"name":"Yam","quantity":0,"amount":100}]"#.into()),
            |row| row.email = Some("ada".into()),
        ];
        for break_it in broken {
            let mut row = CollectionRow::of(&checkout("shop", 7));
            break_it(&mut row);
            let error = row.restore().unwrap_err();
            assert!(error.to_string().contains("collection"), "{error}");
        }
        let broken: [fn(&mut CollectedRow); 6] = [
            |row| row.amount = 0,
            |row| row.charge = row.amount.saturating_add(1),
            |row| row.vat = -1,
            |row| row.source = "paper".into(),
            |row| row.session = "a b".into(),
            |row| row.collection = 0,
        ];
        for break_it in broken {
            let paid = collected(&virtual_account("shop", 7), (9, "session-9"), "1,000.00");
            let mut row = CollectedRow::of(&paid);
            break_it(&mut row);
            let error = row.restore().unwrap_err();
            assert!(error.to_string().contains("payment"), "{error}");
        }
    }
}
