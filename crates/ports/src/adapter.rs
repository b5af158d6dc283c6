//! How the adapter of a provider is plugged in: what it is called, which settings it declares, and
//! how an account at the provider is opened with them. It must not read a file or the environment:
//! the gateway does, and hands over values that were checked.

use crate::banks::BankAccounts;
use crate::bills::BillAccounts;
use crate::cards::PaymentCards;
use crate::clock::Clock;
use crate::exchange::ExchangeQuotes;
use crate::mobile_money::MobileWallets;
use crate::number_operators::NumberOperators;
use crate::provider::{Meters, Provider, Smartcards};
use domain::environment::{ByEnvironment, Environment};
use domain::provider::ProviderId;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A kind of provider, such as an aggregator's interface. A gateway may have several accounts of
/// one adapter.
pub trait Adapter: Send + Sync + fmt::Debug {
    /// What it is called in a configuration, and what it declares.
    fn declaration(&self) -> AdapterDeclaration;

    /// Opens an account at the provider. It is called within the runtime, once for each account,
    /// and neither sends nor awaits anything: a gateway starts while its providers are away.
    ///
    /// # Errors
    /// When the settings do not fit together. What is wrong with a single one is said by its check.
    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError>;
}

/// What an adapter declares. It does not change while a gateway runs.
#[derive(Debug, Clone, Copy)]
pub struct AdapterDeclaration {
    /// Its name in a configuration, such as `vtpass`: the form of a provider identity.
    pub name: &'static str,
    /// What it connects to, in one sentence.
    pub about: &'static str,
    /// The settings of an account.
    pub settings: &'static [DeclaredSetting],
}

/// One setting of an account.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredSetting {
    /// Its name, out of `a-z`, `0-9` and `_`, such as `url`. `adapter`, `environment` and
    /// whatever ends in `_file` belong to the gateway.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// Whether it is shown.
    pub secrecy: Secrecy,
    /// What holds where it is left out.
    pub absence: SettingAbsence,
    /// Refuses a value, saying what would be right: `must be an address such as https://…`. The
    /// text follows the name of the setting and never repeats the value.
    pub check: fn(&str) -> Result<(), String>,
}

/// Whether a setting is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrecy {
    /// It is shown as it is.
    Shown,
    /// It is never shown, and may be kept in a file of its own: `token_file` names that of `token`.
    Secret,
}

/// What holds where a setting is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingAbsence {
    /// The configuration is refused.
    Required,
    /// Nothing: the adapter does without.
    Optional,
    /// This value.
    Default(&'static str),
}

/// A value that is never shown, nor written to a log.
#[derive(Clone, PartialEq, Eq)]
pub struct AccountSecret(String);

impl AccountSecret {
    /// A secret of this text.
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, for the one place that sends it or signs with it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for AccountSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccountSecret(…)")
    }
}

/// The settings of an account as an adapter reads them: each was declared, checked, and is there
/// unless it is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountSettings {
    shown: BTreeMap<&'static str, String>,
    secrets: BTreeMap<&'static str, AccountSecret>,
}

impl AccountSettings {
    /// The settings that a declaration asks for, out of what was configured: absent ones take their
    /// default. `configured` is asked once for each declared setting.
    ///
    /// # Errors
    /// Every setting that is missing or refused, each with what is wrong.
    pub fn checked(
        declared: &[DeclaredSetting],
        mut configured: impl FnMut(&DeclaredSetting) -> Option<String>,
    ) -> Result<Self, Vec<RefusedSetting>> {
        let mut settings = Self::default();
        let mut refused = Vec::new();
        for setting in declared {
            let text = match (configured(setting), setting.absence) {
                (Some(text), _) => text,
                (None, SettingAbsence::Default(text)) => text.to_owned(),
                (None, SettingAbsence::Optional) => continue,
                (None, SettingAbsence::Required) => {
                    refused.push(setting.refused("is missing".to_owned()));
                    continue;
                }
            };
            if let Err(wrong) = (setting.check)(&text) {
                refused.push(setting.refused(wrong));
                continue;
            }
            settings.put(setting, text);
        }
        if refused.is_empty() {
            Ok(settings)
        } else {
            Err(refused)
        }
    }

