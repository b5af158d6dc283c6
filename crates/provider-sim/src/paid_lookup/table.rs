//! The table of lookups that are sold by name: what each asks for, costs and answers.

use crate::table_row::{Shares, TableError};
use domain::labelled_value::LabelledValue;
use domain::money::{Currency, Money};
use domain::paid_lookup::{LookupCategory, LookupDefinition, LookupTexts, ParameterTexts};
use domain::pricing::UnitTerms;
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/paid_lookups.toml");

/// A lookup with what only the sandbox knows.
#[derive(Debug, Clone)]
pub(crate) struct LookupRecord {
    pub(crate) definition: LookupDefinition,
    pub(crate) prices: Vec<UnitTerms>,
    pub(crate) answers: Vec<LabelledValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    lookup: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    category: String,
    code: String,
    name: String,
    about: String,
    country: String,
    number_label: String,
    number_form: String,
    needs_consent: bool,
    #[serde(default)]
    parameters: Vec<ParameterRow>,
    prices: Vec<PriceRow>,
    #[serde(default)]
    answers: Vec<AnswerRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterRow {
    name: String,
    label: String,
    form: String,
    required: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceRow {
    currency: String,
    unit: String,
    terms: Shares,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerRow {
    name: String,
    label: String,
    value: String,
}

pub(crate) fn read(table: &str) -> Result<Vec<LookupRecord>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.lookup.into_iter().map(Row::read).collect()
}

impl Row {
    fn read(self) -> Result<LookupRecord, TableError> {
        let wrong = |field| TableError::Field {
            entry: self.code.clone(),
            field,
        };
        let category = LookupCategory::from_code(&self.category);
        let category = category.ok_or_else(|| wrong("category"))?;
        let texts = LookupTexts {
            code: &self.code,
            name: &self.name,
            about: &self.about,
            country: &self.country,
            number_label: &self.number_label,
            number_form: &self.number_form,
            needs_consent: self.needs_consent,
        };
        let parameters = self.parameters.iter().map(|it| ParameterTexts {
            name: &it.name,
            label: &it.label,
            form: &it.form,
            required: it.required,
        });
        let parameters: Vec<_> = parameters.collect();
        let definition = LookupDefinition::read(category, &texts, &parameters);
        let definition = definition.map_err(|_| wrong("definition"))?;
        let prices = self.prices.iter().map(PriceRow::read);
        let prices: Option<Vec<_>> = prices.collect();
        let prices = prices.ok_or_else(|| wrong("prices"))?;
        let answers = self.answers.into_iter().map(|it| LabelledValue {
            name: it.name,
            label: it.label,
            value: it.value,
        });
        Ok(LookupRecord {
            definition,
            prices,
            answers: answers.collect(),
        })
    }
}

impl PriceRow {
    fn read(&self) -> Option<UnitTerms> {
        let currency = Currency::from_code(&self.currency)?;
        let unit = Money::parse(&self.unit, currency).ok();
        Some(UnitTerms {
            unit: unit.filter(|unit| unit.is_positive())?,
            terms: self.terms.terms(currency)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use domain::paid_lookup::LookupCode;
    use ports::catalogue::Catalogue;

    #[test]
    fn a_lookup_has_a_price_and_a_record_has_answers() {
        let records = read(TABLE).unwrap();
        for record in &records {
            let category = record.definition.category;
            assert!(!record.prices.is_empty(), "{record:?}");
            let has_answers = !record.answers.is_empty();
            assert_eq!(
                has_answers,
                category == LookupCategory::Record,
                "{record:?}"
            );
        }
        let catalogue = SandboxCatalogue::new();
        let code = LookupCode::parse("sim-age").unwrap();
        let price = |currency| catalogue.lookup_price(LookupCategory::Record, &code, currency);
        assert_eq!(price(Currency::Ngn).unwrap().unit.to_string(), "15.00");
        assert_eq!(price(Currency::Crd), None);
        assert_eq!(catalogue.lookups(LookupCategory::Device).len(), 1);
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        for (from, to, field) in [
            ("\"code 4-12\"", "\"text 4\"", "company-record: definition"),
            ("\"100.00\"", "\"0.00\"", "company-record: prices"),
            (
                "category = \"device\"",
                "category = \"devices\"",
                "location: category",
            ),
        ] {
            let error = read(&TABLE.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error.to_string(), format!("{field} is not acceptable"));
        }
    }
}
