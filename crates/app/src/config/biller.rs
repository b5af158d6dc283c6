//! `[[biller]]`: billers an operator adds to a category. It must not make a category: what is paid
//! is part of the interface.

use domain::bill::{AmountRule, BillCategory, Biller, BillingOffer};
use serde::Deserialize;
use toml::Value;

use super::problem::{Problem, ReadList, each_once};

/// The name of the section.
pub(super) const SECTION: &str = "biller";

/// A biller as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBiller {
    pub(crate) category: String,
    pub(crate) code: String,
    pub(crate) brandname: String,
    pub(crate) company: String,
    pub(crate) address: String,
    pub(crate) commission: String,
    pub(crate) discount: String,
    pub(crate) minimum: String,
    pub(crate) maximum: String,
    pub(crate) billing: String,
    pub(crate) amount_rule: String,
    pub(crate) unit_price: Option<String>,
}

/// Takes in the value of `biller` in a file.
pub(super) fn read(value: Value) -> ReadList<RawBiller> {
    ReadList::of(value.try_into().map_err(|error| {
        format!(
            "`biller` is a list of tables with `category`, `code`, `brandname`, `company`, \
             `address`, `commission`, `discount`, `minimum`, `maximum`, `billing` and \
             `amount_rule`, every value in quotes: {}",
            error.message()
        )
    }))
}

/// The billers beside those of the catalogue.
pub(super) fn parse(raw: &[RawBiller]) -> Result<Vec<Biller>, Vec<Problem>> {
    let known = |raw: &RawBiller, new: &Biller, others: &[Biller]| {
        is_known(new, others).then(|| {
            format!(
                "{} has a biller {} already; give it another `code`",
                raw.category, raw.code
            )
        })
    };
    each_once(SECTION, raw, (biller, known))
}

fn is_known(new: &Biller, others: &[Biller]) -> bool {
    let compiled_in = new.category.definition().billers.iter();
    let same = |other: &Biller| other.category == new.category && other.code == new.code;
    compiled_in
        .map(|data| data.code)
        .any(|code| code == new.code.as_str())
        || others.iter().any(same)
}

fn biller(raw: &RawBiller) -> Result<Biller, String> {
    let category = BillCategory::from_code(&raw.category).ok_or_else(|| {
        let codes: Vec<_> = BillCategory::all().map(BillCategory::code).collect();
        wrong(
            "category",
            &raw.category,
            &format!("one of {}", codes.join(", ")),
        )
    })?;
    let billing = match raw.billing.as_str() {
        "prepaid" => BillingOffer::Prepaid,
        "postpaid" => BillingOffer::Postpaid,
        "both" => BillingOffer::Both,
        other => return Err(wrong("billing", other, "prepaid, postpaid or both")),
    };
    let amount_rule = match raw.amount_rule.as_str() {
        "any" => AmountRule::Any,
        "exact" => AmountRule::Exact,
        "atLeast" => AmountRule::AtLeast,
        "atMost" => AmountRule::AtMost,
        other => return Err(wrong("amount_rule", other, "any, exact, atLeast or atMost")),
    };
    if raw.unit_price.is_some() && category.definition().unit.is_none() {
        return Err(format!(
            "`unit_price` is of categories with tokens, and {} has none; leave it out",
            raw.category
        ));
    }
    Biller::read(category, &raw.texts(), (billing, amount_rule)).map_err(|field| {
        format!("`{field}` cannot be read; [[biller]] in `manilla config --template` shows each")
    })
}

fn wrong(field: &str, text: &str, expected: &str) -> String {
    format!("`{field}` must be {expected}, not \"{text}\"")
}

impl RawBiller {
    fn texts(&self) -> domain::bill::BillerTexts<'_> {
        domain::bill::BillerTexts {
            code: &self.code,
            brandname: &self.brandname,
            company: &self.company,
            address: &self.address,
            commission: &self.commission,
            discount: &self.discount,
            minimum: &self.minimum,
            maximum: &self.maximum,
            unit_price: self.unit_price.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::problem::written_alone;

    const BILLER: &str = "category = \"water\"\ncode = \"690\"\nbrandname = \"Ogun Water\"\n\
        company = \"Ogun State Water Corporation\"\naddress = \"Abeokuta\"\n\
        commission = \"0.75\"\ndiscount = \"1.00\"\nminimum = \"500.00\"\n\
        maximum = \"500,000.00\"\nbilling = \"postpaid\"\namount_rule = \"any\"\n";

    fn read_billers(text: &str) -> Result<Vec<Biller>, Vec<String>> {
        written_alone((text, SECTION), (read, parse))
    }

    fn one(change: impl Fn(&str) -> String) -> Result<Vec<Biller>, Vec<String>> {
        read_billers(&format!("[[biller]]\n{}", change(BILLER)))
    }

    #[test]
    fn a_biller_is_added_to_a_category() {
        let billers = one(str::to_owned).unwrap();
        let [biller] = &*billers else {
            panic!("{billers:?}");
        };
        assert_eq!(biller.category.code(), "water");
        assert_eq!(biller.brandname, "Ogun Water");
        assert!(biller.available && biller.plans.is_empty());
    }

    #[test]
    fn every_mistake_names_its_field_and_the_remedy() {
        let refused = |from: &str, to: &str| one(|text| text.replace(from, to)).unwrap_err();
        for (from, to, names) in [
            (
                "water",
                "tolls",
                "`category` must be one of landline, water",
            ),
            ("\"690\"", "\"601\"", "water has a biller 601 already"),
            ("\"690\"", "\"x\"", "`code` cannot be read"),
            ("0.75", "half", "`commission` cannot be read"),
            ("\"500.00\"", "\"-1\"", "`minimum` cannot be read"),
            ("500,000.00", "5.00", "`maximum` cannot be read"),
            (
                "postpaid",
                "later",
                "`billing` must be prepaid, postpaid or both",
            ),
            ("\"any\"", "\"some\"", "`amount_rule` must be any, exact"),
            ("brandname", "brand", "`biller` is a list of tables"),
        ] {
            let problems = refused(from, to);
            assert!(problems[0].contains(names), "{problems:?}");
        }
        let twice = format!("[[biller]]\n{BILLER}[[biller]]\n{BILLER}");
        let problems = read_billers(&twice).unwrap_err();
        assert!(
            problems[0].contains("biller 2: water has a biller 690"),
            "{problems:?}"
        );
        let landline =
            one(|text| format!("{}unit_price = \"1.00\"\n", text.replace("water", "dth")));
        assert!(landline.unwrap_err()[0].contains("`unit_price` is of categories with tokens"));
    }
}
