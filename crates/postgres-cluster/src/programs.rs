//! Where PostgreSQL's programs are on this machine. It must not pick a server older than the newest
//! one installed, unless it is configured to.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The variable that names the folder of the programs.
const OVERRIDE: &str = "MANILLA_POSTGRES_BIN";

/// The two programs without which nothing works; a machine may have only the clients.
const NEEDED: [&str; 2] = ["initdb", "postgres"];

/// Folders that hold one folder per major version: Debian's, Red Hat's packages of the project
/// itself, and those of Homebrew.
const VERSIONED: [&str; 4] = [
    "/usr/lib/postgresql",
    "/usr",
    "/opt/homebrew/opt",
    "/usr/local/opt",
];

/// What to do where there is none.
const REMEDY: &str = "install it (Debian: `apt-get install postgresql`, macOS: `brew install \
                      postgresql`), or name the folder of `initdb` in MANILLA_POSTGRES_BIN";

/// The folder of the programs.
///
/// # Panics
/// When there is none, saying what to install.
#[must_use]
pub fn folder() -> PathBuf {
    find(&Places::of_this_machine()).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Where programs may be.
#[derive(Debug, Default)]
struct Places {
    configured: Option<PathBuf>,
    versioned: Vec<PathBuf>,
    path: Vec<PathBuf>,
}

impl Places {
    fn of_this_machine() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self {
            configured: std::env::var_os(OVERRIDE).map(PathBuf::from),
            versioned: VERSIONED.map(PathBuf::from).to_vec(),
            path: std::env::split_paths(&path).collect(),
        }
    }
}

fn find(places: &Places) -> Result<PathBuf, String> {
    if let Some(configured) = &places.configured {
        return if has_server(configured) {
            Ok(configured.clone())
        } else {
            let configured = configured.display();
            Err(format!(
                "{OVERRIDE} names {configured}, where no PostgreSQL server is; {REMEDY}"
            ))
        };
    }
    let newest = places.versioned.iter().flat_map(|place| versions(place));
    let newest = newest.max_by_key(|(version, _)| *version);
    newest
        .map(|(_, folder)| folder)
        .or_else(|| {
            places
                .path
                .iter()
                .find(|folder| has_server(folder))
                .cloned()
        })
        .ok_or_else(|| format!("no PostgreSQL server is on this machine; {REMEDY}"))
}

/// The servers of a folder with one folder per version, with their major versions.
fn versions(place: &Path) -> Vec<(u32, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(place) else {
        return Vec::new();
    };
    let server = |name: &OsStr| {
        let folder = place.join(name).join("bin");
        let version = major(&name.to_string_lossy())?;
        has_server(&folder).then_some((version, folder))
    };
    entries
        .flatten()
        .filter_map(|entry| server(&entry.file_name()))
        .collect()
}

/// The version in the name of a folder: `15`, `pgsql-16`, `postgresql@17`, and 0 where it has none.
fn major(name: &str) -> Option<u32> {
    if name == "postgresql" {
        return Some(0);
    }
    let digits = ["postgresql@", "pgsql-", ""]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))?;
    digits.parse().ok()
}

fn has_server(folder: &Path) -> bool {
    NEEDED.iter().all(|name| folder.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::{Places, find};
    use std::path::PathBuf;
    use tempfile::TempDir;

    /// A folder of programs, with or without a server.
    fn install(scratch: &TempDir, folder: &str, names: &[&str]) -> PathBuf {
        let folder = scratch.path().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        for name in names {
            std::fs::write(folder.join(name), "").unwrap();
        }
        folder
    }

    #[test]
    fn a_missing_server_is_reported_with_what_to_install() {
        let scratch = TempDir::new().unwrap();
        let clients = install(&scratch, "clients", &["psql"]);
        let places = Places {
            path: vec![clients.clone()],
            ..Places::default()
        };
        let problem = find(&places).unwrap_err();
        assert!(problem.contains("apt-get install postgresql"), "{problem}");

        let places = Places {
            configured: Some(clients),
            ..places
        };
        let problem = find(&places).unwrap_err();
        assert!(problem.contains("MANILLA_POSTGRES_BIN names"), "{problem}");
        assert!(problem.contains("apt-get install postgresql"), "{problem}");
    }

    #[test]
    fn the_newest_server_is_taken_unless_another_is_named() {
        let scratch = TempDir::new().unwrap();
        let server = ["initdb", "postgres"];
        let ninth = install(&scratch, "versions/9/bin", &server);
        let newest = install(&scratch, "versions/17/bin", &server);
        install(&scratch, "versions/18/bin", &["initdb"]);
        install(&scratch, "versions/pgsql-16/bin", &server);
        let on_path = install(&scratch, "path", &server);
        let mut places = Places {
            versioned: vec![scratch.path().join("versions")],
            path: vec![on_path.clone()],
            configured: None,
        };
        assert_eq!(find(&places), Ok(newest));
        places.configured = Some(ninth.clone());
        assert_eq!(find(&places), Ok(ninth));
        places = Places {
            versioned: vec![scratch.path().join("elsewhere")],
            configured: None,
            ..places
        };
        assert_eq!(find(&places), Ok(on_path));
    }
}
