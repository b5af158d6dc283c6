//! What a provider lists beside what the catalogue offers of it. It must show everything that would
//! make an order fail or cost otherwise there, and change nothing.

use crate::diff::CatalogueChange;
use crate::snapshot::CatalogueSnapshot;
use domain::listed_offer::ListedOffer;
use domain::money::Money;
use domain::provider::ProviderId;
use ports::catalogue::CatalogueOffer;

/// What a provider lists of a product otherwise than the catalogue offers of it: other prices and
/// limits, offers that it lists no more or cannot deliver now, and those that are not offered.
/// `before` is ours, `after` the provider's.
pub fn listed_otherwise(
    snapshot: &CatalogueSnapshot,
    (provider, product): (&ProviderId, &str),
    listed: &[ListedOffer],
) -> Vec<CatalogueChange> {
    let offers = snapshot.offers_of(provider);
    let offers: Vec<_> = offers.filter(|it| it.product == product).collect();
    let listed = listed.iter().filter(|it| it.product == product);
    let listed: Vec<&ListedOffer> = listed.collect();
    let mut changes = Vec::new();
    let mut differs = |what: String, before: Option<String>, after: Option<String>| {
        changes.push(CatalogueChange {
            product: product.to_owned(),
            what,
            before,
            after,
        });
    };
    let mut matched = Vec::new();
    for offer in &offers {
        let Some(code) = listed_code(offer, &listed) else {
            continue;
        };
        matched.push(code);
        let what = named(offer, code);
        let ours = offer.plan.as_ref();
        let ours = ours.and_then(|plan| snapshot.plan(product, plan).map(|it| it.amount));
        let shown = ours.map(|it| it.to_string());
        let Some(theirs) = listed.iter().find(|it| it.code == code) else {
            let shown = shown.or_else(|| Some(amounts(offer.minimum, offer.maximum)));
            differs(what, shown, None);
            continue;
        };
        if theirs.amount.is_some() && theirs.amount != ours {
            let price = theirs.amount.map(|it| it.to_string());
            differs(what.clone(), shown, price);
        }
        if theirs.available != offer.available {
            let said = |available: bool| Some(availability(available).to_owned());
            differs(what.clone(), said(offer.available), said(theirs.available));
        }
        let limits = (theirs.minimum, theirs.maximum);
        if limits != (None, None) && limits != (offer.minimum, offer.maximum) {
            let ours = amounts(offer.minimum, offer.maximum);
            differs(what, Some(ours), Some(amounts(limits.0, limits.1)));
        }
    }
    for offer in &listed {
        if !matched.contains(&offer.code.as_str()) {
            let shown = format!("{}{}", offer.name, facts(offer));
            differs(format!("not offered ({})", offer.code), None, Some(shown));
        }
    }
    changes
}

/// What a provider calls an offer of the catalogue. Where the catalogue does not say, the one offer
/// of the product is meant; which of several plans, only the adapter knows.
fn listed_code<'a>(offer: &'a CatalogueOffer, listed: &[&'a ListedOffer]) -> Option<&'a str> {
    match (&offer.code, &offer.plan, listed) {
        (Some(code), _, _) => Some(code),
        (None, None, [only]) => Some(&only.code),
        (None, None | Some(_), _) => None,
    }
}

fn named(offer: &CatalogueOffer, code: &str) -> String {
    match &offer.plan {
        Some(plan) => format!("plan {plan} ({code})"),
        None => format!("every amount ({code})"),
    }
}

const fn availability(available: bool) -> &'static str {
    if available {
        "available"
    } else {
        "not available"
    }
}

fn amounts(minimum: Option<Money>, maximum: Option<Money>) -> String {
    let shown = |it: Option<Money>| it.map_or_else(|| "any".to_owned(), |it| it.to_string());
    format!("from {} to {}", shown(minimum), shown(maximum))
}

/// What is said of an offer after its name.
fn facts(offer: &ListedOffer) -> String {
    let price = offer
        .amount
        .map_or_else(String::new, |it| format!(", {it}"));
    let limits = if (offer.minimum, offer.maximum) == (None, None) {
        String::new()
    } else {
        format!(", {}", amounts(offer.minimum, offer.maximum))
    };
    let available = if offer.available {
        ""
    } else {
        ", not available"
    };
    format!("{price}{limits}{available}")
}
