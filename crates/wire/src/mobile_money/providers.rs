//! `GET /transfer/mobilemoney/providers`. It must list what it is given: which operators can be
//! paid now is not decided here.

use crate::attribute;
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord, by_name, by_number};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::mobile_money::MobileMoneyOperator;

const LAYOUT: Layout<MobileMoneyOperator> = Layout {
    path: "/transfer/mobilemoney/providers",
    plural: "providers",
    singular: "provider",
    orders: &[
        ListingOrder {
            word: "identifier",
            compare: |one, other| by_number(one.code.as_str(), other.code.as_str()),
        },
        ListingOrder {
            word: "brandname",
            compare: |one, other| by_name(&one.brandname, &other.brandname),
        },
    ],
    entry: view_one,
};

/// The operators that are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperatorsQuery {
    pub country: CountryCode,
    pub paging: Paging<OrderWord>,
}

/// Reads which operators are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<OperatorsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(OperatorsQuery {
            country: country?,
            paging: paging?,
        })
    })
}

/// A page of the list of operators.
pub fn view(operators: &Listing<MobileMoneyOperator>, query: &OperatorsQuery) -> Object {
    LAYOUT.view(operators, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(operators: &Listing<MobileMoneyOperator>, query: &OperatorsQuery) -> String {
    let filters = [(&attribute::COUNTRY, query.country.to_string())];
    LAYOUT.link_header((operators, &query.paging), &filters)
}

/// An entry of the list.
fn view_one(operator: &MobileMoneyOperator) -> Object {
    Object::new()
        .with("identifier", operator.code.as_str())
        .with("brandname", operator.brandname.as_str())
        .with("company", operator.company.as_str())
        .with("currency", operator.minimum.currency().code())
        .with("minimum", operator.minimum)
        .with("maximum", operator.maximum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{each, faults, links_ask_for_the_same, pretty, query};
    use testkit::builders::mobile_money_operator;

    fn lenient(text: &str) -> Result<OperatorsQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn operators() -> Listing<MobileMoneyOperator> {
        Listing::whole(vec![
            mobile_money_operator("901", "MoMo PSB"),
            mobile_money_operator("903", "OPay"),
            mobile_money_operator("1000", "Airtel"),
        ])
    }

    #[test]
    fn every_bad_filter_is_named_with_what_is_permitted() {
        let refused = faults(lenient("orderby=company&length=0"));
        insta::assert_snapshot!("wrong", refused);
    }

    #[test]
    fn the_list_is_ordered_by_number_or_by_name() {
        let shown = |text: &str| {
            let query = lenient(&format!("countryCode=566&{text}")).unwrap();
            each("brandname", &view(&operators(), &query))
        };
        assert_eq!(shown("sort=asc"), "MoMo PSB OPay Airtel");
        assert_eq!(shown("orderby=brandname"), "Airtel MoMo PSB OPay");
    }

    #[test]
    fn an_operator_shows_the_limits_of_a_transfer() {
        let one = Listing::whole(vec![mobile_money_operator("901", "MoMo PSB")]);
        let query = lenient("countryCode=566").unwrap();
        insta::assert_snapshot!("operators", pretty(&view(&one, &query).into()));
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let asked = lenient("countryCode=566&length=1&orderby=brandname&sort=desc").unwrap();
        let header = link_header(&operators(), &asked);
        let read = |again: &Attributes| parse(again, Handling::Strict);
        let list = ("/transfer/mobilemoney/providers", header.as_str());
        links_ask_for_the_same(list, asked, read, |mut query| {
            query.paging.offset = 0;
            query
        });
    }
}
