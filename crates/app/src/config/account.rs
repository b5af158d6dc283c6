//! `[provider.NAME]`: accounts at providers, with the settings that their adapters declare. It must
//! not read a file of a secret: commands that reach no provider need none.

mod conflicts;
mod environment;
mod explained;
mod guarding;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use application::submission_guard::BreakerLimits;
use domain::environment::Environment;
use domain::provider::ProviderId;
use ports::adapter::{
    AccountSecret, AccountSettings, AdapterDeclaration, DeclaredSetting, RefusedSetting, Secrecy,
    SettingAbsence,
};

pub(crate) use self::conflicts::are_one;
use self::conflicts::{in_both_environments, two_registers};
use self::environment::ENVIRONMENT;
pub(super) use self::explained::template;
use self::guarding::NUMBER_LOOKUP;
pub(crate) use self::guarding::{KeptSettings, NumberLookupUse};
pub(crate) use self::written::RawAccounts;
use super::nearest::nearest;
use super::problem::Problem;
use super::raw::{FILE, Raw, SettingSource};
use super::view::{REDACTED, SettingView};
use crate::registry::{KnownAdapter, Registry};
use crate::secrets::sealed::is_sealed;

/// The name of the section.
pub(super) const SECTION: &str = "provider";

/// The account that is there without any configuration.
pub(crate) const SANDBOX: &str = provider_sim::PROVIDER_ID;

/// The setting that names the adapter.
const ADAPTER: &str = "adapter";

/// What the variables of accounts begin with.
const VARIABLES: &str = "MANILLA_PROVIDER_";

/// An account as its operator configured it.
#[derive(Debug, Clone)]
pub(crate) struct AccountConfig {
    pub(crate) id: ProviderId,
    pub(crate) adapter: KnownAdapter,
    /// Whether what it delivers is real.
    pub(crate) environment: Environment,
    given: Vec<(&'static str, GivenValue)>,
    /// What the gateway keeps to by itself.
    pub(crate) kept: KeptSettings,
    /// Its settings, for showing.
    pub(crate) shown: Vec<SettingView>,
}

/// Where the secrets of accounts are read from. Each answers the secret, or what is wrong.
pub(crate) trait SecretSource {
    /// The secret in a file.
    fn in_file(&self, path: &Path) -> Result<String, String>;

    /// The secret that was sealed for a setting.
    fn sealed(&self, setting: &str, text: &str) -> Result<String, String>;
}

/// What a setting was given as.
#[derive(Debug, Clone, PartialEq, Eq)]
enum GivenValue {
    Text(String),
    Secret(AccountSecret),
    SecretFile(PathBuf),
}

impl AccountConfig {
    /// The sandbox that is there without any configuration.
    fn sandbox() -> Option<Self> {
        Some(Self {
            id: ProviderId::parse(SANDBOX).ok()?,
            adapter: KnownAdapter::Sandbox,
            environment: Environment::Test,
            given: Vec::new(),
            kept: KeptSettings::default(),
            shown: Vec::new(),
        })
    }

    /// The settings in force, with their secrets.
    pub(crate) fn settings(
        &self,
        secrets: &dyn SecretSource,
    ) -> Result<AccountSettings, Vec<Problem>> {
        self.checked(Some(secrets))
    }

    /// The settings, other than secrets, that another configuration gives this account another
    /// value of. What the gateway keeps to by itself is none of them.
    pub(super) fn differing(&self, other: &Self) -> Vec<&'static str> {
        let declaration = self.adapter.declaration();
        if declaration.name != other.adapter.declaration().name {
            return vec![ADAPTER];
        }
        // Both were checked when they were read.
        let here = self.checked(None).unwrap_or_default();
        let there = other.checked(None).unwrap_or_default();
        let declared = declaration.settings.iter().map(|it| it.name);
        let differ = |name: &&str| here.get(name) != there.get(name);
        let moved = self.environment != other.environment;
        let moved = moved.then_some(ENVIRONMENT);
        declared.filter(differ).chain(moved).collect()
    }

