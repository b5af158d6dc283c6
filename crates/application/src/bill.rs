//! Bills of every category: billers, customers, and payments for them. The customer is looked up
//! before a price is quoted, so that no payment is for a customer who does not exist.

use crate::fingerprint::{Fingerprinted, money};
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::plans::{PricedPlan, priced};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::account::AccountId;
use domain::bill::{
    BillAccount, BillCategory, BillOrder, BillPayment, BillPlan, BillQuery, Biller, BoughtPlan,
    RequestedBill,
};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::pricing::{self, Terms};
use domain::reference::MerchantReference;
use domain::subscription::{BillerCode, PlanCode};

/// A customer and what may be paid for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatedBill {
    /// The biller.
    pub biller: Biller,
    /// The customer.
    pub account: BillAccount,
    /// The smallest and the largest payment.
    pub limits: (Money, Money),
}

impl Gateway {
    /// The billers of a category and country that can be paid now, with the commissions that apply
    /// to the merchant.
    ///
    /// # Errors
    /// When nothing is sold in the country.
    pub fn billers(
        &self,
        merchant: &Merchant,
        (category, country): (BillCategory, CountryCode),
    ) -> Result<Vec<Biller>, RequestError> {
        let all = self.catalogue().billers(category, country);
        if all.is_empty() {
            return Err(RequestError::CountryNotServed(country));
        }
        let listed = all.into_iter().filter(|biller| biller.available);
        Ok(listed.map(|it| self.under_terms(merchant, it)).collect())
    }

    /// One biller of a category and country, whether it can be paid now or not.
    ///
    /// # Errors
    /// When there is none.
    pub fn biller(
        &self,
        merchant: &Merchant,
        (category, country): (BillCategory, CountryCode),
        code: &BillerCode,
    ) -> Result<Biller, RequestError> {
        let biller = self.known_biller(category, code)?;
        if biller.country != country {
            return Err(RequestError::ProviderUnknown(Service::Bill(category)));
        }
        Ok(self.under_terms(merchant, biller))
    }

    /// A biller with its plans at the merchant's prices; a plan whose terms leave no price is not
    /// for sale.
    ///
    /// # Errors
    /// When there is no such biller.
    pub fn bill_plans(
        &self,
        merchant: &Merchant,
        (category, code): (BillCategory, &BillerCode),
    ) -> Result<(Biller, Vec<PricedPlan<BillPlan>>), RequestError> {
        let biller = self.known_biller(category, code)?;
        let (terms, _) = self.bill_terms(&merchant.account.id, biller);
        let plans = biller.plans.iter();
        let plans = plans.filter_map(|plan| priced(plan, plan.amount, &terms));
        Ok((biller.clone(), plans.collect()))
    }

    /// A customer as their biller knows them.
    ///
    /// # Errors
    /// When the biller or the customer is unknown or cannot be reached.
    pub async fn validate_bill(
        &self,
        merchant: &Merchant,
        query: &BillQuery,
    ) -> Result<ValidatedBill, RequestError> {
        let biller = self.known_biller(query.category, &query.biller)?;
        let asked = self.lookups(merchant).bill_accounts.bill_account(query);
        let is_asked_for = |account: &BillAccount| {
            account.biller == query.biller
                && account.number == query.number
                && biller.billing.includes(account.billing)
        };
        let found = self.looked_up(asked, is_asked_for).await;
        let account = found
            .map_err(|failure| RequestError::Lookup(Service::Bill(query.category), failure))?;
        let limits = (biller.minimum, biller.maximum);
        Ok(ValidatedBill {
            limits: biller.amount_rule.limits(limits, account.debt),
            biller: biller.clone(),
            account,
        })
    }

