//! Internet data: providers, plans, whose a number is, and bundles for it. Everything after the
//! price is the one payment flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::listed::Listed;
use crate::number_check;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::plans::{PricedPlan, priced};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::account::AccountId;
use domain::country::CountryCode;
use domain::internet::{BundlePurchase, DataOperator, DataOrder, DataPlan};
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::pricing::{self, Terms};
use domain::retrieve::Retrieve;
use domain::subscription::BillerCode;

impl Gateway {
    /// Where a number stands, by the plan of its country and by the data sold there.
    pub fn data_number_status(&self, number: &PhoneNumber, country: CountryCode) -> NumberStatus {
        if self.catalogue().data_providers(country).is_empty() {
            return NumberStatus::CountryNotServed;
        }
        self.status_in_plan(number, country)
    }

    /// Whose data is sold for a number: the provider that serves it today, as the register of
    /// ported numbers says, if there is one; else the provider that holds its block.
    ///
    /// # Errors
    /// When the number is not in the plan, or no data is sold for its network.
    pub async fn data_provider_of(
        &self,
        merchant: &Merchant,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> Result<DataOperator, RequestError> {
        let brand = number_check::brand(self.data_number_status(number, country), country)?;
        let brand = match self.number_register(merchant) {
            Some(register) => {
                let known = (brand, Service::Internet);
                self.brand_today(register, (number, country), known).await?
            }
            None => brand,
        };
        let providers = self.catalogue().data_providers(country);
        let sells = |provider: &&DataOperator| {
            let brand = brand.as_deref().unwrap_or_default();
            provider.brandname.eq_ignore_ascii_case(brand)
        };
        let found = providers.into_iter().find(sells);
        found.cloned().ok_or(RequestError::NetworkNotServed)
    }

    /// The providers of internet data of a country, with the merchant's own commissions.
    ///
    /// # Errors
    /// When nothing is sold in the country.
    pub fn data_providers(
        &self,
        merchant: &Merchant,
        country: CountryCode,
        which: Retrieve,
    ) -> Result<Listed<DataOperator>, RequestError> {
        let all = self.catalogue().data_providers(country);
        if all.is_empty() {
            return Err(RequestError::CountryNotServed(country));
        }
        let listed = |provider: &&DataOperator| match which {
            Retrieve::Buyable => provider.available,
            Retrieve::All => true,
        };
        let priced = |provider: &DataOperator| DataOperator {
            terms: self.data_terms(&merchant.account.id, provider).0,
            ..provider.clone()
        };
        let total = all.len();
        let found = all.into_iter().filter(listed).map(priced).collect();
        Ok(Listed { found, total })
    }

    /// A provider with its plans at the merchant's prices; a plan whose terms leave no price is not
    /// for sale.
    ///
    /// # Errors
    /// When there is no such provider.
    pub fn data_plans(
        &self,
        merchant: &Merchant,
        code: &BillerCode,
        which: Retrieve,
    ) -> Result<(DataOperator, Listed<PricedPlan<DataPlan>>), RequestError> {
        let provider = self.catalogue().data_provider(code);
        let provider = provider.ok_or(RequestError::ProviderUnknown(Service::Internet))?;
        let (terms, _) = self.data_terms(&merchant.account.id, provider);
        let plans = provider.plans.iter();
        let mut found: Vec<_> = plans
            .filter_map(|plan| priced(plan, plan.amount, &terms))
            .collect();
        let total = found.len();
        found.retain(|priced| match which {
            Retrieve::Buyable => priced.plan.available && provider.available,
            Retrieve::All => true,
        });
        Ok((provider.clone(), Listed { found, total }))
    }

    /// Buys a bundle.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn buy_data(
        &self,
        merchant: &Merchant,
        purchase: Purchase<BundlePurchase>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_bundle(merchant, &purchase.command);
        self.pay(merchant, &purchase, prepared).await
    }

    pub(crate) fn prepare_bundle(
        &self,
        merchant: &Merchant,
        bundle: &BundlePurchase,
    ) -> Result<PricedOrder, RequestError> {
        let (seller, plan) = self
            .catalogue()
            .data_plan(&bundle.plan)
            .ok_or_else(|| self.not_sold(merchant, (Service::Internet, &bundle.plan)))?;
        // A ported number is served by another network than its block's holder, so the plan and
        // not the number decides whose data it is.
        let standing = self.status_in_plan(&bundle.number, seller.country);
        number_check::brand(standing, seller.country)?;
        let asked = RouteQuery {
            biller: Some(seller.code.as_str()),
            ..RouteQuery::of(Service::Internet, merchant.account.environment)
        };
        let is_sold = seller.available && plan.available;
        if !is_sold || !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::Internet));
        }
        let (terms, rule) = self.data_terms(&merchant.account.id, seller);
        let quote =
            pricing::quote(plan.amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Internet(DataOrder {
            provider: seller.code.clone(),
            brandname: seller.brandname.clone(),
            plan: plan.code.clone(),
            name: plan.name.clone(),
            validity_days: plan.validity_days,
            number: bundle.number.clone(),
            amount: plan.amount,
        });
        Ok(PricedOrder { order, quote })
    }

    pub(crate) fn data_terms(
        &self,
        account: &AccountId,
        provider: &DataOperator,
    ) -> (Terms, String) {
        let product = format!("internet.{}", provider.code);
        self.terms(account, product, provider.terms)
    }
}
