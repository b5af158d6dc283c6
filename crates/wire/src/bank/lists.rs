//! `GET /transfer/bank/lists`. It must list what it is given, and only one page of it where a page
//! is requested.

use super::lookup;
use crate::attribute;
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord, by_name};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::bank::Bank;
use domain::country::CountryCode;

const LAYOUT: Layout<Bank> = Layout {
    path: "/transfer/bank/lists",
    plural: "banks",
    singular: "bank",
    orders: &[
        ListingOrder {
            word: "bankShortname",
            compare: |one, other| by_name(&one.shortname, &other.shortname),
        },
        ListingOrder {
            word: "bankFullname",
            compare: |one, other| by_name(&one.fullname, &other.fullname),
        },
        ListingOrder {
            word: "bankIdentifier",
            compare: |one, other| one.identifier.cmp(&other.identifier),
        },
        ListingOrder {
            word: "bankType",
            compare: |one, other| one.kind.label().cmp(other.kind.label()),
        },
    ],
    entry: lookup::view,
};

/// The banks that are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BanksQuery {
    pub country: CountryCode,
    pub paging: Paging<OrderWord>,
}

/// Reads which banks are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<BanksQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(BanksQuery {
            country: country?,
            paging: paging?,
        })
    })
}

/// A page of the list of banks.
pub fn view(banks: &Listing<Bank>, query: &BanksQuery) -> Object {
    LAYOUT.view(banks, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(banks: &Listing<Bank>, query: &BanksQuery) -> String {
    let filters = [(&attribute::COUNTRY, query.country.to_string())];
    LAYOUT.link_header((banks, &query.paging), &filters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{each, faults, links_ask_for_the_same, pretty, query};
    use crate::tree::Node;
    use domain::bank::BankKind;
    use testkit::builders::bank;

    fn lenient(text: &str) -> Result<BanksQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn banks() -> Listing<Bank> {
        let found = vec![
            Bank {
                fullname: "Zenith Bank Plc".into(),
                ..bank("00000000057", "Zenith")
            },
            Bank {
                fullname: "Alternative Bank Limited".into(),
                kind: BankKind::NonInterest,
                ..bank("00000000304", "TAJ")
            },
            Bank {
                fullname: "Moniepoint MFB".into(),
                kind: BankKind::Microfinance,
                ..bank("00000000001", "Moniepoint")
            },
        ];
        Listing::whole(found)
    }

    #[test]
    fn the_banks_of_a_country_are_asked_for() {
        let asked = lenient("countryCode=566").unwrap();
        assert_eq!(asked.country, CountryCode::NIGERIA);
        insta::assert_snapshot!(faults(lenient("length=1000")), @r"
        405 851
        countryCode: is required; add it to the query of the address
        length: must be a whole number from 1 to 100
        ");
        let text = "countryCode=Nigeria&orderby=codeBank&sort=&bankIdentifier=00000000058";
        insta::assert_snapshot!(faults(parse(&query(text), Handling::Strict)), @r"
        400 851
        countryCode: must be an ISO 3166-1 numeric country code such as 566
        orderby: must be bankShortname or bankFullname or bankIdentifier or bankType
        sort: must be asc or desc
        bankIdentifier: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn an_entry_of_the_list_is_what_the_lookup_shows() {
        let gtbank = bank("00000000058", "GTBank");
        let list = Listing::whole(vec![gtbank.clone()]);
        let shown = view(&list, &lenient("countryCode=566").unwrap());
        let entries = Node::objects("bank", [lookup::view(&gtbank)]);
        assert_eq!(shown.fields().next(), Some(("banks", &entries)));
        insta::assert_snapshot!("banks", pretty(&shown.into()));
    }

    #[test]
    fn the_list_is_ordered_by_either_name_identifier_or_type() {
        let shown = |text: &str| {
            let query = lenient(&format!("countryCode=566&{text}")).unwrap();
            each("bankShortname", &view(&banks(), &query))
        };
        assert_eq!(shown("sort=asc"), "Moniepoint TAJ Zenith");
        assert_eq!(shown("orderby=bankFullname"), "TAJ Moniepoint Zenith");
        assert_eq!(shown("orderby=bankIdentifier"), "Moniepoint Zenith TAJ");
        assert_eq!(shown("orderby=bankType&sort=desc"), "TAJ Moniepoint Zenith");
    }

    #[test]
    fn names_in_small_letters_stand_among_the_others() {
        let mut found = banks();
        found.found.push(bank("00000000002", "eTranzact"));
        for word in ["bankShortname", "bankFullname"] {
            let query = lenient(&format!("countryCode=566&orderby={word}")).unwrap();
            let shown = each("bankShortname", &view(&found, &query));
            assert!(!shown.ends_with("eTranzact"), "{word}: {shown}");
        }
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let asked = lenient("countryCode=566&length=1&orderby=bankType&sort=desc").unwrap();
        let header = link_header(&banks(), &asked);
        let expected = "</transfer/bank/lists?countryCode=566&offset=0&length=1&orderby=bankType\
                        &sort=desc>; rel=\"first\"";
        assert!(header.starts_with(expected), "{header}");
        let read = |again: &Attributes| parse(again, Handling::Strict);
        let list = ("/transfer/bank/lists", header.as_str());
        links_ask_for_the_same(list, asked, read, |mut query| {
            query.paging.offset = 0;
            query
        });
    }
}
