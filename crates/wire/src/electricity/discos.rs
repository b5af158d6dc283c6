//! `GET /payment/electricity/discos`. It must list what it is given: which companies can be paid
//! now is not decided here.

use crate::attribute;
use crate::attributes::Attributes;
use crate::figures::available;
use crate::page;
use crate::reader::{Handling, Reader};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::electricity::Disco;

/// Which companies are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscosQuery {
    pub country: CountryCode,
    pub retrieve: Retrieve,
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
    reader.finish(|| {
        Ok(DiscosQuery {
            country: country?,
            retrieve: retrieve?.unwrap_or(Retrieve::Buyable),
        })
    })
}

/// The list of companies.
pub fn view(discos: &[Disco]) -> Object {
    Object::new()
        .with("discos", Node::objects("disco", discos.iter().map(entry)))
        .with("metadata", page::metadata(discos.len()))
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

    #[test]
    fn a_company_shows_its_commissions_with_all_their_decimals() {
        let terms = |commission| Terms {
            commission: Percent::parse(commission).unwrap(),
            discount: Percent::ZERO,
            fee: naira("0.00"),
        };
        let disco = Disco {
            code: DiscoCode::parse("101").unwrap(),
            country: CountryCode::NIGERIA,
            brandname: "Ikeja Electric".into(),
            company: "Ikeja Electric Plc".into(),
            logo: "https://example.com/ikeja.png".into(),
            address: String::new(),
            prepaid: terms("2.5"),
            postpaid: terms("1.1255"),
            available: true,
        };
        let other = Disco {
            code: DiscoCode::parse("0102").unwrap(),
            ..disco.clone()
        };
        insta::assert_snapshot!("discos", pretty(&view(&[disco, other]).into()));
        insta::assert_snapshot!("no_discos", pretty(&view(&[]).into()));
    }
}
