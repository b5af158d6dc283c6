//! What of a configuration a running server can take up. It must name every setting that it cannot:
//! a server never works by parts of two configurations.

use super::{Config, SettingView, keys};

/// What a reload takes up, or what only commands read.
const TAKEN_UP: [&str; 5] = [
    keys::LOG_LEVEL.name,
    "server.tls_cert",
    "server.tls_key",
    "operator.key",
    "operator.passphrase_file",
];

/// Settings that are looked at entry by entry.
const ENTRIES: [&str; 4] = ["provider.", "route.", "maintenance.", "account_limit."];

/// Everything that differs between two configurations and needs a restart, by the names of the
/// settings.
pub(crate) fn restart_needed(before: &Config, after: &Config) -> Vec<String> {
    let mut found = settings(before, after);
    let mut differs = |name: &str, differs: bool| {
        let name = format!("`{name}`");
        if differs && !found.contains(&name) {
            found.push(name);
        }
    };
    // They are not shown, or not whole.
    differs("database.url", before.database.url != after.database.url);
    let standbys = (&before.database.standby, &after.database.standby);
    differs("database.standby_url", standbys.0.url != standbys.1.url);
    differs("secrets.pepper", before.pepper != after.pepper);
    differs("secrets.keys", before.keys != after.keys);
    differs("[[payout_charge]]", before.charges != after.charges);
    let prices = (&before.credit_prices, &after.credit_prices);
    differs("[[credit_price]]", prices.0 != prices.1);
    let charges = (&before.collection.charges, &after.collection.charges);
    differs("[[collection_charge]]", charges.0 != charges.1);
    differs("[[biller]]", before.billers != after.billers);
    differs("[[paid_lookup]]", before.paid_lookups != after.paid_lookups);
    differs(
        "[[price_override]]",
        before.price_overrides != after.price_overrides,
    );
    // The local certificate is kept by a task that begins at the start.
    let (brought, brings) = (&before.server.certificate, &after.server.certificate);
    differs("server.tls_cert", brought.is_some() != brings.is_some());
    if !before.routes.is_empty() && after.routes.is_empty() {
        let emptied = "`[[route]]`: none is left, and live accounts could buy nothing";
        found.push(emptied.to_owned());
    }
    found.extend(accounts(before, after));
    found
}

