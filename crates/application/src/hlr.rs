//! Lookups of mobile numbers, paid for through the one payment flow. The plan is asked first and
//! costs nothing: a number that is not mobile must never reach a register or be charged, and no
//! number twice under one reference.

use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::country::CountryCode;
use domain::hlr::{HlrOrder, HlrQuery};
use domain::order::{Order, Service};
use domain::phone::PhoneNumber;
use domain::pricing;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;
pub use ports::numbering::LineKind;

/// What a lookup came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookedUp {
    /// A register was asked, or is being asked.
    Queried(Box<PaymentResult>),
    /// No register has to be asked: the number is no mobile one. Nothing is stored or charged.
    NotMobile(NotMobile),
}

/// A number that no register is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotMobile {
    /// The merchant's reference, as sent; it stays unused.
    pub reference: Option<MerchantReference>,
    /// The number.
    pub number: PhoneNumber,
    /// The country whose plan was asked.
    pub country: CountryCode,
    /// The kind of line; `None` where the plan has no such number.
    pub kind: Option<LineKind>,
}

/// A lookup with its reference, the merchant's or one made for it.
pub(crate) struct PaidHlrLookup {
    pub(crate) reference: MerchantReference,
    pub(crate) country: CountryCode,
    pub(crate) number: PhoneNumber,
}

impl Gateway {
    /// Looks a number up.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn look_up_number(
        &self,
        merchant: &Merchant,
        query: HlrQuery,
    ) -> Result<LookedUp, RequestError> {
        let facts = self.parts().numbering.look_up(&query.number, query.country);
        let kind = facts.as_ref().map(|facts| facts.kind);
        let (Some(LineKind::Mobile), Some(facts)) = (kind, facts) else {
            self.must_be_unused(merchant, query.reference.as_ref())
                .await?;
            return Ok(LookedUp::NotMobile(NotMobile {
                reference: query.reference,
                number: query.number,
                country: query.country,
                kind,
            }));
        };
        let lookup = PaidHlrLookup {
            reference: self.reference_of_lookup(Service::Hlr, query.reference)?,
            country: query.country,
            number: query.number,
        };
        let prepared = self.prepare_lookup(merchant, &lookup, facts.block_holder);
        let purchase = Purchase {
            quote: None,
            command: lookup,
            retry_key: None,
        };
        let of = (merchant, Service::Hlr);
        let paid = self.pay_for_lookup(of, (&purchase, prepared), requested_number);
        paid.await.map(Box::new).map(LookedUp::Queried)
    }

    fn prepare_lookup(
        &self,
        merchant: &Merchant,
        lookup: &PaidHlrLookup,
        network_origin: Option<String>,
    ) -> Result<PricedOrder, RequestError> {
        let currency = merchant.account.currency;
        let rate = self.catalogue().number_lookup(lookup.country, currency);
        let asked = RouteQuery {
            country: Some(lookup.country),
            ..RouteQuery::of(Service::Hlr, merchant.account.environment)
        };
        let rate = rate.filter(|_| self.providers().deliver(&asked));
        let rate = rate.ok_or(RequestError::CountryNotServed(lookup.country))?;
        let product = format!("hlr.{}", lookup.country);
        let account = &merchant.account.id;
        let (terms, rule) = self.terms(account, product, rate.terms);
        let quote =
            pricing::quote(rate.unit, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Hlr(HlrOrder {
            number: lookup.number.clone(),
            country: lookup.country,
            network_origin,
            amount: rate.unit,
        });
        Ok(PricedOrder { order, quote })
    }

    /// A lookup that costs nothing does not use up its reference, and must not be answered under
    /// one that stands for another request.
    async fn must_be_unused(
        &self,
        merchant: &Merchant,
        reference: Option<&MerchantReference>,
    ) -> Result<(), RequestError> {
        let Some(reference) = reference else {
            return Ok(());
        };
        let transactions = &self.parts().transactions;
        let account = &merchant.account.id;
        match transactions.by_reference(account, reference).await? {
            None => Ok(()),
            Some(earlier) => Err(RequestError::ReferenceTaken {
                service: earlier.order.service(),
                reference: earlier.reference,
            }),
        }
    }
}

/// Whether an earlier lookup was of the same number: asking again under its reference is free.
fn requested_number(earlier: &Transaction, lookup: &PaidHlrLookup) -> bool {
    let asked = (&lookup.number, lookup.country);
    matches!(&earlier.order, Order::Hlr(order) if (&order.number, order.country) == asked)
}

impl Fingerprinted for PaidHlrLookup {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            country,
            number,
        } = self;
        vec![
            "hlr".into(),
            reference.to_string(),
            country.to_string(),
            number.to_string(),
        ]
    }
}
