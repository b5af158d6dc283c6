//! How an account at a provider that speaks the protocol is configured. It must not reach the
//! provider: a gateway starts while its providers are away.

use crate::provider::HttpProvider;
use crate::settings::HttpProviderSettings;
use outbound_http::tls::authorities;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::adapter::{
    AccountLookups, AccountOpening, Adapter, AdapterDeclaration, DeclaredSetting, OpenAccountError,
    ProviderAccount, Secrecy, SettingAbsence,
};
use provider_protocol::signature::SignatureKeys;
use std::sync::Arc;
use std::time::Duration;

const URL: &str = "url";
const KEYS: &str = "keys";
const AUTHORITY: &str = "authority";
const REVIEW_AFTER: &str = "review_after_minutes";

/// Least minutes until a person is asked: an order may be on its way for ten.
const REVIEW_MINUTES_MIN: u64 = 15;

/// Most minutes until a person is asked: a week, beyond which nothing comes by itself.
const REVIEW_MINUTES_MAX: u64 = 7 * 24 * 60;

const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        check: |text| target(text).map(drop),
        ..DeclaredSetting::required(
            URL,
            "Base address of the provider, such as https://provider.example; plain http only on \
             this machine.",
        )
    },
    DeclaredSetting {
        check: |text| keys(text).map(drop),
        ..DeclaredSetting::secret(
            KEYS,
            "The keys both sides sign with, one or two lines of an identity and its key.",
        )
    },
    DeclaredSetting {
        secrecy: Secrecy::Secret,
        absence: SettingAbsence::Optional,
        check: |text| {
            authorities(text.as_bytes())
                .map(drop)
                .map_err(|error| error.to_string())
        },
        ..DeclaredSetting::required(
            AUTHORITY,
            "Certificates in PEM of authorities that are trusted besides those of the machine.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("1440"),
        check: |text| review_after(text).map(drop),
        ..DeclaredSetting::required(
            REVIEW_AFTER,
            "Where the provider never proves absence, after how many minutes without an outcome a \
             person is asked.",
        )
    },
];

/// The adapter of the provider protocol.
#[derive(Debug, Clone, Copy)]
pub struct HttpAdapter;

impl Adapter for HttpAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        AdapterDeclaration {
            name: "http",
            about: "Any provider that speaks the provider protocol over HTTPS.",
            settings: SETTINGS,
        }
    }

    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        let settings = opening.settings;
        let trusted = match settings.secret(AUTHORITY) {
            Some(pem) => authorities(pem.reveal().as_bytes()).map_err(OpenAccountError::new)?,
            None => Vec::new(),
        };
        let opened = HttpProviderSettings {
            id: opening.id,
            url: settings.need(URL)?.to_owned(),
            plain: PlainHttp::ToLoopback,
            authorities: trusted,
            keys: keys(settings.need_secret(KEYS)?.reveal()).map_err(OpenAccountError::new)?,
            review_after: review_after(settings.need(REVIEW_AFTER)?)
                .map_err(OpenAccountError::new)?,
        };
        let provider = HttpProvider::new(opened, opening.clock).map_err(OpenAccountError::new)?;
        let provider = Arc::new(provider);
        Ok(
            ProviderAccount::new(Arc::clone(&provider) as _).with_lookups(AccountLookups {
                meters: Some(Arc::clone(&provider) as _),
                smartcards: Some(Arc::clone(&provider) as _),
                bill_accounts: Some(Arc::clone(&provider) as _),
                bank_accounts: Some(Arc::clone(&provider) as _),
                mobile_wallets: Some(Arc::clone(&provider) as _),
                cards: Some(Arc::clone(&provider) as _),
                exchange_quotes: Some(Arc::clone(&provider) as _),
                number_operators: Some(provider),
            }),
        )
    }
}

fn target(text: &str) -> Result<OutboundTarget, String> {
    OutboundTarget::parse(text, PlainHttp::ToLoopback).map_err(|error| error.to_string())
}

fn keys(text: &str) -> Result<SignatureKeys, String> {
    SignatureKeys::parse(text).map_err(|error| error.to_string())
}

fn review_after(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok();
    let minutes = minutes.filter(|it| (REVIEW_MINUTES_MIN..=REVIEW_MINUTES_MAX).contains(it));
    minutes.map(Duration::from_mins).ok_or_else(|| {
        format!("must be a number of minutes from {REVIEW_MINUTES_MIN} to {REVIEW_MINUTES_MAX}")
    })
}
