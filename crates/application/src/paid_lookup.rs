//! Lookups that are sold by name: which there are, what one costs, and who answers it. A lookup
//! about a person must never be ordered without the reference of their consent.

use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::number_check;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::country::CountryCode;
use domain::labelled_value::LabelledValue;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::paid_lookup::{
    LookupCategory, LookupCode, LookupDefinition, LookupOrder, PaidLookupQuery, ValueForm,
};
use domain::phone::PhoneNumber;
use domain::pricing::{self, Quote};
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// A lookup as it is sold to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoldLookup {
    /// The lookup.
    pub definition: LookupDefinition,
    /// What the account is charged for one.
    pub price: Money,
    /// Whether it can be ordered at the moment.
    pub available: bool,
}

/// A lookup with its reference, the merchant's or one made for it.
struct NamedLookup {
    reference: MerchantReference,
    query: PaidLookupQuery,
}

impl Gateway {
    /// The records that are sold to an account, of every country or of one.
    pub fn sold_lookups(
        &self,
        merchant: &Merchant,
        country: Option<CountryCode>,
    ) -> Vec<SoldLookup> {
        let catalogue = self.catalogue();
        let listed = catalogue.lookups(LookupCategory::Record).into_iter();
        let listed = listed.filter(|it| country.is_none_or(|country| it.country == country));
        let sold = listed.filter_map(|definition| {
            let quote = self.lookup_quote(merchant, definition).ok()?;
            let product = definition.product();
            let asked = lookup_route(merchant, definition);
            let available = !catalogue.withholds(&product) && self.providers().deliver(&asked);
            Some(SoldLookup {
                definition: definition.clone(),
                price: quote.1.price,
                available,
            })
        });
        sold.collect()
    }

    /// A lookup by its identity; `None` where none has it.
    pub fn lookup_definition(
        &self,
        category: LookupCategory,
        code: &LookupCode,
    ) -> Option<LookupDefinition> {
        self.catalogue().lookup(category, code).cloned()
    }

    /// The one lookup of a category, where the category has one alone.
    pub fn only_lookup(&self, category: LookupCategory) -> Option<LookupDefinition> {
        let catalogue = self.catalogue();
        match catalogue.lookups(category).as_slice() {
            [only] => Some((*only).clone()),
            _ => None,
        }
    }

    /// Looks something up.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn look_up(
        &self,
        merchant: &Merchant,
        query: PaidLookupQuery,
    ) -> Result<PaymentResult, RequestError> {
        if query.definition.needs_consent && query.consent.is_none() {
            return Err(RequestError::ConsentRequired);
        }
        let service = Service::Lookup(query.definition.category);
        let reference = self.reference_of_lookup(service, query.reference.clone())?;
        let purchase = Purchase {
            quote: None,
            command: NamedLookup { reference, query },
            retry_key: None,
        };
        let prepared = self.prepare_record(merchant, &purchase.command.query);
        self.pay_for_lookup((merchant, service), (&purchase, prepared), is_the_same)
            .await
    }

    fn prepare_record(
        &self,
        merchant: &Merchant,
        query: &PaidLookupQuery,
    ) -> Result<PricedOrder, RequestError> {
        let definition = &query.definition;
        if definition.number.form == ValueForm::Phone {
            let number = PhoneNumber::parse(&query.number);
            let number = number.map_err(|_| RequestError::NumberNotInPlan)?;
            let status = self.status_in_plan(&number, definition.country);
            number_check::brand(status, definition.country)?;
        }
        let (amount, quote) = self.lookup_quote(merchant, definition)?;
        let order = Order::Lookup(LookupOrder {
            category: definition.category,
            code: definition.code.clone(),
            name: definition.name.clone(),
            country: definition.country,
            number: query.number.clone(),
            values: query.values.clone(),
            consent: query.consent.clone(),
            amount,
        });
        Ok(PricedOrder { order, quote })
    }

    /// What one costs, and what the account is charged for it.
    fn lookup_quote(
        &self,
        merchant: &Merchant,
        definition: &LookupDefinition,
    ) -> Result<(Money, Quote), RequestError> {
        let (category, code) = (definition.category, &definition.code);
        let currency = merchant.account.currency;
        let price = self.catalogue().lookup_price(category, code, currency);
        let price = price.ok_or(RequestError::ProviderUnavailable(Service::Lookup(category)))?;
        let product = definition.product();
        let (terms, rule) = self.terms(&merchant.account.id, product, price.terms);
        let quote = pricing::quote(price.unit, &terms, rule);
        let quote = quote.map_err(|_| RequestError::Unpriceable)?;
        Ok((price.unit, quote))
    }
}

fn lookup_route<'a>(merchant: &Merchant, definition: &'a LookupDefinition) -> RouteQuery<'a> {
    let service = Service::Lookup(definition.category);
    RouteQuery {
        biller: Some(definition.code.as_str()),
        country: Some(definition.country),
        ..RouteQuery::of(service, merchant.account.environment)
    }
}

/// Whether an earlier lookup was this one: asking again under its reference is free. What things
/// are called may have changed since.
fn is_the_same(earlier: &Transaction, lookup: &NamedLookup) -> bool {
    let Order::Lookup(order) = &earlier.order else {
        return false;
    };
    let query = &lookup.query;
    let sent = |values: &[LabelledValue]| -> Vec<(String, String)> {
        let pairs = values.iter().map(|it| (it.name.clone(), it.value.clone()));
        pairs.collect()
    };
    order.code == query.definition.code
        && order.number == query.number
        && order.consent == query.consent
        && sent(&order.values) == sent(&query.values)
}

impl Fingerprinted for NamedLookup {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self { reference, query } = self;
        let PaidLookupQuery {
            reference: _,
            definition,
            number,
            values,
            consent,
        } = query;
        let mut all = vec![
            definition.category.code().to_owned(),
            reference.to_string(),
            definition.code.to_string(),
            number.clone(),
            consent
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
        ];
        for value in values {
            all.extend([value.name.clone(), value.value.clone()]);
        }
        all
    }
}