    /// Pays a bill, or buys a plan.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_bill(
        &self,
        merchant: &Merchant,
        purchase: Purchase<BillPayment>,
    ) -> Result<PaymentResult, RequestError> {
        let asked = self.prepare_bill(merchant, &purchase.command);
        self.pay_once(merchant, &purchase, asked).await
    }

    pub(crate) async fn prepare_bill(
        &self,
        merchant: &Merchant,
        payment: &BillPayment,
    ) -> Result<PricedOrder, RequestError> {
        let service = Service::Bill(payment.customer.category);
        let biller = self.known_biller(payment.customer.category, &payment.customer.biller)?;
        let asked = RouteQuery {
            biller: Some(biller.code.as_str()),
            ..RouteQuery::of(service, merchant.account.environment)
        };
        if !biller.available || !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(service));
        }
        let not_sold = |plan: &PlanCode| self.not_sold(merchant, (service, plan));
        let (plan, amount) = requested(biller, &payment.requested, not_sold)?;
        let validated = self.validate_bill(merchant, &payment.customer).await?;
        if plan.is_none() {
            RequestError::unless_within(validated.limits, amount, service)?;
        }
        let account = validated.account;
        let open = account.bill_reference;
        if payment.bill_reference.is_some() && payment.bill_reference != open {
            return Err(RequestError::BillUnknown);
        }
        let (terms, rule) = self.bill_terms(&merchant.account.id, biller);
        let quote = pricing::quote(amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Bill(BillOrder {
            category: biller.category,
            biller: biller.code.clone(),
            brandname: biller.brandname.clone(),
            number: account.number,
            fields: payment.customer.fields.clone(),
            customer_name: account.customer_name,
            billing: account.billing,
            debt: account.debt,
            bill_reference: open,
            has_token: biller.unit_price.is_some()
                && account.billing == Billing::Prepaid
                && plan.is_none(),
            plan,
            amount,
            customer_phone: payment.customer_phone.clone(),
        });
        Ok(PricedOrder { order, quote })
    }

    pub(crate) fn known_biller(
        &self,
        category: BillCategory,
        code: &BillerCode,
    ) -> Result<&Biller, RequestError> {
        let known = self.catalogue().biller(category, code);
        known.ok_or(RequestError::ProviderUnknown(Service::Bill(category)))
    }

    fn under_terms(&self, merchant: &Merchant, biller: &Biller) -> Biller {
        Biller {
            terms: self.bill_terms(&merchant.account.id, biller).0,
            ..biller.clone()
        }
    }

    pub(crate) fn bill_terms(&self, account: &AccountId, biller: &Biller) -> (Terms, String) {
        let product = format!("{}.{}", biller.category.code(), biller.code);
        self.terms(account, product, biller.terms)
    }
}

/// What is bought and for how much: the price of a plan is that of one period times the periods.
fn requested(
    biller: &Biller,
    wanted: &RequestedBill,
    not_sold: impl Fn(&PlanCode) -> RequestError,
) -> Result<(Option<BoughtPlan>, Money), RequestError> {
    match wanted {
        RequestedBill::Amount(amount) => Ok((None, *amount)),
        RequestedBill::Plan { plan, duration } => {
            let plan = biller.plan(plan).ok_or_else(|| not_sold(plan))?;
            let amount = plan.amount.checked_mul((*duration).into());
            let bought = BoughtPlan {
                code: plan.code.clone(),
                name: plan.name.clone(),
                duration: *duration,
            };
            Ok((Some(bought), amount.ok_or(RequestError::Unpriceable)?))
        }
    }
}

impl Fingerprinted for BillPayment {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            customer,
            requested,
            bill_reference,
            customer_phone,
        } = self;
        let requested = match requested {
            RequestedBill::Amount(amount) => ["amount".into(), money(*amount), String::new()],
            RequestedBill::Plan { plan, duration } => {
                ["plan".into(), plan.to_string(), duration.to_string()]
            }
        };
        let mut values = vec![
            customer.category.code().to_owned(),
            reference.to_string(),
            customer.biller.to_string(),
            customer.number.to_string(),
            bill_reference.clone().unwrap_or_default(),
        ];
        values.extend(requested);
        for field in &customer.fields {
            values.extend([field.name.clone(), field.value.clone()]);
        }
        // Fields are pairs, so a value by itself is no field. Without one, a request means what it
        // meant before there was such an attribute.
        values.extend(customer_phone.as_ref().map(ToString::to_string));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credentials::Pepper;
    use crate::fingerprint::fingerprint;
    use domain::money::Currency;
    use domain::phone::PhoneNumber;
    use testkit::builders::{bill_category, bill_query};

    #[test]
    fn the_telephone_of_the_customer_belongs_to_the_request() {
        let category = bill_category("water");
        let payment = |phone: Option<&str>| BillPayment {
            reference: MerchantReference::parse("order-1").unwrap(),
            customer: bill_query(category, category.definition().number.example),
            requested: RequestedBill::Amount(Money::parse("5000", Currency::Ngn).unwrap()),
            bill_reference: None,
            customer_phone: phone.map(|text| PhoneNumber::parse(text).unwrap()),
        };
        let pepper = Pepper::new([7; 32]);
        let of = |phone| fingerprint(&pepper, (&payment(phone), None));
        assert_eq!(of(Some("+2348031234567")), of(Some("2348031234567")));
        assert_ne!(of(Some("2348031234567")), of(Some("2348031234568")));
        assert_ne!(of(Some("2348031234567")), of(None));
        // Without one, the hash covers what it covered before there was such an attribute.
        let mut values = payment(None).values();
        values.push("2348031234567".to_owned());
        assert_eq!(values, payment(Some("2348031234567")).values());
    }
}
