//! `[[price_override]]`: what one account pays for one product, in place of the catalogue's terms.
//! It must not decide whether a price override is wise, only whether it can be read.

use application::price_overrides::PriceOverride;
use domain::account::AccountId;
use domain::country::CountryCode;
use domain::electricity::DiscoCode;
use domain::order::Service;
use domain::paid_lookup::LookupCode;
use domain::subscription::BillerCode;
use toml::{Table, Value};

use super::nearest::nearest;
use super::parse::{self, scalar};
use super::problem::{Problem, ReadList};

/// The name of the section.
pub(super) const SECTION: &str = "price_override";

const FIELDS: [&str; 4] = ["account", "product", "commission", "fee"];

/// A price override as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawPriceOverride {
    pub(crate) account: String,
    pub(crate) product: String,
    pub(crate) commission: String,
    pub(crate) fee: Option<String>,
}

/// Takes in the value of `price_override` in a file.
pub(super) fn read(value: Value) -> ReadList<RawPriceOverride> {
    let mut list = ReadList::default();
    let Value::Array(overrides) = value else {
        list.problem("`price_override` is a list: write [[price_override]]".to_owned());
        return list;
    };
    for (index, price) in (1_usize..).zip(overrides) {
        match price {
            Value::Table(table) => read_one(&mut list, index, table),
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_) => {
                list.problem(format!(
                    "price_override {index} must be a table: write [[price_override]]"
                ));
            }
        }
    }
    list
}

fn read_one(list: &mut ReadList<RawPriceOverride>, index: usize, mut table: Table) {
    let mut take = |field: &str| table.remove(field).and_then(scalar);
    let [account, product, commission, fee] = FIELDS.map(&mut take);
    for (name, _) in table {
        let meant = nearest(&name, FIELDS)
            .map(|meant| format!("; did you mean `{meant}`?"))
            .unwrap_or_default();
        list.problem(format!(
            "price_override {index}: `{name}` is not known{meant}"
        ));
    }
    if let (Some(account), Some(product), Some(commission)) = (account, product, commission) {
        list.entries.push(RawPriceOverride {
            account,
            product,
            commission,
            fee,
        });
    } else {
        list.problem(format!(
            "price_override {index} must have `account`, `product` and `commission`, \
             each a single value"
        ));
    }
}

/// Reads a price override; `index` counts from 1.
pub(super) fn parse(raw: &RawPriceOverride, index: usize) -> Result<PriceOverride, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut wrong = |field: &str, text: &str, error: &dyn std::fmt::Display| {
        problems.push(Problem(format!(
            "price_override {index}: `{field}` {error}, not \"{text}\""
        )));
    };
    let account = AccountId::parse(&raw.account)
        .inspect_err(|error| wrong("account", &raw.account, error))
        .ok();
    let product = product(&raw.product)
        .inspect_err(|error| wrong("product", &raw.product, error))
        .ok();
    let commission = parse::percent(&raw.commission)
        .inspect_err(|error| wrong("commission", &raw.commission, error))
        .ok();
    let fee = match &raw.fee {
        None => Some(None),
        Some(text) => parse::fee(text)
            .inspect_err(|error| wrong("fee", text, error))
            .ok()
            .map(Some),
    };
    match (account, product, commission, fee) {
        (Some(account), Some(product), Some(commission), Some(fee)) => Ok(PriceOverride {
            account,
            product,
            commission,
            fee,
        }),
        _ => Err(problems),
    }
}

/// A product by shape: a family and what is sold in it. Terms that apply to nothing would go
/// unnoticed while the merchant pays the catalogue's price.
fn product(text: &str) -> Result<String, String> {
    let (family, sold) = text.split_once('.').unwrap_or((text, ""));
    let mut of_family = Service::all().filter(|service| service.code() == family);
    let fits = of_family.any(|service| service.products().iter().any(|shape| fits(shape, sold)));
    fits.then(|| text.to_owned()).ok_or_else(|| {
        let shapes = Service::all().flat_map(|service| {
            let shapes = service.products().iter();
            shapes.map(move |shape| format!("{}.{shape}", service.code()))
        });
        let shapes: Vec<_> = shapes.collect();
        format!("must be one of the products {}", shapes.join(", "))
    })
}

/// Whether every part of a product's name is what its shape asks for.
fn fits(shape: &str, sold: &str) -> bool {
    let mut parts = sold.split('.');
    let each_fits = shape.split('.').all(|expected| {
        parts.next().is_some_and(|part| match expected {
            "<network>" => is_network(part),
            "<disco>" => DiscoCode::parse(part).is_ok(),
            "<provider>" => BillerCode::parse(part).is_ok(),
            "<lookup>" => LookupCode::parse(part).is_ok(),
            "<country>" => CountryCode::parse(part).is_ok(),
            word => part == word,
        })
    });
    each_fits && parts.next().is_none()
}

fn is_network(part: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !part.is_empty() && part.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_file(text: &str) -> ReadList<RawPriceOverride> {
        let mut table: Table = text.parse().unwrap();
        read(table.remove(SECTION).unwrap())
    }

    #[test]
    fn a_deal_is_read_with_and_without_a_fee() {
        let list = from_file(
            "[[price_override]]\naccount = \"mrc_a\"\nproduct = \"airtime.mtn\"\ncommission = 3.5\n\
             [[price_override]]\naccount = \"mrc_a\"\nproduct = \"electricity.101.prepaid\"\n\
             commission = \"0\"\nfee = \"100.00\"\n",
        );
        assert_eq!(list.problems, []);
        let overrides: Vec<PriceOverride> = list
            .entries
            .iter()
            .map(|raw| parse(raw, 1).unwrap())
            .collect();
        assert_eq!(overrides[0].commission.to_string(), "3.50");
        assert_eq!(overrides[0].fee, None);
        assert_eq!(overrides[1].fee.unwrap().to_string(), "100.00");
    }

    #[test]
    fn a_misspelt_or_missing_field_is_named() {
        let list = from_file("[[price_override]]\nacount = \"mrc_a\"\nproduct = \"airtime.mtn\"\n");
        let texts: Vec<&str> = list.problems.iter().map(|p| p.0.as_str()).collect();
        assert_eq!(
            texts,
            [
                "price_override 1: `acount` is not known; did you mean `account`?",
                "price_override 1 must have `account`, `product` and `commission`, \
                 each a single value",
            ]
        );
    }

    #[test]
    fn a_product_that_cannot_be_sold_is_refused() {
        for good in [
            "airtime.mtn",
            "airtime.9mobile",
            "electricity.101.prepaid",
            "electricity.0101.postpaid",
        ] {
            assert_eq!(product(good).unwrap(), good);
        }
        for bad in [
            "",
            "airtime",
            "airtime.",
            "airtime.MTN",
            "airtime.mtn.prepaid",
            "electricity.101",
            "electricity.ikeja.prepaid",
            "electricity.101.Prepaid",
            "electricity.101.prepaid.x",
            "cabletv.dstv",
        ] {
            assert!(product(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_bad_value_of_a_deal_is_named() {
        let raw = RawPriceOverride {
            account: "a b".into(),
            product: "MTN".into(),
            commission: "101".into(),
            fee: Some("-1".into()),
        };
        let problems = parse(&raw, 3).unwrap_err();
        for (problem, field) in problems.iter().zip(FIELDS) {
            assert!(
                problem
                    .0
                    .starts_with(&format!("price_override 3: `{field}` must")),
                "{problem}"
            );
        }
        assert_eq!(problems.len(), 4);
    }
}
