//! Where values come from: the default, one file, the environment, flags, each over the one before.
//! It must refuse what it does not know rather than ignore it: a misspelt limit is no limit.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use super::account::{self, RawAccounts};
use super::key::{Setting, SettingShape};
use super::nearest::nearest;
use super::parse::scalar;
use super::problem::{Problem, ReadList};
use super::raw::{FILE, Raw, SettingSource, beside};
use super::{
    account_limit, biller, charge, collection_charge, credit_price, database, keys, maintenance,
    paid_lookup, price_override, route,
};

/// Everything that was said about settings.
#[derive(Debug, Default)]
pub(crate) struct Values {
    set: BTreeMap<&'static str, Raw>,
    pub(crate) price_overrides: Vec<price_override::RawPriceOverride>,
    pub(crate) charges: Vec<charge::RawRule>,
    pub(crate) credit_prices: Vec<credit_price::RawCreditPrice>,
    pub(crate) collection_charges: Vec<collection_charge::RawCollectionCharge>,
    pub(crate) billers: Vec<biller::RawBiller>,
    pub(crate) paid_lookups: Vec<paid_lookup::RawPaidLookup>,
    pub(crate) account_limits: Vec<account_limit::RawAccountLimit>,
    pub(crate) accounts: RawAccounts,
    pub(crate) routes: Vec<route::RawRoute>,
    pub(crate) maintenance: Vec<maintenance::RawWindow>,
    /// What is wrong, one sentence each, so that all of it can be mended at once.
    pub(crate) problems: Vec<Problem>,
}

impl Values {
    /// The value in force for a setting.
    pub(crate) fn raw(&self, key: &dyn Setting) -> Raw {
        self.set.get(key.name()).cloned().unwrap_or_else(|| Raw {
            text: key.default().to_owned(),
            source: SettingSource::Default,
        })
    }

    /// Takes in a configuration file that stands in `folder`.
    pub(crate) fn read_file(&mut self, text: &str, folder: &Path) {
        match text.parse::<Table>() {
            Ok(table) => {
                let reader = FileReader { folder };
                reader.table(self, "", table);
            }
            Err(error) => self.problem(format!("it is not TOML: {}", error.to_string().trim())),
        }
    }

    /// Takes in the environment. Returns variables that look like settings and are none: they are
    /// only worth a warning, for orchestrators put variables of their own under our name.
    pub(crate) fn read_environment(
        &mut self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Vec<String> {
        let mut strangers = Vec::new();
        let variables = variables.into_iter();
        let (of_accounts, others): (Vec<_>, Vec<_>) =
            variables.partition(|(name, _)| RawAccounts::is_variable(name));
        for name in self.accounts.read_variables(of_accounts) {
            strangers.push(stranger(&name));
        }
        for (name, text) in others {
            let known = keys::all().into_iter().find(|key| key.env() == name);
            match known {
                Some(key) => self.put(key, text, SettingSource::Environment),
                None if name.starts_with("MANILLA_") && !OTHER_VARIABLES.contains(&&*name) => {
                    strangers.push(stranger(&name));
                }
                None => {}
            }
        }
        strangers
    }

    /// Takes in one `name=value` of `--set`.
    pub(crate) fn read_assignment(&mut self, assignment: &str) {
        let Some((name, text)) = assignment.split_once('=') else {
            self.problem(format!(
                "--set {assignment}: must be NAME=VALUE such as --set sandbox.pending_delay_ms=100"
            ));
            return;
        };
        match setting(name) {
            Some(key) => self.put(key, text.to_owned(), SettingSource::Flag),
            None if self.accounts.assign(name, text) => {}
            None => self.problem(format!("--set {assignment}: {}", unknown(name))),
        }
    }

    pub(crate) fn put(&mut self, key: &dyn Setting, text: String, source: SettingSource) {
        // A secret and the setting that names its file are one: the later source goes over both.
        if !text.is_empty()
            && let Some(other) = other_form(key.name())
            && self.set.get(other).is_some_and(|it| it.source < source)
        {
            self.set.remove(other);
        }
        self.set.insert(key.name(), Raw { text, source });
    }

    /// The secrets that stand among the settings themselves, by their names. An address of a
    /// database is one where it has a password.
    pub(crate) fn inline_secrets(&self) -> Vec<String> {
        let settings = keys::all().into_iter();
        let secrets = settings.filter(|key| {
            let text = self.raw(*key).text;
            let is_address = [keys::DATABASE.name, keys::STANDBY.name].contains(&key.name());
            let is_one = !is_address || database::has_password(&text);
            key.shape() == SettingShape::Secret && !text.is_empty() && is_one
        });
        secrets.map(|key| format!("`{}`", key.name())).collect()
    }

    /// The entries of a list that could be read; what is wrong with others is noted.
    fn listed<T>(&mut self, list: ReadList<T>) -> Vec<T> {
        self.problems.extend(list.problems);
        list.entries
    }

    pub(crate) fn problem(&mut self, text: String) {
        self.problems.push(Problem(text));
    }
}

/// Variables under our name that are no settings.
const OTHER_VARIABLES: [&str; 3] = ["MANILLA_CONFIG", "MANILLA_PAUSE_AT", "MANILLA_PAUSE_FILE"];

fn stranger(name: &str) -> String {
    let names = keys::all().into_iter().map(Setting::env);
    match nearest(name, names.chain(OTHER_VARIABLES)) {
        Some(meant) => format!("{name} is not a setting; did you mean {meant}?"),
        None => format!("{name} is not a setting; `manilla config` lists them"),
    }
}

/// The setting that names the file of a secret, for the secret; and the other way round.
fn other_form(name: &str) -> Option<&'static str> {
    let other = match name.strip_suffix(FILE) {
        Some(secret) => setting(secret)?,
        None => setting(&format!("{name}{FILE}"))?,
    };
    Some(other.name())
}

