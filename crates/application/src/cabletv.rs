//! Cable TV: providers, plans, smartcards, and subscriptions for them. The card is looked up before
//! a price is quoted, so that no payment is for a card that does not exist.

use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::plans::{PricedPlan, priced};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::account::AccountId;
use domain::cabletv::{
    CableBiller, CableOrder, CablePlan, RequestedPlan, Smartcard, SmartcardQuery, Subscribe,
    Subscription,
};
use domain::country::CountryCode;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::pricing::{self, Terms};
use domain::subscription::{BillerCode, PlanCode};

impl Gateway {
    /// The cable TV providers of a country that can be paid now, with the commissions that apply to
    /// the merchant.
    ///
    /// # Errors
    /// When nothing is sold in the country.
    pub fn cable_providers(
        &self,
        merchant: &Merchant,
        country: CountryCode,
    ) -> Result<Vec<CableBiller>, RequestError> {
        let all = self.catalogue().cable_providers(country);
        if all.is_empty() {
            return Err(RequestError::CountryNotServed(country));
        }
        let listed = all.into_iter().filter(|provider| provider.available);
        let priced = |provider: &CableBiller| CableBiller {
            terms: self.cable_terms(&merchant.account.id, provider).0,
            ..provider.clone()
        };
        Ok(listed.map(priced).collect())
    }

    /// One provider of a country, whether it can be paid now or not.
    ///
    /// # Errors
    /// When there is none.
    pub fn cable_provider(
        &self,
        merchant: &Merchant,
        (country, code): (CountryCode, &BillerCode),
    ) -> Result<CableBiller, RequestError> {
        let provider = self.known_cable_provider(code)?;
        if provider.country != country {
            return Err(RequestError::ProviderUnknown(Service::CableTv));
        }
        Ok(CableBiller {
            terms: self.cable_terms(&merchant.account.id, provider).0,
            ..provider.clone()
        })
    }

    /// A provider with its plans at the merchant's prices; a plan whose terms leave no price is not
    /// for sale.
    ///
    /// # Errors
    /// When there is no such provider.
    pub fn cable_plans(
        &self,
        merchant: &Merchant,
        code: &BillerCode,
    ) -> Result<(CableBiller, Vec<PricedPlan<CablePlan>>), RequestError> {
        let provider = self.known_cable_provider(code)?;
        let (terms, _) = self.cable_terms(&merchant.account.id, provider);
        let plans = provider.plans.iter();
        let plans = plans.filter_map(|plan| priced(plan, plan.amount, &terms));
        Ok((provider.clone(), plans.collect()))
    }

    /// One plan of a provider.
    ///
    /// # Errors
    /// When there is no such provider, or it has no such plan.
    pub fn cable_plan(
        &self,
        merchant: &Merchant,
        (provider, plan): (&BillerCode, &PlanCode),
    ) -> Result<(CableBiller, PricedPlan<CablePlan>), RequestError> {
        let provider = self.known_cable_provider(provider)?;
        let (terms, _) = self.cable_terms(&merchant.account.id, provider);
        let plan = provider.plan(plan);
        let found = plan.and_then(|plan| priced(plan, plan.amount, &terms));
        let unknown = RequestError::PlanUnknown(Service::CableTv);
        Ok((provider.clone(), found.ok_or(unknown)?))
    }

    /// A smartcard as its provider knows it.
    ///
    /// # Errors
    /// When the provider or the card is unknown or cannot be reached.
    pub async fn smartcard(
        &self,
        merchant: &Merchant,
        query: &SmartcardQuery,
    ) -> Result<Smartcard, RequestError> {
        self.known_cable_provider(&query.provider)?;
        let smartcards = &self.lookups(merchant).smartcards;
        let asked = smartcards.smartcard(&query.provider, &query.number);
        let is_asked_for =
            |card: &Smartcard| card.provider == query.provider && card.number == query.number;
        let found = self.looked_up(asked, is_asked_for).await;
        found.map_err(|failure| RequestError::Lookup(Service::CableTv, failure))
    }

    /// Buys a plan for a card, or credits an amount to it.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn subscribe_cable(
        &self,
        merchant: &Merchant,
        purchase: Purchase<Subscribe>,
    ) -> Result<PaymentResult, RequestError> {
        let asked = self.prepare_cable(merchant, &purchase.command);
        self.pay_once(merchant, &purchase, asked).await
    }

    pub(crate) async fn prepare_cable(
        &self,
        merchant: &Merchant,
        subscribe: &Subscribe,
    ) -> Result<PricedOrder, RequestError> {
        let seller = self.known_cable_provider(&subscribe.card.provider)?;
        let asked = RouteQuery {
            biller: Some(seller.code.as_str()),
            ..RouteQuery::of(Service::CableTv, merchant.account.environment)
        };
        if !seller.available || !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::CableTv));
        }
        let not_sold = |plan: &PlanCode| self.not_sold(merchant, (Service::CableTv, plan));
        let (subscription, amount) = requested(seller, &subscribe.requested, not_sold)?;
        let card = self.smartcard(merchant, &subscribe.card).await?;
        let (terms, rule) = self.cable_terms(&merchant.account.id, seller);
        let quote = pricing::quote(amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::CableTv(CableOrder {
            provider: seller.code.clone(),
            brandname: seller.brandname.clone(),
            number: card.number,
            customer_name: card.customer_name,
            subscription,
            amount,
            customer_phone: subscribe.customer_phone.clone(),
        });
        Ok(PricedOrder { order, quote })
    }

    fn known_cable_provider(&self, code: &BillerCode) -> Result<&CableBiller, RequestError> {
        let known = self.catalogue().cable_provider(code);
        known.ok_or(RequestError::ProviderUnknown(Service::CableTv))
    }

    pub(crate) fn cable_terms(
        &self,
        account: &AccountId,
        provider: &CableBiller,
    ) -> (Terms, String) {
        let product = format!("cabletv.{}", provider.code);
        self.terms(account, product, provider.terms)
    }
}

/// What is bought and for how much: the price of a plan is that of one period times the periods.
fn requested(
    seller: &CableBiller,
    wanted: &RequestedPlan,
    not_sold: impl Fn(&PlanCode) -> RequestError,
) -> Result<(Option<Subscription>, Money), RequestError> {
    match wanted {
        RequestedPlan::Plan { plan, duration } => {
            let plan = seller.plan(plan).ok_or_else(|| not_sold(plan))?;
            let amount = plan.amount.checked_mul((*duration).into());
            let subscription = Subscription {
                plan: plan.code.clone(),
                name: plan.name.clone(),
                duration: *duration,
            };
            Ok((Some(subscription), amount.ok_or(RequestError::Unpriceable)?))
        }
        RequestedPlan::TopUp(amount) => {
            let (minimum, maximum) = (seller.minimum, seller.maximum);
            RequestError::unless_within((minimum, maximum), *amount, Service::CableTv)?;
            Ok((None, *amount))
        }
    }
}
