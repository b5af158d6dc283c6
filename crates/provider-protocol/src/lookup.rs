//! Questions about customers and their answers. A lookup must have no effect, and what it answers
//! must be what the biller says now.

use crate::amount::Amount;
use crate::document::{DocumentError, valid, word};
use crate::moment::Moment;
use domain::bank::{AccountKind, AccountNumber, BankAccount, BankIdentifier};
use domain::bill::{BillAccount, BillCategory, BillNumber, BillQuery};
use domain::billing::Billing;
use domain::cabletv::{CablePlan, Smartcard, SmartcardNumber};
use domain::electricity::{DiscoCode, MeterNumber};
use domain::labelled_value::LabelledValue;
use domain::phone::PhoneNumber;
use domain::subscription::{BillerCode, PlanCode};
use serde::{Deserialize, Serialize};

/// Shows a document that holds a customer's data by its name alone.
macro_rules! shown_by_name {
    ($($Document:ident $(<$T:ident>)?),*) => {$(
        impl $(<$T>)? std::fmt::Debug for $Document $(<$T>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Document)).finish_non_exhaustive()
            }
        }
    )*};
}

shown_by_name!(
    MeterLookup,
    SmartcardLookup,
    AccountLookup,
    CustomerLookup,
    LabelledValueDocument,
    SmartcardDocument,
    BankAccountDocument,
    BillAccountDocument,
    LookupAnswer<T>
);

/// The answer to a lookup. A `result` that is not listed is read as [`Self::Unlisted`].
#[derive(Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "camelCase")]
pub enum LookupAnswer<T> {
    /// The biller knows the customer.
    Found {
        /// As it knows it.
        customer: T,
    },
    /// The biller knows no such customer.
    Unknown,
    /// The biller cannot be reached.
    Unreachable,
    /// Another word.
    #[serde(other)]
    Unlisted,
}

/// `POST /lookups/meter`.
#[derive(Serialize, Deserialize)]
pub struct MeterLookup {
    biller: String,
    number: String,
    billing: String,
}

impl MeterLookup {
    /// The question about a meter.
    pub fn new(disco: &DiscoCode, number: &MeterNumber, billing: Billing) -> Self {
        Self {
            biller: disco.as_str().to_owned(),
            number: number.digits().to_owned(),
            billing: billing.code().to_owned(),
        }
    }

    /// What is asked for.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn parts(&self) -> Result<(DiscoCode, MeterNumber, Billing), DocumentError> {
        Ok((
            valid(DiscoCode::parse(&self.biller), "biller")?,
            valid(MeterNumber::parse(&self.number), "number")?,
            word(Billing::from_code(&self.billing), "billing")?,
        ))
    }
}

/// `POST /lookups/smartcard`.
#[derive(Serialize, Deserialize)]
pub struct SmartcardLookup {
    biller: String,
    number: String,
}

impl SmartcardLookup {
    /// The question about a smartcard.
    pub fn new(provider: &BillerCode, number: &SmartcardNumber) -> Self {
        Self {
            biller: provider.as_str().to_owned(),
            number: number.digits().to_owned(),
        }
    }

    /// What is asked for.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn parts(&self) -> Result<(BillerCode, SmartcardNumber), DocumentError> {
        Ok((
            valid(BillerCode::parse(&self.biller), "biller")?,
            valid(SmartcardNumber::parse(&self.number), "number")?,
        ))
    }
}

/// `POST /lookups/account`: whose an account at a bank is.
#[derive(Serialize, Deserialize)]
pub struct AccountLookup {
    bank: String,
    number: String,
}

impl AccountLookup {
    /// The question about an account.
    pub fn new(bank: &BankIdentifier, number: &AccountNumber) -> Self {
        Self {
            bank: bank.as_str().to_owned(),
            number: number.digits().to_owned(),
        }
    }

    /// What is asked for.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn parts(&self) -> Result<(BankIdentifier, AccountNumber), DocumentError> {
        Ok((
            valid(BankIdentifier::parse(&self.bank), "bank")?,
            valid(AccountNumber::parse(&self.number), "number")?,
        ))
    }
}

/// `POST /lookups/customer`: a customer of a biller of any category.
#[derive(Serialize, Deserialize)]
pub struct CustomerLookup {
    service: String,
    biller: String,
    number: String,
    #[serde(default)]
    fields: Vec<LabelledValueDocument>,
}

/// What a biller wants to know of a customer beside the number.
#[derive(Serialize, Deserialize)]
pub struct LabelledValueDocument {
    name: String,
    label: String,
    value: String,
}

impl From<&LabelledValue> for LabelledValueDocument {
    fn from(field: &LabelledValue) -> Self {
        Self {
            name: field.name.clone(),
            label: field.label.clone(),
            value: field.value.clone(),
        }
    }
}

impl From<LabelledValueDocument> for LabelledValue {
    fn from(field: LabelledValueDocument) -> Self {
        Self {
            name: field.name,
            label: field.label,
            value: field.value,
        }
    }
}

impl From<&BillQuery> for CustomerLookup {
    fn from(query: &BillQuery) -> Self {
        Self {
            service: query.category.code().to_owned(),
            biller: query.biller.as_str().to_owned(),
            number: query.number.digits().to_owned(),
            fields: query.fields.iter().map(Into::into).collect(),
        }
    }
}

