//! `GET /payment/electricity/discos`. It must list what it is given: which companies can be paid
//! now is not decided here.

use crate::attribute;
use crate::attributes::Attributes;
use crate::figures::available;
use crate::page::{self, Paging, Window, sort_word};
use crate::reader::{Handling, Reader};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::electricity::Disco;
use domain::statement::Sort;

const PATH: &str = "/payment/electricity/discos";

const ORDERS: [(&str, Order); 3] = [
    (order_word(Order::Identifier), Order::Identifier),
    (order_word(Order::Brandname), Order::Brandname),
    (order_word(Order::Company), Order::Company),
];

/// Which companies are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscosQuery {
    pub country: CountryCode,
    pub retrieve: Retrieve,
    pub paging: Paging<Order>,
}

/// What the list can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Identifier,
    Brandname,
    Company,
}

/// The companies that satisfy a query, whichever part of them is answered.
#[derive(Debug, Clone)]
pub struct Companies {
    pub found: Vec<Disco>,
    /// How many there are with those that cannot be paid now.
    pub total: usize,
}

/// How much of the list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retrieve {
    /// What can be paid now.
    Buyable,
    /// Every active company.
    All,
}

/// Reads which companies are asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<DiscosQuery, Violations> {
    let mut reader = Reader::new(attributes, handling);
    let country = reader.country();
    let retrieve = reader.choice(&attribute::RETRIEVE, &[("all", Retrieve::All)]);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| {
        Ok(DiscosQuery {
            country: country?,
            retrieve: retrieve?.unwrap_or(Retrieve::Buyable),
            paging: paging?,
        })
    })
}

/// A part of the list of companies.
pub fn view(companies: &Companies, query: &DiscosQuery) -> Object {
    let window = window(companies, query);
    let skipped = usize::try_from(window.offset).unwrap_or(usize::MAX);
    let part = ordered(&companies.found, query.paging)
        .into_iter()
        .skip(skipped);
    let part: Vec<_> = part.take(query.paging.length as usize).collect();
    let returned = part.len();
    Object::new()
        .with(
            "discos",
            Node::objects("disco", part.into_iter().map(entry)),
        )
        .with("metadata", page::metadata(returned))
        .with("query", page::query(&window))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring parts under the same filters.
pub fn link_header(companies: &Companies, query: &DiscosQuery) -> String {
    page::link_header(&window(companies, query), |offset| address(query, offset))
}

fn window(companies: &Companies, query: &DiscosQuery) -> Window {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    Window {
        offset: query.paging.offset,
        length: query.paging.length,
        total: count(companies.total),
        found: count(companies.found.len()),
    }
}

/// By identifier, as numbers are ordered, unless something else was asked for.
fn ordered(found: &[Disco], paging: Paging<Order>) -> Vec<&Disco> {
    let mut discos: Vec<_> = found.iter().collect();
    let identifier = |disco: &Disco| (disco.code.as_str().len(), disco.code.as_str().to_owned());
    match paging.order.unwrap_or(Order::Identifier) {
        Order::Identifier => discos.sort_by_key(|disco| identifier(disco)),
        Order::Brandname => discos.sort_by(|one, other| one.brandname.cmp(&other.brandname)),
        Order::Company => discos.sort_by(|one, other| one.company.cmp(&other.company)),
    }
    if paging.sort == Sort::Descending {
        discos.reverse();
    }
    discos
}

/// The same request for another part. Every value in it stands for itself in a query.
fn address(query: &DiscosQuery, offset: u64) -> String {
    let Paging {
        length,
        order,
        sort,
        ..
    } = query.paging;
    let retrieve = match query.retrieve {
        Retrieve::Buyable => "",
        Retrieve::All => "&retrieve=all",
    };
    let order = order.map(|order| format!("&orderby={}", order_word(order)));
    let (country, order, sort) = (query.country, order.unwrap_or_default(), sort_word(sort));
    format!(
        "{PATH}?countryCode={country}{retrieve}&offset={offset}&length={length}{order}&sort={sort}"
    )
}

const fn order_word(order: Order) -> &'static str {
    match order {
        Order::Identifier => "identifier",
        Order::Brandname => "brandname",
        Order::Company => "company",
    }
}

/// One company (interface §2.6). A commission shows all its decimals: rounding it would show a
/// price that is not charged.
fn entry(disco: &Disco) -> Object {
    Object::new()
        .with("identifier", disco.code.as_str())
        .with("brandname", disco.brandname.as_str())
        .with("company", available(&disco.company))
        .with("logo", available(&disco.logo))
        .with("address", available(&disco.address))
        .with("comPrepaid", disco.prepaid.commission.to_string())
        .with("comPostpaid", disco.postpaid.commission.to_string())
        .with("comCurrency", disco.prepaid.fee.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
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
        insta::assert_snapshot!(faults(lenient("countryCode=NG&retrieve=ALL")), @r"
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
            logo: "https://example.com/ikeja.png".into(),
            address: String::new(),
            prepaid: terms("2.5"),
            postpaid: terms("1.1255"),
            available: true,
        }
    }

    fn companies() -> Companies {
        let found = vec![
            disco("102", "Benin"),
            disco("0103", "Aba"),
            disco("99", "Eko"),
        ];
        Companies { found, total: 4 }
    }

    #[test]
    fn a_company_shows_its_commissions_with_all_their_decimals() {
        let found = vec![
            disco("101", "Ikeja Electric"),
            disco("0102", "Ikeja Electric"),
        ];
        let list = Companies { found, total: 2 };
        let query = lenient("countryCode=566").unwrap();
        insta::assert_snapshot!("discos", pretty(&view(&list, &query).into()));
        let none = Companies {
            found: Vec::new(),
            total: 2,
        };
        insta::assert_snapshot!("no_discos", pretty(&view(&none, &query).into()));
    }

    #[test]
    fn the_list_is_a_collection_with_an_order_and_parts() {
        let shown = |text: &str| {
            let query = lenient(&format!("countryCode=566&{text}")).unwrap();
            let shown = pretty(&view(&companies(), &query).into());
            let identifiers = shown.lines().filter_map(|line| {
                let rest = line.trim().strip_prefix("identifier: \"")?;
                rest.strip_suffix('"').map(str::to_owned)
            });
            identifiers.collect::<Vec<_>>().join(" ")
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
        let again = header.split(['?', '>']).nth(1).unwrap();
        assert_eq!(parse(&query(again), Handling::Strict), Ok(asked));
    }
}
