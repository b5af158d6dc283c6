//! How an account at Paystack is configured. It must not reach the provider: a gateway starts while
//! its providers are away.

use crate::banks::PaystackBanks;
use crate::provider::PaystackProvider;
use crate::settings::{PaystackKey, PaystackSettings};
use domain::environment::ByEnvironment;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::adapter::{
    AccountLookups, AccountOpening, AccountSecret, Adapter, AdapterDeclaration, DeclaredSetting,
    OpenAccountError, ProviderAccount, SettingAbsence,
};
use std::sync::Arc;

const URL: &str = "url";
const SECRET_KEY: &str = "secret_key";
const BANK_CODES: &str = "bank_codes";

/// What secret keys of each environment begin with.
const KEY_PREFIXES: ByEnvironment<&str> = ByEnvironment {
    test: "sk_test_",
    live: "sk_live_",
};

const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        absence: SettingAbsence::Default("https://api.paystack.co"),
        check: |text| target(text).map(drop),
        ..DeclaredSetting::required(URL, "Base of the interface.")
    },
    DeclaredSetting {
        check: |text| key(text).map(drop),
        ..DeclaredSetting::secret(
            SECRET_KEY,
            "The secret key of the account, sk_live_… or sk_test_…; callbacks are signed with it.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| banks(text).map(drop),
        ..DeclaredSetting::required(
            BANK_CODES,
            "Banks that are missing in the table of the adapter, or different, as OURS=THEIRS, \
             separated by commas.",
        )
    },
];

/// The adapter of Paystack.
#[derive(Debug, Clone, Copy)]
pub struct PaystackAdapter;

impl Adapter for PaystackAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        AdapterDeclaration {
            name: "paystack",
            about: "Paystack: payouts to bank accounts in Nigeria, and whose an account is.",
            settings: SETTINGS,
        }
    }

    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        let configured = opening.settings;
        let secret = configured.need_secret(SECRET_KEY);
        let secret = secret.map(AccountSecret::reveal)?;
        let prefix = KEY_PREFIXES.of(opening.environment);
        if !secret.starts_with(prefix) {
            let environment = opening.environment.code();
            return Err(OpenAccountError::new(format!(
                "`environment` is \"{environment}\", so `{SECRET_KEY}` must begin with {prefix}"
            )));
        }
        let named = configured.get(BANK_CODES).unwrap_or_default();
        let settings = PaystackSettings {
            banks: banks(named).map_err(OpenAccountError::new)?,
            ..PaystackSettings::new(
                target(configured.need(URL)?).map_err(OpenAccountError::new)?,
                key(secret).map_err(OpenAccountError::new)?,
            )
        };
        let provider = PaystackProvider::open(opening.id, settings, opening.clock);
        let provider = Arc::new(provider.map_err(OpenAccountError::new)?);
        Ok(
            ProviderAccount::new(Arc::clone(&provider) as _).with_lookups(AccountLookups {
                bank_accounts: Some(provider),
                ..AccountLookups::default()
            }),
        )
    }
}

fn target(text: &str) -> Result<OutboundTarget, String> {
    OutboundTarget::parse(text, PlainHttp::ToLoopback).map_err(|error| error.to_string())
}

fn key(text: &str) -> Result<PaystackKey, String> {
    PaystackKey::parse(text).map_err(|error| error.to_string())
}

fn banks(text: &str) -> Result<PaystackBanks, String> {
    let banks = PaystackBanks::embedded().with(text);
    banks.map_err(|error| error.to_string())
}
