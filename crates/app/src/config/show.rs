//! Showing the configuration. It must never show a secret, whatever was asked.

use std::fmt::Write as _;

use super::key::{Setting, SettingShape};
use super::raw::{Raw, SettingSource};
use super::sources::Values;
use super::view::{REDACTED, SettingView, comment, quoted};
use super::{account, keys};
use crate::registry::Registry;

/// Refuses a limit on persons that the person it binds has set for one call.
pub(crate) fn limit_is_everybodys(shown: &[SettingView]) -> Result<(), String> {
    let name = keys::DUAL_CONTROL_ABOVE.name;
    match shown
        .iter()
        .find(|it| it.name == name && it.is_of_this_call())
    {
        None => Ok(()),
        Some(limit) => Err(format!(
            "{name} comes from {} here; the one who decides must not set it: write it into the \
             configuration file",
            limit.origin()
        )),
    }
}

/// Every setting as it is in force, in the order of the list of settings, price overrides and
/// charges last.
pub(super) fn shown(values: &Values) -> Vec<SettingView> {
    let settings = keys::all().into_iter().map(|key| {
        let raw = values.raw(key);
        SettingView {
            name: key.name().to_owned(),
            value: visible(key, &raw),
            source: raw.source.word(),
            env: Some(key.env()),
            bare: key.shape() == SettingShape::Number,
        }
    });
    let overrides = (1_usize..)
        .zip(&values.price_overrides)
        .map(|(index, price)| {
            let fee = price.fee.as_deref().unwrap_or("the catalogue's");
            SettingView {
                name: format!("price_override.{index}"),
                value: format!(
                    "{} on {}: commission {} %, fee {fee}",
                    price.account, price.product, price.commission
                ),
                source: SettingSource::File.word(),
                env: None,
                bare: false,
            }
        });
    let rules = values.charges.iter().map(|rule| SettingView {
        name: format!("payout_charge.{}", rule.from),
        value: format!(
            "{} bands, VAT {} %, levy {}",
            rule.bands.len(),
            rule.vat,
            rule.levy
        ),
        source: SettingSource::File.word(),
        env: None,
        bare: false,
    });
    let credit_prices = values.credit_prices.iter().map(|it| SettingView {
        name: format!("credit_price.{}", it.from),
        value: it.price.clone(),
        source: SettingSource::File.word(),
        env: None,
        bare: false,
    });
    let routes = (1_usize..).zip(&values.routes).map(|(index, route)| {
        let name = format!("route.{index}");
        SettingView::of_entry(name, &route.summary(), SettingSource::File)
    });
    let windows = (1_usize..).zip(&values.maintenance).map(|(index, window)| {
        let name = format!("maintenance.{index}");
        SettingView::of_entry(name, &window.summary(), SettingSource::File)
    });
    settings
        .chain(overrides)
        .chain(rules)
        .chain(credit_prices)
        .chain(collection_charges(values))
        .chain(listed(values))
        .chain(routes)
        .chain(windows)
        .collect()
}

fn collection_charges(values: &Values) -> impl Iterator<Item = SettingView> {
    values.collection_charges.iter().map(|it| SettingView {
        name: format!("collection_charge.{}", it.from),
        value: it.percent.clone(),
        source: SettingSource::File.word(),
        env: None,
        bare: false,
    })
}

/// How a problem names a value: `sandbox.seed = "x" (from MANILLA_SANDBOX_SEED)`.
pub(super) fn named(key: &dyn Setting, raw: &Raw) -> String {
    let value = quoted(&visible(key, raw));
    let whence = whence(key, raw);
    format!("`{}` = {value} ({whence})", key.name())
}

/// Where a value was found, for people.
pub(super) fn whence(key: &dyn Setting, raw: &Raw) -> &'static str {
    match raw.source {
        SettingSource::Default => "by default",
        SettingSource::File => "from the file",
        SettingSource::Environment => key.env(),
        SettingSource::Flag => "from a flag",
    }
}