fn setting(name: &str) -> Option<&'static dyn Setting> {
    keys::all().into_iter().find(|key| key.name() == name)
}

fn unknown(name: &str) -> String {
    match nearest(name, keys::all().into_iter().map(Setting::name)) {
        Some(meant) => format!("`{name}` is not a setting; did you mean `{meant}`?"),
        None => format!("`{name}` is not a setting; `manilla config` lists them"),
    }
}

struct FileReader<'a> {
    folder: &'a Path,
}

impl FileReader<'_> {
    /// Takes in a table; `prefix` is empty or ends with a dot.
    fn table(&self, values: &mut Values, prefix: &str, table: Table) {
        for (name, value) in table {
            let name = format!("{prefix}{name}");
            match (setting(&name), value) {
                (Some(key), value) => self.value(values, key, value),
                (None, Value::Table(inner)) if is_section(&name) => {
                    self.table(values, &format!("{name}."), inner);
                }
                (None, value) if name == charge::SECTION => {
                    let rules = values.listed(charge::read(value));
                    values.charges.extend(rules);
                }
                (None, value) if name == credit_price::SECTION => {
                    let prices = values.listed(credit_price::read(value));
                    values.credit_prices.extend(prices);
                }
                (None, value) if name == collection_charge::SECTION => {
                    let rules = values.listed(collection_charge::read(value));
                    values.collection_charges.extend(rules);
                }
                (None, value) if name == biller::SECTION => {
                    let billers = values.listed(biller::read(value));
                    values.billers.extend(billers);
                }
                (None, value) if name == paid_lookup::SECTION => {
                    let lookups = values.listed(paid_lookup::read(value));
                    values.paid_lookups.extend(lookups);
                }
                (None, value) if name == account_limit::SECTION => {
                    let limits = values.listed(account_limit::read(value));
                    values.account_limits.extend(limits);
                }
                (None, value) if name == account::SECTION => {
                    let problems = values.accounts.read(value, self.folder);
                    values.problems.extend(problems);
                }
                (None, value) if name == route::SECTION => {
                    let routes = values.listed(route::read(value));
                    values.routes.extend(routes);
                }
                (None, value) if name == maintenance::SECTION => {
                    let windows = values.listed(maintenance::read(value));
                    values.maintenance.extend(windows);
                }
                (None, value) if name == price_override::SECTION => {
                    let overrides = values.listed(price_override::read(value));
                    values.price_overrides.extend(overrides);
                }
                (None, _) if is_section(&name) => {
                    values.problem(format!("`{name}` is a section: write [{name}]"));
                }
                (None, Value::Table(_)) => values.problem(unknown_section(&name)),
                (None, _) => values.problem(unknown(&name)),
            }
        }
    }

    fn value(&self, values: &mut Values, key: &'static dyn Setting, value: Value) {
        let Some(text) = scalar(value) else {
            values.problem(format!("`{}` must be a single value", key.name()));
            return;
        };
        let text = match key.shape() {
            SettingShape::Path if !text.is_empty() => beside(self.folder, &text),
            SettingShape::Path
            | SettingShape::Text
            | SettingShape::Number
            | SettingShape::Secret => text,
        };
        values.put(key, text, SettingSource::File);
    }
}

