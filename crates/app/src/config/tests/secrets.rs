//! Secrets in files, and files of settings with secrets in them. No message may contain a secret.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::config::key::SettingShape;
use crate::secrets::PepperBytes;

const URL: &str = "postgres://server:5ec4e7@127.0.0.1/books";
const PEPPER: &str = "5ec4e7000000000000000000000000000000000000000000000000005ec4e7aa";

/// A file beside the settings, with these rights.
fn secret(folder: &TempDir, name: &str, content: impl AsRef<[u8]>, mode: u32) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    path
}

fn loaded_in<const N: usize>(
    folder: &TempDir,
    variables: [(&str, &str); N],
    set: &[&str],
) -> Result<Config, Invalid> {
    let flags = Flags {
        set: set.iter().map(|it| (*it).to_owned()).collect(),
        ..flags(folder)
    };
    load(&flags, env(variables))
}

#[test]
fn every_secret_can_be_given_as_a_file_by_a_setting_and_a_variable() {
    let all = keys::all();
    let mut secrets = all.iter().filter(|it| it.shape() == SettingShape::Secret);
    let count = secrets.clone().count();
    assert_eq!(count, 4);
    assert!(secrets.all(|secret| {
        let name = format!("{}_file", secret.name());
        let mut all = all.iter();
        let file = all.find(|it| it.name() == name).unwrap();
        assert_eq!(file.env(), format!("{}_FILE", secret.env()));
        file.shape() == SettingShape::Path
    }));
}

#[test]
fn secrets_are_read_from_files_that_count_from_the_folder_of_the_settings() {
    let folder = TempDir::new().unwrap();
    secret(&folder, "url", format!("{URL}\n"), 0o400);
    let pepper = secret(&folder, "pepper", PEPPER, 0o600);
    let ring = format!("# Keys, all of them.\n1 {PEPPER}\n2 {PEPPER}\n");
    let ring = secret(&folder, "ring", ring, 0o600);
    file(&folder, "[database]\nurl_file = \"url\"\n");
    let variables = [
        ("MANILLA_PEPPER_FILE", pepper.to_str().unwrap()),
        ("MANILLA_SECRETS_KEYS_FILE", ring.to_str().unwrap()),
    ];
    let config = loaded_in(&folder, variables, &[]).unwrap();
    assert_eq!(config.database.url.as_ref().unwrap().as_str(), URL);
    let PepperBytes(bytes) = config.pepper.unwrap();
    assert_eq!((bytes[0], bytes[31]), (0x5e, 0xaa));
    assert_eq!(config.keys.as_ref().unwrap().newest(), 2);
    assert_eq!(config.warnings, [""; 0]);

    // What is shown is the file.
    let shown = |name: &str| {
        let found = config.shown.iter().find(|it| it.name == name);
        found.unwrap().value.clone()
    };
    let named = folder.path().join("url").display().to_string();
    assert_eq!(shown("database.url_file"), named);
    assert_eq!(shown("database.url"), "");
    assert_eq!(shown("secrets.pepper_file"), pepper.display().to_string());
    assert!(!format!("{config:?}").contains("5ec4e7"));
}

#[test]
fn copies_of_the_files_of_a_data_folder_will_do() {
    let folder = TempDir::new().unwrap();
    // The last byte is that of a line break, and belongs to it.
    let bytes = [b'\n'; 32];
    let pepper = secret(&folder, "pepper", bytes, 0o600);
    let ring = KeyRing::generate([7; 32], "2027-01-01T00:00:00Z");
    let keys = secret(&folder, "keys", ring.to_text(), 0o600);
    let variables = [
        ("MANILLA_PEPPER_FILE", pepper.to_str().unwrap()),
        ("MANILLA_SECRETS_KEYS_FILE", keys.to_str().unwrap()),
    ];
    let config = loaded_in(&folder, variables, &[]).unwrap();
    assert_eq!(config.pepper, Some(PepperBytes(bytes)));
    assert_eq!(config.keys, Some(ring));
}

#[test]
fn a_secret_and_its_file_at_once_are_refused_with_both_names() {
    let folder = TempDir::new().unwrap();
    let path = secret(&folder, "secret", PEPPER, 0o600);
    let path = path.to_str().unwrap();
    let variables = [("MANILLA_PEPPER", PEPPER), ("MANILLA_PEPPER_FILE", path)];
    assert_eq!(
        problems(loaded_in(&folder, variables, &[])),
        [
            "`secrets.pepper` and `secrets.pepper_file` are both given (MANILLA_PEPPER and \
             MANILLA_PEPPER_FILE): keep one"
        ]
    );
    file(
        &folder,
        &format!("[database]\nurl = \"{URL}\"\nurl_file = \"secret\"\n"),
    );
    assert_eq!(
        problems(loaded_in(&folder, [], &[])),
        [
            "`database.url` and `database.url_file` are both given (from the file and from the \
             file): keep one"
        ]
    );
}

