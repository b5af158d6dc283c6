//! The effective configuration: one file, then the environment, then flags. It must be complete and
//! checked before anything starts, and say what is wrong by the name of the setting.

mod account;
mod account_limit;
mod biller;
mod charge;
mod collection_charge;
mod credit_price;
mod database;
mod effective;
mod key;
pub(crate) mod keys;
mod log;
mod maintenance;
mod monitoring;
mod nearest;
mod paid_lookup;
mod parse;
mod price_override;
mod problem;
mod raw;
mod reader;
mod reloading;
mod route;
mod show;
mod sources;
mod traces;
mod view;
mod written_list;

use std::fmt;
use std::path::{Path, PathBuf};

use domain::environment::Environment;
use tracing_subscriber::filter::LevelFilter;

use crate::registry::Registry;
use crate::secret_files;

pub(crate) use self::account::{AccountConfig, NumberLookupUse, SANDBOX, SecretSource, are_one};
pub(crate) use self::account_limit::OwnLimits;
pub(crate) use self::database::DatabaseUrl;
pub(crate) use self::effective::{Config, Flags, LookupConfig, Sandbox, ServerConfig};
use self::key::Setting;
pub(crate) use self::log::{Log, LogFormat};
pub(crate) use self::monitoring::MonitoringAddress;
#[cfg(test)]
pub(crate) use self::paid_lookup::written as paid_lookups;
use self::problem::Problem;
pub(crate) use self::raw::SettingSource;
use self::reader::SettingReader;
pub(crate) use self::reloading::restart_needed;
pub(crate) use self::show::{limit_is_everybodys, template};
use self::sources::Values;
pub(crate) use self::traces::Traces;
pub(crate) use self::view::SettingView;

/// The name of the configuration file that is read from the data folder where no other is named.
pub(crate) const FILE_NAME: &str = "manilla.toml";

impl Config {
    /// Reads the configuration again, from where it was read.
    pub(crate) fn read_again(&self) -> Result<Self, Invalid> {
        load(&self.flags, environment(), &self.registry)
    }

    /// Where a setting was found: `default`, `file`, `flag`, or the variable of the environment.
    pub(crate) fn origin(&self, name: &str) -> &'static str {
        let shown = self.shown.iter().find(|shown| shown.name == name);
        shown.map_or(SettingSource::Default.word(), SettingView::origin)
    }

    /// The accounts of the live environment that routes lead to, each once.
    pub(crate) fn live_providers(&self) -> Vec<&str> {
        let accounts = self.accounts.iter();
        let live = accounts.filter(|it| it.environment == Environment::Live);
        let routed = live.filter(|it| self.routes.iter().any(|route| route.provider == it.id));
        routed.map(|it| it.id.as_str()).collect()
    }

    /// The warning that accounts at providers are given nothing, for there is no route.
    fn without_routes(&self) -> Option<String> {
        let is_idle = |it: &&AccountConfig| {
            it.id.as_str() != SANDBOX && it.kept.number_lookup == NumberLookupUse::Off
        };
        let configured = self.accounts.iter().filter(is_idle);
        let names: Vec<&str> = configured.map(|it| it.id.as_str()).collect();
        let is_unrouted = self.routes.is_empty() && !names.is_empty();
        is_unrouted.then(|| {
            let names = names.join(", ");
            format!(
                "there is no [[route]]: test accounts buy from the sandbox, live accounts can buy \
                 nothing, and nothing is sent to {names}"
            )
        })
    }

    /// The log of a command that is no server. By default it shows only errors: the answer of the
    /// command is its output.
    pub(crate) fn log_of_a_command(&self) -> Log {
        let by_default =
            |shown: &SettingView| shown.name == keys::LOG_LEVEL.name && shown.is_default();
        let level = if self.shown.iter().any(by_default) {
            LevelFilter::WARN
        } else {
            self.log.level
        };
        Log { level, ..self.log }
    }
}

/// The configuration cannot be used: every reason at once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    file: Option<PathBuf>,
    problems: Vec<Problem>,
}

impl Invalid {
    /// The file that was read, if any.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Everything that is wrong, one sentence each.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter()
    }
}

impl std::error::Error for Invalid {}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration cannot be used")?;
        if let Some(file) = &self.file {
            write!(f, " (file {})", file.display())?;
        }
        for problem in &self.problems {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

/// The variables of the environment. One whose name is no text is none of ours.
pub(crate) fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        Some((name, value.to_string_lossy().into_owned()))
    })
}