fn is_section(name: &str) -> bool {
    let start = format!("{name}.");
    keys::all().iter().any(|key| key.name().starts_with(&start))
}

fn unknown_section(name: &str) -> String {
    let names = keys::all().into_iter().map(Setting::name);
    let sections = names.filter_map(|name| name.rsplit_once('.').map(|(section, _)| section));
    match nearest(
        name,
        sections.chain([
            account::SECTION,
            account_limit::SECTION,
            biller::SECTION,
            charge::SECTION,
            collection_charge::SECTION,
            credit_price::SECTION,
            maintenance::SECTION,
            paid_lookup::SECTION,
            price_override::SECTION,
            route::SECTION,
        ]),
    ) {
        Some(meant) => format!("[{name}] is not a section; did you mean [{meant}]?"),
        None => format!("[{name}] is not a section; `manilla config` lists every setting"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_file(text: &str) -> Values {
        let mut values = Values::default();
        values.read_file(text, Path::new("/etc/manilla"));
        values
    }

    fn only_problem(values: &Values) -> &str {
        assert_eq!(values.problems.len(), 1, "{:?}", values.problems);
        &values.problems[0].0
    }

    #[test]
    fn an_unknown_key_is_named_with_the_nearest_known_one() {
        let values = from_file("[sandbox]\npending_dely_ms = 5\n");
        assert_eq!(
            only_problem(&values),
            "`sandbox.pending_dely_ms` is not a setting; did you mean `sandbox.pending_delay_ms`?"
        );
    }

    #[test]
    fn an_unknown_section_is_named_with_the_nearest_known_one() {
        assert_eq!(
            only_problem(&from_file("[sandboks]\npending_delay_ms = 5\n")),
            "[sandboks] is not a section; did you mean [sandbox]?"
        );
        assert_eq!(
            only_problem(&from_file("log = \"debug\"\n")),
            "`log` is a section: write [log]"
        );
    }

    #[test]
    fn a_list_is_no_value() {
        assert_eq!(
            only_problem(&from_file("[log]\nlevel = [\"info\"]\n")),
            "`log.level` must be a single value"
        );
    }

    #[test]
    fn what_is_not_toml_is_reported_with_its_line() {
        let values = from_file("[log\n");
        assert!(only_problem(&values).contains("line 1"), "{values:?}");
    }

    #[test]
    fn paths_in_a_file_count_from_its_folder() {
        let values = from_file("[server]\ntls_cert = \"tls/me.pem\"\ntls_key = \"/k.pem\"\n");
        assert_eq!(values.raw(&keys::TLS_CERT).text, "/etc/manilla/tls/me.pem");
        assert_eq!(values.raw(&keys::TLS_KEY).text, "/k.pem");
    }

    #[test]
    fn a_strange_variable_is_warned_of_and_not_fatal() {
        let mut values = Values::default();
        let variables = [
            ("MANILLA_LISEN", "x"),
            ("MANILLA_PORT_8443_TCP_PROTO_OF_SOMEBODY", "tcp"),
            ("MANILLA_CONFIG", "x"),
            ("PATH", "x"),
        ];
        let owned = variables.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let strangers = values.read_environment(owned);
        assert_eq!(strangers.len(), 2, "{strangers:?}");
        assert!(strangers[0].ends_with("did you mean MANILLA_LISTEN?"));
        assert!(values.problems.is_empty());
    }

    #[test]
    fn a_flag_of_an_unknown_name_is_refused() {
        let mut values = Values::default();
        values.read_assignment("server.lisen=127.0.0.1:1");
        assert_eq!(
            only_problem(&values),
            "--set server.lisen=127.0.0.1:1: `server.lisen` is not a setting; did you mean \
             `server.listen`?"
        );
    }
}
