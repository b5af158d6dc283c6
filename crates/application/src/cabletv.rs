//! Cable TV: providers, plans, smartcards, and subscriptions for them. The card is looked up before
//! a price is quoted, so that nobody pays for a card that does not exist.

use crate::gateway::{Gateway, Merchant};
use crate::payment::{Paid, Prepared, Purchase};
use crate::plans::{PricedPlan, priced};
use crate::refused::Refused;
use domain::account::AccountId;
use domain::cabletv::{
    CableOrder, CablePlan, CableProvider, Smartcard, SmartcardQuery, Subscribe, Subscription,
    Wanted,
};
use domain::country::CountryCode;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::pricing::{self, Terms};
use domain::subscription::{PlanCode, ProviderCode};

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
    ) -> Result<Vec<CableProvider>, Refused> {
        let all = self.parts().catalogue.cable_providers(country);
        if all.is_empty() {
            return Err(Refused::CountryNotServed(country));
        }
        let listed = all.into_iter().filter(|provider| provider.available);
        let priced = |provider: &CableProvider| CableProvider {
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
        (country, code): (CountryCode, &ProviderCode),
    ) -> Result<CableProvider, Refused> {
        let provider = self.known_cable_provider(code)?;
        if provider.country != country {
            return Err(Refused::ProviderUnknown(Service::CableTv));
        }
        Ok(CableProvider {
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
        code: &ProviderCode,
    ) -> Result<(CableProvider, Vec<PricedPlan<CablePlan>>), Refused> {
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
        (provider, plan): (&ProviderCode, &PlanCode),
    ) -> Result<(CableProvider, PricedPlan<CablePlan>), Refused> {
        let provider = self.known_cable_provider(provider)?;
        let (terms, _) = self.cable_terms(&merchant.account.id, provider);
        let plan = provider.plan(plan);
        let found = plan.and_then(|plan| priced(plan, plan.amount, &terms));
        let unknown = Refused::PlanUnknown(Service::CableTv);
        Ok((provider.clone(), found.ok_or(unknown)?))
    }

    /// A smartcard as its provider knows it.
    ///
    /// # Errors
    /// When the provider or the card is unknown or cannot be reached.
    pub async fn smartcard(&self, query: &SmartcardQuery) -> Result<Smartcard, Refused> {
        self.known_cable_provider(&query.provider)?;
        let smartcards = &self.parts().smartcards;
        let asked = smartcards.smartcard(&query.provider, &query.number);
        let is_asked_for =
            |card: &Smartcard| card.provider == query.provider && card.number == query.number;
        let found = self.looked_up(asked, is_asked_for).await;
        found.map_err(Refused::Smartcard)
    }

    /// Buys a plan for a card, or credits an amount to it.
    ///
    /// # Errors
    /// See [`Refused`]: nothing was stored and no money moved.
    pub async fn subscribe_cable(
        &self,
        merchant: &Merchant,
        purchase: Purchase<Subscribe>,
    ) -> Result<Paid, Refused> {
        let asked = self.prepare_cable(merchant, &purchase.command);
        self.pay_once_asked(merchant, &purchase, asked).await
    }

    async fn prepare_cable(
        &self,
        merchant: &Merchant,
        subscribe: &Subscribe,
    ) -> Result<Prepared, Refused> {
        let seller = self.known_cable_provider(&subscribe.card.provider)?;
        let provider = self.parts().providers.delivering(Service::CableTv);
        let provider = provider
            .filter(|_| seller.available)
            .ok_or(Refused::ProviderUnavailable(Service::CableTv))?;
        let (subscription, amount) = wanted(seller, &subscribe.wanted)?;
        let card = self.smartcard(&subscribe.card).await?;
        let (terms, rule) = self.cable_terms(&merchant.account.id, seller);
        let quote = pricing::quote(amount, &terms, rule).map_err(|_| Refused::Unpriceable)?;
        let order = Order::CableTv(CableOrder {
            provider: seller.code.clone(),
            brandname: seller.brandname.clone(),
            number: card.number,
            customer_name: card.customer_name,
            subscription,
            amount,
        });
        Ok(Prepared {
            order,
            quote,
            provider,
        })
    }

    fn known_cable_provider(&self, code: &ProviderCode) -> Result<&CableProvider, Refused> {
        let known = self.parts().catalogue.cable_provider(code);
        known.ok_or(Refused::ProviderUnknown(Service::CableTv))
    }

    fn cable_terms(&self, account: &AccountId, provider: &CableProvider) -> (Terms, String) {
        let product = format!("cabletv.{}", provider.code);
        self.parts().deals.terms(account, product, provider.terms)
    }
}

/// What is bought and for how much: the price of a plan is that of one period times the periods.
fn wanted(
    seller: &CableProvider,
    wanted: &Wanted,
) -> Result<(Option<Subscription>, Money), Refused> {
    match wanted {
        Wanted::Plan { plan, duration } => {
            let plan = seller
                .plan(plan)
                .ok_or(Refused::PlanUnknown(Service::CableTv))?;
            let amount = plan.amount.checked_mul((*duration).into());
            let subscription = Subscription {
                plan: plan.code.clone(),
                name: plan.name.clone(),
                duration: *duration,
            };
            Ok((Some(subscription), amount.ok_or(Refused::Unpriceable)?))
        }
        Wanted::TopUp(amount) => {
            let (minimum, maximum) = (seller.minimum, seller.maximum);
            Refused::unless_within((minimum, maximum), *amount, Service::CableTv)?;
            Ok((None, *amount))
        }
    }
}
