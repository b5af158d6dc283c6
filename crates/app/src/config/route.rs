//! `[[route]]`: which provider delivers which orders. It must not decide whether a provider can,
//! only that every name in it is known.

use application::routes::{ProviderRoute, RouteConditions};
use bank_directory::JoinedBankDirectory;
use domain::bank::BankIdentifier;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::environment::Environment;
use domain::order::Service;
use domain::provider::ProviderId;
use ports::banks::BankDirectory as _;
use provider_sim::SandboxCatalogue;
use toml::Value;

use super::account::AccountConfig;
use super::nearest::nearest;
use super::parse::{self, Parsed, scalar};
use super::problem::{Problem, ReadList};
use super::written_list::{ListForm, WrittenEntry};

/// The name of the section.
pub(super) const SECTION: &str = "route";

const FORM: ListForm<10> = ListForm {
    section: SECTION,
    many: "routes",
    fields: [
        "product",
        "biller",
        "billing",
        "country",
        "amount_min",
        "amount_max",
        "provider",
        "priority",
        "weight",
        "cost",
    ],
    // Each order looks at all of them.
    entries_max: 1_000,
    remedy: "leave out conditions",
    text: scalar,
};

/// A route as it was written.
pub(crate) type RawRoute = WrittenEntry<10>;

/// Takes in the value of `route` in a file.
pub(super) fn read(value: Value) -> ReadList<RawRoute> {
    FORM.read(value)
}

/// The names that a route may use.
#[derive(Debug)]
pub(super) struct KnownNames<'a> {
    /// Of accounts at providers.
    pub(super) providers: Vec<&'a str>,
    /// Of what is sold.
    pub(super) catalogue: SandboxCatalogue,
}

/// The routes, in the order they were written.
pub(super) fn parse(
    raw: &[RawRoute],
    names: &KnownNames<'_>,
) -> Result<Vec<ProviderRoute>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut routes = Vec::new();
    for (index, raw) in (1_usize..).zip(raw) {
        let mut entry = RouteEntry {
            raw,
            names,
            wrong: Vec::new(),
        };
        routes.extend(entry.route());
        let wrong = entry.wrong.into_iter();
        problems.extend(wrong.map(|wrong| Problem(format!("route {index}: {wrong}"))));
    }
    if problems.is_empty() {
        Ok(routes)
    } else {
        Err(problems)
    }
}

/// A second provider of an environment for transfers to cards: the token of a card is of the
/// provider that gave it, and may stand for another card, or none, at any other.
pub(super) fn two_issuers(routes: &[ProviderRoute], accounts: &[AccountConfig]) -> Vec<Problem> {
    let environment_of = |provider: &ProviderId| {
        let account = accounts.iter().find(|it| it.id == *provider);
        // The sandbox need not be listed.
        account.map_or(Environment::Test, |it| it.environment)
    };
    let issuers = routes.iter().filter(|it| it.product == Service::Card);
    let issuers: Vec<_> = issuers
        .map(|it| (environment_of(&it.provider), &it.provider))
        .collect();
    let second = issuers.iter().find_map(|(environment, first)| {
        let mut others = issuers.iter();
        let other = others.find(|(of, other)| of == environment && other != first);
        other.map(|(_, other)| (first, other))
    });
    let problem = |(first, other)| {
        Problem(format!(
            "routes of card lead to {first} and to {other} in one environment, and a token is of \
             the provider that gave it: lead them to one of the two"
        ))
    };
    second.map(problem).into_iter().collect()
}

/// One route that is being read, with everything that is wrong with it.
struct RouteEntry<'a> {
    raw: &'a RawRoute,
    names: &'a KnownNames<'a>,
    wrong: Vec<String>,
}

