//! `GET /payment/electricity/discos`. It must list what it is given: which billers can be paid now
//! is not decided here.

use crate::attribute;
use crate::attributes::Attributes;
use crate::biller::{self, BillerView, ListedBiller};
use crate::listing::{self, Layout, Listing, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::electricity::Disco;
use domain::retrieve::Retrieve;

const LAYOUT: Layout<Disco> = Layout {
    path: "/payment/electricity/discos",
    plural: "discos",
    singular: "disco",
    orders: &biller::orders(),
    entry,
};

/// The billers that are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscosQuery {
    pub country: CountryCode,
    pub retrieve: Retrieve,
    pub paging: Paging<OrderWord>,
}

/// Reads which billers are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<DiscosQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let retrieve = reader.retrieve();
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(DiscosQuery {
            country: country?,
            retrieve: retrieve?,
            paging: paging?,
        })
    })
}

/// A page of the list of billers.
pub fn view(companies: &Listing<Disco>, query: &DiscosQuery) -> Object {
    LAYOUT.view(companies, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(companies: &Listing<Disco>, query: &DiscosQuery) -> String {
    let country = (&attribute::COUNTRY, query.country.to_string());
    let mut filters = vec![country];
    filters.extend(listing::retrieve_filter(query.retrieve));
    LAYOUT.link_header((companies, &query.paging), &filters)
}

/// One biller (interface §2.6). A commission shows all its decimals: rounding it would show a price
/// that is not charged.
fn entry(disco: &Disco) -> Object {
    biller::view(disco)
        .with("comPrepaid", disco.prepaid.commission.to_string())
        .with("comPostpaid", disco.postpaid.commission.to_string())
        .with("comCurrency", disco.prepaid.fee.currency().code())
}

impl ListedBiller for Disco {
    fn shown(&self) -> BillerView<'_> {
        BillerView {
            identifier: self.code.as_str(),
            brandname: &self.brandname,
            company: &self.company,
            address: &self.address,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{each, faults, links_ask_for_the_same, pretty, query};
    use domain::electricity::DiscoCode;
    use domain::percent::Percent;
    use domain::pricing::Terms;
    use testkit::builders::naira;

    fn lenient(text: &str) -> Result<DiscosQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    #[test]
    fn the_list_holds_what_can_be_paid_unless_all_is_asked_for() {
        let asked = lenient("countryCode=566").unwrap();
        assert_eq!(asked.country, CountryCode::NIGERIA);
        assert_eq!(asked.retrieve, Retrieve::Buyable);
        let all = lenient("countryCode=566&retrieve=all").unwrap();
        assert_eq!(all.retrieve, Retrieve::All);
        insta::assert_snapshot!(faults(lenient("countryCode=NG&retrieve=every")), @r"
        400 851
        countryCode: must be an ISO 3166-1 numeric country code such as 566
        retrieve: must be all, or left out
        ");
        let missing = "405 851\ncountryCode: is required; add it to the query of the address";
        assert_eq!(faults(lenient("")), missing);
    }

    fn disco(code: &str, brandname: &str) -> Disco {
        let terms = |commission| Terms {
            commission: Percent::parse(commission).unwrap(),
            discount: Percent::ZERO,
            fee: naira("0.00"),
        };
        Disco {
            code: DiscoCode::parse(code).unwrap(),
            country: CountryCode::NIGERIA,
            brandname: brandname.into(),
            company: format!("{brandname} Plc"),
            address: String::new(),
            prepaid: terms("2.5"),
            postpaid: terms("1.1255"),
            available: true,
        }
    }

    fn companies() -> Listing<Disco> {
        let found = vec![
            disco("102", "Benin"),
            disco("0103", "Aba"),
            disco("99", "Eko"),
        ];
        Listing { found, total: 4 }
    }

    #[test]
    fn a_company_shows_its_commissions_with_all_their_decimals() {
        let found = vec![
            disco("101", "Ikeja Electric"),
            disco("0102", "Ikeja Electric"),
        ];
        let list = Listing { found, total: 2 };
        let query = lenient("countryCode=566").unwrap();
        insta::assert_snapshot!("discos", pretty(&view(&list, &query).into()));
        let none = Listing {
            found: Vec::new(),
            total: 2,
        };
        insta::assert_snapshot!("no_discos", pretty(&view(&none, &query).into()));
    }

    #[test]
    fn the_list_is_a_collection_with_an_order_and_parts() {
        let shown = |text: &str| {
            let query = lenient(&format!("countryCode=566&{text}")).unwrap();
            each("identifier", &view(&companies(), &query))
        };
        assert_eq!(shown(""), "99 102 0103");
        assert_eq!(shown("sort=desc"), "0103 102 99");
        assert_eq!(shown("orderby=brandname"), "0103 102 99");
        assert_eq!(shown("orderby=company&sort=desc&length=2"), "99 102");
        assert_eq!(shown("offset=1&length=1"), "102");
        assert_eq!(shown("offset=3"), "");
        insta::assert_snapshot!(faults(lenient("countryCode=566&orderby=address&length=0")), @r"
        400 -
        length: must be a whole number from 1 to 100
        orderby: must be identifier or brandname or company
        ");
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let text = "countryCode=566&retrieve=all&length=2&orderby=brandname&sort=desc";
        let asked = lenient(text).unwrap();
        let header = link_header(&companies(), &asked);
        let expected = [(0, "first"), (2, "next"), (2, "last")].map(|(at, relation)| {
            format!(
                "</payment/electricity/discos?countryCode=566&retrieve=all&offset={at}&length=2\
                 &orderby=brandname&sort=desc>; rel=\"{relation}\""
            )
        });
        assert_eq!(header, expected.join(", "));
        let read = |again: &Attributes| parse(again, Handling::Strict);
        let list = ("/payment/electricity/discos", header.as_str());
        links_ask_for_the_same(list, asked, read, |mut query| {
            query.paging.offset = 0;
            query
        });
    }
}