#[test]
fn a_later_source_goes_over_a_secret_in_whichever_form_it_was() {
    let folder = TempDir::new().unwrap();
    let (one, two) = ("postgres://u:5ec4e7@h/one", "postgres://u:5ec4e7@h/two");
    let path = secret(&folder, "url", two, 0o600);
    let path = path.to_str().unwrap();
    let url = |loaded: Result<Config, Invalid>| {
        let url = loaded.unwrap().database.url;
        url.map(|it| it.as_str().to_owned())
    };
    file(&folder, &format!("[database]\nurl = \"{one}\"\n"));
    let variables = [("MANILLA_DATABASE_FILE", path)];
    assert_eq!(
        url(loaded_in(&folder, variables, &[])).as_deref(),
        Some(two)
    );
    let flag = format!("database.url={one}");
    let over = loaded_in(&folder, variables, &[&flag]);
    assert_eq!(url(over).as_deref(), Some(one));
    // A variable that is empty is none.
    let variables = [("MANILLA_DATABASE_FILE", "")];
    assert_eq!(
        url(loaded_in(&folder, variables, &[])).as_deref(),
        Some(one)
    );

    file(&folder, "[database]\nurl_file = \"missing\"\n");
    let variables = [("MANILLA_DATABASE", one)];
    assert_eq!(
        url(loaded_in(&folder, variables, &[])).as_deref(),
        Some(one)
    );
}

#[test]
fn everything_that_is_wrong_with_files_of_secrets_is_named_at_once() {
    let folder = TempDir::new().unwrap();
    let empty = secret(&folder, "empty", "\n", 0o600);
    let open = secret(&folder, "open", PEPPER, 0o644);
    file(
        &folder,
        "[secrets]\npepper_file = \"open\"\nkeys_file = \"empty\"\n[log]\nlevel = \"x\"\n\
         [database]\nurl_file = \"missing\"\n",
    );
    let found = problems(loaded_in(&folder, [], &[]));
    assert_eq!(found.len(), 4, "{found:?}");
    let missing = folder.path().join("missing");
    for expected in [
        format!(
            "`database.url_file` = \"{0}\" (from the file): {0} is not there; write the secret \
             into it",
            missing.display()
        ),
        format!(
            "`secrets.keys_file` = \"{0}\" (from the file): {0} is empty; write the secret into it",
            empty.display()
        ),
        format!(
            "`secrets.pepper_file` = \"{0}\" (from the file): every user of this machine can read \
             {0}",
            open.display()
        ),
    ] {
        assert!(
            found.iter().any(|it| it.starts_with(&expected)),
            "{expected}: {found:?}"
        );
    }
}

#[test]
fn a_file_with_something_else_in_it_is_named_without_what_is_in_it() {
    let folder = TempDir::new().unwrap();
    for name in ["DATABASE", "PEPPER", "SECRETS_KEYS"] {
        let path = secret(&folder, "other", "c0ffee\n", 0o600);
        let variable = format!("MANILLA_{name}_FILE");
        let variables = [(variable.as_str(), path.to_str().unwrap())];
        let found = problems(loaded_in(&folder, variables, &[]));
        let [wrong] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(
            wrong.contains(&variable) && wrong.contains("/other "),
            "{wrong}"
        );
        assert!(!wrong.contains("c0ffee"), "{wrong}");
    }
}

#[test]
fn settings_with_a_secret_among_them_are_refused_where_every_user_can_read_them() {
    let folder = TempDir::new().unwrap();
    let chmod = |mode| {
        let path = folder.path().join(FILE_NAME);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    file(
        &folder,
        &format!(
            "[secrets]\npepper = \"{PEPPER}\"\n[provider.bank]\nadapter = \"paystack\"\n\
             environment = \"test\"\nsecret_key = \"sk_test_5ec4e7\"\n"
        ),
    );
    chmod(0o644);
    // What stands in the file is readable, whatever goes over it.
    let variables = [("MANILLA_PEPPER", PEPPER)];
    let found = problems(loaded_in(&folder, variables, &[]));
    let [refused] = &found[..] else {
        panic!("{found:?}");
    };
    for part in [
        "every user of this machine can read",
        "`chmod o= ",
        "`secrets.pepper`, `provider.bank.secret_key`",
    ] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    assert!(!refused.contains("5ec4e7"), "{refused}");

    chmod(0o640);
    let config = loaded_in(&folder, [], &[]).unwrap();
    let warned = |config: &Config, what: &str| config.warnings.iter().any(|it| it.contains(what));
    assert!(warned(&config, "the group of "), "{:?}", config.warnings);
    chmod(0o600);
    let config = loaded_in(&folder, [], &[]).unwrap();
    assert!(!warned(&config, "the group of "), "{:?}", config.warnings);
}

#[test]
fn settings_without_a_secret_are_for_everyone() {
    let folder = TempDir::new().unwrap();
    let settings = "[database]\nurl = \"postgres://server@127.0.0.1/books\"\n\
         [provider.bank]\nadapter = \"paystack\"\nenvironment = \"test\"\n\
         secret_key_file = \"key\"\n";
    file(&folder, settings);
    let path = folder.path().join(FILE_NAME);
    fs::set_permissions(path, Permissions::from_mode(0o644)).unwrap();
    loaded_in(&folder, [], &[]).unwrap();
}