impl RouteEntry<'_> {
    fn route(&mut self) -> Option<ProviderRoute> {
        let product = self.required("product", product);
        let names = self.names;
        let provider = self.required("provider", |text| provider(text, &names.providers));
        let biller = self.optional("biller", |text| match product {
            Some(product) => biller(text, product, names).map(Some),
            // Which billers there are depends on the product, which has a problem of its own.
            None => Ok(None),
        });
        let billing = self.optional("billing", |text| match product {
            Some(product) if !has_billing(product) => {
                let product = product.code();
                Err(format!("is not a condition of {product}; leave it out"))
            }
            Some(_) | None => Billing::from_code(text)
                .ok_or_else(|| format!("must be prepaid or postpaid, not \"{text}\"")),
        });
        let country = self.optional("country", |text| {
            let country = CountryCode::parse(text).map_err(|it| format!("{it}, not \"{text}\""));
            country.and_then(|country| match country.name() {
                Some(_) => Ok(country),
                None => Err(format!("must be a country of ISO 3166-1, not \"{text}\"")),
            })
        });
        let amount = |text: &str| parse::fee(text).map_err(|it| format!("{it}, not \"{text}\""));
        let amount_min = self.optional("amount_min", amount);
        let amount_max = self.optional("amount_max", amount);
        if let (Some(min), Some(max)) = (amount_min, amount_max)
            && min.minor() > max.minor()
        {
            self.wrong
                .push("`amount_min` must not be above `amount_max`".to_owned());
        }
        let priority = self.optional("priority", |text| parse::whole(text, 0..=u16::MAX));
        let weight_max = ProviderRoute::WEIGHT_MAX;
        let weight = self.optional("weight", |text| parse::whole(text, 1..=weight_max));
        let cost = self.optional("cost", parse::percent);
        Some(ProviderRoute {
            conditions: RouteConditions {
                biller: biller.flatten(),
                billing,
                country,
                amount_min,
                amount_max,
            },
            priority: priority.unwrap_or(0),
            weight: weight.unwrap_or(1),
            cost,
            ..ProviderRoute::of(product?, provider?)
        })
    }

    fn optional<T>(&mut self, field: &str, read: impl FnOnce(&str) -> Parsed<T>) -> Option<T> {
        let text = self.raw.get(field)?;
        let wrong = |wrong| self.wrong.push(format!("`{field}` {wrong}"));
        read(text).map_err(wrong).ok()
    }

    fn required<T>(&mut self, field: &str, read: impl FnOnce(&str) -> Parsed<T>) -> Option<T> {
        if self.raw.get(field).is_none() {
            self.wrong.push(format!("`{field}` is missing"));
        }
        self.optional(field, read)
    }
}

fn product(text: &str) -> Parsed<Service> {
    let product = Service::from_code(text).filter(|product| product.has_provider());
    product.ok_or_else(|| {
        let codes: Vec<_> = Service::delivered().map(Service::code).collect();
        format!("must be one of {}, not \"{text}\"", codes.join(", "))
    })
}

/// An account at a provider, by the name that it has in the configuration.
pub(super) fn provider(text: &str, known: &[&str]) -> Parsed<ProviderId> {
    if !known.contains(&text) {
        let hint = match nearest(text, known.iter().copied()) {
            Some(meant) => format!("did you mean \"{meant}\"?"),
            None => format!("there is {}", known.join(", ")),
        };
        return Err(format!(
            "\"{text}\" is not the name of a [provider.NAME]; {hint}"
        ));
    }
    ProviderId::parse(text).map_err(|error| error.to_string())
}

/// The biller, network, operator or bank of a route.
fn biller(text: &str, product: Service, names: &KnownNames<'_>) -> Parsed<String> {
    if product == Service::Bank {
        let bank = BankIdentifier::parse(text).ok();
        let known = bank.filter(|it| JoinedBankDirectory::new().bank(it).is_some());
        return known.map(|_| text.to_owned()).ok_or_else(|| {
            format!("\"{text}\" is not the identifier of a bank, see `GET /v1/bank/list`")
        });
    }
    let code = product.code();
    let Some(known) = names.catalogue.biller_codes(product) else {
        return Err(format!("is not a condition of {code}; leave it out"));
    };
    if known.contains(&text) {
        return Ok(text.to_owned());
    }
    let known = known.join(", ");
    Err(format!(
        "\"{text}\" is not sold in {code}, which has {known}"
    ))
}

/// Whether orders of a product differ in being paid in advance or afterwards.
const fn has_billing(product: Service) -> bool {
    match product {
        Service::Airtime | Service::Electricity | Service::Bill(_) => true,
        Service::CableTv
        | Service::Internet
        | Service::Sms
        | Service::Whatsapp
        | Service::Rcs
        | Service::Voice
        | Service::Ivr
        | Service::Bank
        | Service::MobileMoney
        | Service::Card
        | Service::International
        | Service::Wallet
        | Service::User
        | Service::Hlr
        | Service::Lookup(_) => false,
    }
}