    fn put(&mut self, setting: &DeclaredSetting, text: String) {
        match setting.secrecy {
            Secrecy::Shown => drop(self.shown.insert(setting.name, text)),
            Secrecy::Secret => drop(self.secrets.insert(setting.name, AccountSecret::new(text))),
        }
    }

    /// A setting that is shown; `None` where it is optional and absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.shown.get(name).map(String::as_str)
    }

    /// A secret; `None` where it is optional and absent.
    pub fn secret(&self, name: &str) -> Option<&AccountSecret> {
        self.secrets.get(name)
    }

    /// A setting that is shown, of an adapter that declares it as required or with a default.
    ///
    /// # Errors
    /// When the adapter does not declare it so.
    pub fn need(&self, name: &'static str) -> Result<&str, OpenAccountError> {
        self.get(name).ok_or(OpenAccountError::undeclared(name))
    }

    /// A secret of an adapter that declares it as required.
    ///
    /// # Errors
    /// When the adapter does not declare it so.
    pub fn need_secret(&self, name: &'static str) -> Result<&AccountSecret, OpenAccountError> {
        self.secret(name).ok_or(OpenAccountError::undeclared(name))
    }
}

impl DeclaredSetting {
    /// A setting that is required and shown; struct update changes the rest.
    pub const fn required(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            secrecy: Secrecy::Shown,
            absence: SettingAbsence::Required,
            check: not_empty,
        }
    }

    /// A secret that is required.
    pub const fn secret(name: &'static str, help: &'static str) -> Self {
        Self {
            secrecy: Secrecy::Secret,
            ..Self::required(name, help)
        }
    }

    const fn refused(&self, wrong: String) -> RefusedSetting {
        RefusedSetting {
            name: self.name,
            wrong,
        }
    }
}

/// Refuses the empty text.
fn not_empty(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("must not be empty".to_owned());
    }
    Ok(())
}

/// A setting of an account that is missing or refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedSetting {
    /// Its name.
    pub name: &'static str,
    /// What is wrong, to follow the name.
    pub wrong: String,
}

/// What an account is opened with.
#[derive(Debug)]
pub struct AccountOpening<'a> {
    /// The identity of the account: the name its operator gave it. It stands with every attempt.
    pub id: ProviderId,
    /// Whether its operator says that what it delivers is real. An adapter refuses settings that
    /// say otherwise, such as a key or an address of the provider's own sandbox.
    pub environment: Environment,
    /// The settings, as the adapter declared them.
    pub settings: &'a AccountSettings,
    /// The time, for an adapter that signs it or measures a deadline.
    pub clock: Arc<dyn Clock>,
}

impl AccountOpening<'_> {
    /// Refuses an address at a host that the provider publishes for the other environment.
    ///
    /// # Errors
    /// When it is one, with the setting that holds it.
    pub fn refuse_host_of_other(
        &self,
        setting: &str,
        published: &ByEnvironment<&[&str]>,
    ) -> Result<(), OpenAccountError> {
        let address = self.settings.get(setting).unwrap_or_default();
        let host = host(address).to_ascii_lowercase();
        if !is_of_other(self.environment, &host, published) {
            return Ok(());
        }
        let environment = self.environment.code();
        Err(OpenAccountError::new(format!(
            "`environment` is \"{environment}\", and `{setting}` is an address of the provider's \
             other environment, {host}: change one of them"
        )))
    }
}

/// Whether a host is one that is published for the other environment.
fn is_of_other(environment: Environment, host: &str, published: &ByEnvironment<&[&str]>) -> bool {
    let others = match environment {
        Environment::Test => published.live,
        Environment::Live => published.test,
    };
    others.contains(&host)
}

/// The host of an address.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let end = rest.find(['/', ':', '?', '#']).unwrap_or(rest.len());
    rest.get(..end).unwrap_or(rest)
}

/// Why an account cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OpenAccountError(String);

impl OpenAccountError {
    /// A reason with its remedy. It must not hold a secret.
    pub fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }

    fn undeclared(name: &str) -> Self {
        Self(format!(
            "the adapter reads `{name}` without declaring it as required or with a default"
        ))
    }
}

/// An account at a provider, with the lookups it brings. What is left out, it cannot do.
#[derive(Debug, Clone)]
pub struct ProviderAccount {
    /// Delivers and answers for attempts.
    pub provider: Arc<dyn Provider>,
    /// The lookups it brings.
    pub lookups: AccountLookups,
}

