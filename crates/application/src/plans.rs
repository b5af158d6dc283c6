//! Plans at a merchant's price, whichever family sells them. It must not know what a plan holds.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::{RemainingPlan, RequestError};
use domain::money::Money;
use domain::order::Service;
use domain::pricing::{self, Terms};
use domain::retrieve::Retrieve;
use domain::subscription::{BillerCode, PlanCode};

/// A plan with what the merchant pays for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricedPlan<P> {
    /// The plan.
    pub plan: P,
    /// What one period of it costs the merchant.
    pub price: Money,
}

/// A plan under the merchant's terms; `None` where they leave no price: it is not for sale.
pub(crate) fn priced<P: Clone>(plan: &P, amount: Money, terms: &Terms) -> Option<PricedPlan<P>> {
    let quote = pricing::quote(amount, terms, String::new()).ok()?;
    Some(PricedPlan {
        plan: plan.clone(),
        price: quote.price,
    })
}

impl Gateway {
    /// Why a plan cannot be bought that is not sold: it never was, or it was withdrawn and others
    /// are left.
    pub(crate) fn not_sold(
        &self,
        merchant: &Merchant,
        (service, plan): (Service, &PlanCode),
    ) -> RequestError {
        let Some(biller) = self.catalogue().withdrawn_plan(service, plan) else {
            return RequestError::PlanUnknown(service);
        };
        let remaining = self.remaining(merchant, service, biller);
        RequestError::PlanWithdrawn(remaining.unwrap_or_default())
    }

    fn remaining(
        &self,
        merchant: &Merchant,
        service: Service,
        biller: &BillerCode,
    ) -> Result<Vec<RemainingPlan>, RequestError> {
        let remaining = |code: &PlanCode, name: &str, price: Money| RemainingPlan {
            code: code.clone(),
            name: name.to_owned(),
            price,
        };
        match service {
            Service::CableTv => {
                let (_, plans) = self.cable_plans(merchant, biller)?;
                let plans = plans.iter();
                Ok(plans
                    .map(|it| remaining(&it.plan.code, &it.plan.name, it.price))
                    .collect())
            }
            Service::Internet => {
                let (_, plans) = self.data_plans(merchant, biller, Retrieve::Buyable)?;
                let plans = plans.found.iter();
                Ok(plans
                    .map(|it| remaining(&it.plan.code, &it.plan.name, it.price))
                    .collect())
            }
            Service::Bill(category) => {
                let (_, plans) = self.bill_plans(merchant, (category, biller))?;
                let plans = plans.iter();
                Ok(plans
                    .map(|it| remaining(&it.plan.code, &it.plan.name, it.price))
                    .collect())
            }
            Service::Airtime
            | Service::Electricity
            | Service::Sms
            | Service::Whatsapp
            | Service::Rcs
            | Service::Voice
            | Service::Ivr
            | Service::Bank
            | Service::MobileMoney
            | Service::Card
            | Service::International
            | Service::Wallet
            | Service::User
            | Service::Hlr
            | Service::Lookup(_) => Ok(Vec::new()),
        }
    }
}
