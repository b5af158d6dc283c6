//! Plans of a document: added, changed or withdrawn. A plan must keep its code: that is what
//! merchants order it by.

use super::{Merge, Reading};
use crate::document::RawPlan;
use crate::product::ProductName;
use domain::bill::{BillCategory, BillPlan};
use domain::cabletv::CablePlan;
use domain::internet::DataPlan;
use domain::money::Money;
use domain::subscription::{BillerCode, PlanCode};
use domain::text::{self, Breaks};

/// Most characters of the name of a plan: what a statement and a list show of it.
const NAME_MAX: usize = 80;

/// What is given of a plan.
struct PlanFacts {
    name: Option<String>,
    validity_days: Option<u16>,
    amount: Option<Money>,
    available: Option<bool>,
}

impl Merge<'_> {
    pub(super) fn plan(&mut self, raw: &RawPlan) -> Reading<()> {
        let product = self.product(&raw.product);
        let code = PlanCode::parse(&raw.code);
        let code =
            code.map_err(|error| self.mistake(format!("`code` {error}, not \"{}\"", raw.code)));
        let amount = self.positive("amount", raw.amount.as_ref());
        let name = self.plan_name(raw.name.as_ref());
        let (product, code, amount, name) = (product?, code?, amount?, name?);
        self.once(format!("plan {code} of {}", product.service().code()))?;
        if raw.validity_days == Some(0) {
            return self.refuse("`validity_days` must be above zero");
        }
        if raw.available.is_some() && !matches!(product, ProductName::Internet(_)) {
            return self.refuse(
                "`available` is of plans of internet data; write withdrawn = true for a plan that \
                 is sold no more",
            );
        }
        if raw.withdrawn {
            return self.withdraw(&product, code);
        }
        let facts = PlanFacts {
            name,
            validity_days: raw.validity_days,
            amount,
            available: raw.available,
        };
        match &product {
            ProductName::CableTv(biller) => self.cable_plan(biller, code, facts),
            ProductName::Internet(biller) => self.data_plan(biller, code, facts),
            ProductName::Bill(category, biller) => self.bill_plan((*category, biller), code, facts),
            ProductName::Airtime(_)
            | ProductName::Electricity(..)
            | ProductName::Sms(_)
            | ProductName::Whatsapp(_)
            | ProductName::Rcs(_)
            | ProductName::Voice(_)
            | ProductName::Ivr(_)
            | ProductName::Hlr(_)
            | ProductName::Lookup(..) => self.no_plans(&raw.product),
        }
    }

    fn no_plans(&mut self, product: &str) -> Reading<()> {
        self.refuse(format!("{product} sells no plans"))
    }

    fn withdraw(&mut self, product: &ProductName, code: PlanCode) -> Reading<()> {
        let biller = match product {
            ProductName::CableTv(biller) => {
                self.cable(biller)?.plans.retain(|it| it.code != code);
                biller
            }
            ProductName::Internet(biller) => {
                self.data(biller)?.plans.retain(|it| it.code != code);
                biller
            }
            ProductName::Bill(category, biller) => {
                let record = self.bill(*category, biller)?;
                record.plans.retain(|it| it.code != code);
                biller
            }
            ProductName::Airtime(_)
            | ProductName::Electricity(..)
            | ProductName::Sms(_)
            | ProductName::Whatsapp(_)
            | ProductName::Rcs(_)
            | ProductName::Voice(_)
            | ProductName::Ivr(_)
            | ProductName::Hlr(_)
            | ProductName::Lookup(..) => return self.no_plans(product.service().code()),
        };
        let key = (product.service().code(), code);
        self.changed.withdrawn.insert(key, biller.clone());
        Ok(())
    }

    fn plan_name(&mut self, name: Option<&String>) -> Reading<Option<String>> {
        let Some(name) = name else {
            return Ok(None);
        };
        let fits = (1..=NAME_MAX).contains(&name.chars().count())
            && name.trim() == name
            && text::check(name, Breaks::Refused).is_ok();
        if !fits {
            return self.refuse(format!(
                "`name` must be 1 to {NAME_MAX} characters without control or line characters, and \
                 no space around it"
            ));
        }
        Ok(Some(name.clone()))
    }

    /// A plan that the program does not know needs all of it.
    fn whole(&mut self, facts: PlanFacts) -> Reading<(String, u16, Money)> {
        match (facts.name, facts.validity_days, facts.amount) {
            (Some(name), Some(days), Some(amount)) => Ok((name, days, amount)),
            _ => self
                .refuse("a plan that is not sold yet needs `name`, `validity_days` and `amount`"),
        }
    }

    fn taken(&mut self, code: &PlanCode, other: &BillerCode) -> Reading<()> {
        self.refuse(format!(
            "plan {code} is one of {other} already; give it another `code`"
        ))
    }

    fn cable_plan(&mut self, biller: &BillerCode, code: PlanCode, facts: PlanFacts) -> Reading<()> {
        let country = self.cable(biller)?.country;
        let others = self.base.cable_providers(country);
        let others = others.iter().map(|it| (&it.code, &it.plans));
        let changed = self.changed.cable.iter().map(|it| (&it.code, &it.plans));
        let mut all = others.chain(changed).filter(|(other, _)| *other != biller);
        let owner = all.find(|(_, plans)| plans.iter().any(|plan| plan.code == code));
        if let Some(owner) = owner.map(|(owner, _)| owner.clone()) {
            return self.taken(&code, &owner);
        }
        let mut plans = self.cable(biller)?.plans.iter_mut();
        if let Some(plan) = plans.find(|plan| plan.code == code) {
            plan.name = facts.name.unwrap_or_else(|| plan.name.clone());
            plan.validity_days = facts.validity_days.unwrap_or(plan.validity_days);
            plan.amount = facts.amount.unwrap_or(plan.amount);
            return Ok(());
        }
        let (name, validity_days, amount) = self.whole(facts)?;
        self.cable(biller)?.plans.push(CablePlan {
            code,
            name,
            validity_days,
            amount,
        });
        Ok(())
    }

    fn data_plan(&mut self, biller: &BillerCode, code: PlanCode, facts: PlanFacts) -> Reading<()> {
        let known = self
            .base
            .data_plan(&code)
            .map(|(operator, _)| &operator.code);
        let mut changed = self.changed.data.iter();
        let changed = changed.find(|it| it.plans.iter().any(|plan| plan.code == code));
        let owner = known
            .filter(|known| *known != biller)
            .or(changed.map(|it| &it.code).filter(|it| *it != biller))
            .cloned();
        if let Some(owner) = owner {
            return self.taken(&code, &owner);
        }
        let mut plans = self.data(biller)?.plans.iter_mut();
        if let Some(plan) = plans.find(|plan| plan.code == code) {
            plan.name = facts.name.unwrap_or_else(|| plan.name.clone());
            plan.validity_days = facts.validity_days.unwrap_or(plan.validity_days);
            plan.amount = facts.amount.unwrap_or(plan.amount);
            plan.available = facts.available.unwrap_or(plan.available);
            return Ok(());
        }
        let available = facts.available.unwrap_or(true);
        let (name, validity_days, amount) = self.whole(facts)?;
        self.data(biller)?.plans.push(DataPlan {
            code,
            name,
            validity_days,
            amount,
            available,
        });
        Ok(())
    }

    fn bill_plan(
        &mut self,
        (category, biller): (BillCategory, &BillerCode),
        code: PlanCode,
        facts: PlanFacts,
    ) -> Reading<()> {
        let mut plans = self.bill(category, biller)?.plans.iter_mut();
        if let Some(plan) = plans.find(|plan| plan.code == code) {
            plan.name = facts.name.unwrap_or_else(|| plan.name.clone());
            plan.validity_days = facts.validity_days.unwrap_or(plan.validity_days);
            plan.amount = facts.amount.unwrap_or(plan.amount);
            return Ok(());
        }
        let (name, validity_days, amount) = self.whole(facts)?;
        self.bill(category, biller)?.plans.push(BillPlan {
            code,
            name,
            validity_days,
            amount,
        });
        Ok(())
    }
}
