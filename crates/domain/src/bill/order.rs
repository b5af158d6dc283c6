//! What the merchant asked to pay of a bill, frozen as it was priced: names and labels included, so
//! that an old order is shown without the catalogue.

use super::account::{BillNumber, BillQuery};
use super::category::BillCategory;
use crate::billing::Billing;
use crate::family::{FamilyOrder, Fulfilment, Service};
use crate::labelled_value::LabelledValue;
use crate::money::Money;
use crate::phone::PhoneNumber;
use crate::reference::MerchantReference;
use crate::subscription::{BillerCode, PlanCode};
use crate::token::Token;

/// A payment as asked for, every value read and none looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillPayment {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The customer.
    pub customer: BillQuery,
    /// What for.
    pub requested: RequestedBill,
    /// The bill that is meant; `None` where the merchant names none.
    pub bill_reference: Option<String>,
    /// The customer's telephone, for billers that write there.
    pub customer_phone: Option<PhoneNumber>,
}

/// What a payment is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedBill {
    /// An amount.
    Amount(Money),
    /// A plan for so many periods.
    Plan {
        /// Which.
        plan: PlanCode,
        /// How many periods.
        duration: u8,
    },
}

/// What is paid, frozen as it was priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillOrder {
    /// The category.
    pub category: BillCategory,
    /// The biller.
    pub biller: BillerCode,
    /// Its brand name.
    pub brandname: String,
    /// The customer's number.
    pub number: BillNumber,
    /// What else was asked for, with its labels.
    pub fields: Vec<LabelledValue>,
    /// The customer as validated.
    pub customer_name: String,
    /// How they are billed.
    pub billing: Billing,
    /// What they owed.
    pub debt: Money,
    /// The open bill, where there was one.
    pub bill_reference: Option<String>,
    /// The plan; `None` where an amount is paid.
    pub plan: Option<BoughtPlan>,
    /// Whether a token is handed over.
    pub has_token: bool,
    /// What is paid altogether, greater than zero.
    pub amount: Money,
    /// The customer's telephone, where the merchant gave one.
    pub customer_phone: Option<PhoneNumber>,
}

/// A plan and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoughtPlan {
    /// The plan.
    pub code: PlanCode,
    /// Its name.
    pub name: String,
    /// How many periods.
    pub duration: u8,
}

/// What a biller answered to a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillReceipt {
    /// The category.
    pub category: BillCategory,
    /// The biller's receipt number.
    pub receipt: String,
    /// What is still owed.
    pub outstanding: Money,
    /// The token of a prepaid customer.
    pub token: Option<Token>,
}

impl FamilyOrder for BillOrder {
    const PRODUCTS: &'static [&'static str] = &["<provider>"];

    /// The customer and their name.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Bill(self.category)
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        let plan = self.plan.as_ref();
        let bought = plan.map_or(&self.brandname, |plan| &plan.name);
        let name = self.category.definition().name;
        format!("{name} {bought} {}", self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn takes_token(&self) -> bool {
        self.has_token
    }

    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        let receipt = fulfilment.bill_receipt();
        let receipt = receipt.filter(|receipt| receipt.category == self.category);
        receipt.is_some_and(|receipt| receipt.token.is_some() || !self.has_token)
    }

    fn biller(&self) -> Option<&str> {
        Some(self.biller.as_str())
    }

    fn billing(&self) -> Option<Billing> {
        Some(self.billing)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        let receipt = BillReceipt {
            category: self.category,
            receipt: String::new(),
            outstanding: self.outstanding(),
            token: None,
        };
        (!self.has_token).then_some(Fulfilment::Bill(receipt))
    }
}

impl BillOrder {
    /// What is still owed once it is paid.
    pub fn outstanding(&self) -> Money {
        let left = self.debt.checked_sub(self.amount);
        left.filter(|left| left.is_positive())
            .unwrap_or(Money::zero(self.debt.currency()))
    }
}

impl Fulfilment {
    /// What a biller answered; `None` of any other family.
    pub const fn bill_receipt(&self) -> Option<&BillReceipt> {
        if let Self::Bill(receipt) = self {
            Some(receipt)
        } else {
            None
        }
    }
}