/// The settings of which another value is in force.
fn settings(before: &Config, after: &Config) -> Vec<String> {
    let is_looked_at = |it: &&SettingView| {
        let is_entry = ENTRIES.iter().any(|entry| it.name.starts_with(entry));
        !is_entry && !TAKEN_UP.contains(&it.name.as_str())
    };
    let value = |of: &Config, name: &str| {
        let view = of.shown.iter().find(|it| it.name == name);
        view.map(|it| it.value.clone())
    };
    let mut found: Vec<String> = Vec::new();
    for (here, there) in [(before, after), (after, before)] {
        for view in here.shown.iter().filter(is_looked_at) {
            let name = format!("`{}`", view.name);
            if value(there, &view.name).as_ref() != Some(&view.value) && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Accounts that are gone, and settings of accounts that are no secrets.
fn accounts(before: &Config, after: &Config) -> Vec<String> {
    let mut found = Vec::new();
    for account in &before.accounts {
        let id = &account.id;
        let Some(now) = after.accounts.iter().find(|it| it.id == *id) else {
            found.push(format!(
                "[provider.{id}]: it is gone; attempts may be open there"
            ));
            continue;
        };
        let names = account.differing(now).into_iter();
        found.extend(names.map(|name| format!("`provider.{id}.{name}`")));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use tempfile::TempDir;

    use super::*;
    use crate::config::{self, Flags};
    use crate::registry::Registry;

    const BEFORE: &str = "[provider.far]\nadapter = \"http\"\nenvironment = \"live\"\n\
                          url = \"https://a.example\"\n\
                          keys = \"key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\"\n\
                          [[route]]\nproduct = \"airtime\"\nprovider = \"far\"\n";

    fn read(text: &str, set: &[&str]) -> Config {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("manilla.toml");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        let flags = Flags {
            config: Some(file),
            set: set.iter().map(|it| (*it).to_owned()).collect(),
            ..Flags::default()
        };
        config::load(&flags, [], &Registry::standard()).unwrap()
    }

    fn needed(after: &str, set: &[&str]) -> Vec<String> {
        restart_needed(&read(BEFORE, &[]), &read(after, set))
    }

    #[test]
    fn routes_windows_limits_secrets_accounts_and_the_log_level_need_no_restart() {
        let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        let after = BEFORE
            .replace(key, "BBECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
            .replace("[[route]]", "max_concurrent = 3\n[[route]]");
        let after = format!(
            "{after}priority = 2\n[[maintenance]]\nprovider = \"far\"\n\
             weekly = \"Sun 01:00-03:00\"\n[provider.another]\nadapter = \"sandbox\"\n\
             [[route]]\nproduct = \"sms\"\nprovider = \"another\"\n"
        );
        assert_eq!(needed(&after, &["log.level=warn"]), [""; 0]);
    }

    #[test]
    fn what_cannot_change_is_named_each() {
        let other_url = BEFORE
            .replace("a.example", "b.example")
            .replace("\"live\"", "\"test\"");
        let set = [
            "server.listen=127.0.0.1:1",
            "database.url=postgres://other/db",
            "log.format=json",
            "payment.in_flight_max=7",
        ];
        let mut found = needed(&other_url, &set);
        found.sort();
        assert_eq!(
            found,
            [
                "`database.url`",
                "`log.format`",
                "`payment.in_flight_max`",
                "`provider.far.environment`",
                "`provider.far.url`",
                "`server.listen`",
            ]
        );
    }

    #[test]
    fn another_password_of_the_database_is_seen_and_not_shown() {
        let before = read("", &["database.url=postgres://u:one@h/db"]);
        let after = read("", &["database.url=postgres://u:two@h/db"]);
        assert_eq!(restart_needed(&before, &after), ["`database.url`"]);
    }

    #[test]
    fn another_secret_in_the_same_file_is_seen() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("pepper");
        let set = format!("secrets.pepper_file={}", file.display());
        let read_with = |pepper: [u8; 32]| {
            fs::write(&file, pepper).unwrap();
            fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
            read("", &[&set])
        };
        let (before, after) = (read_with([1; 32]), read_with([2; 32]));
        assert_eq!(restart_needed(&before, &after), ["`secrets.pepper`"]);
        assert_eq!(restart_needed(&after, &after), [""; 0]);
    }

    #[test]
    fn an_account_that_is_gone_and_the_last_route_need_a_restart() {
        let found = needed("", &[]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().any(|it| it.contains("[provider.far]")));
        assert!(found.iter().any(|it| it.contains("none is left")));
    }

    #[test]
    fn another_adapter_under_the_same_name_needs_a_restart() {
        let after = "[provider.far]\nadapter = \"sandbox\"\n\
                     [[route]]\nproduct = \"airtime\"\nprovider = \"far\"\n";
        assert_eq!(needed(after, &[]), ["`provider.far.adapter`"]);
    }

    #[test]
    fn a_certificate_of_its_own_in_place_of_the_local_one_needs_a_restart() {
        let after = format!("{BEFORE}[server]\ntls_cert = \"a\"\ntls_key = \"b\"\n");
        assert_eq!(needed(&after, &[]), ["`server.tls_cert`"]);
    }

    #[test]
    fn terms_that_are_shown_in_part_are_compared_whole() {
        let biller = |minimum: &str| {
            format!(
                "{BEFORE}[[biller]]\ncategory = \"water\"\ncode = \"690\"\n\
                 brandname = \"Ogun Water\"\ncompany = \"Ogun State Water Corporation\"\n\
                 address = \"Oke-Mosan\"\ncommission = \"0.75\"\ndiscount = \"1.00\"\n\
                 minimum = \"{minimum}\"\nmaximum = \"500000.00\"\nbilling = \"postpaid\"\n\
                 amount_rule = \"any\"\n"
            )
        };
        let found = restart_needed(&read(&biller("500.00"), &[]), &read(&biller("600.00"), &[]));
        assert_eq!(found, ["`[[biller]]`"]);
    }
}
