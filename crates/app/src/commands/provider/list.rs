//! `manilla provider list`. It must show no secret and reach no provider.

use application::routes::{ProviderRoute, RouteTable};
use clap::Args;
use domain::provider::ProviderId;
use ports::adapter::{AdapterDeclaration, DeclaredSetting, Secrecy, SettingAbsence};
use serde::Serialize;

use crate::compose::{AdminContext, DataFolder, route_table};
use crate::config::{AccountConfig, Config};
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider list
  manilla provider list --json")]
pub(crate) struct ProviderListOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    adapters: Vec<AdapterView>,
    providers: Vec<AccountView>,
    routes: Vec<RouteView>,
}

#[derive(Serialize)]
struct AdapterView {
    name: &'static str,
    about: &'static str,
    settings: Vec<DeclaredView>,
}

impl AdapterView {
    fn of(declaration: AdapterDeclaration) -> Self {
        Self {
            name: declaration.name,
            about: declaration.about,
            settings: declaration.settings.iter().map(DeclaredView::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct DeclaredView {
    name: &'static str,
    help: &'static str,
    secret: bool,
    required: bool,
    default: Option<&'static str>,
}

impl DeclaredView {
    fn of(setting: &DeclaredSetting) -> Self {
        Self {
            name: setting.name,
            help: setting.help,
            secret: setting.secrecy == Secrecy::Secret,
            required: setting.absence == SettingAbsence::Required,
            default: match setting.absence {
                SettingAbsence::Default(value) => Some(value),
                SettingAbsence::Required | SettingAbsence::Optional => None,
            },
        }
    }
}

#[derive(Serialize)]
struct AccountView {
    name: String,
    adapter: &'static str,
    environment: &'static str,
    routes: usize,
    /// Whether operators paused it; none where the database was not read.
    paused: Option<bool>,
}

impl AccountView {
    fn of(account: &AccountConfig, table: &RouteTable, paused: Option<bool>) -> Self {
        Self {
            name: account.id.to_string(),
            adapter: account.adapter.declaration().name,
            environment: account.environment.code(),
            routes: routes_to(account, table),
            paused,
        }
    }
}

/// How many routes lead to an account.
pub(in crate::commands) fn routes_to(account: &AccountConfig, table: &RouteTable) -> usize {
    let routes = table.routes().iter();
    routes.filter(|route| route.provider == account.id).count()
}

#[derive(Serialize)]
struct RouteView {
    number: usize,
    product: &'static str,
    biller: Option<String>,
    billing: Option<&'static str>,
    country: Option<String>,
    #[serde(rename = "amountMin")]
    amount_min: Option<String>,
    #[serde(rename = "amountMax")]
    amount_max: Option<String>,
    provider: String,
    priority: u16,
    weight: u16,
    cost: Option<String>,
}

impl RouteView {
    fn of(number: usize, route: &ProviderRoute) -> Self {
        let conditions = &route.conditions;
        Self {
            number,
            product: route.product.code(),
            biller: conditions.biller.clone(),
            billing: conditions.billing.map(domain::billing::Billing::code),
            country: conditions.country.map(|it| it.to_string()),
            amount_min: conditions.amount_min.map(|it| it.to_string()),
            amount_max: conditions.amount_max.map(|it| it.to_string()),
            provider: route.provider.to_string(),
            priority: route.priority,
            weight: route.weight,
            cost: route.cost.map(|it| it.to_string()),
        }
    }

    /// What an order must meet, for people.
    fn conditions(&self) -> String {
        let text = |name: &str, value: &Option<String>| Some(format!("{name} {}", value.as_ref()?));
        let conditions = [
            text("biller", &self.biller),
            self.billing.map(str::to_owned),
            text("country", &self.country),
            text("from", &self.amount_min),
            text("to", &self.amount_max),
        ];
        let given: Vec<String> = conditions.into_iter().flatten().collect();
        if given.is_empty() {
            return "any".to_owned();
        }
        given.join(", ")
    }

    fn row(&self) -> [String; 7] {
        let cost = self.cost.as_ref().map(|cost| format!("{cost} %"));
        [
            self.number.to_string(),
            self.product.to_owned(),
            self.conditions(),
            self.provider.clone(),
            self.priority.to_string(),
            self.weight.to_string(),
            cost.unwrap_or_default(),
        ]
    }
}

/// The accounts that are paused; none where there is no database, or it does not answer.
async fn paused(config: &Config) -> Option<Vec<ProviderId>> {
    let context = AdminContext::open(config, DataFolder::MustExist).await;
    let context = context.ok()?;
    let paused = context.operators.paused_providers().await;
    context.close().await;
    Some(paused.ok()?.into_keys().collect())
}

pub(super) async fn run(options: &ProviderListOptions, config: &Config) -> Result<(), Failure> {
    let paused = paused(config).await;
    let is_paused = |id: &ProviderId| paused.as_ref().map(|it| it.contains(id));
    let table = route_table(config)?;
    let adapters = config.registry.all().map(|it| it.declaration());
    let accounts = config.accounts.iter();
    let routes = (1_usize..).zip(table.routes());
    let document = Document {
        adapters: adapters.map(AdapterView::of).collect(),
        providers: accounts
            .map(|it| AccountView::of(it, &table, is_paused(&it.id)))
            .collect(),
        routes: routes
            .map(|(number, route)| RouteView::of(number, route))
            .collect(),
    };
    if options.json {
        return Ok(output::json(&document)?);
    }
    let adapters: Vec<[String; 2]> = document
        .adapters
        .iter()
        .map(|it| [it.name.to_owned(), it.about.to_owned()])
        .collect();
    let providers: Vec<[String; 5]> = document
        .providers
        .iter()
        .map(|it| {
            [
                it.name.clone(),
                it.adapter.to_owned(),
                it.environment.to_owned(),
                it.routes.to_string(),
                match it.paused {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "unknown",
                }
                .to_owned(),
            ]
        })
        .collect();
    let routes: Vec<[String; 7]> = document.routes.iter().map(RouteView::row).collect();
    let headings = [
        "ROUTE", "PRODUCT", "ORDERS", "PROVIDER", "PRIORITY", "WEIGHT", "COST",
    ];
    Ok(output::line(format!(
        "{}\n\n{}\n\n{}",
        output::table(["ADAPTER", "CONNECTS TO"], &adapters),
        output::table(
            ["PROVIDER", "ADAPTER", "ENVIRONMENT", "ROUTES", "PAUSED"],
            &providers
        ),
        output::table(headings, &routes)
    ))?)
}
