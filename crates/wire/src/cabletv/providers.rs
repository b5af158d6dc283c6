//! `GET /payment/cabletv/providers`. It must list what it is given: which billers can be paid now
//! is not decided here.

use crate::attribute;
use crate::attributes::Attributes;
use crate::biller::{self, BillerView, ListedBiller};
use crate::listing::{Layout, Listing, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::cabletv::CableBiller;
use domain::country::CountryCode;
use domain::subscription::BillerCode;

const LAYOUT: Layout<CableBiller> = Layout {
    path: "/payment/cabletv/providers",
    plural: "providers",
    singular: "provider",
    orders: &biller::orders(),
    entry: view_one,
};

/// The billers that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CableProvidersQuery {
    pub country: CountryCode,
    /// The one biller that is requested; without it, all of them.
    pub only: Option<BillerCode>,
    pub paging: Paging<OrderWord>,
}

/// Reads which providers are asked for.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<CableProvidersQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let only = reader.optional(&attribute::PROVIDER_IDENTIFIER, BillerCode::parse);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(CableProvidersQuery {
            country: country?,
            only: only?,
            paging: paging?,
        })
    })
}

/// A page of the list of billers.
pub fn view(providers: &Listing<CableBiller>, query: &CableProvidersQuery) -> Object {
    LAYOUT.view(providers, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(providers: &Listing<CableBiller>, query: &CableProvidersQuery) -> String {
    let filters = [(&attribute::COUNTRY, query.country.to_string())];
    LAYOUT.link_header((providers, &query.paging), &filters)
}

/// One biller (interface §2.5): an entry of the list, or the whole answer. A commission shows all
/// its decimals: rounding it would show a price that is not charged.
pub fn view_one(provider: &CableBiller) -> Object {
    biller::view(provider)
        .with("commission", provider.terms.commission.to_string())
        .with("currency", provider.terms.fee.currency().code())
}

impl ListedBiller for CableBiller {
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
    use crate::tree::Node;
    use testkit::builders::cable_provider;

    fn lenient(text: &str) -> Result<CableProvidersQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn providers() -> Listing<CableBiller> {
        let found = vec![
            cable_provider("12", "DStv"),
            CableBiller {
                company: "Africa Streaming".into(),
                ..cable_provider("3", "Showmax")
            },
            cable_provider("2", "GOtv"),
        ];
        Listing { found, total: 4 }
    }

    #[test]
    fn the_list_or_one_provider_is_asked_for() {
        let asked = lenient("countryCode=566").unwrap();
        assert_eq!((asked.country, asked.only), (CountryCode::NIGERIA, None));
        let one = lenient("countryCode=566&identifier=12").unwrap();
        assert_eq!(one.only.unwrap().as_str(), "12");
    }

    #[test]
    fn every_bad_filter_is_named_with_what_is_permitted() {
        insta::assert_snapshot!(faults(lenient("")), @r"
        405 851
        countryCode: is required; add it to the query of the address
        ");
        for text in ["", "DStv", "-1", "1234567890", "1.0", "%D9%A3"] {
            let read = lenient(&format!("countryCode=566&identifier={text}"));
            let expected =
                "400 820\nidentifier: must be the identifier of a provider, 1 to 9 digits";
            assert_eq!(faults(read), expected, "{text:?}");
        }
        let text = "countryCode=NG&identifier=x&length=101&orderby=commission&retrieve=all";
        insta::assert_snapshot!(faults(parse(&query(text), Handling::Strict)), @r"
        400 851
        countryCode: must be an ISO 3166-1 numeric country code such as 566
        identifier: must be the identifier of a provider, 1 to 9 digits
        length: must be a whole number from 1 to 100
        orderby: must be identifier or brandname or company
        retrieve: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_provider_is_the_same_in_a_list_and_alone() {
        let one = cable_provider("12", "DStv");
        insta::assert_snapshot!(pretty(&view_one(&one).into()), @r#"
        {
          identifier: "12"
          brandname: "DStv"
          company: "DStv Limited"
          logo: "/logos/dstv"
          address: "1 Tiamiyu Savage Street, Lagos"
          commission: "2.25"
          currency: "NGN"
        }
        "#);
        let list = Listing::whole(vec![one.clone()]);
        let shown = view(&list, &lenient("countryCode=566").unwrap());
        let entries = Node::objects("provider", [view_one(&one)]);
        assert_eq!(shown.fields().next(), Some(("providers", &entries)));
        insta::assert_snapshot!("cable_providers", pretty(&shown.into()));
    }

    #[test]
    fn what_is_not_on_record_shows_as_such() {
        let bare = CableBiller {
            company: String::new(),
            address: " ".into(),
            ..cable_provider("12", "DStv")
        };
        insta::assert_snapshot!(pretty(&view_one(&bare).into()), @r#"
        {
          identifier: "12"
          brandname: "DStv"
          company: "Unavailable"
          logo: "/logos/dstv"
          address: "Unavailable"
          commission: "2.25"
          currency: "NGN"
        }
        "#);
    }

    #[test]
    fn the_list_is_ordered_by_identifier_brandname_or_company() {
        let shown = |text: &str| {
            let query = lenient(&format!("countryCode=566&{text}")).unwrap();
            each("identifier", &view(&providers(), &query))
        };
        assert_eq!(shown("sort=asc"), "2 3 12");
        assert_eq!(shown("orderby=brandname"), "12 2 3");
        assert_eq!(shown("orderby=company&sort=desc"), "2 12 3");
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let asked = lenient("countryCode=566&length=1&orderby=brandname&sort=desc").unwrap();
        let header = link_header(&providers(), &asked);
        let expected = "</payment/cabletv/providers?countryCode=566&offset=0&length=1\
                        &orderby=brandname&sort=desc>; rel=\"first\"";
        assert!(header.starts_with(expected), "{header}");
        let read = |again: &Attributes| parse(again, Handling::Strict);
        let list = ("/payment/cabletv/providers", header.as_str());
        links_ask_for_the_same(list, asked, read, |mut query| {
            query.paging.offset = 0;
            query
        });
    }
}
