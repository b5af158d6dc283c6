//! The rules of the configuration as a whole. They must not read the real environment.

mod providers;
mod secrets;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use tempfile::TempDir;

use std::time::Duration;

use application::settings::Settings;
use domain::provider::AbsencePolicy;
use key_ring::KeyRing;

use super::*;

fn flags(folder: &TempDir) -> Flags {
    Flags {
        data: Some(folder.path().to_owned()),
        ..Flags::default()
    }
}

fn load(
    flags: &Flags,
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<Config, Invalid> {
    super::load(flags, variables, &Registry::standard())
}

fn file(folder: &TempDir, text: &str) {
    let path = folder.path().join(FILE_NAME);
    fs::write(&path, text).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o600)).unwrap();
}

fn env<const N: usize>(variables: [(&str, &str); N]) -> [(String, String); N] {
    variables.map(|(name, text)| (name.to_owned(), text.to_owned()))
}

fn problems(result: Result<Config, Invalid>) -> Vec<String> {
    let invalid = result.unwrap_err();
    invalid
        .problems
        .into_iter()
        .map(|problem| problem.0)
        .collect()
}

fn source(config: &Config, name: &str) -> &'static str {
    let found = config.shown.iter().find(|shown| shown.name == name);
    found.unwrap().source
}

#[test]
fn without_any_configuration_everything_has_its_default() {
    let folder = TempDir::new().unwrap();
    let config = load(&flags(&folder), []).unwrap();
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8443");
    assert_eq!(config.settings.answer_window, Duration::from_secs(20));
    assert_eq!(config.sandbox.later, Duration::from_secs(5));
    assert_eq!(config.file, None);
    assert_eq!(source(&config, "server.listen"), "default");
    assert_eq!(source(&config, "data"), "flag");
}

#[test]
fn the_defaults_of_limits_are_the_applications_own() {
    let folder = TempDir::new().unwrap();
    let config = load(&flags(&folder), []).unwrap();
    assert_eq!(config.settings, Settings::default());
    assert_eq!(config.http_limits.limits, http_server::Limits::default());
    assert_eq!(config.http_limits.trusted_proxies, []);
    assert_eq!(config.sandbox.profile, AbsencePolicy::CAUTIOUS);
}

#[test]
fn two_deals_of_one_account_on_one_product_are_refused() {
    let folder = TempDir::new().unwrap();
    let price = |account: &str, product: &str| {
        format!(
            "[[price_override]]\naccount = \"{account}\"\nproduct = \"{product}\"\ncommission = 3\n"
        )
    };
    let first = price("shop", "airtime.mtn") + &price("shop", "airtime.glo");
    let others = first + &price("other", "airtime.mtn");
    file(&folder, &others);
    assert_eq!(load(&flags(&folder), []).unwrap().price_overrides.len(), 3);
    file(&folder, &(others + &price("shop", "airtime.mtn")));
    assert_eq!(
        problems(load(&flags(&folder), [])),
        ["price_override 4: shop has one for airtime.mtn already; keep one of them"]
    );
}

#[test]
fn the_environment_goes_over_the_file_and_flags_over_both() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let port = |config: &Config| config.server.listen.port();
    file(&folder, "[server]\nlisten = \"127.0.0.1:1\"\n");

    let from_file = load(&flags(&folder), []).unwrap();
    assert_eq!(
        (port(&from_file), source(&from_file, "server.listen")),
        (1, "file")
    );

    let variables = env([("MANILLA_LISTEN", "127.0.0.1:2"), ("MANILLA_DATA", data)]);
    let from_env = load(&Flags::default(), variables.clone()).unwrap();
    assert_eq!(
        (port(&from_env), source(&from_env, "server.listen")),
        (2, "env")
    );
    assert_eq!(source(&from_env, "data"), "env");

    let set = Flags {
        set: vec!["server.listen=127.0.0.1:3".into()],
        ..flags(&folder)
    };
    let from_set = load(&set, variables.clone()).unwrap();
    assert_eq!(
        (port(&from_set), source(&from_set, "server.listen")),
        (3, "flag")
    );

    let listen = Flags {
        listen: Some("127.0.0.1:4".into()),
        ..set
    };
    assert_eq!(port(&load(&listen, variables).unwrap()), 4);
}

