//! `[[paid_lookup]]`: lookups an operator sells by name beside those of the catalogue, or in the
//! place of one, as a provider lists them. It must not read what a merchant sends: the form of a
//! parameter says what is taken.

use domain::money::{Currency, Money};
use domain::paid_lookup::{LookupCategory, LookupDefinition, LookupTexts, ParameterTexts};
use domain::percent::Percent;
use domain::pricing::{Terms, UnitTerms};
use serde::Deserialize;
use toml::Value;

#[cfg(test)]
use super::problem;
use super::problem::{Problem, ReadList, each_once};

/// The name of the section.
pub(super) const SECTION: &str = "paid_lookup";

/// Most lookups that are added: two pages of the list show them.
const LOOKUPS_MAX: usize = 200;

/// A lookup as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPaidLookup {
    pub(crate) code: String,
    pub(crate) name: String,
    about: String,
    country: String,
    number_label: String,
    number_form: String,
    needs_consent: bool,
    price: String,
    commission: String,
    discount: String,
    #[serde(default)]
    parameter: Vec<RawParameter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawParameter {
    name: String,
    label: String,
    form: String,
    required: bool,
}

/// A lookup, and what it costs in naira.
pub(crate) type PricedLookup = (LookupDefinition, UnitTerms);

/// Takes in the value of `paid_lookup` in a file.
pub(super) fn read(value: Value) -> ReadList<RawPaidLookup> {
    ReadList::of(value.try_into().map_err(|error| {
        format!(
            "`paid_lookup` is a list of tables with `code`, `name`, `about`, `country`, \
             `number_label`, `number_form`, `needs_consent` (true or false), `price`, \
             `commission`, `discount` and tables `parameter` with `name`, `label`, `form` and \
             `required` (true or false), every other value in quotes: {}",
            error.message()
        )
    }))
}

/// The lookups beside those of the catalogue.
pub(super) fn parse(raw: &[RawPaidLookup]) -> Result<Vec<PricedLookup>, Vec<Problem>> {
    let known = |raw: &RawPaidLookup, (new, _): &PricedLookup, others: &[PricedLookup]| {
        let is_known = others.iter().any(|(other, _)| other.code == new.code);
        is_known.then(|| {
            let code = &raw.code;
            format!("another table has the code {code}; remove one of them")
        })
    };
    let read = each_once(SECTION, raw, (RawPaidLookup::priced, known));
    if raw.len() <= LOOKUPS_MAX {
        return read;
    }
    let too_many = format!(
        "there are {} [[paid_lookup]] tables; {LOOKUPS_MAX} at most",
        raw.len()
    );
    let others = read.err().unwrap_or_default();
    Err([Problem(too_many)].into_iter().chain(others).collect())
}

/// The lookups of a value of the file.
#[cfg(test)]
pub(crate) fn written(value: Value) -> Result<Vec<PricedLookup>, Vec<String>> {
    problem::written(value, (read, parse))
}

impl RawPaidLookup {
    fn priced(&self) -> Result<PricedLookup, String> {
        let texts = LookupTexts {
            code: &self.code,
            name: &self.name,
            about: &self.about,
            country: &self.country,
            number_label: &self.number_label,
            number_form: &self.number_form,
            needs_consent: self.needs_consent,
        };
        let parameters = self.parameter.iter().map(|it| ParameterTexts {
            name: &it.name,
            label: &it.label,
            form: &it.form,
            required: it.required,
        });
        let parameters: Vec<_> = parameters.collect();
        let definition = LookupDefinition::read(LookupCategory::Record, &texts, &parameters);
        let definition = definition.map_err(|wrong| wrong.to_string())?;
        let unit = Money::parse(&self.price, Currency::Ngn);
        let unit = unit.map_err(|wrong| format!("`price` {wrong}, not \"{}\"", self.price))?;
        if !unit.is_positive() {
            return Err("`price` must be above zero".to_owned());
        }
        let terms = Terms {
            commission: percent("commission", &self.commission)?,
            discount: percent("discount", &self.discount)?,
            fee: Money::zero(Currency::Ngn),
        };
        Ok((definition, UnitTerms { unit, terms }))
    }
}

fn percent(field: &str, text: &str) -> Result<Percent, String> {
    Percent::parse(text).map_err(|wrong| format!("`{field}` {wrong}, not \"{text}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOKUP: &str = "[[paid_lookup]]\ncode = \"vehicle-record\"\nname = \"Vehicle record\"\n\
        about = \"Whether a vehicle is registered.\"\ncountry = \"566\"\n\
        number_label = \"Plate number\"\nnumber_form = \"code 5-9\"\nneeds_consent = false\n\
        price = \"50.00\"\ncommission = \"0\"\ndiscount = \"10\"\n\
        [[paid_lookup.parameter]]\nname = \"state\"\nlabel = \"State\"\nform = \"text 20\"\n\
        required = true\n";

    fn read_lookups(text: &str) -> Result<Vec<PricedLookup>, Vec<String>> {
        problem::written_alone((text, SECTION), (read, parse))
    }

    #[test]
    fn a_lookup_is_read_with_its_price_and_its_parameters() {
        let lookups = read_lookups(LOOKUP).unwrap();
        let (definition, price) = &lookups[0];
        assert_eq!(definition.code.as_str(), "vehicle-record");
        assert_eq!(definition.parameters[0].name, "state");
        assert_eq!(price.unit.to_string(), "50.00");
    }

    #[test]
    fn what_cannot_be_sold_is_named_with_its_place() {
        for (from, to, named) in [
            ("vehicle-record", "Vehicle", "paid_lookup 1: `code` must be"),
            ("code 5-9", "text 9", "`number_form` must be"),
            ("text 20", "words", "`parameters.1.form` must be"),
            ("\"50.00\"", "\"0.00\"", "`price` must be above zero"),
            ("\"50.00\"", "\"free\"", "`price` "),
            ("\"10\"", "\"ten\"", "`discount` "),
            (
                "required = true",
                "required = \"yes\"",
                "`paid_lookup` is a list",
            ),
            ("needs_consent = false\n", "", "`paid_lookup` is a list"),
        ] {
            let changed = LOOKUP.replacen(from, to, 1);
            assert_ne!(changed, LOOKUP, "{from}");
            let problems = read_lookups(&changed).unwrap_err().join("\n");
            assert!(problems.contains(named), "{named}: {problems}");
        }
        let twice = format!("{LOOKUP}{LOOKUP}");
        let problems = read_lookups(&twice).unwrap_err().join("\n");
        assert!(
            problems.contains("paid_lookup 2: another table has the code"),
            "{problems}"
        );
        let many: String = (0..=LOOKUPS_MAX)
            .map(|it| LOOKUP.replacen("vehicle-record", &format!("vehicle-{it}"), 1))
            .collect();
        let problems = read_lookups(&many).unwrap_err().join("\n");
        assert!(problems.contains("200 at most"), "{problems}");
    }
}