    /// The settings, those in files and sealed ones only where secrets are read. What is not read
    /// counts as right.
    fn checked(&self, secrets: Option<&dyn SecretSource>) -> Result<AccountSettings, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        let mut unread: Vec<&str> = Vec::new();
        for (name, value) in &self.given {
            let setting = format!("provider.{}.{name}", self.id);
            let opened = |text: String| match secrets {
                Some(secrets) if is_sealed(&text) => secrets.sealed(&setting, &text).map(Some),
                None if is_sealed(&text) => Ok(None),
                Some(_) | None => Ok(Some(text)),
            };
            let (read, form) = match value {
                GivenValue::Text(text) => (Ok(Some(text.clone())), ""),
                GivenValue::Secret(secret) => (opened(secret.reveal().to_owned()), ""),
                GivenValue::SecretFile(path) => {
                    let read = secrets.map(|secrets| secrets.in_file(path).and_then(opened));
                    (read.unwrap_or(Ok(None)), FILE)
                }
            };
            let text = read.unwrap_or_else(|wrong| {
                problems.push(Problem(format!("`{setting}{form}`: {wrong}")));
                None
            });
            match text {
                Some(text) => drop(texts.insert(name, text)),
                None => unread.push(name),
            }
        }
        let declared = self.adapter.declaration().settings.iter();
        let declared: Vec<_> = declared
            .filter(|it| !unread.contains(&it.name))
            .copied()
            .collect();
        let checked = AccountSettings::checked(&declared, |it| texts.get(it.name).cloned());
        let settings = checked.unwrap_or_else(|refused| {
            problems.extend(refused.into_iter().map(|it| {
                let RefusedSetting { name, wrong } = it;
                Problem(format!("`provider.{}.{name}` {wrong}", self.id))
            }));
            AccountSettings::default()
        });
        if problems.is_empty() {
            Ok(settings)
        } else {
            Err(problems)
        }
    }
}

/// The accounts that are configured, and the sandbox before all others.
pub(super) fn parse(
    raw: &RawAccounts,
    registry: &Registry,
) -> Result<Vec<AccountConfig>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut accounts = Vec::new();
    if !raw.0.contains_key(SANDBOX) {
        accounts.extend(AccountConfig::sandbox());
    }
    for (name, settings) in &raw.0 {
        match account(name, settings, registry) {
            Ok(account) if name == SANDBOX => accounts.insert(0, account),
            Ok(account) => accounts.push(account),
            Err(wrong) => problems.extend(wrong),
        }
    }
    problems.extend(in_both_environments(&accounts));
    problems.extend(two_registers(&accounts));
    if problems.is_empty() {
        Ok(accounts)
    } else {
        Err(problems)
    }
}

fn account(
    name: &str,
    settings: &BTreeMap<String, Raw>,
    registry: &Registry,
) -> Result<AccountConfig, Vec<Problem>> {
    let one = |wrong: String| vec![Problem(format!("[provider.{name}]: {wrong}"))];
    let id = ProviderId::parse(name).map_err(|error| one(format!("its name {error}")))?;
    let known = registry.names();
    let Some(adapter) = settings.get(ADAPTER) else {
        return Err(one(format!(
            "`adapter` is missing; there is {}",
            known.join(", ")
        )));
    };
    let adapter = registry.named(&adapter.text).ok_or_else(|| {
        let meant = nearest(&adapter.text, known.iter().copied());
        let hint = meant.map_or_else(
            || format!("there is {}", known.join(", ")),
            |meant| format!("did you mean \"{meant}\"?"),
        );
        one(format!("there is no adapter \"{}\"; {hint}", adapter.text))
    })?;
    let is_sandbox = matches!(adapter, KnownAdapter::Sandbox);
    if name == ProviderId::GATEWAY {
        let taken = "this name stands for the gateway itself; choose another";
        return Err(one(taken.to_owned()));
    }
    if name == SANDBOX && !is_sandbox {
        return Err(one(
            "this name is that of the sandbox within the program; choose another".to_owned(),
        ));
    }
    let (given, mut problems) = given(name, settings, &adapter.declaration());
    let by_default = (!is_sandbox).then_some(BreakerLimits::DEFAULT);
    let kept = guarding::read((name, settings), &adapter.declaration(), by_default);
    let kept = kept.unwrap_or_else(|wrong| {
        problems.extend(wrong);
        KeptSettings::default()
    });
    let environment = environment::read(name, settings.get(ENVIRONMENT), is_sandbox);
    let environment = environment.unwrap_or_else(|wrong| {
        problems.push(wrong);
        Environment::Test
    });
    let account = AccountConfig {
        environment,
        shown: shown(name, settings, &adapter.declaration()),
        id,
        adapter,
        given,
        kept,
    };
    problems.extend(account.checked(None).err().unwrap_or_default());
    if problems.is_empty() {
        Ok(account)
    } else {
        Err(problems)
    }
}

