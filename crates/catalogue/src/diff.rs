//! What changes from one catalogue to another. It must show everything that a merchant or the
//! gateway would pay differently, and nothing else.

use crate::snapshot::CatalogueSnapshot;
use domain::money::Money;
use domain::percent::Percent;
use domain::subscription::PlanCode;
use ports::catalogue::CatalogueOffer;
use std::collections::BTreeMap;

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CatalogueChange {
    /// The product, such as `cabletv.301`.
    pub product: String,
    /// What of it, such as `plan 3011`.
    pub what: String,
    /// How it was; `None` where it was not set.
    pub before: Option<String>,
    /// How it will be; `None` where it is set no more.
    pub after: Option<String>,
}

impl CatalogueChange {
    /// Whether a plan that was sold is neither sold nor withdrawn: merchants that order it would
    /// learn that it never was.
    pub fn forgets_a_plan(&self) -> bool {
        self.what.starts_with(PLAN) && self.before.is_some() && self.after.is_none()
    }
}

const PLAN: &str = "plan ";

/// The differences from one catalogue to another over the same program, by product.
pub fn compare(before: &CatalogueSnapshot, after: &CatalogueSnapshot) -> Vec<CatalogueChange> {
    let named = plans(before).chain(plans(after)).collect::<Vec<_>>();
    let (mut was, mut will) = (facts(before), facts(after));
    for (product, code) in named {
        let key = (product.clone(), format!("{PLAN}{code}"));
        for (snapshot, facts) in [(before, &mut was), (after, &mut will)] {
            if let Some(shown) = plan(snapshot, &product, &code) {
                facts.insert(key.clone(), shown);
            }
        }
    }
    let mut changes = Vec::new();
    for (key, before) in &was {
        let after = will.get(key);
        if after != Some(before) {
            changes.push(change(key, Some(before), after));
        }
    }
    let added = will.iter().filter(|(key, _)| !was.contains_key(*key));
    changes.extend(added.map(|(key, after)| change(key, None, Some(after))));
    changes.sort();
    changes
}

fn change(
    (product, what): &(String, String),
    before: Option<&String>,
    after: Option<&String>,
) -> CatalogueChange {
    CatalogueChange {
        product: product.clone(),
        what: what.clone(),
        before: before.cloned(),
        after: after.cloned(),
    }
}

/// Every plan of the billers whose records a document changes.
fn plans(snapshot: &CatalogueSnapshot) -> impl Iterator<Item = (String, PlanCode)> {
    let changed = &snapshot.changed;
    let cable = changed.cable.iter().flat_map(|it| {
        let product = format!("cabletv.{}", it.code);
        it.plans
            .iter()
            .map(move |plan| (product.clone(), plan.code.clone()))
    });
    let data = changed.data.iter().flat_map(|it| {
        let product = format!("internet.{}", it.code);
        it.plans
            .iter()
            .map(move |plan| (product.clone(), plan.code.clone()))
    });
    let bills = changed.bills.iter().flat_map(|it| {
        let product = format!("{}.{}", it.category.code(), it.code);
        it.plans
            .iter()
            .map(move |plan| (product.clone(), plan.code.clone()))
    });
    let withdrawn = changed.withdrawn.iter();
    let withdrawn =
        withdrawn.map(|((service, code), biller)| (format!("{service}.{biller}"), code.clone()));
    cable.chain(data).chain(bills).chain(withdrawn)
}

/// A plan as a change shows it; `None` where it was never sold.
fn plan(snapshot: &CatalogueSnapshot, product: &str, code: &PlanCode) -> Option<String> {
    if let Some(plan) = snapshot.plan(product, code) {
        let available = if plan.available {
            ""
        } else {
            ", not available"
        };
        return Some(format!(
            "{}, {} days, {}{available}",
            plan.name, plan.validity_days, plan.amount
        ));
    }
    let service = product.split_once('.').map(|(service, _)| service)?;
    let mut withdrawn = snapshot.changed.withdrawn.keys();
    let is_withdrawn = withdrawn.any(|(of, plan)| *of == service && plan == code);
    is_withdrawn.then(|| "withdrawn".to_owned())
}

/// Everything else that a document sets, by product and what of it.
fn facts(snapshot: &CatalogueSnapshot) -> BTreeMap<(String, String), String> {
    let changed = &snapshot.changed;
    let mut facts = BTreeMap::new();
    let mut set = |product: &str, what: String, shown: String| {
        facts.insert((product.to_owned(), what), shown);
    };
    for (product, terms) in &changed.terms {
        set(product, "commission".into(), percent(terms.commission));
        set(product, "discount".into(), percent(terms.discount));
        set(product, "fee".into(), money(terms.fee));
    }
    for (product, unit) in &changed.units {
        set(product, "unit".into(), unit.to_string());
    }
    for ((account, product), terms) in &changed.overrides {
        let shown = format!(
            "commission {} %, fee {}",
            terms.commission,
            money(terms.fee)
        );
        set(product, format!("price of {account}"), shown);
    }
    for ((provider, product), offers) in &changed.offers {
        for offer in offers {
            let plan = offer.plan.as_ref();
            let what = plan.map_or_else(
                || format!("offer of {provider}"),
                |plan| format!("offer of {provider} for plan {plan}"),
            );
            set(product, what, offered(offer));
        }
    }
    for (product, available) in &changed.availability {
        let sold = if *available { "yes" } else { "no" };
        set(product, "sold".into(), sold.into());
    }
    for it in &changed.networks {
        let limits = format!("{} to {}", it.minimum, it.maximum);
        set(&format!("airtime.{}", it.code), "amounts".into(), limits);
    }
    for it in &changed.cable {
        let limits = format!("{} to {}", it.minimum, it.maximum);
        set(&format!("cabletv.{}", it.code), "amounts".into(), limits);
    }
    for it in &changed.bills {
        let product = format!("{}.{}", it.category.code(), it.code);
        let limits = format!("{} to {}", it.minimum, it.maximum);
        set(&product, "amounts".into(), limits);
    }
    facts.retain(|_, shown| shown != UNSET);
    facts
}

/// What a document leaves as it is in the program.
const UNSET: &str = "unchanged";

fn percent(set: Option<Percent>) -> String {
    set.map_or_else(|| UNSET.to_owned(), |set| format!("{set} %"))
}

fn money(set: Option<Money>) -> String {
    set.map_or_else(|| UNSET.to_owned(), |set| set.to_string())
}

fn offered(offer: &CatalogueOffer) -> String {
    let amount =
        |amount: Option<Money>| amount.map_or_else(|| "any".to_owned(), |it| it.to_string());
    format!(
        "code {}, cost {}, {}, from {} to {}",
        offer.code.as_deref().unwrap_or("of the adapter"),
        money(offer.cost),
        if offer.available {
            "available"
        } else {
            "not available"
        },
        amount(offer.minimum),
        amount(offer.maximum),
    )
}
