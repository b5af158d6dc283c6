//! How an account at VTpass is configured. It must not reach the provider: a gateway starts while
//! its providers are away.

use crate::provider::VtpassProvider;
use crate::settings::{ConfirmRefusals, PlanMapping, VtpassKeys, VtpassSettings};
use domain::environment::ByEnvironment;
use domain::phone::PhoneNumber;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::adapter::{
    AccountLookups, AccountOpening, AccountSecret, Adapter, AdapterDeclaration, DeclaredSetting,
    OpenAccountError, ProviderAccount, SettingAbsence,
};
use std::sync::Arc;

const URL: &str = "url";
const API_KEY: &str = "api_key";
const SECRET_KEY: &str = "secret_key";
const PUBLIC_KEY: &str = "public_key";
const PHONE: &str = "phone";
const CONFIRM_REFUSALS: &str = "confirm_refusals";
const INTERNET_PLANS: &str = "internet_plans";
const CABLE_PLANS: &str = "cable_plans";

/// Where VTpass publishes its interface.
const HOSTS: ByEnvironment<&[&str]> = ByEnvironment {
    test: &["sandbox.vtpass.com"],
    live: &["vtpass.com", "api-service.vtpass.com"],
};

const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        absence: SettingAbsence::Default("https://vtpass.com/api/"),
        check: |text| target(text).map(drop),
        ..DeclaredSetting::required(
            URL,
            "Base of the interface; https://sandbox.vtpass.com/api/ for the sandbox of VTpass.",
        )
    },
    DeclaredSetting {
        check: key,
        ..DeclaredSetting::secret(API_KEY, "The API key of the account.")
    },
    DeclaredSetting {
        check: key,
        ..DeclaredSetting::secret(SECRET_KEY, "The secret key of the account, SK_….")
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: key,
        ..DeclaredSetting::secret(
            PUBLIC_KEY,
            "The public key of the account, PK_…; with it the balance and the list of plans are \
             read.",
        )
    },
    DeclaredSetting {
        check: |text| phone(text).map(drop),
        ..DeclaredSetting::required(
            PHONE,
            "Number of the operator in Nigeria that is given for meters and smartcards.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("on"),
        check: |text| confirm_refusals(text).map(drop),
        ..DeclaredSetting::required(
            CONFIRM_REFUSALS,
            "Whether a failed transaction counts as refused only once a query says the same, on \
             or off.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| plans(text).map(drop),
        ..DeclaredSetting::required(
            INTERNET_PLANS,
            "Plans of internet data as OURS=THEIRS, separated by commas.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| plans(text).map(drop),
        ..DeclaredSetting::required(
            CABLE_PLANS,
            "Plans of cable TV as OURS=THEIRS, separated by commas.",
        )
    },
];

/// The adapter of VTpass.
#[derive(Debug, Clone, Copy)]
pub struct VtpassAdapter;

impl Adapter for VtpassAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        AdapterDeclaration {
            name: "vtpass",
            about: "VTpass: airtime, internet data, cable TV and electricity in Nigeria.",
            settings: SETTINGS,
        }
    }

    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        opening.refuse_host_of_other(URL, &HOSTS)?;
        let configured = opening.settings;
        let key = |name| configured.need_secret(name).map(AccountSecret::reveal);
        let keys = VtpassKeys::parse(key(API_KEY)?, key(SECRET_KEY)?);
        let keys = match configured.secret(PUBLIC_KEY) {
            Some(public) => keys.and_then(|keys| keys.with_public(public.reveal())),
            None => keys,
        };
        let mapping = |name| plans(configured.get(name).unwrap_or_default());
        let settings = VtpassSettings {
            confirm_refusals: confirm_refusals(configured.need(CONFIRM_REFUSALS)?)
                .map_err(OpenAccountError::new)?,
            internet_plans: mapping(INTERNET_PLANS).map_err(OpenAccountError::new)?,
            cable_plans: mapping(CABLE_PLANS).map_err(OpenAccountError::new)?,
            ..VtpassSettings::new(
                target(configured.need(URL)?).map_err(OpenAccountError::new)?,
                keys.map_err(OpenAccountError::new)?,
                phone(configured.need(PHONE)?).map_err(OpenAccountError::new)?,
            )
        };
        let provider = VtpassProvider::open(opening.id, settings, opening.clock);
        let provider = Arc::new(provider.map_err(OpenAccountError::new)?);
        Ok(
            ProviderAccount::new(Arc::clone(&provider) as _).with_lookups(AccountLookups {
                meters: Some(Arc::clone(&provider) as _),
                smartcards: Some(provider),
                ..AccountLookups::default()
            }),
        )
    }
}

fn target(text: &str) -> Result<OutboundTarget, String> {
    OutboundTarget::parse(text, PlainHttp::ToLoopback).map_err(|error| error.to_string())
}

fn key(text: &str) -> Result<(), String> {
    let checked = VtpassKeys::parse(text, text);
    checked.map(drop).map_err(|error| error.to_string())
}

fn phone(text: &str) -> Result<PhoneNumber, String> {
    let wrong = || "must be a number in Nigeria such as 2348012345678".to_owned();
    let phone = PhoneNumber::parse(text).map_err(|_| wrong())?;
    let is_local = crate::request::local(&phone).is_some();
    is_local.then_some(phone).ok_or_else(wrong)
}

fn confirm_refusals(text: &str) -> Result<ConfirmRefusals, String> {
    match text {
        "on" => Ok(ConfirmRefusals::Yes),
        "off" => Ok(ConfirmRefusals::No),
        _ => Err("must be on or off".to_owned()),
    }
}

fn plans(text: &str) -> Result<PlanMapping, String> {
    PlanMapping::parse(text).map_err(|error| error.to_string())
}