/// The secrets that stand among the settings themselves, and not sealed, by their names.
pub(super) fn inline_secrets(raw: &RawAccounts, registry: &Registry) -> Vec<String> {
    let accounts = raw.0.iter().filter_map(|(name, settings)| {
        let adapter = registry.named(&settings.get(ADAPTER)?.text)?;
        Some((name, settings, adapter.declaration()))
    });
    let named = accounts.flat_map(|(name, settings, declaration)| {
        let secrets = settings.iter().filter(|(setting, raw)| {
            let found = declared(setting, &declaration);
            let is_secret =
                found.is_some_and(|(it, is_file)| it.secrecy == Secrecy::Secret && !is_file);
            is_secret && !is_sealed(&raw.text)
        });
        let names = secrets.map(|(setting, _)| format!("`provider.{name}.{setting}`"));
        names.collect::<Vec<_>>()
    });
    named.collect()
}

/// The settings that were given, and what is wrong with their names.
fn given(
    name: &str,
    settings: &BTreeMap<String, Raw>,
    declaration: &AdapterDeclaration,
) -> (Vec<(&'static str, GivenValue)>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut given: Vec<(&'static str, GivenValue)> = Vec::new();
    let is_ours = |it: &str| it == ADAPTER || it == ENVIRONMENT || guarding::has(it, declaration);
    for (setting, Raw { text, .. }) in settings.iter().filter(|(it, _)| !is_ours(it)) {
        let Some((declared, is_file)) = declared(setting, declaration) else {
            problems.push(unknown(name, setting, declaration));
            continue;
        };
        if given.iter().any(|(known, _)| *known == declared.name) {
            problems.push(Problem(format!(
                "`provider.{name}.{0}` and `provider.{name}.{0}{FILE}` say the same: keep one",
                declared.name
            )));
            continue;
        }
        let value = match (declared.secrecy, is_file) {
            (Secrecy::Secret, true) => GivenValue::SecretFile(PathBuf::from(text)),
            (Secrecy::Secret, false) => GivenValue::Secret(AccountSecret::new(text.clone())),
            (Secrecy::Shown, _) => GivenValue::Text(text.clone()),
        };
        given.push((declared.name, value));
    }
    (given, problems)
}

/// The declared setting that a name stands for, and whether it names the file of it.
fn declared<'a>(
    setting: &str,
    declaration: &'a AdapterDeclaration,
) -> Option<(&'a DeclaredSetting, bool)> {
    let named = |name: &str| declaration.settings.iter().find(|it| it.name == name);
    let in_file = || {
        let secret = named(setting.strip_suffix(FILE)?)?;
        (secret.secrecy == Secrecy::Secret).then_some((secret, true))
    };
    named(setting).map(|it| (it, false)).or_else(in_file)
}

fn unknown(name: &str, setting: &str, declaration: &AdapterDeclaration) -> Problem {
    let names: Vec<String> = names(declaration);
    let known = names.iter().map(String::as_str);
    let hint = match nearest(setting, known) {
        Some(meant) => format!("did you mean `provider.{name}.{meant}`?"),
        None => format!("it has {}", names.join(", ")),
    };
    let adapter = declaration.name;
    Problem(format!(
        "`provider.{name}.{setting}` is no setting of the adapter {adapter}; {hint}"
    ))
}

/// The names under which the settings of an account may be written.
fn names(declaration: &AdapterDeclaration) -> Vec<String> {
    let settings = declaration.settings.iter().flat_map(|it| match it.secrecy {
        Secrecy::Shown => vec![it.name.to_owned()],
        Secrecy::Secret => vec![it.name.to_owned(), format!("{}{FILE}", it.name)],
    });
    let ours = guarding::SETTINGS
        .iter()
        .map(|(name, _, _)| (*name).to_owned());
    [ADAPTER.to_owned(), ENVIRONMENT.to_owned()]
        .into_iter()
        .chain(settings)
        .chain(ours)
        .collect()
}

/// Each setting as it is in force. One that was left out and has no default is not shown.
fn shown(
    name: &str,
    settings: &BTreeMap<String, Raw>,
    declaration: &AdapterDeclaration,
) -> Vec<SettingView> {
    let written = settings.iter().map(|(setting, raw)| {
        let is_secret = declared(setting, declaration)
            .is_some_and(|(it, is_file)| it.secrecy == Secrecy::Secret && !is_file);
        let value = if is_secret { REDACTED } else { &raw.text };
        SettingView::of_entry(format!("provider.{name}.{setting}"), value, raw.source)
    });
    let defaults = declaration.settings.iter().filter_map(|it| {
        let SettingAbsence::Default(text) = it.absence else {
            return None;
        };
        let is_written = settings.contains_key(it.name);
        let name = format!("provider.{name}.{}", it.name);
        let view = SettingView::of_entry(name, text, SettingSource::Default);
        (!is_written && it.secrecy == Secrecy::Shown).then_some(view)
    });
    written.chain(defaults).collect()
}
