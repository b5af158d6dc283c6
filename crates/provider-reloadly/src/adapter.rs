//! How an account at Reloadly is configured. It must not reach the provider: a gateway starts while
//! its providers are away.

use crate::operators::ReloadlyOperators;
use crate::provider::ReloadlyProvider;
use crate::settings::{ReloadlyCredentials, ReloadlySettings};
use domain::environment::ByEnvironment;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::adapter::{
    AccountLookups, AccountOpening, AccountSecret, Adapter, AdapterDeclaration, DeclaredSetting,
    OpenAccountError, ProviderAccount, SettingAbsence,
};
use std::sync::Arc;

const URL: &str = "url";
const AUTH_URL: &str = "auth_url";
const AUDIENCE: &str = "audience";
const CLIENT_ID: &str = "client_id";
const CLIENT_SECRET: &str = "client_secret";
const WEBHOOK_SECRET: &str = "webhook_secret";
const OPERATORS: &str = "operators";

/// Where Reloadly publishes its interface.
const HOSTS: ByEnvironment<&[&str]> = ByEnvironment {
    test: &["topups-sandbox.reloadly.com"],
    live: &["topups.reloadly.com"],
};

const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        absence: SettingAbsence::Default("https://topups.reloadly.com"),
        check: |text| target(text).map(drop),
        ..DeclaredSetting::required(
            URL,
            "Base of the interface; https://topups-sandbox.reloadly.com for the sandbox of \
             Reloadly.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("https://auth.reloadly.com"),
        check: |text| target(text).map(drop),
        ..DeclaredSetting::required(AUTH_URL, "Where tokens are given out.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        ..DeclaredSetting::required(
            AUDIENCE,
            "What tokens are for, where that is not the base of the interface.",
        )
    },
    DeclaredSetting {
        check: secret,
        ..DeclaredSetting::secret(CLIENT_ID, "The client id of the account.")
    },
    DeclaredSetting {
        check: secret,
        ..DeclaredSetting::secret(CLIENT_SECRET, "The client secret of the account.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: secret,
        ..DeclaredSetting::secret(
            WEBHOOK_SECRET,
            "What callbacks are signed with; without it none are taken.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| operators(text).map(drop),
        ..DeclaredSetting::required(
            OPERATORS,
            "Networks in Nigeria as NETWORK=OPERATOR, separated by commas, such as mtn=341.",
        )
    },
];

/// The adapter of Reloadly.
#[derive(Debug, Clone, Copy)]
pub struct ReloadlyAdapter;

impl Adapter for ReloadlyAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        AdapterDeclaration {
            name: "reloadly",
            about: "Reloadly: airtime in Nigeria.",
            settings: SETTINGS,
        }
    }

    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        opening.refuse_host_of_other(URL, &HOSTS)?;
        let configured = opening.settings;
        let secret = |name| configured.need_secret(name).map(AccountSecret::reveal);
        let webhook = configured.secret(WEBHOOK_SECRET).map(AccountSecret::reveal);
        let pair = (secret(CLIENT_ID)?, secret(CLIENT_SECRET)?);
        let credentials = ReloadlyCredentials::parse(pair, webhook);
        let url = configured.need(URL)?;
        let targets = (
            target(url).map_err(OpenAccountError::new)?,
            target(configured.need(AUTH_URL)?).map_err(OpenAccountError::new)?,
        );
        let audience = configured
            .get(AUDIENCE)
            .unwrap_or(url)
            .trim_end_matches('/');
        let credentials = credentials.map_err(OpenAccountError::new)?;
        let named = configured.get(OPERATORS).unwrap_or_default();
        let settings = ReloadlySettings {
            operators: operators(named).map_err(OpenAccountError::new)?,
            ..ReloadlySettings::new(targets, audience, credentials)
        };
        let provider = ReloadlyProvider::open(opening.id, settings, opening.clock);
        let provider = provider.map_err(OpenAccountError::new)?;
        let provider = Arc::new(provider);
        Ok(
            ProviderAccount::new(Arc::clone(&provider) as _).with_lookups(AccountLookups {
                number_operators: Some(provider),
                ..AccountLookups::default()
            }),
        )
    }
}

fn target(text: &str) -> Result<OutboundTarget, String> {
    OutboundTarget::parse(text, PlainHttp::ToLoopback).map_err(|error| error.to_string())
}

fn secret(text: &str) -> Result<(), String> {
    let checked = ReloadlyCredentials::parse((text, text), None);
    checked.map(drop).map_err(|error| error.to_string())
}

fn operators(text: &str) -> Result<ReloadlyOperators, String> {
    ReloadlyOperators::parse(text).map_err(|error| error.to_string())
}
