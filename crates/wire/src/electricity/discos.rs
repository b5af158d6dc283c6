//! `GET /payment/electricity/discos`. It must list what it is given: which companies can be paid now
//! is not decided here.

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

/// One company (interface §2.6). A commission shows all its decimals: rounding it would show a price
/// that is not charged.
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