impl CustomerLookup {
    /// What is asked for.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn query(self) -> Result<BillQuery, DocumentError> {
        let category = word(BillCategory::from_code(&self.service), "service")?;
        Ok(BillQuery {
            category,
            biller: valid(BillerCode::parse(&self.biller), "biller")?,
            number: valid(BillNumber::parse(category, &self.number), "number")?,
            fields: self.fields.into_iter().map(Into::into).collect(),
        })
    }
}

/// A smartcard as its provider knows it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SmartcardDocument {
    biller: String,
    biller_name: String,
    number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_type: Option<String>,
    customer_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plan: Option<CurrentPlanDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<Moment>,
    status: String,
    balance: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CurrentPlanDocument {
    code: String,
    name: String,
    validity_days: u16,
    amount: Amount,
}

impl From<&Smartcard> for SmartcardDocument {
    fn from(card: &Smartcard) -> Self {
        let plan = |plan: &CablePlan| CurrentPlanDocument {
            code: plan.code.as_str().to_owned(),
            name: plan.name.clone(),
            validity_days: plan.validity_days,
            amount: plan.amount.into(),
        };
        let phone = |number: &PhoneNumber| number.digits().to_owned();
        Self {
            biller: card.provider.as_str().to_owned(),
            biller_name: card.brandname.clone(),
            number: card.number.digits().to_owned(),
            customer_type: card.customer_type.clone(),
            customer_name: card.customer_name.clone(),
            customer_address: card.customer_address.clone(),
            customer_number: card.customer_number.as_ref().map(phone),
            plan: card.plan.as_ref().map(plan),
            due_at: card.due_at.map(Into::into),
            status: card.status.clone(),
            balance: card.balance.into(),
        }
    }
}

impl SmartcardDocument {
    /// The smartcard.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn smartcard(self) -> Result<Smartcard, DocumentError> {
        let plan = |plan: CurrentPlanDocument| {
            Ok(CablePlan {
                code: valid(PlanCode::parse(&plan.code), "plan.code")?,
                name: plan.name,
                validity_days: plan.validity_days,
                amount: plan.amount.money("plan.amount")?,
            })
        };
        let phone = self.customer_number.as_deref().map(PhoneNumber::parse);
        Ok(Smartcard {
            provider: valid(BillerCode::parse(&self.biller), "biller")?,
            brandname: self.biller_name,
            number: valid(SmartcardNumber::parse(&self.number), "number")?,
            customer_type: self.customer_type,
            customer_name: self.customer_name,
            customer_address: self.customer_address,
            customer_number: valid(phone.transpose(), "customerNumber")?,
            plan: self.plan.map(plan).transpose()?,
            due_at: self.due_at.map(Into::into),
            status: self.status,
            balance: self.balance.money("balance")?,
        })
    }
}

/// An account as its bank knows it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BankAccountDocument {
    bank: String,
    number: String,
    account_name: String,
    account_kind: String,
}

impl From<&BankAccount> for BankAccountDocument {
    fn from(account: &BankAccount) -> Self {
        Self {
            bank: account.bank.as_str().to_owned(),
            number: account.number.digits().to_owned(),
            account_name: account.name.clone(),
            account_kind: account.kind.code().to_owned(),
        }
    }
}

impl BankAccountDocument {
    /// The account.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn account(self) -> Result<BankAccount, DocumentError> {
        Ok(BankAccount {
            bank: valid(BankIdentifier::parse(&self.bank), "bank")?,
            number: valid(AccountNumber::parse(&self.number), "number")?,
            name: self.account_name,
            kind: word(AccountKind::from_code(&self.account_kind), "accountKind")?,
        })
    }
}

/// A customer as a biller knows it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BillAccountDocument {
    biller: String,
    number: String,
    customer_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_address: Option<String>,
    billing: String,
    debt: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bill_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bill_period: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<Moment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tariff_band: Option<String>,
}

impl From<&BillAccount> for BillAccountDocument {
    fn from(account: &BillAccount) -> Self {
        Self {
            biller: account.biller.as_str().to_owned(),
            number: account.number.digits().to_owned(),
            customer_name: account.customer_name.clone(),
            customer_address: account.customer_address.clone(),
            billing: account.billing.code().to_owned(),
            debt: account.debt.into(),
            bill_reference: account.bill_reference.clone(),
            bill_period: account.bill_period.clone(),
            due_at: account.due_at.map(Into::into),
            tariff_band: account.tariff_band.clone(),
        }
    }
}

impl BillAccountDocument {
    /// The customer.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn account(self) -> Result<BillAccount, DocumentError> {
        Ok(BillAccount {
            biller: valid(BillerCode::parse(&self.biller), "biller")?,
            number: valid(BillNumber::restore(&self.number), "number")?,
            customer_name: self.customer_name,
            customer_address: self.customer_address,
            billing: word(Billing::from_code(&self.billing), "billing")?,
            debt: self.debt.money("debt")?,
            bill_reference: self.bill_reference,
            bill_period: self.bill_period,
            due_at: self.due_at.map(Into::into),
            tariff_band: self.tariff_band,
        })
    }
}
