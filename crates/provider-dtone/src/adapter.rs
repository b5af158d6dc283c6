//! How an account at DT One is configured. It must not reach the provider: a gateway starts while
//! its providers are away.

use crate::products::DtoneProducts;
use crate::provider::DtoneProvider;
use crate::settings::{DtoneKeys, DtoneSettings};
use domain::environment::ByEnvironment;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::adapter::{
    AccountOpening, AccountSecret, Adapter, AdapterDeclaration, DeclaredSetting, OpenAccountError,
    ProviderAccount, SettingAbsence,
};
use std::sync::Arc;

const URL: &str = "url";
const API_KEY: &str = "api_key";
const API_SECRET: &str = "api_secret";
const AIRTIME_PRODUCTS: &str = "airtime_products";
const INTERNET_PRODUCTS: &str = "internet_products";
const CALLBACK_URL: &str = "callback_url";

/// Where DT One publishes its interface.
const HOSTS: ByEnvironment<&[&str]> = ByEnvironment {
    test: &["preprod-dvs-api.dtone.com"],
    live: &["dvs-api.dtone.com"],
};

const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        absence: SettingAbsence::Default("https://dvs-api.dtone.com/v1"),
        check: |text| target(text).map(drop),
        ..DeclaredSetting::required(
            URL,
            "Base of the interface; https://preprod-dvs-api.dtone.com/v1 for the sandbox of DT \
             One.",
        )
    },
    DeclaredSetting {
        check: key,
        ..DeclaredSetting::secret(API_KEY, "The API key of the account.")
    },
    DeclaredSetting {
        check: secret,
        ..DeclaredSetting::secret(API_SECRET, "The API secret of the account.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| products(text, "").map(drop),
        ..DeclaredSetting::required(
            AIRTIME_PRODUCTS,
            "Products with a range that recharge numbers of a network, as COUNTRY:NETWORK=PRODUCT, \
             separated by commas.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| products("", text).map(drop),
        ..DeclaredSetting::required(
            INTERNET_PRODUCTS,
            "Products of one value that are our plans of internet data, as OURS=PRODUCT, separated \
             by commas.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| target(text).map(drop),
        ..DeclaredSetting::required(
            CALLBACK_URL,
            "Where callbacks are sent, https://YOUR-GATEWAY/provider/NAME/callback.",
        )
    },
];

/// The adapter of DT One.
#[derive(Debug, Clone, Copy)]
pub struct DtoneAdapter;

impl Adapter for DtoneAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        AdapterDeclaration {
            name: "dtone",
            about: "DT One (DVS): airtime and internet data in many countries.",
            settings: SETTINGS,
        }
    }

    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        opening.refuse_host_of_other(URL, &HOSTS)?;
        let configured = opening.settings;
        let secret = |name| configured.need_secret(name).map(AccountSecret::reveal);
        let keys = DtoneKeys::parse(secret(API_KEY)?, secret(API_SECRET)?);
        let mapped = |name| configured.get(name).unwrap_or_default();
        let products = products(mapped(AIRTIME_PRODUCTS), mapped(INTERNET_PRODUCTS));
        let settings = DtoneSettings {
            products: products.map_err(OpenAccountError::new)?,
            callback_url: configured.get(CALLBACK_URL).map(str::to_owned),
            ..DtoneSettings::new(
                target(configured.need(URL)?).map_err(OpenAccountError::new)?,
                keys.map_err(OpenAccountError::new)?,
            )
        };
        let provider = DtoneProvider::open(opening.id, settings, opening.clock);
        let provider = provider.map_err(OpenAccountError::new)?;
        Ok(ProviderAccount::new(Arc::new(provider)))
    }
}

fn target(text: &str) -> Result<OutboundTarget, String> {
    OutboundTarget::parse(text, PlainHttp::ToLoopback).map_err(|error| error.to_string())
}

fn key(text: &str) -> Result<(), String> {
    let checked = DtoneKeys::parse(text, "secret");
    checked.map(drop).map_err(|error| error.to_string())
}

fn secret(text: &str) -> Result<(), String> {
    let checked = DtoneKeys::parse("key", text);
    checked.map(drop).map_err(|error| error.to_string())
}

fn products(airtime: &str, internet: &str) -> Result<DtoneProducts, String> {
    DtoneProducts::parse(airtime, internet).map_err(|error| error.to_string())
}
