//! The effective configuration: one file, then the environment, then flags. It must be complete and
//! checked before anything starts, and say what is wrong by the name of the setting.

mod biller;
mod charge;
mod key;
pub(crate) mod keys;
mod nearest;
mod parse;
mod price_override;
mod reader;
mod show;
mod sources;

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use application::price_overrides::PriceOverride;
use application::settings::Settings;
use domain::bank::charges::ChargeRules;
use domain::bill::Biller;
use domain::provider::AbsencePolicy;
use http_server::Limits;
use ip_intelligence::Servers;
use ipnet::IpNet;
use key_ring::KeyRing;
use provider_sim::BookSync;
use tracing_subscriber::filter::LevelFilter;
use webhook_dispatch::guard::Loopback;

use self::key::Setting;
use self::reader::SettingReader;
pub(crate) use self::show::{SettingView, limit_is_everybodys, template};
use self::sources::{Problem, SettingSource, Values};
use crate::secrets::PepperBytes;
use crate::telemetry::LogFormat;

/// The name of the configuration file that is read from the data folder where no other is named.
pub(crate) const FILE_NAME: &str = "manilla.toml";

/// What the command line says of settings.
#[derive(Debug, Default, Clone)]
pub(crate) struct Flags {
    pub(crate) config: Option<PathBuf>,
    pub(crate) data: Option<PathBuf>,
    pub(crate) database: Option<String>,
    pub(crate) listen: Option<String>,
    pub(crate) log_level: Option<String>,
    pub(crate) log_format: Option<String>,
    pub(crate) operator_key: Option<PathBuf>,
    pub(crate) set: Vec<String>,
}

/// The effective configuration.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) data: PathBuf,
    pub(crate) database: DatabaseConfig,
    pub(crate) server: ServerConfig,
    pub(crate) http_limits: HttpLimits,
    pub(crate) pepper: Option<PepperBytes>,
    /// The keys, where the data folder does not hold them.
    pub(crate) keys: Option<KeyRing>,
    pub(crate) operator: OperatorConfig,
    pub(crate) settings: Settings,
    pub(crate) lookup: LookupConfig,
    pub(crate) webhook: Webhook,
    /// How long meter tokens are kept, if not for ever.
    pub(crate) meter_tokens: Option<Duration>,
    pub(crate) sandbox: Sandbox,
    pub(crate) price_overrides: Vec<PriceOverride>,
    /// Billers beside those of the catalogue.
    pub(crate) billers: Vec<Biller>,
    /// What payouts are charged.
    pub(crate) charges: ChargeRules,
    pub(crate) log: Log,
    /// Things worth a warning in the log.
    pub(crate) warnings: Vec<String>,
    /// The file that was read, if any.
    pub(crate) file: Option<PathBuf>,
    /// Every setting with its source, for showing.
    pub(crate) shown: Vec<SettingView>,
    /// What the command line said.
    flags: Flags,
}

impl Config {
    /// Reads the configuration again, from where it was read.
    pub(crate) fn read_again(&self) -> Result<Self, Invalid> {
        load(&self.flags, environment())
    }

    /// Where a setting was found: `default`, `file`, `flag`, or the variable of the environment.
    pub(crate) fn origin(&self, name: &str) -> &'static str {
        let shown = self.shown.iter().find(|shown| shown.name == name);
        shown.map_or(SettingSource::Default.word(), SettingView::origin)
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

/// Where the books are, if not in the data folder.
#[derive(Debug)]
pub(crate) struct DatabaseConfig {
    pub(crate) url: Option<DatabaseUrl>,
    pub(crate) certificate: ServerCertificate,
    pub(crate) writers: u32,
    pub(crate) readers: u32,
}

/// What a database on another machine must show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerCertificate {
    /// One of its name that an authority signed.
    Verified,
    /// Any, or none.
    Any,
}