#[test]
fn a_named_file_must_be_there_and_may_name_the_data_folder() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("other.toml");
    let named = Flags {
        config: Some(path.clone()),
        ..Flags::default()
    };
    assert!(problems(load(&named, []))[0].starts_with("it cannot be read"));

    fs::write(&path, "data = \"kept\"\n").unwrap();
    let config = load(&named, []).unwrap();
    assert_eq!(config.data, folder.path().join("kept"));
    assert_eq!(config.file.as_deref(), Some(&*path));

    let variable = env([("MANILLA_CONFIG", path.to_str().unwrap())]);
    assert_eq!(load(&Flags::default(), variable).unwrap().data, config.data);
}

#[test]
fn a_file_in_the_data_folder_cannot_move_it() {
    let folder = TempDir::new().unwrap();
    file(&folder, "data = \"elsewhere\"\n");
    let reported = problems(load(&flags(&folder), []));
    assert!(
        reported[0].starts_with("`data` cannot move"),
        "{reported:?}"
    );
}

#[test]
fn every_problem_is_reported_at_once_by_name_and_origin() {
    let folder = TempDir::new().unwrap();
    file(
        &folder,
        "[sandbox]\nseed = \"x\"\npending_dely_ms = 1\n[log]\nlevel = \"loud\"\n",
    );
    let variables = env([("MANILLA_LISTEN", "localhost")]);
    let set = Flags {
        set: vec!["recovery.batch=0".into()],
        ..flags(&folder)
    };
    let reported = problems(load(&set, variables)).join("\n");
    for line in [
        "`sandbox.pending_dely_ms` is not a setting",
        "`sandbox.seed` = \"x\" (from the file): must be a whole number",
        "`log.level` = \"loud\" (from the file): must be one of off, error",
        "`server.listen` = \"localhost\" (MANILLA_LISTEN): must be an address and a port",
        "`recovery.batch` = \"0\" (from a flag): must be a whole number from 1 to",
    ] {
        assert!(reported.contains(line), "{line} is missing in\n{reported}");
    }
}

#[test]
fn settings_that_contradict_one_another_are_refused() {
    let folder = TempDir::new().unwrap();
    let variables = env([
        ("MANILLA_PAYMENT_LEASE_MS", "35000"),
        ("MANILLA_SANDBOX_LATENCY_MIN_MS", "2"),
        ("MANILLA_SANDBOX_LATENCY_MAX_MS", "1"),
        ("MANILLA_TLS_CERT", "cert.pem"),
        ("MANILLA_LIMITS_PAYMENTS_PER_MINUTE", "59"),
    ]);
    let reported = problems(load(&flags(&folder), variables));
    assert_eq!(reported.len(), 4, "{reported:?}");
    for name in [
        "payment.lease_ms",
        "sandbox.latency_min_ms",
        "server.tls_cert",
        "limits.payments_at_once",
    ] {
        assert!(
            reported
                .iter()
                .any(|line| line.starts_with(&format!("`{name}`"))),
            "{name}"
        );
    }
}

#[test]
fn proxies_and_limits_are_read_and_refused_by_name() {
    let folder = TempDir::new().unwrap();
    file(
        &folder,
        "[server]\ntrusted_proxies = \"127.0.0.1, 10.0.0.0/8\"\n[limits]\nreads_per_minute = 7\n",
    );
    let config = load(&flags(&folder), []).unwrap();
    assert_eq!(config.http_limits.trusted_proxies.len(), 2);
    let seven = http_server::Quota::per_minute(7.try_into().unwrap());
    assert_eq!(config.http_limits.limits.reads, seven);
    assert_eq!(source(&config, "limits.reads_per_minute"), "file");

    let variables = env([
        ("MANILLA_TRUSTED_PROXIES", "0.0.0.0/0"),
        ("MANILLA_LIMITS_LOOKUPS_PER_MINUTE", "0"),
    ]);
    let reported = problems(load(&flags(&folder), variables)).join("\n");
    for line in [
        "`server.trusted_proxies` = \"0.0.0.0/0\" (MANILLA_TRUSTED_PROXIES): must not be everybody",
        "`limits.lookups_per_minute` = \"0\" (MANILLA_LIMITS_LOOKUPS_PER_MINUTE): must be a whole",
    ] {
        assert!(reported.contains(line), "{line} is missing in\n{reported}");
    }
}

