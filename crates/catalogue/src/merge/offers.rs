//! Offers of a document: what a provider calls what is sold. A plan that is offered must be sold.

use super::{Merge, Reading};
use crate::document::RawOffer;
use crate::product::ProductName;
use domain::provider::ProviderId;
use domain::subscription::PlanCode;
use ports::catalogue::CatalogueOffer;

/// Most characters of a provider's code of a plan; published ones have at most 40.
const CODE_MAX: usize = 64;

impl Merge<'_> {
    pub(super) fn offer(&mut self, raw: &RawOffer) -> Reading<()> {
        let product = self.product(&raw.product);
        let provider = ProviderId::parse(&raw.provider);
        let provider = provider
            .map_err(|error| self.mistake(format!("`provider` {error}, not \"{}\"", raw.provider)));
        let limits = self.limits((raw.minimum.as_ref(), raw.maximum.as_ref()));
        let cost = self.money("cost", raw.cost.as_ref());
        let code = self.provider_code(raw.code.as_ref());
        let plan = self.offered_plan(raw.plan.as_ref());
        let (product, provider, (minimum, maximum)) = (product?, provider?, limits?);
        let (cost, code, plan) = (cost?, code?, plan?);
        let named = raw.plan.as_deref().unwrap_or("every amount");
        self.once(format!("offer {named} of {} by {provider}", raw.product))?;
        if let (Some(minimum), Some(maximum)) = (minimum, maximum) {
            self.ordered(minimum, maximum)?;
        }
        if let Some(plan) = &plan {
            self.sold(&product, plan)?;
        }
        if matches!(
            product,
            ProductName::Sms(_)
                | ProductName::Whatsapp(_)
                | ProductName::Rcs(_)
                | ProductName::Voice(_)
                | ProductName::Ivr(_)
                | ProductName::Hlr(_)
                | ProductName::Electricity(_, Some(_))
        ) {
            return self.refuse(format!(
                "no offers are listed of {}; write airtime.…, electricity.101, cabletv.…, \
                 internet.…, lookup.… or a category of bills",
                raw.product
            ));
        }
        let key = (provider.clone(), raw.product.clone());
        let offers = self.changed.offers.entry(key).or_default();
        offers.push(CatalogueOffer {
            provider,
            product: raw.product.clone(),
            plan,
            code,
            cost,
            available: raw.available.unwrap_or(true),
            minimum,
            maximum,
        });
        Ok(())
    }

    fn provider_code(&mut self, code: Option<&String>) -> Reading<Option<String>> {
        let Some(code) = code else {
            return Ok(None);
        };
        let fits =
            (1..=CODE_MAX).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_graphic());
        if !fits {
            return self.refuse(format!(
                "`code` must be what the provider calls it, 1 to {CODE_MAX} visible characters"
            ));
        }
        Ok(Some(code.clone()))
    }

    fn offered_plan(&mut self, plan: Option<&String>) -> Reading<Option<PlanCode>> {
        let Some(plan) = plan else {
            return Ok(None);
        };
        match PlanCode::parse(plan) {
            Ok(plan) => Ok(Some(plan)),
            Err(error) => self.refuse(format!("`plan` {error}, not \"{plan}\"")),
        }
    }

    /// Refuses an offer of a plan that is not sold.
    fn sold(&mut self, product: &ProductName, plan: &PlanCode) -> Reading<()> {
        let known = match product {
            ProductName::CableTv(code) => self.cable(code)?.plan(plan).is_some(),
            ProductName::Internet(code) => {
                let mut plans = self.data(code)?.plans.iter();
                plans.any(|it| it.code == *plan)
            }
            ProductName::Bill(category, code) => self.bill(*category, code)?.plan(plan).is_some(),
            ProductName::Airtime(_)
            | ProductName::Electricity(..)
            | ProductName::Sms(_)
            | ProductName::Whatsapp(_)
            | ProductName::Rcs(_)
            | ProductName::Voice(_)
            | ProductName::Ivr(_)
            | ProductName::Hlr(_)
            | ProductName::Lookup(..) => false,
        };
        if !known {
            return self.refuse(format!(
                "plan {plan} is not sold; add it with [[plan]], or leave the offer out"
            ));
        }
        Ok(())
    }
}
