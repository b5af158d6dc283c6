//! Accounts as they were written: in a file, in variables, in flags. It must not know what adapters
//! declare.

use std::collections::BTreeMap;
use std::path::Path;

use toml::Value;

use super::{SANDBOX, VARIABLES};
use crate::config::parse::scalar;
use crate::config::problem::Problem;
use crate::config::raw::{FILE, Raw, SettingSource, beside};

/// Accounts as they were written: the settings of each, by name.
#[derive(Debug, Default)]
pub(crate) struct RawAccounts(pub(super) BTreeMap<String, BTreeMap<String, Raw>>);

impl RawAccounts {
    /// Takes in the value of `provider` in a file that stands in a folder.
    pub(in crate::config) fn read(&mut self, value: Value, folder: &Path) -> Vec<Problem> {
        let mut problems = Vec::new();
        let Value::Table(accounts) = value else {
            problems.push(Problem(
                "`provider` is a section: write [provider.NAME]".to_owned(),
            ));
            return problems;
        };
        for (name, account) in accounts {
            let Value::Table(settings) = account else {
                problems.push(Problem(format!(
                    "`provider.{name}` is an account: write [provider.{name}]"
                )));
                continue;
            };
            self.0.entry(name.clone()).or_default();
            for (setting, value) in settings {
                match scalar(value) {
                    Some(text) if setting.ends_with(FILE) => {
                        let text = beside(folder, &text);
                        self.put((&name, &setting), text, SettingSource::File);
                    }
                    Some(text) => self.put((&name, &setting), text, SettingSource::File),
                    None => problems.push(Problem(format!(
                        "`provider.{name}.{setting}` must be a single value"
                    ))),
                }
            }
        }
        problems
    }

    /// Takes in the variables of accounts: `MANILLA_PROVIDER_MY_SHOP_URL` is `url` of `my-shop`. An
    /// account may be there by its variables alone. Returns the names of those that are of none.
    pub(in crate::config) fn read_variables(
        &mut self,
        variables: Vec<(String, String)>,
    ) -> Vec<String> {
        let mut strangers = Vec::new();
        let named = |variable: &str| variable.strip_prefix(VARIABLES).map(str::to_lowercase);
        for name in variables.iter().filter_map(|(name, _)| named(name)) {
            if let Some(account) = name.strip_suffix("_adapter") {
                self.0.entry(account.replace('_', "-")).or_default();
            }
        }
        for (variable, text) in variables {
            let found = named(&variable).and_then(|name| self.split(&name));
            match found {
                Some((account, setting)) => {
                    self.put((&account, &setting), text, SettingSource::Environment);
                }
                None => strangers.push(variable),
            }
        }
        strangers
    }

    /// Whether a variable may be one of accounts.
    pub(in crate::config) fn is_variable(name: &str) -> bool {
        name.starts_with(VARIABLES)
    }

    /// The account and the setting of a variable: of two accounts that fit, the longer name.
    fn split(&self, variable: &str) -> Option<(String, String)> {
        let accounts = self.0.keys().filter_map(|account| {
            let rest = variable.strip_prefix(&account.replace('-', "_"))?;
            let setting = rest.strip_prefix('_').filter(|it| !it.is_empty())?;
            Some((account.clone(), setting.to_owned()))
        });
        accounts.max_by_key(|(account, _)| account.len())
    }

    /// Takes in `provider.NAME.SETTING` of `--set`; `false` where it is something else.
    pub(in crate::config) fn assign(&mut self, name: &str, text: &str) -> bool {
        let parts = name.strip_prefix("provider.");
        let Some((account, setting)) = parts.and_then(|it| it.split_once('.')) else {
            return false;
        };
        self.put((account, setting), text.to_owned(), SettingSource::Flag);
        true
    }

    fn put(&mut self, (account, setting): (&str, &str), text: String, source: SettingSource) {
        // A variable that is empty is none, as elsewhere.
        if text.is_empty() && source == SettingSource::Environment {
            return;
        }
        let settings = self.0.entry(account.to_owned()).or_default();
        // A secret and the setting that names its file are one: the later source goes over both.
        let other = match setting.strip_suffix(FILE) {
            Some(secret) => secret.to_owned(),
            None => format!("{setting}{FILE}"),
        };
        if settings.get(&other).is_some_and(|it| it.source < source) {
            settings.remove(&other);
        }
        settings.insert(setting.to_owned(), Raw { text, source });
    }

    /// The names of all accounts, that of the sandbox included.
    pub(in crate::config) fn names(&self) -> Vec<&str> {
        let others = self.0.keys().map(String::as_str);
        std::iter::once(SANDBOX)
            .chain(others.filter(|name| *name != SANDBOX))
            .collect()
    }
}