/// Reads the configuration that is in force.
pub(crate) fn load(
    flags: &Flags,
    environment: impl IntoIterator<Item = (String, String)>,
    registry: &Registry,
) -> Result<Config, Invalid> {
    let environment: Vec<(String, String)> = environment.into_iter().collect();
    let variable = |name: &str| {
        let found = environment.iter().find(|(known, _)| known == name);
        found.map(|(_, text)| PathBuf::from(text))
    };
    let mut values = Values::default();
    let named = flags.config.clone().or_else(|| variable("MANILLA_CONFIG"));
    let data = flags.data.clone().or_else(|| variable(keys::DATA.env));
    let file = read_file(&mut values, named, data);
    let exposed = file
        .as_deref()
        .and_then(|file| guard(&mut values, file, registry));
    let mut warnings = values.read_environment(environment);
    warnings.extend(exposed);
    read_flags(&mut values, flags);
    let config = build(&values, (file, warnings), registry)?;
    let flags = flags.clone();
    Ok(Config { flags, ..config })
}

/// Takes in the configuration file: the one that is named, which must be there, or the one in the
/// data folder, which may be.
fn read_file(
    values: &mut Values,
    named: Option<PathBuf>,
    data: Option<PathBuf>,
) -> Option<PathBuf> {
    let must_exist = named.is_some();
    let data = data.unwrap_or_else(|| PathBuf::from(keys::DATA.default));
    let path = named.unwrap_or_else(|| data.join(FILE_NAME));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if !must_exist && is_absent(&error) => return None,
        Err(error) => {
            values.problem(format!("it cannot be read: {error}"));
            return Some(path);
        }
    };
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    values.read_file(&text, folder);
    if !must_exist && values.raw(&keys::DATA).source == SettingSource::File {
        values.problem(
            "`data` cannot move the folder this file was found in: remove it, or keep the file \
             elsewhere and name it with --config"
                .to_owned(),
        );
    }
    Some(path)
}

/// Refuses a file with secrets in it that every user can get at. Returns what is worth a warning.
fn guard(values: &mut Values, file: &Path, registry: &Registry) -> Option<String> {
    let mut secrets = values.inline_secrets();
    secrets.extend(account::inline_secrets(&values.accounts, registry));
    if secrets.is_empty() {
        return None;
    }
    let names = secrets.join(", ");
    match secret_files::guarded(file) {
        Ok(warning) => warning.map(|warning| format!("{warning} ({names})")),
        Err(refused) => {
            values.problem(format!(
                "{refused:#}; or name a file for each secret in it: {names}"
            ));
            None
        }
    }
}

/// Whether there is no such file; that the data folder is no folder is reported when it is opened.
fn is_absent(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

fn read_flags(values: &mut Values, flags: &Flags) {
    for assignment in &flags.set {
        values.read_assignment(assignment);
    }
    let mut path = |flag: &str, path: Option<&PathBuf>| {
        let path = path?;
        if path.to_str().is_none() {
            values.problem(format!("{flag} must be a path in UTF-8"));
        }
        Some(path.to_string_lossy().into_owned())
    };
    let data = path("--data", flags.data.as_ref());
    let operator_key = path("--operator-key", flags.operator_key.as_ref());
    let named: [(&dyn Setting, Option<String>); 6] = [
        (&keys::DATA, data),
        (&keys::OPERATOR_KEY, operator_key),
        (&keys::DATABASE, flags.database.clone()),
        (&keys::LISTEN, flags.listen.clone()),
        (&keys::LOG_LEVEL, flags.log_level.clone()),
        (&keys::LOG_FORMAT, flags.log_format.clone()),
    ];
    for (key, text) in named {
        if let Some(text) = text {
            values.put(key, text, SettingSource::Flag);
        }
    }
}

fn build(
    values: &Values,
    (file, mut warnings): (Option<PathBuf>, Vec<String>),
    registry: &Registry,
) -> Result<Config, Invalid> {
    let mut reader = SettingReader::new(values, registry);
    let config = reader.config();
    warnings.extend(reader.warnings);
    match (config, reader.problems) {
        (Some(config), problems) if problems.is_empty() => {
            let mut shown = show::shown(values);
            for account in &config.accounts {
                shown.extend(account.shown.iter().cloned());
            }
            warnings.extend(config.without_routes());
            Ok(Config {
                warnings,
                file,
                shown,
                ..config
            })
        }
        (_, problems) => Err(Invalid { file, problems }),
    }
}

#[cfg(test)]
mod tests;