impl DatabaseConfig {
    /// The address of the database, if there is one and it may be used.
    pub(crate) fn reachable(&self) -> anyhow::Result<Option<&DatabaseUrl>> {
        if let (Some(url), ServerCertificate::Verified) = (&self.url, self.certificate) {
            postgres::is_verified(url.as_str())?;
        }
        Ok(self.url.as_ref())
    }
}

/// The address of a database. It may hold a password, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The address a text holds, if it looks like one; whether it leads anywhere is seen later.
    fn parse(text: &str) -> Option<Self> {
        let rest = ["postgres://", "postgresql://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme))?;
        (!rest.is_empty()).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(…)")
    }
}

/// Where to answer, and what certificate to show.
#[derive(Debug)]
pub(crate) struct ServerConfig {
    pub(crate) listen: SocketAddr,
    /// Chain and key, where an operator brings them.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    /// More names the local certificate is for.
    pub(crate) names: Vec<String>,
}

/// Where the key of the operator who acts is, and its passphrase.
#[derive(Debug)]
pub(crate) struct OperatorConfig {
    pub(crate) key: Option<PathBuf>,
    pub(crate) passphrase_file: Option<PathBuf>,
}

/// Who is let in, and how often.
#[derive(Debug)]
pub(crate) struct HttpLimits {
    pub(crate) limits: Limits,
    /// Whose word counts on who a request is passed on for.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// The origins whose pages may read answers; all where there is none.
    pub(crate) cors_origins: Option<Vec<String>>,
}

/// Where what is known of IP addresses comes from.
#[derive(Debug)]
pub(crate) struct LookupConfig {
    pub(crate) city_db: Option<PathBuf>,
    pub(crate) isp_db: Option<PathBuf>,
    pub(crate) anonymity_db: Option<PathBuf>,
    /// The servers for names; none where reverse lookups are off.
    pub(crate) dns: Option<Servers>,
    /// The zone that knows the names of autonomous systems.
    pub(crate) as_names: Option<String>,
}

/// Where events may be delivered to.
#[derive(Debug)]
pub(crate) struct Webhook {
    /// Networks that are delivered to although they are not public.
    pub(crate) networks: Vec<IpNet>,
    pub(crate) loopback: Loopback,
    /// Certificates of authorities besides those the machine trusts.
    pub(crate) authorities: Option<PathBuf>,
    /// How long a delivery is kept once it was made.
    pub(crate) remembered: Duration,
    /// How many deliveries an account may store.
    pub(crate) deliveries_max: NonZeroU32,
}

/// How the sandbox provider behaves.
#[derive(Debug)]
pub(crate) struct Sandbox {
    pub(crate) seed: u64,
    pub(crate) later: Duration,
    pub(crate) slow: Duration,
    pub(crate) profile: AbsencePolicy,
    pub(crate) latency: RangeInclusive<Duration>,
    pub(crate) request_lost_per_mille: u16,
    pub(crate) answer_lost_per_mille: u16,
    pub(crate) not_sent_per_mille: u16,
    pub(crate) sync: BookSync,
}

/// What is logged, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Log {
    pub(crate) level: LevelFilter,
    pub(crate) format: LogFormat,
}

/// The configuration cannot be used: every reason at once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    file: Option<PathBuf>,
    problems: Vec<Problem>,
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
    let warnings = values.read_environment(environment);
    read_flags(&mut values, flags);
    let config = build(&values, file, warnings)?;
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

fn build(values: &Values, file: Option<PathBuf>, warnings: Vec<String>) -> Result<Config, Invalid> {
    let mut reader = SettingReader::new(values);
    let config = reader.config();
    match (config, reader.problems) {
        (Some(config), problems) if problems.is_empty() => Ok(Config {
            warnings,
            file,
            shown: show::shown(values),
            ..config
        }),
        (_, problems) => Err(Invalid { file, problems }),
    }
}

#[cfg(test)]
mod tests;
