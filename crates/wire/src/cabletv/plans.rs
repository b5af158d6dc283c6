//! `GET /payment/cabletv/plans`. It must show the price of a plan for this merchant, not its list
//! price.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format::available;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord, by_name, by_number};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::cabletv::{CableBiller, CablePlan};
use domain::money::Money;
use domain::subscription::{BillerCode, PlanCode};

const LAYOUT: Layout<(CablePlan, Money)> = Layout {
    path: "/payment/cabletv/plans",
    plural: "plans",
    singular: "plan",
    orders: &[
        ListingOrder {
            word: "identifier",
            compare: |one, other| by_number(one.0.code.as_str(), other.0.code.as_str()),
        },
        ListingOrder {
            word: "name",
            compare: |one, other| by_name(&one.0.name, &other.0.name),
        },
        ListingOrder {
            word: "amount",
            compare: |one, other| one.0.amount.minor().cmp(&other.0.amount.minor()),
        },
    ],
    entry: |(plan, price)| view_plan(plan, *price),
};

/// The plans that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CablePlansQuery {
    pub provider: BillerCode,
    /// The one plan that is requested; without it, all of them.
    pub only: Option<PlanCode>,
    pub paging: Paging<OrderWord>,
}

/// Reads which plans are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<CablePlansQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let provider = reader.provider();
    let only = reader.optional(&attribute::PLAN, PlanCode::parse);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(CablePlansQuery {
            provider: provider?,
            only: only?,
            paging: paging?,
        })
    })
}

/// A page of a biller's plans, each with its price.
pub fn view(
    provider: &CableBiller,
    plans: &Listing<(CablePlan, Money)>,
    query: &CablePlansQuery,
) -> Object {
    brand(provider).and(LAYOUT.view(plans, &query.paging))
}

/// One plan (interface §2.5).
pub fn view_one(provider: &CableBiller, (plan, price): (&CablePlan, Money)) -> Object {
    brand(provider).and(view_plan(plan, price))
}

/// The `Link` header of the answer.
pub fn link_header(plans: &Listing<(CablePlan, Money)>, query: &CablePlansQuery) -> String {
    let filters = [(&attribute::PROVIDER, query.provider.to_string())];
    LAYOUT.link_header((plans, &query.paging), &filters)
}

fn brand(provider: &CableBiller) -> Object {
    Object::new()
        .with("brandname", provider.brandname.as_str())
        .with("company", available(&provider.company))
}

fn view_plan(plan: &CablePlan, price: Money) -> Object {
    Object::new()
        .with("identifier", plan.code.as_str())
        .with("name", plan.name.as_str())
        .with("validity", plan.validity_days)
        .with("amount", plan.amount)
        .with("price", price)
        .with("currency", price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{each, faults, links_ask_for_the_same, pretty, query};
    use testkit::builders::{cable_plan, cable_provider, naira};

    fn lenient(text: &str) -> Result<CablePlansQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn plans() -> Listing<(CablePlan, Money)> {
        let found = [
            ("1104", "Premium", "44,500.00"),
            ("102", "Yanga", "6,000.00"),
            ("103", "Padi", "9,300.00"),
        ];
        let priced = |(code, name, amount)| {
            let plan = cable_plan(code, name, amount);
            (plan, naira(amount))
        };
        Listing::whole(found.map(priced).to_vec())
    }

    #[test]
    fn the_plans_of_a_provider_or_one_of_them_are_asked_for() {
        let asked = lenient("provider=12").unwrap();
        assert_eq!((asked.provider.as_str(), asked.only), ("12", None));
        let one = lenient("provider=12&identifier=0104").unwrap();
        assert_eq!(one.only.unwrap().as_str(), "0104");
    }

    #[test]
    fn every_bad_filter_is_named_with_what_is_permitted() {
        insta::assert_snapshot!(faults(lenient("identifier=x")), @r"
        405 820
        provider: is required; add it to the query of the address
        identifier: must be the identifier of a plan, 1 to 9 digits
        ");
        for text in ["", "Padi", "-1", "1234567890", "1.0"] {
            let read = lenient(&format!("provider=12&identifier={text}"));
            let expected = "400 830\nidentifier: must be the identifier of a plan, 1 to 9 digits";
            assert_eq!(faults(read), expected, "{text:?}");
        }
        let text = "provider=dstv&sort=up&orderby=price&countryCode=566";
        insta::assert_snapshot!(faults(parse(&query(text), Handling::Strict)), @r"
        400 820
        provider: must be the identifier of a provider, 1 to 9 digits
        orderby: must be identifier or name or amount
        sort: must be asc or desc
        countryCode: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_plan_shows_what_it_costs_and_what_this_merchant_is_charged() {
        let provider = cable_provider("12", "DStv");
        let plan = cable_plan("103", "Padi", "9,300.00");
        let one = view_one(&provider, (&plan, naira("9,090.75")));
        insta::assert_snapshot!(pretty(&one.into()), @r#"
        {
          brandname: "DStv"
          company: "DStv Limited"
          identifier: "103"
          name: "Padi"
          validity: 30
          amount: "9,300.00"
          price: "9,090.75"
          currency: "NGN"
        }
        "#);
        let list = Listing::whole(vec![(plan, naira("9,090.75"))]);
        let shown = view(&provider, &list, &lenient("provider=12").unwrap());
        insta::assert_snapshot!("cable_plans", pretty(&shown.into()));
        let none = view(
            &provider,
            &Listing::whole(Vec::new()),
            &lenient("provider=12").unwrap(),
        );
        insta::assert_snapshot!("no_cable_plans", pretty(&none.into()));
    }

    #[test]
    fn the_list_is_ordered_by_identifier_name_or_amount() {
        let shown = |text: &str| {
            let query = lenient(&format!("provider=12&{text}")).unwrap();
            let provider = cable_provider("12", "DStv");
            each("identifier", &view(&provider, &plans(), &query))
        };
        assert_eq!(shown("sort=asc"), "102 103 1104");
        assert_eq!(shown("orderby=name"), "103 1104 102");
        assert_eq!(shown("orderby=amount&sort=desc"), "1104 103 102");
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let asked = lenient("provider=12&length=1&orderby=amount&sort=desc").unwrap();
        let header = link_header(&plans(), &asked);
        let expected = "</payment/cabletv/plans?provider=12&offset=0&length=1&orderby=amount\
                        &sort=desc>; rel=\"first\"";
        assert!(header.starts_with(expected), "{header}");
        let read = |again: &Attributes| parse(again, Handling::Strict);
        let list = ("/payment/cabletv/plans", header.as_str());
        links_ask_for_the_same(list, asked, read, |mut query| {
            query.paging.offset = 0;
            query
        });
    }
}
