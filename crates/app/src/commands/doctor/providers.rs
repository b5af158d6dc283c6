//! The accounts at providers: their secrets and routes, and, where that is asked for, whether they
//! answer. Nothing that is asked may have an effect.

use domain::environment::Environment;

use super::finding::Finding;
use crate::commands::provider::{ProviderAnswer, routes_to};
use crate::compose::{OpenedAccounts, account_settings, route_table};
use crate::config::{AccountConfig, Config};
use crate::registry::KnownAdapter;

/// Each account as it is configured.
pub(super) fn checks(config: &Config) -> Vec<Finding> {
    let accounts = config.accounts.iter();
    accounts
        .flat_map(|account| configured(config, account))
        .collect()
}

fn configured(config: &Config, account: &AccountConfig) -> Vec<Finding> {
    let check = named(account);
    if let Err(wrong) = account_settings(config, account) {
        return wrong
            .iter()
            .map(|wrong| Finding::fail(&check, wrong))
            .collect();
    }
    let routes = match route_table(config) {
        Ok(table) => routes_to(account, &table),
        Err(error) => return vec![Finding::error(&check, error)],
    };
    let declaration = account.adapter.declaration();
    let environment = account.environment.code();
    vec![Finding::ok(
        &check,
        format!(
            "adapter {}, {environment}, its secrets are there; routes: {routes}",
            declaration.name
        ),
    )]
}

/// Whether each account answers. The sandbox is within the program.
pub(super) async fn answers(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_asked = |it: &&AccountConfig| !matches!(it.adapter, KnownAdapter::Sandbox);
    for account in config.accounts.iter().filter(is_asked) {
        findings.push(answer(config, account).await);
    }
    findings
}

async fn answer(config: &Config, account: &AccountConfig) -> Finding {
    let check = named(account);
    let opened = match OpenedAccounts::open_one(config, account.id.as_str()) {
        Ok(Some(opened)) => opened,
        Ok(None) => return Finding::fail(&check, "there is no such account"),
        Err(error) => return Finding::error(&check, error),
    };
    let answer = match ProviderAnswer::to_a_question(&opened, config).await {
        Ok(answer) => answer,
        Err(error) => return Finding::error(&check, error),
    };
    let took = answer.took.as_millis();
    let found = format!(
        "asked about a reference that no attempt has: {} ({took} ms)",
        answer.text
    );
    if answer.is_well {
        return Finding::ok(&check, found);
    }
    let remedy = format!("see `manilla provider test {}` and its log", account.id);
    match account.environment {
        Environment::Live => Finding::fail(&check, found).remedied_by(remedy),
        Environment::Test => Finding::warn(&check, found).remedied_by(remedy),
    }
}

fn named(account: &AccountConfig) -> String {
    format!("provider {}", account.id)
}
