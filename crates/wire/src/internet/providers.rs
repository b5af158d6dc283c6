//! `GET /payment/internet/providers`. It must list what it is given: which operators can be paid
//! now is not decided here.

use crate::attribute;
use crate::attributes::Attributes;
use crate::biller::{self, BillerView, ListedBiller};
use crate::listing::{self, Layout, Listing, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::internet::DataOperator;
use domain::retrieve::Retrieve;

const LAYOUT: Layout<DataOperator> = Layout {
    path: "/payment/internet/providers",
    plural: "providers",
    singular: "provider",
    orders: &biller::orders(),
    entry,
};

/// The operators that are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataProvidersQuery {
    pub country: CountryCode,
    pub retrieve: Retrieve,
    pub paging: Paging<OrderWord>,
}

/// Reads which providers are asked for.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<DataProvidersQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let retrieve = reader.retrieve();
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(DataProvidersQuery {
            country: country?,
            retrieve: retrieve?,
            paging: paging?,
        })
    })
}

/// A page of the list of operators.
pub fn view(providers: &Listing<DataOperator>, query: &DataProvidersQuery) -> Object {
    LAYOUT.view(providers, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(providers: &Listing<DataOperator>, query: &DataProvidersQuery) -> String {
    let country = (&attribute::COUNTRY, query.country.to_string());
    let mut filters = vec![country];
    filters.extend(listing::retrieve_filter(query.retrieve));
    LAYOUT.link_header((providers, &query.paging), &filters)
}

/// One operator (interface §2.7). A commission shows all its decimals: rounding it would show a
/// price that is not charged.
fn entry(provider: &DataOperator) -> Object {
    biller::view(provider).with("commission", provider.terms.commission.to_string())
}

impl ListedBiller for DataOperator {
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
    use testkit::builders::data_provider;

    fn lenient(text: &str) -> Result<DataProvidersQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn providers() -> Listing<DataOperator> {
        let found = vec![
            data_provider("11", "9mobile"),
            DataOperator {
                company: "Networks of Airtel".into(),
                ..data_provider("3", "Airtel")
            },
            data_provider("1", "MTN"),
        ];
        Listing { found, total: 4 }
    }

    #[test]
    fn the_list_holds_what_can_be_bought_unless_all_is_asked_for() {
        let asked = lenient("countryCode=566").unwrap();
        assert_eq!(asked.country, CountryCode::NIGERIA);
        assert_eq!(asked.retrieve, Retrieve::Buyable);
        let all = lenient("countryCode=566&retrieve=all").unwrap();
        assert_eq!(all.retrieve, Retrieve::All);
    }

    #[test]
    fn every_bad_filter_is_named_with_what_is_permitted() {
        insta::assert_snapshot!(faults(lenient("")), @r"
        405 851
        countryCode: is required; add it to the query of the address
        ");
        let text = "countryCode=0&retrieve=every&offset=-1&orderby=password&identifier=1";
        insta::assert_snapshot!(faults(parse(&query(text), Handling::Strict)), @r"
        400 851
        countryCode: must be an ISO 3166-1 numeric country code such as 566
        retrieve: must be all, or left out
        offset: must be a whole number from 0 to 9007199254740991
        orderby: must be identifier or brandname or company
        identifier: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_provider_shows_its_commission_with_all_its_decimals() {
        let bare = DataOperator {
            company: String::new(),
            address: " ".into(),
            ..data_provider("2", "Glo")
        };
        let list = Listing {
            found: vec![data_provider("1", "MTN"), bare],
            total: 5,
        };
        let shown = view(&list, &lenient("countryCode=566").unwrap());
        insta::assert_snapshot!("data_providers", pretty(&shown.into()));
    }

    #[test]
    fn the_list_is_ordered_by_identifier_brandname_or_company() {
        let shown = |text: &str| {
            let query = lenient(&format!("countryCode=566&{text}")).unwrap();
            each("identifier", &view(&providers(), &query))
        };
        assert_eq!(shown("sort=asc"), "1 3 11");
        assert_eq!(shown("orderby=brandname"), "11 3 1");
        assert_eq!(shown("orderby=company&sort=desc"), "3 1 11");
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let asked =
            lenient("countryCode=566&retrieve=all&length=1&orderby=company&sort=desc").unwrap();
        let header = link_header(&providers(), &asked);
        let expected = "</payment/internet/providers?countryCode=566&retrieve=all&offset=0&length=1\
                        &orderby=company&sort=desc>; rel=\"first\"";
        assert!(header.starts_with(expected), "{header}");
        let read = |again: &Attributes| parse(again, Handling::Strict);
        let list = ("/payment/internet/providers", header.as_str());
        links_ask_for_the_same(list, asked, read, |mut query| {
            query.paging.offset = 0;
            query
        });
    }
}