/// A file with every setting at its default, commented out and explained.
pub(crate) fn template(registry: &Registry) -> String {
    let mut text = String::from(
        "# Manilla: every setting, at its default. Remove the `#` in front of what you change.\n\
         # The environment goes over this file, flags go over both.\n",
    );
    let mut section = "";
    for key in keys::all() {
        let (of, name) = key.name().rsplit_once('.').unwrap_or(("", key.name()));
        if of != section {
            let _ = write!(text, "\n[{of}]");
            section = of;
        }
        let value = match key.shape() {
            SettingShape::Number => key.default().to_owned(),
            SettingShape::Text | SettingShape::Path | SettingShape::Secret => quoted(key.default()),
        };
        let help = comment(key.help());
        let env = key.env();
        let _ = write!(text, "\n{help}\n# Variable: {env}\n# {name} = {value}\n");
    }
    text.push_str(
        "\n# What payouts are charged from a day on; without any, what Nigerian banks go by.\n\
         # [[payout_charge]]\n# from = \"2027-01-01\"\n# vat = \"7.5\"\n\
         # levy_from = \"10000.00\"\n# levy = \"50.00\"\n\
         # levies_salaries = false\n\
         # bands = [{ up_to = \"5000.00\", charge = \"10.00\" }, { charge = \"50.00\" }]\n\
         \n# What a message credit costs from a day on; without any, only test accounts buy.\n\
         # [[credit_price]]\n# from = \"2027-01-01\"\n# price = \"4.00\"\n\
         \n# What payments to collections are charged from a day on; without any, nothing.\n\
         # [[collection_charge]]\n# from = \"2027-01-01\"\n# percent = \"1.5\"\n\
         # fixed = \"100.00\"\n# cap = \"2000.00\"\n# vat = \"7.5\"\n\
         \n# What one account pays for one product, in place of the catalogue's terms.\n\
         # [[price_override]]\n# account = \"mrc_0123456789\"\n# product = \"airtime.mtn\"\n\
         # commission = \"3.5\"\n# fee = \"0.00\"\n\
         \n# A biller beside those of the catalogue, in a category there is.\n\
         # [[biller]]\n# category = \"water\"\n# code = \"690\"\n# brandname = \"Ogun Water\"\n\
         # company = \"Ogun State Water Corporation\"\n# address = \"Oke-Mosan, Abeokuta\"\n\
         # commission = \"0.75\"\n# discount = \"1.00\"\n\
         # minimum = \"500.00\"\n# maximum = \"500000.00\"\n\
         # billing = \"postpaid\"\n# amount_rule = \"any\"\n\
         \n# How often one account may ask, where not as the rest; a reload takes it up.\n\
         # [[account_limit]]\n# account = \"mrc_0123456789\"\n\
         # payments_per_minute = 900\n# payments_at_once = 200\n# bulks_per_minute = 10\n\
         # reads_per_minute = 3600\n# lookups_per_minute = 60\n\
         \n# A lookup that is sold by name, beside those of the catalogue.\n\
         # [[paid_lookup]]\n# code = \"vehicle-record\"\n# name = \"Vehicle record\"\n\
         # about = \"Whether a vehicle is registered.\"\n# country = \"566\"\n\
         # number_label = \"Plate number\"\n# number_form = \"code 5-9\"\n\
         # needs_consent = false\n# price = \"50.00\"\n# commission = \"0.00\"\n\
         # discount = \"10.00\"\n# [[paid_lookup.parameter]]\n# name = \"state\"\n\
         # label = \"State\"\n# form = \"text 20\"\n# required = false\n",
    );
    text.push_str(&account::template(registry));
    text.push_str(
        "\n# Which provider delivers what, to the accounts of its environment; what no route\n\
         # takes is refused. Where no route leads to a test provider, the sandbox delivers\n\
         # everything to test accounts. Lower priorities are tried first; those of equal\n\
         # priority share orders by weight. Only `product` and `provider` are needed.\n\
         # [[route]]\n# product = \"airtime\"\n# biller = \"mtn\"\n# billing = \"prepaid\"\n\
         # country = \"566\"\n# amount_min = \"50.00\"\n# amount_max = \"5000.00\"\n\
         # provider = \"sandbox\"\n# priority = 1\n# weight = 1\n# cost = \"2.5\"\n\
         \n# When an account is given nothing new: each week, or once.\n\
         # [[maintenance]]\n# provider = \"sandbox\"\n# weekly = \"Sun 01:00-03:00 +01:00\"\n\
         # [[maintenance]]\n# provider = \"sandbox\"\n# product = \"airtime\"\n\
         # from = 2027-01-31T22:00:00+01:00\n# until = 2027-02-01T02:00:00+01:00\n",
    );
    text
}

/// What is sold beside the catalogue of the program, and the limits of single accounts.
fn listed(values: &Values) -> impl Iterator<Item = SettingView> {
    let view = |name, value: &str| SettingView {
        name,
        value: value.to_owned(),
        source: SettingSource::File.word(),
        env: None,
        bare: false,
    };
    let billers = values.billers.iter().map(move |biller| {
        let name = format!("biller.{}.{}", biller.category, biller.code);
        view(name, &biller.brandname)
    });
    let lookups = values.paid_lookups.iter().map(move |lookup| {
        let name = format!("paid_lookup.{}", lookup.code);
        view(name, &lookup.name)
    });
    let limits = values.account_limits.iter().map(move |limit| {
        let name = format!("account_limit.{}", limit.account);
        view(name, &limit.shown())
    });
    billers.chain(lookups).chain(limits)
}

fn visible(key: &dyn Setting, raw: &Raw) -> String {
    match key.shape() {
        SettingShape::Secret if !raw.text.is_empty() => REDACTED.to_owned(),
        SettingShape::Secret | SettingShape::Number | SettingShape::Text | SettingShape::Path => {
            raw.text.clone()
        }
    }
}