#[test]
fn a_secret_is_shown_nowhere() {
    let folder = TempDir::new().unwrap();
    let pepper = "c0ffee".repeat(10) + "c0de";
    let config = load(&flags(&folder), env([("MANILLA_PEPPER", &pepper)])).unwrap();
    assert!(config.pepper.is_some());
    let shown: Vec<String> = config.shown.iter().map(SettingView::line).collect();
    assert!(!shown.join("\n").contains("c0ffee"));
    assert!(shown.contains(&"secrets.pepper = \"(redacted)\"".to_owned()));

    let broken = load(&flags(&folder), env([("MANILLA_PEPPER", "c0ffee")])).unwrap_err();
    assert!(broken.to_string().contains("secrets.pepper"));
    assert!(!broken.to_string().contains("c0ffee"), "{broken}");
}

#[test]
fn a_key_ring_is_read_from_commas_or_lines_and_never_shown() {
    let folder = TempDir::new().unwrap();
    let key = "c0ffee00".repeat(8);
    for text in [format!("1 {key},2 {key}"), format!("1 {key}\n2 {key}")] {
        let config = load(&flags(&folder), env([("MANILLA_SECRETS_KEYS", &text)])).unwrap();
        assert_eq!(config.keys.as_ref().map(key_ring::KeyRing::newest), Some(2));
        assert_eq!(config.origin("secrets.keys"), "MANILLA_SECRETS_KEYS");
        assert!(!format!("{config:?}").contains("c0ffee"));
    }
    let repeated = format!("1 {key},1 {key}");
    let broken = load(&flags(&folder), env([("MANILLA_SECRETS_KEYS", &repeated)])).unwrap_err();
    let reported = broken.to_string();
    assert!(
        reported.contains("secrets.keys") && reported.contains("line 2"),
        "{reported}"
    );
    assert!(!reported.contains("c0ffee"), "{reported}");
}

#[test]
fn the_template_is_a_configuration_that_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let bare = load(&flags(&folder), []).unwrap();
    let uncommented: String = template(&Registry::standard())
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.contains(" = ") && !rest.contains("price_override") => {
                format!("{rest}\n")
            }
            _ => format!("{line}\n"),
        })
        .filter(|line| !line.starts_with("data ="))
        .take_while(|line| !line.contains("What payouts are charged"))
        .collect();
    file(&folder, &uncommented);
    let config = load(&flags(&folder), []).unwrap();
    assert_eq!(source(&config, "sandbox.seed"), "file");
    let values = |config: &Config| -> Vec<String> {
        config
            .shown
            .iter()
            .map(|shown| shown.value.clone())
            .collect()
    };
    assert_eq!(values(&config), values(&bare));
}

#[test]
fn the_limit_for_one_person_is_not_theirs_to_set() {
    let folder = TempDir::new().unwrap();
    let limit = |variables| {
        let config = load(&flags(&folder), variables).unwrap();
        super::limit_is_everybodys(&config.shown)
    };
    assert_eq!(limit(env([("MANILLA_SANDBOX_SEED", "7")])), Ok(()));
    let refused = limit(env([("MANILLA_REVIEW_DUAL_CONTROL_ABOVE", "900000000.00")]));
    assert!(refused.is_err());
    file(&folder, "[review]\ndual_control_above = \"5000.00\"\n");
    assert_eq!(limit(env([("MANILLA_SANDBOX_SEED", "7")])), Ok(()));
}