impl ProviderAccount {
    /// An account that brings no lookups.
    pub fn new(provider: Arc<dyn Provider>) -> Self {
        Self {
            provider,
            lookups: AccountLookups::default(),
        }
    }

    /// The same account with lookups.
    #[must_use]
    pub fn with_lookups(self, lookups: AccountLookups) -> Self {
        Self { lookups, ..self }
    }
}

/// The lookups that an account brings.
#[derive(Debug, Clone, Default)]
pub struct AccountLookups {
    /// Meters.
    pub meters: Option<Arc<dyn Meters>>,
    /// Smartcards.
    pub smartcards: Option<Arc<dyn Smartcards>>,
    /// Customers of billers.
    pub bill_accounts: Option<Arc<dyn BillAccounts>>,
    /// Bank accounts.
    pub bank_accounts: Option<Arc<dyn BankAccounts>>,
    /// Cards, by their tokens.
    pub cards: Option<Arc<dyn PaymentCards>>,
    /// Quotes of transfers abroad.
    pub exchange_quotes: Option<Arc<dyn ExchangeQuotes>>,
    /// Mobile money wallets.
    pub mobile_wallets: Option<Arc<dyn MobileWallets>>,
    /// Who serves a number today.
    pub number_operators: Option<Arc<dyn NumberOperators>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[DeclaredSetting] = &[
        DeclaredSetting {
            check: |text| {
                let is_url = text.starts_with("https://");
                is_url
                    .then_some(())
                    .ok_or_else(|| "must be an address such as https://api.example.com".to_owned())
            },
            ..DeclaredSetting::required("url", "Address of the interface.")
        },
        DeclaredSetting::secret("token", "Token of the account."),
        DeclaredSetting {
            absence: SettingAbsence::Default("5"),
            ..DeclaredSetting::required("calls_max", "Most calls at a time.")
        },
        DeclaredSetting {
            absence: SettingAbsence::Optional,
            ..DeclaredSetting::required("branch", "Branch of the account.")
        },
    ];

    fn checked(configured: &[(&str, &str)]) -> Result<AccountSettings, Vec<RefusedSetting>> {
        AccountSettings::checked(DECLARED, |setting| {
            let found = configured.iter().find(|(name, _)| *name == setting.name);
            found.map(|(_, text)| (*text).to_owned())
        })
    }

    #[test]
    fn settings_that_are_left_out_take_their_default_or_are_not_there() {
        let settings = checked(&[("url", "https://a"), ("token", "t")]).unwrap();
        assert_eq!(settings.need("calls_max"), Ok("5"));
        assert_eq!(settings.get("branch"), None);
        assert_eq!(settings.need_secret("token").unwrap().reveal(), "t");
        assert!(settings.need("branch").is_err());
    }

    #[test]
    fn everything_that_is_wrong_is_refused_at_once() {
        let refused = checked(&[("url", "http://a"), ("calls_max", "")]).unwrap_err();
        let said: Vec<String> = refused
            .iter()
            .map(|it| format!("{} {}", it.name, it.wrong))
            .collect();
        assert_eq!(
            said,
            [
                "url must be an address such as https://api.example.com",
                "token is missing",
                "calls_max must not be empty"
            ]
        );
    }

    #[test]
    fn an_address_of_the_other_environment_is_refused() {
        const PUBLISHED: ByEnvironment<&[&str]> = ByEnvironment {
            test: &["sandbox.example.com"],
            live: &["api.example.com"],
        };
        for (address, refused) in [
            ("https://api.example.com/v1", [true, false]),
            ("https://API.example.com", [true, false]),
            ("https://sandbox.example.com:443/v1", [false, true]),
            ("https://127.0.0.1:9/api.example.com", [false, false]),
        ] {
            let host = host(address).to_ascii_lowercase();
            let refuses = Environment::ALL.map(|it| is_of_other(it, &host, &PUBLISHED));
            assert_eq!(refuses, refused, "{address}");
        }
    }

    #[test]
    fn a_secret_is_not_shown_by_anything_that_holds_it() {
        let settings = checked(&[("url", "https://a"), ("token", "s3cret")]).unwrap();
        let shown = format!("{settings:?}");
        assert!(
            shown.contains("AccountSecret(…)") && !shown.contains("s3cret"),
            "{shown}"
        );
    }
}
