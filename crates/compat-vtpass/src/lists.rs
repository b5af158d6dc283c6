//! What is sold, and the balance, as VTpass lists them. It must not price anything.

use crate::answer::naira;
use crate::code::ResponseCode;
use crate::service::{CATEGORIES, SOLD};
use domain::money::Money;
use serde_json::{Value, json};

/// The fee that is added to a price: none, the price has everything.
const NO_FEE: &str = "0 %";

/// A plan as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanVariation<'a> {
    /// Its `variation_code`.
    pub code: &'a str,
    /// Its name.
    pub name: &'a str,
    /// What the customer pays for it.
    pub amount: Money,
}

/// `GET service-variations`: the plans of a service.
pub fn variations<'a>(service_id: &str, plans: impl Iterator<Item = PlanVariation<'a>>) -> Value {
    let name = SOLD.iter().find(|(id, ..)| *id == service_id);
    let plans: Vec<_> = plans
        .map(|plan| {
            json!({
                "variation_code": plan.code,
                "name": plan.name,
                "variation_amount": plan.amount.to_string().replace(',', ""),
                "fixedPrice": "Yes",
            })
        })
        .collect();
    listed(&json!({
        "ServiceName": name.map(|(_, name, _)| *name),
        "serviceID": service_id,
        "convinience_fee": NO_FEE,
        "variations": plans,
        // Clients read the misspelt name as well.
        "varations": plans,
    }))
}

/// `GET services`: the services of a category; none of one that is not known.
pub fn services(category: &str) -> Value {
    let of_category = SOLD
        .iter()
        .filter(|(.., service)| service.category().identifier == category);
    let services: Vec<_> = of_category
        .map(|(id, name, _)| {
            json!({
                "serviceID": id,
                "name": name,
                "minimium_amount": null,
                "maximum_amount": null,
                "convinience_fee": NO_FEE,
                "image": "",
            })
        })
        .collect();
    listed(&json!(services))
}

/// `GET service-categories`.
pub fn categories() -> Value {
    let all = CATEGORIES.map(|it| json!({"identifier": it.identifier, "name": it.name}));
    listed(&json!(all))
}

/// `GET balance`: what can be spent.
pub fn balance(available: Money) -> Value {
    json!({"code": 1, "contents": {"balance": naira(available)}})
}

/// Lists carry their code in the place of its words.
fn listed(content: &Value) -> Value {
    json!({"response_description": ResponseCode::Processed.digits(), "content": content})
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::naira;

    #[test]
    fn every_service_is_in_one_category_and_plans_have_the_price_of_the_customer() {
        let listed = categories();
        let identifiers = listed["content"].as_array().unwrap().iter();
        let services: usize = identifiers
            .map(|it| services(it["identifier"].as_str().unwrap()))
            .map(|listed| listed["content"].as_array().unwrap().len())
            .sum();
        assert_eq!(services, SOLD.len());
        let plan = PlanVariation {
            code: "30101",
            name: "1.5GB",
            amount: naira("1,200.00"),
        };
        let shown = variations("mtn-data", [plan].into_iter());
        assert_eq!(shown["content"]["ServiceName"], "MTN Data");
        let shown = &shown["content"]["variations"][0];
        assert_eq!(shown["variation_amount"], "1200.00");
        assert_eq!(balance(naira("12.50"))["contents"]["balance"], 12.5);
    }
}
