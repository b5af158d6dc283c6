//! `GET /payment/internet/plans`. It must show the price of a plan for this merchant, not its list
//! price.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format::available;
use crate::listing::{self, Layout, Listing, ListingOrder, OrderWord, by_name, by_number};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::internet::{DataOperator, DataPlan};
use domain::money::Money;
use domain::retrieve::Retrieve;
use domain::subscription::BillerCode;

const LAYOUT: Layout<(DataPlan, Money)> = Layout {
    path: "/payment/internet/plans",
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
        ListingOrder {
            word: "validity",
            compare: |one, other| one.0.validity_days.cmp(&other.0.validity_days),
        },
    ],
    entry,
};

/// The plans that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataPlansQuery {
    pub provider: BillerCode,
    pub retrieve: Retrieve,
    pub paging: Paging<OrderWord>,
}

/// Reads which plans are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<DataPlansQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let provider = reader.provider();
    let retrieve = reader.retrieve();
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(DataPlansQuery {
            provider: provider?,
            retrieve: retrieve?,
            paging: paging?,
        })
    })
}

/// A page of an operator's plans, each with its price.
pub fn view(
    provider: &DataOperator,
    plans: &Listing<(DataPlan, Money)>,
    query: &DataPlansQuery,
) -> Object {
    Object::new()
        .with("brandname", provider.brandname.as_str())
        .with("company", available(&provider.company))
        .and(LAYOUT.view(plans, &query.paging))
}

/// The `Link` header of the answer.
pub fn link_header(plans: &Listing<(DataPlan, Money)>, query: &DataPlansQuery) -> String {
    let provider = (&attribute::PROVIDER, query.provider.to_string());
    let mut filters = vec![provider];
    filters.extend(listing::retrieve_filter(query.retrieve));
    LAYOUT.link_header((plans, &query.paging), &filters)
}

/// One plan (interface §2.7); its validity is a text here, a count of days.
fn entry((plan, price): &(DataPlan, Money)) -> Object {
    Object::new()
        .with("identifier", plan.code.as_str())
        .with("name", plan.name.as_str())
        .with("validity", plan.validity_days.to_string())
        .with("amount", plan.amount)
        .with("price", *price)
        .with("currency", price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{each, faults, links_ask_for_the_same, pretty, query};
    use testkit::builders::{data_plan, data_provider, naira};

    fn lenient(text: &str) -> Result<DataPlansQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn plans() -> Listing<(DataPlan, Money)> {
        let found = [
            ("1105", ("Weekly", 7), "1,500.00"),
            ("102", ("Yearly", 365), "50,000.00"),
            ("103", ("Daily", 1), "1,600.00"),
        ];
        let priced = |(code, plan, amount)| (data_plan(code, plan, amount), naira(amount));
        Listing::whole(found.map(priced).to_vec())
    }

    #[test]
    fn the_list_holds_what_can_be_bought_unless_all_is_asked_for() {
        let asked = lenient("provider=1").unwrap();
        assert_eq!(asked.provider.as_str(), "1");
        assert_eq!(asked.retrieve, Retrieve::Buyable);
        let all = lenient("provider=1&retrieve=all").unwrap();
        assert_eq!(all.retrieve, Retrieve::All);
    }

    #[test]
    fn every_bad_filter_is_named_with_what_is_permitted() {
        insta::assert_snapshot!(faults(lenient("countryCode=566")), @r"
        405 820
        provider: is required; add it to the query of the address
        ");
        let text = "provider=MTN&retrieve=&length=0&orderby=price&identifier=105";
        insta::assert_snapshot!(faults(parse(&query(text), Handling::Strict)), @r"
        400 820
        provider: must be the identifier of a provider, 1 to 9 digits
        retrieve: must be all, or left out
        length: must be a whole number from 1 to 100
        orderby: must be identifier or name or amount or validity
        identifier: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_plan_shows_what_it_costs_and_what_this_merchant_is_charged() {
        let plan = data_plan("105", ("1.5GB 30 days", 30), "1,200.00");
        let list = Listing {
            found: vec![(plan, naira("1,162.50"))],
            total: 9,
        };
        let provider = data_provider("1", "MTN");
        let shown = view(&provider, &list, &lenient("provider=1").unwrap());
        insta::assert_snapshot!("data_plans", pretty(&shown.into()));
    }

    #[test]
    fn the_list_is_ordered_by_identifier_name_amount_or_validity() {
        let shown = |text: &str| {
            let query = lenient(&format!("provider=1&{text}")).unwrap();
            each(
                "identifier",
                &view(&data_provider("1", "MTN"), &plans(), &query),
            )
        };
        assert_eq!(shown("sort=asc"), "102 103 1105");
        assert_eq!(shown("orderby=name"), "103 1105 102");
        assert_eq!(shown("orderby=amount&sort=desc"), "102 103 1105");
        assert_eq!(shown("orderby=validity"), "103 1105 102");
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let asked = lenient("provider=1&retrieve=all&length=1&orderby=validity&sort=desc").unwrap();
        let header = link_header(&plans(), &asked);
        let expected = "</payment/internet/plans?provider=1&retrieve=all&offset=0&length=1\
                        &orderby=validity&sort=desc>; rel=\"first\"";
        assert!(header.starts_with(expected), "{header}");
        let read = |again: &Attributes| parse(again, Handling::Strict);
        let list = ("/payment/internet/plans", header.as_str());
        links_ask_for_the_same(list, asked, read, |mut query| {
            query.paging.offset = 0;
            query
        });
    }
}
