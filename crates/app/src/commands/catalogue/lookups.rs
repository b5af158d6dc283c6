//! `manilla catalogue lookups`: the lookups that a provider lists, as the settings take them. It
//! must change nothing: an operator writes what is sold, and for how much.

use std::fmt::Write as _;

use anyhow::anyhow;
use clap::Args;
use domain::listed_offer::ListedOffer;
use domain::paid_lookup::{LookupCategory, LookupDefinition};
use domain::provider::ProviderId;
use toml::Value;

use super::opened_provider;
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

/// What the prices of a table are.
const PRICE_NOTE: &str = "\
# The price is what is ordered and charged, the discount what the provider leaves of it in
# percent: sold at 20.00 and bought at 15.00, it is 25. The commission is the merchant's.
";

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla catalogue lookups --provider records
  manilla catalogue lookups --provider records > lookups.toml    then copy what shall be sold

An `http` provider needs the feature `catalogue`. Nothing is changed.")]
pub(crate) struct CatalogueLookupsOptions {
    /// The account at the provider, as in [provider.NAME]
    #[arg(long, value_name = "NAME")]
    provider: String,
}

pub(super) async fn run(options: &CatalogueLookupsOptions, config: &Config) -> Result<(), Failure> {
    let name = &options.provider;
    let id = ProviderId::parse(name).map_err(|error| Failure::flag("--provider", error))?;
    let provider = opened_provider(config, &id)?;
    let list = provider
        .price_list()
        .ok_or_else(|| anyhow!("the adapter of {id} lists nothing of what its provider sells"))?;
    let listed = list.lookups(LookupCategory::Record).await?;
    let sections: Vec<_> = listed.iter().filter_map(section).collect();
    if sections.is_empty() {
        return Err(anyhow!("the provider of {id} lists no lookups with what they ask for").into());
    }
    Ok(output::line(sections.join("\n"))?)
}

/// What a lookup is called, what it asks for and what the provider takes; `None` of what is none.
fn section(offer: &ListedOffer) -> Option<String> {
    let lookup = offer.lookup.as_ref()?;
    let mut text = String::from("[[paid_lookup]]\n");
    for (name, value) in fields(lookup) {
        line(&mut text, name, &value);
    }
    text.push_str(PRICE_NOTE);
    match offer.amount {
        Some(price) => line(&mut text, "price", &Value::from(price.to_string())),
        None => text.push_str("# price = \"20.00\"   the provider lists none\n"),
    }
    line(&mut text, "commission", &Value::from("0.00"));
    line(&mut text, "discount", &Value::from("0.00"));
    for parameter in &lookup.parameters {
        text.push_str("[[paid_lookup.parameter]]\n");
        line(&mut text, "name", &Value::from(parameter.name.clone()));
        line(&mut text, "label", &Value::from(parameter.label.clone()));
        line(&mut text, "form", &Value::from(parameter.form.word()));
        line(&mut text, "required", &Value::from(parameter.required));
    }
    Some(text)
}

fn fields(lookup: &LookupDefinition) -> [(&'static str, Value); 7] {
    [
        ("code", Value::from(lookup.code.as_str())),
        ("name", Value::from(lookup.name.clone())),
        ("about", Value::from(lookup.about.clone())),
        ("country", Value::from(lookup.country.to_string())),
        ("number_label", Value::from(lookup.number.label.clone())),
        ("number_form", Value::from(lookup.number.form.word())),
        ("needs_consent", Value::from(lookup.needs_consent)),
    ]
}

fn line(text: &mut String, name: &str, value: &Value) {
    // Writing to a text does not fail.
    let _ = writeln!(text, "{name} = {value}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::order::Service;
    use provider_sim::SandboxCatalogue;

    #[test]
    fn what_is_printed_is_what_the_settings_take() {
        let offers = SandboxCatalogue::new();
        let offers = offers.listed_offers(Service::Lookup(LookupCategory::Record));
        assert!(!offers.is_empty());
        for offer in &offers {
            let text = section(offer).unwrap();
            let table: toml::Table = text.parse().unwrap();
            let written = table["paid_lookup"][0].as_table().unwrap().clone();
            let code = written["code"].as_str().unwrap().to_owned();
            let listed = Value::Array(vec![Value::Table(written)]);
            let read = crate::config::paid_lookups(listed).unwrap();
            let (definition, price) = read.first().unwrap();
            assert_eq!(definition.code.as_str(), code);
            let lookup = offer.lookup.as_ref().unwrap();
            assert_eq!(definition.parameters, lookup.parameters);
            assert_eq!(definition.number, lookup.number);
            assert_eq!(Some(price.unit), offer.amount);
        }
    }
}
